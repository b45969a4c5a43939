// Java's hash codes of operations: where they stand in the sets that Elle keeps of them.
#ifndef ELAPID_ENGINE_INFER_RECORD_HASH_H_
#define ELAPID_ENGINE_INFER_RECORD_HASH_H_

#include <cstdint>
#include <string_view>

#include "engine/ir/history.h"

namespace elapid {

/// hashCode() of the value with this canonical text. Integers of 64 bits, strings, keywords,
/// symbols, booleans, nil and vectors of these; 0 for anything else. Linear.
[[nodiscard]] std::uint32_t java_hash(std::string_view canonical);

/// hashCode() of the completion of a register transaction as Jepsen's record of :index, :time,
/// :type, :process, :f and :value. Inexact where the operation has further keys, which a History
/// does not keep. Requires has_completion(txn) and HistoryInfo::f.
[[nodiscard]] std::uint32_t record_hash(const History& history, TxnId txn);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_RECORD_HASH_H_
