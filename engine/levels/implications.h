// The closure of implications between the values of an enumeration.
#pragma once

#include <array>
#include <cstddef>

#include "engine/levels/enum_set.h"

namespace elapid {

/// The reflexive and transitive closure of "implies directly", in both directions.
template <class E, std::size_t kCount>
class Implications {
 public:
  using Set = EnumSet<E, kCount>;

  /// `directly(value)`: the set of values that `value` implies directly. O(kCount^3) in the worst
  /// case (Warshall's algorithm).
  template <class Directly>
  explicit Implications(Directly directly) {
    for (const E value : Set::all()) {
      of(implied_, value) = Set(directly(value)).set(value);
    }
    for (const E via : Set::all()) {
      for (Set& reached : implied_) {
        if (reached.test(via)) {
          reached |= of(implied_, via);
        }
      }
    }
    for (const E value : Set::all()) {
      for (const E implied : of(implied_, value)) {
        of(implying_, implied).set(value);
      }
    }
  }

  /// The values that `value` implies, itself included.
  [[nodiscard]] const Set& implied_by(E value) const { return of(implied_, value); }

  /// The values that imply `value`, itself included.
  [[nodiscard]] const Set& implying(E value) const { return of(implying_, value); }

  [[nodiscard]] Set implied_by(const Set& values) const { return image(implied_, values); }

  [[nodiscard]] Set implying(const Set& values) const { return image(implying_, values); }

 private:
  using Rows = std::array<Set, kCount>;

  static Set& of(Rows& rows, E value) { return rows[static_cast<std::size_t>(value)]; }

  static const Set& of(const Rows& rows, E value) { return rows[static_cast<std::size_t>(value)]; }

  static Set image(const Rows& rows, const Set& values) {
    Set result;
    for (const E value : values) {
      result |= of(rows, value);
    }
    return result;
  }

  Rows implied_;
  Rows implying_;
};

}  // namespace elapid
