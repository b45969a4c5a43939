// Checks the history of a test while it runs.
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
  CheckOptions check = {};       ///< with the models demanded
  bool demands_default = false;  ///< these were not asked for: see set_demands
  std::function<Result<Verdict>(const LoadedHistory&, const CheckOptions&)> checker = check_loaded;
  /// Makes CheckOptions::has_budget, for each check anew; may be empty.
  std::function<std::function<bool()>()> budget = {};
  /// Between the starts of two checks, at least; and no more than half of the time is spent
  /// checking.
  std::chrono::milliseconds interval = std::chrono::seconds(1);
  bool to_end = false;  ///< the file does not grow any more
  /// End at a line that is malformed. Else it is waited at: nothing behind it can be understood,
  /// since what it says may explain all that follows.
  bool stop_on_error = false;
  /// Whether to end, asked for often; may be empty. A check that runs is given up, and there is a
  /// last one of all that is there.
  std::function<bool()> should_stop = {};
};

/// What a history that was followed came to.
struct FollowOutcome {
  Validity validity = Validity::kUnknown;
  std::optional<Error> error = {};  ///< why it ended: told in an event already
};

/// Follows the history at `path` and calls `write` for each event, a line of JSON with its newline:
///
///   prefix       after each check of all whole lines: how many, and each level demanded: true,
///                false or unknown. False is certain (certainty.h): it remains. Of several keys of
///                jepsen.independent, which are histories of their own: how many stand how.
///   violation    a level is violated, with the anomalies, the models ruled out, and the first
///                anomaly in words
///   provisional  the same, but what follows in the file may change it
///   retracted    what follows in the file did
///   error        a line, or the file, cannot be read
///   summary      the end
///
/// Once the file is whole (to_end) nothing is provisional, and the summary says what `elapid check`
/// says. Error: what cannot be read, what check() refuses, and with stop_on_error a malformed line.
FollowOutcome follow_history(const FollowOptions& options,
                             const std::function<void(std::string_view)>& write);

}  // namespace elapid
