// The anomalies of list-append histories that need no cycle (docs/elle-rules.md); one function for
// one or two of them. Each appends to `out` in history order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/elle/writes.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// Whether the transaction has a completion that is not :fail.
[[nodiscard]] inline bool is_possible(const History& history, TxnId txn) {
  return history.has_completion(txn) && history.status(txn) != TxnStatus::kAborted;
}

/// internal: the first read of each committed transaction that contradicts its own earlier reads
/// and appends. nil and the empty list are different states.
void find_list_internal(const History& history, std::vector<Anomaly>& out);

/// future-read: the first append of each committed transaction whose element it had already read.
void find_future_reads(const History& history, std::vector<Anomaly>& out);

/// G1a: elements of failed transactions. G1b: lists whose last element's writer appended more.
void find_bad_list_reads(const History& history, const Writes& writes, std::vector<Anomaly>& out);

/// duplicate-elements: reads with an element more than once, also in :info completions.
void find_duplicate_elements(const History& history, std::vector<Anomaly>& out);

/// incompatible-order: a key's list that is no prefix of the next longer one.
void find_incompatible_orders(const History& history, std::vector<Anomaly>& out);

/// dirty-update: committed versions built on aborted ones. Returns Elle's exception if no
/// completion appended some element of a version order.
std::optional<std::string> find_dirty_updates(const History& history, const Writes& writes,
                                              std::vector<Anomaly>& out);

}  // namespace elapid::elle
