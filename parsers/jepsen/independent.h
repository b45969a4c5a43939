// Histories of jepsen.independent: every value is a tuple `[key value]`, and each key is a history
// of its own.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/nemesis.h"
#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/jepsen/unclear_processes.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid {

/// Sorts operations by the keys of their tuples. Operations outside of clients belong to no key;
/// those of a nemesis concern all keys.
class IndependentAssembler {
 public:
  /// Borrows `options` and `values`, the pool of the operations' values.
  IndependentAssembler(const ReadOptions& options, Workload workload, const ValuePool& values)
      : options_(options),
        workload_(workload),
        values_(values),
        unclear_processes_(values, workload) {}

  /// Adds an operation whose tuple was split. A completion without a tuple is of the key that its
  /// process invoked last; if it did not succeed, its value does not count. Error kMalformed with a
  /// byte offset, for any other operation of a client without a tuple.
  Status add(OpMap& op);

  /// Adds a remark about the input to the histories of all keys so far.
  void remark(Remark::Kind kind, std::uint64_t offset, const std::string& message);

  /// The histories in the order of the keys' first operations. Error kMalformed if there is none.
  Result<std::vector<IndependentHistory>> finish(const HistoryInfo& info) &&;

 private:
  OpAssembler& part_of(ValueId key);
  Status add_client(OpMap& op);

  const ReadOptions& options_;
  Workload workload_;
  const ValuePool& values_;
  UnclearProcesses unclear_processes_;
  std::unordered_map<ValueId, std::size_t> numbers_;
  std::unordered_map<std::int64_t, ValueId> open_keys_;  // by process, of its open invocation
  std::shared_ptr<NemesisLog> nemesis_;                  // null before its first event
  std::deque<std::pair<ValueId, OpAssembler>> parts_;    // a deque: parts do not move
};

/// Reads all operations of a stream (see op_history.h) that uses `values` and splits tuples.
/// `at_end` is called with the assembler, for remarks, and may reject the result.
template <class Stream, class AtEnd>
Result<std::vector<IndependentHistory>> read_independent(Stream& stream, const ValuePool& values,
                                                         ReadProgress& progress,
                                                         const ReadOptions& options,
                                                         Workload workload, HistoryInfo info,
                                                         AtEnd at_end) {
  IndependentAssembler assembler(options, workload, values);
  while (stream.next()) {
    ELAPID_RETURN_IF_ERROR(assembler.add(stream.op()));
    ELAPID_RETURN_IF_ERROR(progress.report(stream.offset()));
  }
  ELAPID_RETURN_IF_ERROR(stream.status());
  ELAPID_RETURN_IF_ERROR(at_end(assembler));
  info.source_bytes = stream.offset();
  return std::move(assembler).finish(info);
}

}  // namespace elapid
