// Hash codes of values as Java and Clojure compute them: they decide in which order Elle's sets
// iterate, and so which of several answers Elle gives.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/ir/history.h"

namespace elapid::elle {

/// Which of a value's two hash codes is meant.
enum class HashCode : std::uint8_t {
  kJava,     ///< hashCode(), by which Bifurcan's collections place it
  kClojure,  ///< (hash x), by which Clojure's do
};

/// The hash code of the value with this canonical EDN text, linear in it. Decimals with M and
/// tagged literals count as 0, as does whatever contains one.
[[nodiscard]] std::uint32_t hash_of_text(std::string_view canonical, HashCode code);

/// Java's hash code of a sequence, one element longer.
[[nodiscard]] constexpr std::uint32_t with_element(std::uint32_t hash, std::uint32_t element) {
  return 31 * hash + element;
}

/// The same of a value of this history, without making the text of an integer.
[[nodiscard]] std::uint32_t hash_of(const History& history, ValueId value, HashCode code);

/// Clojure's hash code of a vector of these elements.
[[nodiscard]] std::uint32_t clojure_hash(const History& history, std::span<const ValueId> elements);

/// Whether a value with the first hash code stands before one with the second where Clojure's hash
/// sets iterate: nodes of 32 children, by five bits at a time from the low end.
[[nodiscard]] bool iterates_before(std::uint32_t hash, std::uint32_t other);

/// hashCode() of a keyword or symbol by its name without the colon, `namespace/name` or `name`.
[[nodiscard]] std::uint32_t java_keyword_hash(std::string_view name);

}  // namespace elapid::elle
