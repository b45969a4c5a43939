// The operations of a JSON history, one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/pieces.h"
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
      : JsonOpStream(source, 0, 0, values, workload) {}

  /// Resumes after `count` values, `offset` bytes into the input. None of these values was in an
  /// array.
  JsonOpStream(ByteSource& source, std::uint64_t offset, std::uint64_t count, ValuePool& values,
               Workload workload)
      : stream_(source, offset, count), reader_(values, workload) {}

  /// Reads a borrowed piece of an input. Numbers in errors are those of the piece.
  JsonOpStream(const InputPiece& piece, ValuePool& values, Workload workload)
      : piece_(std::make_unique<PieceSource>(piece)),
        before_(piece.offset() > 0 ? 1 : 0),
        stream_(*piece_, piece.offset(), before_),
        reader_(values, workload) {}

  /// See OpMapReader; call it before the first step.
  void take_tuples_apart() { reader_.take_tuples_apart(); }

  /// See JsonOpReader; call it before the first step.
  void take_named_sessions() { reader_.take_named_sessions(); }

  /// Steps to the next operation. False at the end and after an error.
  bool next() { return next(op_); }

  /// As next(), but reads the operation into `op`.
  bool next(OpMap& op);

  [[nodiscard]] OpMap& op() { return op_; }

  /// The error that ended the stream; its place is a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

  [[nodiscard]] bool has_byte_order_mark() const { return stream_.has_byte_order_mark(); }

  /// The bytes passed so far.
  [[nodiscard]] std::uint64_t offset() const { return stream_.offset(); }

  /// The number of values passed so far: operations, and a header.
  [[nodiscard]] std::uint64_t count() const { return stream_.count() - before_; }

 private:
  bool step();
  void note_duplicate_key(OpMap& op);

  std::unique_ptr<PieceSource> piece_ = {};
  std::uint64_t before_ = 0;  // values in other pieces: then none in this one is the first
  json::ValueStream stream_;
  JsonOpReader reader_;
  OpMap op_;
  Status status_;
};

/// A stream of the recorder format, whose sessions may have names.
class RecorderOpStream : public JsonOpStream {
 public:
  template <class... From>
  explicit RecorderOpStream(From&&... from) : JsonOpStream(std::forward<From>(from)...) {
    take_named_sessions();
  }
};

}  // namespace elapid
