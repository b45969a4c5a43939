// Descriptions as text for people. Does not know the kinds of evidence.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "adapter/elle/event_text.h"
#include "engine/evidence/describe.h"
#include "engine/ir/history.h"

namespace elapid {

/// The only escapes in a text: around the program's own names, if colours are wanted. Names from a
/// history are escaped before they enter a text (engine/ir/visible.h).
inline constexpr std::string_view kBoldOn = "\x1b[1m";
inline constexpr std::string_view kBoldOff = "\x1b[0m";

struct TextOptions {
  bool full = false;    ///< print events and lists whole, and every claim and transaction
  bool colour = false;  ///< ANSI escapes around names
  std::string_view clock_skew = "the clock skew";  ///< the caller's name of its bound
  EventFieldsFn fields = {};
  /// The place of an event, as `history.edn:12`; if empty, place_in_session() of session traces.
  std::function<std::string(TxnId, EventKind)> place = {};
  /// Transactions by the numbers that users know, as `line 12`, `lines 3 and 5`. If empty: by
  /// place_in_session(), or in a history of events by their indices.
  std::function<std::string(std::span<const TxnId>)> cite = {};
};

/// `session 8, transaction 12`: the session by its name in the source, the transaction by its place
/// in the session, counted from 1. Linear in the session.
[[nodiscard]] std::string place_in_session(const History& history, TxnId txn);

/// Transactions by the numbers that users know, as TextOptions::cite says: `line 12`, `index 3`.
[[nodiscard]] std::string cited(const History& history, std::span<const TxnId> txns,
                                const TextOptions& options);

/// `text` in bold face, if colours are wanted.
[[nodiscard]] std::string emphasised(std::string text, const TextOptions& options);

/// `a`, `a and b`, `a, b and c`; after eight items `and 5 more`, unless `full`.
[[nodiscard]] std::string enumeration(std::span<const std::string> items, bool full);

/// `Let:` with the actors, one a line, an empty line, `Then:` with the claims, and the steps of
/// each below it. A description without actors is its claims only. If there are many claims, only
/// the first and the last are shown, with their actors. No newline at the end.
[[nodiscard]] std::string to_text(const History& history, const Description& description,
                                  const TextOptions& options);

/// A phrase of the description, on one line.
[[nodiscard]] std::string to_text(const History& history, const Description& description,
                                  const Phrase& phrase, const TextOptions& options);

/// A finding: a line with its name, its description, and its followers, which share its actors.
/// Ends with an empty line.
[[nodiscard]] std::string to_text(const History& history, const Finding& finding,
                                  const TextOptions& options);

}  // namespace elapid
