// Visits the list reads of some completions.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ir/history.h"

namespace elapid::elle {

/// Calls `visit(txn, mop, op)` for every list read of the completions that `includes` accepts.
template <class Includes, class Visit>
void each_list_read(const History& history, Includes includes, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops = history.has_completion({t}) && includes(TxnId{t})
                                        ? history.ops({t})
                                        : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        visit(TxnId{t}, mop, ops[mop]);
      }
    }
  }
}

}  // namespace elapid::elle
