// What a verdict means, in words: Elle's text of its cycle files, and the text for a terminal.
#ifndef ELAPID_ADAPTER_ELLE_EXPLANATION_H_
#define ELAPID_ADAPTER_ELLE_EXPLANATION_H_

#include <span>
#include <string>

#include "adapter/elle/paragraph.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Elle's text of cycles of one type: for each `G1c #0`, `Let:`, the operations in full, `Then:`
/// and the steps; two empty lines between cycles, no newline at the end. Likewise of any other
/// anomalies.
[[nodiscard]] std::string anomalies_text(const History& history, std::span<const Anomaly> anomalies,
                                         const EventFieldsFn& fields);

/// The text below a verdict: the ladder of models, if it was asked for; one paragraph a type of
/// anomaly, for the shortest of its cycles or the first of its other evidence, then why the verdict
/// is unknown, and the models ruled out. Ends with a newline; empty for a valid verdict without
/// warnings.
[[nodiscard]] std::string explanation(const History& history, const Verdict& verdict,
                                      const ParagraphOptions& options);

/// A few words on what a type of anomaly is, as `read skew, with real time`; empty where its name
/// says it.
[[nodiscard]] std::string gloss(AnomalyType type);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_ELLE_EXPLANATION_H_
