// The smallest histories that separate two levels, by name; `separate_all` found them.
#pragma once

#include <span>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/separate/separate.h"

namespace elapid {

struct KnownSeparator {
  std::string_view name = {};    ///< as `lost-update`
  std::string_view gloss = {};   ///< a sentence that says what happens
  bool has_lists = false;        ///< else registers
  std::string_view sketch = {};  ///< in the notation of sketch/tiny_history.h
  ShapeSize size = {};
};

/// All histories up to this size were tried. If none of the known ones separates a pair of levels,
/// no history up to this size does, as far as both levels are decided.
inline constexpr ShapeSize kSearchedSize{.txns = 4, .ops = 6};

/// Sorted by size.
[[nodiscard]] std::span<const KnownSeparator> known_separators();

[[nodiscard]] TinyHistory history_of(const KnownSeparator& known);

/// The smallest known history that `allowing` allows and `forbidding` forbids; null if there is
/// none. Error: of the check.
[[nodiscard]] Result<const KnownSeparator*> find_separator(Model allowing, Model forbidding);

}  // namespace elapid
