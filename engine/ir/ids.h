// Distinct 32-bit identifiers: mixing two kinds does not compile.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "engine/ir/seeded_hash.h"

namespace elapid {

/// An index into an array of the History, or none().
template <class Tag>
struct Id {
  std::uint32_t value = std::numeric_limits<std::uint32_t>::max();

  static constexpr Id none() { return {}; }

  [[nodiscard]] constexpr bool is_none() const { return *this == none(); }

  [[nodiscard]] constexpr std::size_t index() const { return value; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

/// A transaction. Numbered in the order of completions; those without a completion come last.
using TxnId = Id<struct TxnTag>;
/// An object of the database (Adya's object); numbered by first appearance.
using KeyId = Id<struct KeyTag>;
/// A session: the transactions of one client, in order. Numbered by first appearance.
using SessionId = Id<struct SessionTag>;
/// The place of an event in its history, counted from 0. Events of all processes count.
using EventId = Id<struct EventTag>;

/// A value, an element or the name of a key. Small integers are inline. The History interns all
/// others, texts and larger integers apart. Two ids of one History are equal iff the values are
/// equal in Clojure's sense.
class ValueId {
 public:
  static constexpr std::int64_t kInlineMin = -(std::int64_t{1} << 30);
  static constexpr std::int64_t kInlineMax = (std::int64_t{1} << 30) - 1;
  /// The most texts, and the most integers that are not inline. The last id is none().
  static constexpr std::uint32_t kMaxInterned = (std::uint32_t{1} << 30) - 1;

  constexpr ValueId() = default;

  static constexpr bool fits_inline(std::int64_t n) { return n >= kInlineMin && n <= kInlineMax; }

  /// Requires fits_inline(n).
  static constexpr ValueId integer(std::int64_t n) {
    return ValueId(static_cast<std::uint32_t>(n - kInlineMin));
  }

  /// Requires index < kMaxInterned.
  static constexpr ValueId interned(std::uint32_t index) { return ValueId(index | kInternedBit); }

  /// A larger integer, by its place among the pool's integers. Requires index < kMaxInterned.
  static constexpr ValueId long_integer(std::uint32_t index) {
    return ValueId(index | kInternedBit | kLongBit);
  }

  static constexpr ValueId from_bits(std::uint32_t bits) { return ValueId(bits); }

  /// Clojure's nil, which is always interned first.
  static constexpr ValueId nil() { return interned(0); }

  /// No value, such as the version before the first write.
  static constexpr ValueId none() { return {}; }

  [[nodiscard]] constexpr bool is_nil() const { return *this == nil(); }

  [[nodiscard]] constexpr bool is_none() const { return *this == none(); }

  /// Whether it is an inline integer.
  [[nodiscard]] constexpr bool is_integer() const { return (bits_ & kInternedBit) == 0; }

  [[nodiscard]] constexpr std::int64_t as_integer() const {
    return std::int64_t{bits_} + kInlineMin;
  }

  /// Whether it is an interned 64-bit integer; see ValuePool::as_integer for its value.
  [[nodiscard]] constexpr bool is_long() const {
    return !is_none() && (bits_ & kInternedBit) != 0 && (bits_ & kLongBit) != 0;
  }

  /// The place among texts, or among larger integers. Requires an interned value.
  [[nodiscard]] constexpr std::uint32_t interned_index() const {
    return bits_ & ~(kInternedBit | kLongBit);
  }

  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr auto operator<=>(ValueId, ValueId) = default;

 private:
  static constexpr std::uint32_t kInternedBit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kLongBit = std::uint32_t{1} << 30;

  constexpr explicit ValueId(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_ = std::numeric_limits<std::uint32_t>::max();
};

/// A key and a value as one number, for hashing and sorting.
[[nodiscard]] constexpr std::uint64_t packed(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32 | value.bits();
}

}  // namespace elapid

template <class Tag>
struct std::hash<elapid::Id<Tag>> {
  std::size_t operator()(elapid::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value);
  }
};

/// Seeded, since an input chooses its integers, and with them these ids.
template <>
struct std::hash<elapid::ValueId> {
  std::size_t operator()(elapid::ValueId id) const noexcept {
    return elapid::seeded_hash(std::uint64_t{id.bits()});
  }
};
