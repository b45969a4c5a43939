// The anomalies of list-append histories that need no cycle (docs/elle-rules.md), one function
// an anomaly or two. Each appends to `out` in the order of the history.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/elle/writes.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// internal: the first read of each committed transaction that contradicts what the transaction
/// itself read and appended before. nil and the empty list are two states.
void find_list_internal(const History& history, std::vector<Anomaly>& out);

/// future-read: the first append of each committed transaction of an element that it had read.
void find_future_reads(const History& history, std::vector<Anomaly>& out);

/// G1a: elements of failed transactions. G1b: lists whose last element its writer went on from.
void find_bad_list_reads(const History& history, const Writes& writes, std::vector<Anomaly>& out);

/// duplicate-elements: reads with an element more than once, of :info completions too.
void find_duplicate_elements(const History& history, std::vector<Anomaly>& out);

/// incompatible-order: a key's list is no prefix of the next longer one.
void find_incompatible_orders(const History& history, std::vector<Anomaly>& out);

/// dirty-update: committed versions built on aborted ones. Returns what Elle throws where an
/// element in some version order was appended by no completion.
std::optional<std::string> find_dirty_updates(const History& history, const Writes& writes,
                                              std::vector<Anomaly>& out);

}  // namespace elapid::elle
