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

/// Integers that fit keep their number, or all of them are moved by one. All other names get the
/// numbers after the largest of these, in the order of their arrival.
class Numbering {
 public:
  /// All names have the number 0.
  Numbering() = default;
  /// `names` may repeat. Names whose number is `reserved` do not keep it. If integers are so large
  /// that there is no room after them, all names get new numbers.
  Numbering(const ValuePool& values, std::span<const ValueId> names, NumberRange range,
            std::span<const std::int64_t> reserved, bool moved_by_one);

  [[nodiscard]] std::int64_t number(ValueId name) const;

  /// An unused number, a new one each time.
  std::int64_t fresh();

  /// Names that have lost their own number, without those moved by one, with the new number; sorted
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
