// Numbers keys, values and the like for formats that have only numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/value_pool.h"
#include "parsers/convert/target.h"

namespace elapid {

/// Integers that fit keep their number, or all of them are moved by one; everything else gets the
/// numbers behind the largest of these, in the order in which it came.
class Numbering {
 public:
  /// Everything is 0.
  Numbering() = default;
  /// `names` may repeat. Those that stand under `reserved` numbers do not keep them. Where integers
  /// reach so high that there is no room behind them, all are numbered anew.
  Numbering(const ValuePool& values, std::span<const ValueId> names, NumberRange range,
            std::span<const std::int64_t> reserved, bool moved_by_one);

  [[nodiscard]] std::int64_t number(ValueId name) const;

  /// A number that nothing has, another one each time.
  std::int64_t fresh();

  /// Names that have lost their own number, those moved by one left out, with the new one; sorted
  /// by it.
  [[nodiscard]] std::vector<std::pair<std::int64_t, ValueId>> renumbered() const;

  [[nodiscard]] std::size_t renumbered_count() const { return others_.size(); }

  [[nodiscard]] bool is_moved() const { return shift_ != 0; }

 private:
  [[nodiscard]] std::optional<std::int64_t> own_number(ValueId name) const;

  const ValuePool* values_ = nullptr;
  NumberRange range_ = {};
  std::vector<std::int64_t> reserved_ = {};
  std::int64_t shift_ = 0;
  bool keeps_integers_ = true;
  std::int64_t next_ = 1;
  std::unordered_map<ValueId, std::int64_t> others_ = {};
};

}  // namespace elapid
