// The lines of a stream of transactions: TimeKiller's objects, and those of the recorder format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/elle_json/json_op.h"
#include "parsers/elle_json/recorder_header.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/json/document.h"
#include "parsers/options.h"
#include "parsers/stream/stream_txn.h"
#include "parsers/timekiller/txn_scanner.h"

namespace elapid {

// Whole transactions of the recorder format (docs/recorder-format.md), one line at a time.

/// Reads operations as in histories, and keeps no data of them.
class RecorderTxnReader {
 public:
  /// `follow`: the caller's name of the way to read histories of events as they grow, for messages;
  /// empty if there is none.
  explicit RecorderTxnReader(std::string_view follow) : follow_(follow) {
    set_reader(Workload::kListAppend);
  }

  RecorderTxnReader(const RecorderTxnReader&) = delete;
  RecorderTxnReader& operator=(const RecorderTxnReader&) = delete;

  /// Sets the workload of the transactions to come. While it is unknown, an array in a read is a
  /// list.
  void set_workload(Workload workload);

  /// Reads an object; false if it is the nemesis's, which is skipped. The id is its `index`, or
  /// else PROCESS@INVOKED/START/COMMIT, in which an absent timestamp is empty. Error kMalformed
  /// with a byte offset: an event instead of a whole transaction, no process, times that are
  /// missing or backwards, operations other than `append`, `w` and `r`.
  Result<bool> read(json::Value object, StreamTxn& txn);

 private:
  void set_reader(Workload workload);
  [[nodiscard]] Status check() const;
  void take_ops(TimekillerTxn& txn) const;
  [[nodiscard]] TimekillerScalar scalar(ValueId value, TimekillerTxn& txn) const;

  std::string_view follow_;
  ValuePool values_;                    // of a few lines
  std::optional<JsonOpReader> reader_;  // never empty
  OpMap op_;
  std::optional<Workload> workload_;
};

/// The kind of a line.
enum class StreamLine : std::uint8_t {
  kTransaction,
  kHeader,  ///< of the recorder format
  kBlank,
  kNemesis,  ///< a fault of the nemesis, in the recorder format
};

/// The error for rows and predicates, which a stream cannot have: timestamps do not judge them
/// here. `follow`: see RecorderTxnReader.
[[nodiscard]] Error rows_in_stream(std::uint64_t offset, std::string_view follow);

/// Whether a line is the header of a history of rows.
[[nodiscard]] bool is_header_of_rows(std::string_view line);

class StreamLineReader {
 public:
  /// `follow`: see RecorderTxnReader.
  explicit StreamLineReader(std::string_view follow = {}) : follow_(follow), recorder_(follow) {}

  /// Reads a line, with or without its newline, into `txn` if it is a transaction. For
  /// TimeKiller's format (timekiller_txn.h), usual lines at several hundred MB a second; for the
  /// recorder's, see RecorderTxnReader. Other fields are ignored; after an error `txn` is
  /// undefined. Error kMalformed with a byte offset in the line: those of the formats, and a
  /// repeated field.
  Result<StreamLine> read(std::string_view line, StreamTxn& txn);

  /// The last header. Its workload applies to the lines after it.
  [[nodiscard]] const RecorderHeader& header() const { return header_; }

 private:
  Result<StreamLine> read_slowly(std::string_view line, StreamTxn& txn);
  Result<StreamLine> read_object(StreamTxn& txn);
  Status read_timekiller(StreamTxn& txn) const;
  Status read_header();

  TxnScanner scanner_;
  std::string_view follow_;
  json::Document document_;
  RecorderTxnReader recorder_;
  RecorderHeader header_;
};

}  // namespace elapid
