// The levels that the clients of a run ask for: one, or several with the share of each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"

namespace elapid {

struct LevelMix {
  std::vector<std::string> levels = {};  ///< not empty, none twice
  std::vector<std::size_t> shares = {};  ///< of each; positive

  [[nodiscard]] bool is_one() const { return levels.size() == 1; }

  /// `serializable+read-committed`, for names of folders.
  [[nodiscard]] std::string name() const;

  /// `serializable:30,read-committed:70`; of one level its name.
  [[nodiscard]] std::string text() const;
};

/// Reads `serializable:30,read committed:70`, or `serializable+read-committed` with equal shares;
/// words of SQL are ours. Error kUsage: a share that is no positive number, a level that is named
/// twice or not at all, more than 256 levels.
[[nodiscard]] Result<LevelMix> parse_level_mix(std::string_view text);

}  // namespace elapid
