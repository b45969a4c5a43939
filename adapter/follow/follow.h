// Checks the history of a test while the test runs.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/check/check.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/door/door.h"
#include "parsers/read.h"

namespace elapid {

struct FollowOptions {
  /// A file of events, one a line: `edn` or `jsonl`. `-`: standard input, which is whole at its
  /// end.
  std::string path = {};
  ReadOptions read = {};
  CheckOptions check = {};       ///< with the demanded models
  bool demands_default = false;  ///< no models were asked for: see set_demands()
  std::function<Result<Verdict>(const LoadedHistory&, const CheckOptions&)> checker = check_loaded;
  /// Makes CheckOptions::has_budget for each check anew; may be empty.
  std::function<std::function<bool()>()> budget = {};
  /// The least time between the starts of two checks. Checks take at most half of the
  /// time.
  std::chrono::milliseconds interval = std::chrono::seconds(1);
  bool to_end = false;  ///< the file no longer grows
  /// Whether a malformed line ends the run. If not, the run waits at that line: later lines cannot
  /// be judged, because the malformed one may explain them.
  bool stop_on_error = false;
  /// Asked often: whether to end; may be empty. The running check is given up, and a last check
  /// judges the whole input so far.
  std::function<bool()> should_stop = {};
};

/// The result of following a history.
struct FollowOutcome {
  Validity validity = Validity::kUnknown;
  std::optional<Error> error = {};  ///< why it ended: an event has told this already
};

/// Follows the history at `path` and calls `write` for each event, a line of JSON with its newline:
///
///   prefix       after each check of all whole lines: their number, and for each demanded level
///                true, false or unknown. False is certain, by what certainty.h trusts. For keys of
///                jepsen.independent, which are histories of their own: the counts of keys.
///   violation    a level is violated, with the anomalies, the models ruled out, and the first
///                anomaly in words
///   provisional  a violation that later lines may change
///   retracted    later lines revoke a violation: a provisional one, or one that was certain only
///                because the history had not yet done what it was trusted not to do
///   error        a line, or the file, cannot be read
///   summary      the end
///
/// Once the file is whole (to_end) nothing is provisional, and the summary is as `elapid check`'s.
/// Error: an unreadable input, an error of check(), with stop_on_error a malformed line.
FollowOutcome follow_history(const FollowOptions& options,
                             const std::function<void(std::string_view)>& write);

}  // namespace elapid
