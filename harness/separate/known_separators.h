// The smallest histories between levels that `separate_all` found, by name.
#pragma once

#include <span>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/separate/separate.h"

namespace elapid {

struct KnownSeparator {
  std::string_view name = {};    ///< `lost-update`
  std::string_view gloss = {};   ///< what happens, in a sentence
  bool has_lists = false;        ///< else registers
  std::string_view sketch = {};  ///< in the notation of sketch/tiny_history.h
  ShapeSize size = {};
};

/// The size up to which all histories were tried: of pairs of levels that none of the known ones
/// separates, no history up to it does, as far as both levels are decided.
inline constexpr ShapeSize kSearchedSize{.txns = 4, .ops = 6};

/// Smaller ones first.
[[nodiscard]] std::span<const KnownSeparator> known_separators();

[[nodiscard]] TinyHistory history_of(const KnownSeparator& known);

/// The smallest known history that `allowing` allows and `forbidding` forbids; null if there is
/// none. Error: of the check.
[[nodiscard]] Result<const KnownSeparator*> find_separator(Model allowing, Model forbidding);

}  // namespace elapid
