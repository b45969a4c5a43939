// Java's hash codes of operations: they determine the places in Elle's sets.
#pragma once

#include <cstdint>

#include "engine/ir/history.h"

namespace elapid::elle {

/// hashCode() of the completion of a register transaction, as Jepsen's record of :index, :time,
/// :type, :process, :f and :value. Inexact if the operation has further keys, which a History does
/// not keep. Requires has_completion(txn) and HistoryInfo::f.
[[nodiscard]] std::uint32_t record_hash(const History& history, TxnId txn);

}  // namespace elapid::elle
