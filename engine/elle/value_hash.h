// Hash codes of values as Java and Clojure compute them. They decide the order in which Elle's sets
// iterate, and so which of several answers Elle gives.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::elle {

/// The two hash codes of a value.
enum class HashCode : std::uint8_t {
  kJava,     ///< hashCode(), which Bifurcan's collections use
  kClojure,  ///< (hash x), which Clojure's collections use
};

/// The hash code of the value with this canonical EDN text, linear in its length. Decimals with M
/// and tagged literals count as 0, and so do values that contain one.
[[nodiscard]] std::uint32_t hash_of_text(std::string_view canonical, HashCode code);

/// Java's hash code of a sequence after one more element.
[[nodiscard]] constexpr std::uint32_t with_element(std::uint32_t hash, std::uint32_t element) {
  return 31 * hash + element;
}

/// The same for a value of this history, without making the text of an integer.
[[nodiscard]] std::uint32_t hash_of(const History& history, ValueId value, HashCode code);

/// Clojure's hash code of a vector of these elements.
[[nodiscard]] std::uint32_t clojure_hash(const History& history, std::span<const ValueId> elements);

/// Whether a value with hash code `hash` precedes one with `other` when Clojure's hash sets
/// iterate: nodes of 32 children, by five bits at a time, from the low end.
[[nodiscard]] bool iterates_before(std::uint32_t hash, std::uint32_t other);

/// Sorts keys as a Clojure map iterates to which they were added in this order: up to eight keep
/// that order, more are ordered by their hash codes.
void sort_as_map(const History& history, std::vector<KeyId>& keys);

/// hashCode() of a keyword or symbol with this name, `namespace/name` or `name`, no colon.
[[nodiscard]] std::uint32_t java_keyword_hash(std::string_view name);

}  // namespace elapid::elle
