// The operations of a JSON history, one after another.
#pragma once

#include <cstdint>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/json_op.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/json/value_stream.h"

namespace elapid {

/// Accepts one array of objects, or objects one after another; the first may be a recorder's
/// header.
class JsonOpStream {
 public:
  /// Reads from the first byte of `source`, which is borrowed like `values`.
  JsonOpStream(ByteSource& source, ValuePool& values, Workload workload)
      : stream_(source), reader_(values, workload) {}

  /// See OpMapReader; before the first step.
  void take_tuples_apart() { reader_.take_tuples_apart(); }

  /// See JsonOpReader; likewise.
  void take_named_sessions() { reader_.take_named_sessions(); }

  /// Steps to the next operation. False at the end and after an error.
  bool next();

  [[nodiscard]] OpMap& op() { return op_; }

  /// The error that ended the stream; its place is a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

  [[nodiscard]] bool has_byte_order_mark() const { return stream_.has_byte_order_mark(); }

  /// Bytes passed so far.
  [[nodiscard]] std::uint64_t offset() const { return stream_.offset(); }

  /// Operations passed so far.
  [[nodiscard]] std::uint64_t count() const { return stream_.count(); }

 private:
  bool step();
  void note_duplicate_key();

  json::ValueStream stream_;
  JsonOpReader reader_;
  OpMap op_;
  Status status_;
};

/// The same of the recorder format, whose sessions may have names.
class RecorderOpStream : public JsonOpStream {
 public:
  RecorderOpStream(ByteSource& source, ValuePool& values, Workload workload)
      : JsonOpStream(source, values, workload) {
    take_named_sessions();
  }
};

}  // namespace elapid
