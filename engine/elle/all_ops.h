// All operations of a history, for what Elle refuses before it looks closer.
#pragma once

#include <algorithm>

#include "engine/ir/history.h"

namespace elapid::elle {

/// Calls `visit(op)` for every operation, invocations that differ included.
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
