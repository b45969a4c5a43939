// What verdicts are called.
#ifndef ELAPID_ENGINE_VALIDITY_WORDS_H_
#define ELAPID_ENGINE_VALIDITY_WORDS_H_

#include <string_view>

#include "engine/verdict.h"

namespace elapid {

/// Of a history: Elle's words for `:valid?`.
[[nodiscard]] constexpr std::string_view truth_word(Validity validity) {
  return validity == Validity::kValid     ? "true"
         : validity == Validity::kInvalid ? "false"
                                          : "unknown";
}

/// The same as JSON.
[[nodiscard]] constexpr std::string_view truth_json(Validity validity) {
  return validity == Validity::kUnknown ? R"("unknown")" : truth_word(validity);
}

/// Of a level.
[[nodiscard]] constexpr std::string_view validity_word(Validity validity) {
  return validity == Validity::kValid     ? "valid"
         : validity == Validity::kInvalid ? "invalid"
                                          : "unknown";
}

}  // namespace elapid

#endif  // ELAPID_ENGINE_VALIDITY_WORDS_H_
