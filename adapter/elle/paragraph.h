// Evidence as prose: who takes part, and what follows from what they did.
#ifndef ELAPID_ADAPTER_ELLE_PARAGRAPH_H_
#define ELAPID_ADAPTER_ELLE_PARAGRAPH_H_

#include <functional>
#include <string>
#include <vector>

#include "adapter/elle/elision.h"
#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// An event with the name that the claims call it by, and what of it they speak of. One whose event
/// has no transaction stands for others left out.
struct Actor {
  std::string name;
  EventRef event = {};
  std::vector<Focus> focus = {};
};

struct Paragraph {
  std::vector<Actor> actors;
  std::vector<std::string> claims;  ///< one sentence each; the last one is what cannot be
};

struct ParagraphOptions {
  bool full = false;    ///< print events and lists whole, and every step and transaction
  bool colour = false;  ///< ANSI escapes around names
  EventFieldsFn fields = {};
  /// Where an event stands, as `history.edn:12`; may be empty.
  std::function<std::string(TxnId, EventKind)> place = {};
};

/// `text` in bold face, if colours are wanted.
[[nodiscard]] std::string emphasised(std::string text, const ParagraphOptions& options);

/// A closed walk as a chain of `T1 < T2, because ….` that ends in a contradiction, in Elle's words.
[[nodiscard]] Paragraph cycle_paragraph(const History& history, const std::vector<Step>& steps,
                                        const ParagraphOptions& options);

/// Who did what when, and which axiom that violates.
[[nodiscard]] Paragraph timestamp_paragraph(const History& history,
                                            const TimestampEvidence& evidence,
                                            const ParagraphOptions& options);

/// The same for any kind of anomaly.
[[nodiscard]] Paragraph anomaly_paragraph(const History& history, const Anomaly& anomaly,
                                          const ParagraphOptions& options);

/// `Let:` with the actors, one a line, an empty line, `Then:` with the claims. A paragraph without
/// actors is its claims only. No newline at the end.
[[nodiscard]] std::string to_text(const History& history, const Paragraph& paragraph,
                                  const ParagraphOptions& options);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_ELLE_PARAGRAPH_H_
