// A share of a scan's histories, for one of several machines: `--shard 3/8`.
//
//   const Shard shard = parse_shard("3/8").value();
//   shard.has("runs/7.edn");  // true on one machine of the eight
//
// A hash of its path decides the share of a history. So machines that see the same paths agree
// without communication, and no history changes its share when others are added.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

struct Shard {
  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;

  [[nodiscard]] bool has(std::string_view path) const;
  /// `3/8`
  [[nodiscard]] std::string text() const;
};

/// Error: kUsage unless it is `I/N` with 1 <= I <= N <= 1,000,000.
[[nodiscard]] Result<Shard> parse_shard(std::string_view text);

}  // namespace elapid
