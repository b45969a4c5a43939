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

/// What a line is.
enum class StreamLine : std::uint8_t {
  kTransaction,
  kHeader,  ///< of the recorder format
  kBlank,
  kNemesis,  ///< what hurt the database, in the recorder format
};

/// Rows and predicates are in no stream: timestamps say nothing of them here. `follow`: see
/// RecorderTxnReader.
[[nodiscard]] Error rows_in_stream(std::uint64_t offset, std::string_view follow);

/// Whether a line is the header of a history of rows.
[[nodiscard]] bool is_header_of_rows(std::string_view line);

class StreamLineReader {
 public:
  /// `follow`: see RecorderTxnReader.
  explicit StreamLineReader(std::string_view follow = {}) : follow_(follow), recorder_(follow) {}

  /// Reads a line, with or without its newline, into `txn` if it is a transaction. Of TimeKiller's
  /// format (timekiller_reader.h), usual lines at several hundred MB a second; of the recorder's,
  /// see RecorderTxnReader. Other fields are ignored; what `txn` holds after an error means
  /// nothing. Error kMalformed with a byte offset in the line; beyond those of the formats, a field
  /// that is there twice.
  Result<StreamLine> read(std::string_view line, StreamTxn& txn);

  /// The header read last. What it says of the workload counts for the lines behind it.
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
