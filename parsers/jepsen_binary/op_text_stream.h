// The operations of a binary history as a stream. Most are read by a short cut, the EDN texts of
// others like those of a history.edn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/jepsen/op_stream.h"
#include "parsers/jepsen_binary/op_texts.h"
#include "parsers/jepsen_binary/plain_records.h"
#include "parsers/options.h"

namespace elapid::jepsen_binary {

/// Moves an operation, and errors in its text, to a place in the file.
void locate(OpMap& op, std::uint64_t place);

/// The texts in one EDN vector, made on demand: the operation of the last text is the one being
/// read. The source cannot be read again.
class OpTextSource : public ByteSource {
 public:
  /// Borrows `ops`.
  explicit OpTextSource(OpTexts& ops) : ByteSource({}), ops_(ops), text_("[  ") {}

  Result<std::size_t> read(std::span<char> into) override;
  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override;
  Status rewind() override;

  [[nodiscard]] std::uint64_t total() const override { return 0; }

  [[nodiscard]] std::uint64_t consumed() const override { return 0; }

  /// Whether read() gave an error.
  [[nodiscard]] bool has_failed() const { return has_failed_; }

 private:
  Status refill();

  OpTexts& ops_;
  std::string text_;
  std::size_t given_ = 0;  // bytes of the text
  bool has_ended_ = false;
  bool has_failed_ = false;
};

/// See OpStream.
class OpTextStream {
 public:
  /// Borrows both arguments.
  OpTextStream(OpTexts& ops, ValuePool& values, Workload workload)
      : ops_(ops),
        source_(ops),
        stream_(source_, values, workload),
        records_(values, workload),
        is_plain_(stream_.may_take_short_cut()) {}

  OpTextStream(const OpTextStream&) = delete;
  OpTextStream& operator=(const OpTextStream&) = delete;

  /// See OpMapReader; call it before the first step.
  void take_tuples_apart() {
    stream_.take_tuples_apart();
    take_no_short_cut();
  }

  /// Reads texts only from now on; for tests that compare.
  void take_no_short_cut() { is_plain_ = false; }

  /// Steps to the next operation. False at the end and after an error.
  bool next() { return next(stream_.op()); }

  /// As next(), but reads the operation into `op`.
  bool next(OpMap& op);

  [[nodiscard]] OpMap& op() { return stream_.op(); }

  /// The error that ended the stream. Its place is a byte offset in the file; for an error in EDN,
  /// that of the operation.
  [[nodiscard]] Status status() const;

  [[nodiscard]] std::uint64_t offset() const { return ops_.offset(); }

  /// The number of operations passed so far.
  [[nodiscard]] std::uint64_t count() const { return stream_.count(); }

 private:
  OpTexts& ops_;
  OpTextSource source_;
  OpStream stream_;
  PlainRecords records_;
  bool is_plain_;  // records may be read without their texts
};

}  // namespace elapid::jepsen_binary
