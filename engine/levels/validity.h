// The three answers, and their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace elapid {

enum class Validity : std::uint8_t { kValid, kInvalid, kUnknown };

/// The worse of two answers, as Jepsen merges them.
[[nodiscard]] constexpr Validity gravest(Validity a, Validity b) {
  for (const Validity graver : {Validity::kInvalid, Validity::kUnknown}) {
    if (a == graver || b == graver) {
      return graver;
    }
  }
  return Validity::kValid;
}

/// Elle's words for the `:valid?` of a history.
[[nodiscard]] constexpr std::string_view truth_word(Validity validity) {
  return validity == Validity::kValid     ? "true"
         : validity == Validity::kInvalid ? "false"
                                          : "unknown";
}

/// The same in JSON.
[[nodiscard]] constexpr std::string_view truth_json(Validity validity) {
  return validity == Validity::kUnknown ? R"("unknown")" : truth_word(validity);
}

/// The words for a level.
[[nodiscard]] constexpr std::string_view validity_word(Validity validity) {
  return validity == Validity::kValid     ? "valid"
         : validity == Validity::kInvalid ? "invalid"
                                          : "unknown";
}

}  // namespace elapid
