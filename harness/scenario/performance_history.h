// The history of a performance, in EDN as Jepsen writes it.
#pragma once

#include <string>

#include "harness/scenario/play.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// An operation with its result: `[:r :x [1 2]]`, `[:rp [:in :age 13 19] {7 {:age 15}}]`.
[[nodiscard]] std::string done_text(const Scenario& scenario, Op op, const StepReply& answer);

/// One line for each event: the initial contents; the transactions of the sessions, each of which
/// is the process of its number; and a last transaction that reads everything. There are no times:
/// the lines are in order of time.
[[nodiscard]] std::string history_text(const Scenario& scenario, const Performance& performance);

}  // namespace elapid
