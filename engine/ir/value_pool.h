// Interned values: everything that is not a small integer, by its canonical printed form. Two
// values are equal iff their ids are.
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
///
/// There is room for so many values that are not inline. Beyond, a pool is full: what is new to it
/// becomes nil, and is_overfull() says so. Then nothing may be concluded from its ids, and
/// HistoryBuilder makes no history of them.
class ValuePool {
 public:
  /// At most `room` texts, and as many integers.
  explicit ValuePool(std::uint32_t room = ValueId::kMaxInterned);

  /// Whether there was a value for which there was no room.
  [[nodiscard]] bool is_overfull() const { return is_overfull_; }

  /// The id of an integer, inline when it is small. O(1), without making its text.
  ValueId integer(std::int64_t n) {
    return ValueId::fits_inline(n) ? ValueId::integer(n) : intern_long(n);
  }

  /// The id of an unsigned integer; beyond 2^63 - 1 it is one of Clojure's big ones.
  ValueId natural(std::uint64_t n);

  /// Brings what integer(n) needs nearer, for a call soon after.
  [[gnu::always_inline]] void prefetch(std::int64_t n) const {
    if (!ValueId::fits_inline(n)) {
      long_index_.prefetch(hash_of(n));
    }
  }

  /// The id of the value with this canonical EDN text. Small integers come out inline.
  ValueId intern(std::string_view canonical);
  /// The id, if the value is known; else none(). Never changes the pool.
  [[nodiscard]] ValueId find(std::string_view canonical) const;

  [[nodiscard]] std::string text(ValueId value) const;
  void append_text(ValueId value, std::string& out) const;
  /// For evidence: see shown_name() and visible_line().
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
