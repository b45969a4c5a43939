// Makes a history of a performance, in EDN as Jepsen writes it.
#pragma once

#include <string>

#include "harness/scenario/play.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// An operation with what it has found: `[:r :x [1 2]]`, `[:rp [:in :age 13 19] {7 {:age 15}}]`.
[[nodiscard]] std::string done_text(const Scenario& scenario, Op op, const StepReply& answer);

/// A line an event: what there is at the start, the transactions of the sessions, each of which is
/// a process with its number, and a last transaction that reads everything. Without times: the
/// order of the lines is that in which things happened.
[[nodiscard]] std::string history_text(const Scenario& scenario, const Performance& performance);

}  // namespace elapid
