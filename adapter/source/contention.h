// Judges whether the clients of a history met at all. If they did not, the history tests nothing.
//
// A history is vacuous if no transactions overlapped, if each key had one writer, or if each client
// read only its own writes. Then every level holds, on any database, and "valid" says nothing.
// Three figures tell:
//
//   overlapping            committed transactions that overlap another session's in real time
//   keys_of_many_writers   keys that more than one session wrote
//   reads_of_others        reads of another session's write; for a list, of its last element
// A row of a table counts as written if some read has shown it. A read by a predicate is one read.
// For workloads without levels, as a bank, only the first figure is known, because a value that
// they read need not be one that an operation wrote.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/ir/history.h"

namespace elapid {

/// How often committed transactions met, with the total for each figure.
struct Contention {
  std::optional<std::size_t> overlapping = {};  ///< absent if the source has no real time
  std::size_t committed = 0;
  std::size_t aborted = 0;
  std::size_t indeterminate = 0;
  bool knows_values = true;  ///< whether the figures below are known
  std::size_t keys_of_many_writers = 0;
  std::size_t written_keys = 0;
  std::size_t reads_of_others = 0;
  std::size_t reads = 0;
};

/// Contention below which a history is called vacuous.
struct LeastContention {
  std::size_t overlapping = 1;
  std::size_t keys_of_many_writers = 1;
  std::size_t reads_of_others = 1;
  std::size_t committed_percent = 0;  ///< of all transactions
};

/// O(n log n) in the operations. Ignores the transaction that wrote every key's first value.
[[nodiscard]] Contention contention(const History& history);

/// The figures that are too small, in words: `no transaction overlaps another session's; 2 of 5
/// keys have several writers (at least 3 are demanded)`. Empty if no figure is. An absent figure is
/// not too small.
[[nodiscard]] std::string why_vacuous(const Contention& found, const LeastContention& least);

/// `31 of 40 transactions overlap others, 5 of 6 keys have several writers, 12 of 50 reads saw
/// others' writes`.
[[nodiscard]] std::string contention_text(const Contention& found);

/// `2.5 % aborted, 0.1 % indeterminate`.
[[nodiscard]] std::string fates_text(const Contention& found);

}  // namespace elapid
