// The operation maps of an EDN history, one after another.
#pragma once

#include <cstdint>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/pieces.h"
#include "parsers/edn/scanner.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// Accepts one map a form, or one vector or list of maps; a map may follow a record's tag.
class OpStream {
 public:
  /// Reads from the first byte of `source`, which is borrowed like `values`.
  OpStream(ByteSource& source, ValuePool& values, Workload workload)
      : OpStream(source, 0, 0, values, workload) {}

  /// Resumes after `count` operations, `offset` bytes into the input. None of these operations was
  /// in a vector or list.
  OpStream(ByteSource& source, std::uint64_t offset, std::uint64_t count, ValuePool& values,
           Workload workload)
      : scanner_(source, offset),
        reader_(scanner_, values, workload),
        count_(count),
        has_begun_(offset > 0),
        has_byte_order_mark_(offset == 0 && scanner_.skip_byte_order_mark()) {}

  /// Reads a borrowed piece of an input. Numbers in errors are those of the piece.
  OpStream(const InputPiece& piece, ValuePool& values, Workload workload)
      : scanner_(piece.text(), piece.offset()),
        reader_(scanner_, values, workload),
        has_begun_(piece.offset() > 0),
        has_byte_order_mark_(piece.offset() == 0 && scanner_.skip_byte_order_mark()) {}

  OpStream(const OpStream&) = delete;
  OpStream& operator=(const OpStream&) = delete;

  /// See OpMapReader; call it before the first step.
  void take_tuples_apart() { reader_.take_tuples_apart(); }

  /// See OpMapReader; for tests that compare.
  void take_no_short_cut() { reader_.take_no_short_cut(); }

  /// See OpMapReader.
  [[nodiscard]] bool may_take_short_cut() const { return reader_.may_take_short_cut(); }

  /// Counts an operation that the caller read by a short cut of its own.
  void pass() { ++count_; }

  /// See OpMapReader.
  [[nodiscard]] KnownLists& known_lists() { return reader_.known_lists(); }

  /// Steps to the next operation. False at the end and after an error.
  bool next() { return next(op_); }

  /// As next(), but reads the operation into `op`.
  bool next(OpMap& op);

  [[nodiscard]] OpMap& op() { return op_; }

  /// The error that ended the stream; its place is a byte offset.
  [[nodiscard]] Status status() const;

  [[nodiscard]] bool has_byte_order_mark() const { return has_byte_order_mark_; }

  /// The bytes passed so far.
  [[nodiscard]] std::uint64_t offset() const { return scanner_.offset(); }

  /// The number of operations passed so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  bool end();

  edn::Scanner scanner_;
  OpMapReader reader_;
  OpMap op_;
  std::uint64_t count_ = 0;
  bool has_begun_ = false;
  bool is_enclosed_ = false;  // in one vector or list
  bool has_byte_order_mark_;
};

}  // namespace elapid
