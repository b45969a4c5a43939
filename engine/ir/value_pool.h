// Interned values: everything that is not a small integer, by its canonical printed form.
#ifndef ELAPID_ENGINE_IR_VALUE_POOL_H_
#define ELAPID_ENGINE_IR_VALUE_POOL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid {

/// The type of a value, as far as Elle tells types apart.
enum class ValueClass : std::uint8_t {
  kNil,
  kBoolean,
  kLong,
  kBigInt,
  kRatio,
  kDouble,
  kDecimal,
  kString,
  kCharacter,
  kKeyword,
  kSymbol,
  kVector,
  kMap,
  kSet,
  kTagged,
};

/// Append-only table of values. The canonical form is EDN in which equal values have equal text:
/// integers in decimal without `N` (unless beyond 64 bits), lists as vectors, maps and sets sorted
/// by their entries' text, one space between forms.
class ValuePool {
 public:
  ValuePool();

  /// The id of an integer, inline when it is small.
  ValueId integer(std::int64_t n);
  /// The id of the value with this canonical EDN text. Small integers come out inline.
  ValueId intern(std::string_view canonical);
  /// The id, if the value is known; else none(). Never changes the pool.
  [[nodiscard]] ValueId find(std::string_view canonical) const;

  [[nodiscard]] std::string text(ValueId value) const;
  void append_text(ValueId value, std::string& out) const;
  [[nodiscard]] ValueClass class_of(ValueId value) const;

  /// Clojure's truth: everything but nil and false.
  [[nodiscard]] bool truthy(ValueId value) const {
    return !value.is_nil() && value != false_value();
  }

  static constexpr ValueId false_value() { return ValueId::interned(1); }

  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  [[nodiscard]] std::string_view interned_text(std::uint32_t index) const {
    return std::string_view(bytes_).substr(begin_[index], begin_[index + 1] - begin_[index]);
  }

  [[nodiscard]] std::size_t slot_of(std::string_view canonical) const;
  void grow();

  std::string bytes_;                 // the texts, one after another
  std::vector<std::uint64_t> begin_;  // one more than values
  std::vector<std::uint32_t> slots_;  // open addressing; kEmpty or an index
  static constexpr std::uint32_t kEmpty = 0xffffffffU;
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_IR_VALUE_POOL_H_
