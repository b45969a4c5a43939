// Verdicts in short, for tests.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Validity and anomaly types, as `invalid G-single-item lost-update`, or `error: ...`.
inline std::string verdict_text(const Result<Verdict>& result) {
  constexpr std::array<std::string_view, 3> kValidities = {"valid", "invalid", "unknown"};
  if (!result.ok()) {
    return "error: " + result.error().message;
  }
  const Verdict& verdict = result.value();
  std::string out(kValidities.at(static_cast<std::size_t>(verdict.validity)));
  std::string_view last;
  for (const Anomaly& anomaly : verdict.anomalies) {
    if (name(anomaly.type) != last) {
      last = name(anomaly.type);
      out += ' ' + std::string(last);
    }
  }
  return out;
}

}  // namespace elapid
