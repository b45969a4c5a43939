// Interned values: each value that is no small integer, by its canonical printed form. Two values
// are equal iff their ids are equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/ids.h"
#include "engine/ir/seeded_hash.h"

namespace elapid {

/// The type of a value, as Elle distinguishes types.
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
///
/// A pool has room for a limited number of values that are not inline. If it is full, a new value
/// becomes nil, and is_overfull() is true. Then nothing may be concluded from its ids, and
/// HistoryBuilder makes no history of them.
class ValuePool {
 public:
  /// At most `room` texts, and as many integers.
  explicit ValuePool(std::uint32_t room = ValueId::kMaxInterned);

  /// Whether a value found no room.
  [[nodiscard]] bool is_overfull() const { return is_overfull_; }

  /// The id of an integer; inline if it is small. O(1), without its text.
  ValueId integer(std::int64_t n) {
    return ValueId::fits_inline(n) ? ValueId::integer(n) : intern_long(n);
  }

  /// The id of an unsigned integer. Beyond 2^63 - 1 it is one of Clojure's big integers.
  ValueId natural(std::uint64_t n);

  /// Prefetches the memory that integer(n) reads, for a call soon after.
  [[gnu::always_inline]] void prefetch(std::int64_t n) const {
    if (!ValueId::fits_inline(n)) {
      long_index_.prefetch(hash_of(n));
    }
  }

  /// The id of the value with this canonical EDN text; inline for small integers.
  ValueId intern(std::string_view canonical);
  /// The id of a known value; none() for other values. Does not change the pool.
  [[nodiscard]] ValueId find(std::string_view canonical) const;

  [[nodiscard]] std::string text(ValueId value) const;
  void append_text(ValueId value, std::string& out) const;
  /// The text in evidence: see shown_name() and visible_line().
  [[nodiscard]] std::string shown_text(ValueId value) const;
  [[nodiscard]] ValueClass class_of(ValueId value) const;
  /// The value as a 64-bit integer, if it is one.
  [[nodiscard]] std::optional<std::int64_t> as_integer(ValueId value) const;

  /// Clojure's truth: everything but nil and false.
  [[nodiscard]] bool truthy(ValueId value) const {
    return !value.is_nil() && value != false_value();
  }

  static constexpr ValueId false_value() { return ValueId::interned(1); }

  [[nodiscard]] std::size_t memory_bytes() const;

  /// Distinct values that are not inline.
  [[nodiscard]] std::size_t size() const { return text_count() + longs_.size(); }

 private:
  [[nodiscard]] std::size_t text_count() const { return begin_.size() - 1; }

  [[nodiscard]] std::string_view interned_text(std::uint32_t index) const {
    return std::string_view(bytes_).substr(begin_[index], begin_[index + 1] - begin_[index]);
  }

  static std::uint32_t hash_of(std::string_view text) {
    return static_cast<std::uint32_t>(seeded_hash(text) >> 32);
  }

  static std::uint32_t hash_of(std::int64_t n) {
    return static_cast<std::uint32_t>(seeded_hash(static_cast<std::uint64_t>(n)) >> 32);
  }

  ValueId intern_long(std::int64_t n);
  ValueId overflow();

  std::uint32_t room_;
  bool is_overfull_ = false;
  std::string bytes_;                 // the texts, one after another
  std::vector<std::uint64_t> begin_;  // one more than values
  HashIndex text_index_;
  std::vector<std::int64_t> longs_;  // integers that are not inline
  HashIndex long_index_;
};

}  // namespace elapid
