// Descriptions as text for people. Knows no kind of evidence.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "adapter/elle/event_text.h"
#include "engine/evidence/describe.h"
#include "engine/ir/history.h"

namespace elapid {

/// The only escapes that a text has: around names that are the program's own, if colours are
/// wanted. What comes from a history is escaped before it enters a text (engine/ir/visible.h).
inline constexpr std::string_view kBoldOn = "\x1b[1m";
inline constexpr std::string_view kBoldOff = "\x1b[0m";

struct TextOptions {
  bool full = false;    ///< print events and lists whole, and every claim and transaction
  bool colour = false;  ///< ANSI escapes around names
  std::string_view clock_skew = "the clock skew";  ///< what the caller calls its bound
  EventFieldsFn fields = {};
  /// Where an event stands, as `history.edn:12`; if empty, place_in_session() of session traces.
  std::function<std::string(TxnId, EventKind)> place = {};
  /// Transactions by the numbers that users know, as `line 12`, `lines 3 and 5`; if empty, by
  /// place_in_session() or, where the history is one of events, by their indices.
  std::function<std::string(std::span<const TxnId>)> cite = {};
};

/// `session 8, transaction 12`: the session by the name that its source gives it, the transaction
/// by its place in it, counted from 1. Linear in the session.
[[nodiscard]] std::string place_in_session(const History& history, TxnId txn);

/// Transactions by the numbers that users know, as TextOptions::cite says: `line 12`, `index 3`.
[[nodiscard]] std::string cited(const History& history, std::span<const TxnId> txns,
                                const TextOptions& options);

/// `text` in bold face, if colours are wanted.
[[nodiscard]] std::string emphasised(std::string text, const TextOptions& options);

/// `a`, `a and b`, `a, b and c`; after eight items `and 5 more`, unless `full`.
[[nodiscard]] std::string enumeration(std::span<const std::string> items, bool full);

/// `Let:` with the actors, one a line, an empty line, `Then:` with the claims, and the steps of
/// each below it. A description without actors is its claims only. Of many claims the first and the
/// last are shown, with the actors that they speak of. No newline at the end.
[[nodiscard]] std::string to_text(const History& history, const Description& description,
                                  const TextOptions& options);

/// A phrase of the description, on one line.
[[nodiscard]] std::string to_text(const History& history, const Description& description,
                                  const Phrase& phrase, const TextOptions& options);

/// The same of a finding, below a line with its name; then its followers, which share its actors.
/// Ends with an empty line.
[[nodiscard]] std::string to_text(const History& history, const Finding& finding,
                                  const TextOptions& options);

}  // namespace elapid
