#include "harness/compare/answer.h"

#include <array>

namespace elapid {
namespace {

constexpr std::array kOutcomes = {Outcome::kValid, Outcome::kInvalid, Outcome::kUnknown,
                                  Outcome::kFailed, Outcome::kNotAsked};

}  // namespace

std::string_view name(Outcome outcome) {
  constexpr std::array<std::string_view, 5> kNames = {"valid", "invalid", "unknown", "failed", "-"};
  return kNames.at(static_cast<std::size_t>(outcome));
}

std::optional<Outcome> find_outcome(std::string_view word) {
  for (const Outcome outcome : kOutcomes) {
    if (name(outcome) == word) {
      return outcome;
    }
  }
  return std::nullopt;
}

Outcome outcome_of(Validity validity) {
  return validity == Validity::kValid     ? Outcome::kValid
         : validity == Validity::kInvalid ? Outcome::kInvalid
                                          : Outcome::kUnknown;
}

}  // namespace elapid
