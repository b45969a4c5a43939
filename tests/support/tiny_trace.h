// Tiny histories (harness/sketch/tiny_history.h) as session traces.
#pragma once

#include "harness/sketch/tiny_history.h"

namespace elapid {

/// What a session trace says beyond a history's operations.
struct TinyTraceForm {
  bool has_times = false;        ///< the places of the events
  bool has_initial_txn = false;  ///< a recorded first transaction writes 0 to all keys
};

/// The history of registers as a session trace: whole transactions, in which 0 stands for the
/// initial state. Throws std::invalid_argument if the builder refuses it.
[[nodiscard]] History build_trace(const TinyHistory& history, TinyTraceForm form);

}  // namespace elapid
