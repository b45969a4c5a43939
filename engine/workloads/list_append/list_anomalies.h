// The anomalies of list-append histories that need no cycle; one function for one or two of them.
// Each appends to `out` in history order. docs/elle-rules.md has the rules.
#pragma once

#include <vector>

#include "engine/verdict/verdict.h"
#include "engine/workloads/list_append/list_versions.h"

namespace elapid {

struct ListContext {
  const History& history;
  const ListVersions& versions;
};

/// internal: the first read of each transaction that contradicts its own earlier operations.
void find_list_internal(const ListContext& context, std::vector<Anomaly>& out);
/// future-read: the first read of each transaction that shows an element it appends later.
void find_list_future_reads(const ListContext& context, std::vector<Anomaly>& out);
/// G1a, G1b and garbage-read: reads of elements of aborted transactions, of intermediate states, or
/// of no transaction.
void find_list_bad_reads(const ListContext& context, std::vector<Anomaly>& out);
/// duplicate-elements: reads with an element more than once.
void find_duplicate_elements(const ListContext& context, std::vector<Anomaly>& out);
/// incompatible-order: for each key one pair of reads with neither a prefix of the other.
void find_incompatible_orders(const ListContext& context, std::vector<Anomaly>& out);
/// dirty-update: committed versions built on aborted ones.
void find_dirty_updates(const ListContext& context, std::vector<Anomaly>& out);

}  // namespace elapid
