// Visits all operations of a history, for the tests with which Elle refuses a history.
#pragma once

#include <algorithm>

#include "engine/ir/history.h"

namespace elapid::elle {

/// Calls `visit(op)` for every operation, also for invocations that differ.
template <class Visit>
void each_op(const History& history, Visit visit) {
  for (const Op op : history.all_ops()) {
    visit(op);
  }
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (const auto invoked = history.differing_invocation({t})) {
      std::for_each(invoked->begin(), invoked->end(), visit);
    }
  }
}

}  // namespace elapid::elle
