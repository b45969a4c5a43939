// Whole transactions of the recorder format (docs/recorder-format.md), one line at a time.
#pragma once

#include <optional>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/elle_json/json_op.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/json/document.h"
#include "parsers/options.h"
#include "parsers/stream/stream_txn.h"

namespace elapid {

/// Reads operations as a history's are read, and keeps nothing of them.
class RecorderTxnReader {
 public:
  /// `follow`: what the caller calls the way to read histories of events as they grow, for
  /// messages; empty if there is none.
  explicit RecorderTxnReader(std::string_view follow) : follow_(follow) {
    set_reader(Workload::kListAppend);
  }

  RecorderTxnReader(const RecorderTxnReader&) = delete;
  RecorderTxnReader& operator=(const RecorderTxnReader&) = delete;

  /// From now on the transactions are of this workload. Until it is known, an array that is read is
  /// a list.
  void set_workload(Workload workload);

  /// Reads an object; false if it is one of the nemesis, of which nothing is kept. The id is its
  /// `index`, or else PROCESS@INVOKED/START/COMMIT, where a timestamp that is not there is empty.
  /// Error kMalformed with a byte offset: an event instead of a whole transaction, no process,
  /// times that are missing or backwards, operations other than `append`, `w` and `r`.
  Result<bool> read(json::Value object, StreamTxn& txn);

 private:
  void set_reader(Workload workload);
  [[nodiscard]] Status check() const;
  void take_ops(TimekillerTxn& txn) const;
  [[nodiscard]] TimekillerScalar scalar(ValueId value, TimekillerTxn& txn) const;

  std::string_view follow_;
  ValuePool values_;                    // of a few lines
  std::optional<JsonOpReader> reader_;  // there is always one
  OpMap op_;
  std::optional<Workload> workload_;
};

}  // namespace elapid
