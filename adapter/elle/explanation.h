// A verdict in words: the text for a terminal, and that of evidence files.
#pragma once

#include <span>
#include <string>

#include "adapter/elle/description_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// For each anomaly of one type `G1c #0` and its description, two empty lines between them; no
/// newline at the end.
[[nodiscard]] std::string anomalies_text(const History& history, std::span<const Anomaly> anomalies,
                                         const Assumptions& assumptions,
                                         const TextOptions& options);

/// The text below a verdict: the ladder of models, if it was asked for; a paragraph for each
/// finding; the reasons of an unknown verdict; and the models ruled out. Ends with a newline; empty
/// for a valid verdict without warnings.
[[nodiscard]] std::string explanation(const History& history, const Verdict& verdict,
                                      const TextOptions& options);

}  // namespace elapid
