// What the checkers of docs/forks-and-orders.md answer, computed in the plainest way from events.
//
// Each compares everything with everything. `elle_compat` as in JudgeRequest.
#pragma once

#include "tests/reference/plain_history.h"

namespace elapid::reference {

/// `group_size` 0: none is given.
PlainAnswer long_fork(const PlainHistory& history, bool elle_compat, std::size_t group_size);

PlainAnswer causal_reverse(const PlainHistory& history, bool elle_compat);

/// Key k has subkeys 0, 1, ...: `scalar` is a subkey that is added, `list` the subkeys read.
PlainAnswer sequential(const PlainHistory& history, bool elle_compat, std::size_t key_count);

PlainAnswer g2(const PlainHistory& history, bool elle_compat);

/// `link` -1 stands for `:init`.
PlainAnswer causal(const PlainHistory& history, bool elle_compat);

PlainAnswer dirty_reads(const PlainHistory& history, bool elle_compat);

PlainAnswer dirty_read(const PlainHistory& history, bool elle_compat);

/// `scalar` is the :val of an added row; a read shows rows of val, sts, node and table in turn.
PlainAnswer monotonic_cockroach(const PlainHistory& history, bool elle_compat);

/// `list` is a timestamp and a value.
PlainAnswer monotonic_faunadb(const PlainHistory& history, bool elle_compat);

PlainAnswer monotonic_tidb(const PlainHistory& history, bool elle_compat);

}  // namespace elapid::reference
