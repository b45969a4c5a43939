// The outcomes of operations, by their :f, as in Jepsen's checkers `stats` and
// `unhandled-exceptions` and in its graphs of latencies.
//
//   :dequeue  12 (0 ok, 10 fail, 2 info), none succeeded; latency 1.2 ms, 95 % 3.1 ms, ...
//
// A history keeps no :f if operations differ, so the source is read again, event by event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "adapter/report/faults.h"
#include "parsers/read.h"

namespace elapid {

/// The completions with one :f.
struct FunctionStats {
  std::size_t ok = 0;
  std::size_t fail = 0;
  std::size_t info = 0;
  std::vector<std::int64_t> latencies_ns = {};  ///< ascending; only of pairs with both times

  [[nodiscard]] std::size_t count() const { return ok + fail + info; }

  /// The latency that this share of the completions do not exceed: the one at floor(n * share), at
  /// most the last. Requires a latency.
  [[nodiscard]] std::int64_t latency_at(double share) const;
};

struct OperationStats {
  double seconds = 0;  ///< from the first to the last event with a time; else 0
  std::map<std::string, FunctionStats> by_f = {};  ///< as `:read`
  /// How many completions with :info have an :exception, by its outermost class.
  std::map<std::string, std::size_t> exceptions = {};
  /// By node: the least and the greatest of the nemesis's :clock-offsets, in seconds.
  std::map<std::string, std::pair<double, double>> clock_offsets = {};
  std::vector<ReportFault> faults = {};  ///< the times at which the nemesis hurt the database
};

/// Error kUnreadable if the source cannot be read again.
[[nodiscard]] Result<OperationStats> gather_stats(LoadedHistory& loaded);

/// Aligned lines.
[[nodiscard]] std::string stats_text(const OperationStats& stats);

/// The entries of an open map.
void write_stats(DocumentWriter& out, const OperationStats& stats);

}  // namespace elapid
