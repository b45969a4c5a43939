// The values of a JSON text, one after another.
#pragma once

#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/document.h"
#include "parsers/json/input.h"

namespace elapid::json {

/// If the text begins with an array, the values are that array's elements. Otherwise the values
/// follow one another, as in JSON lines. Memory is that of one value.
class ValueStream {
 public:
  /// Reads `source`, which is borrowed, from its first byte on.
  explicit ValueStream(ByteSource& source)
      : input_(source), has_byte_order_mark_(input_.skip_byte_order_mark()) {}

  /// Resumes `source` at its current place, `offset` bytes into the input, after `count` values
  /// that followed one another.
  ValueStream(ByteSource& source, std::uint64_t offset, std::uint64_t count)
      : input_(Input::resumed(source, offset)),
        place_(offset > 0 ? Place::kInSequence : Place::kStart),
        count_(count),
        has_byte_order_mark_(offset == 0 && input_.skip_byte_order_mark()) {}

  ValueStream(const ValueStream&) = delete;
  ValueStream& operator=(const ValueStream&) = delete;

  /// Steps to the next value. False at the end and after an error.
  bool next();

  /// The current value. Valid until the next step.
  [[nodiscard]] Value value() const { return document_.root(); }

  [[nodiscard]] const Document& document() const { return document_; }

  /// The error that ended the stream; its place is a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

  [[nodiscard]] bool has_byte_order_mark() const { return has_byte_order_mark_; }

  /// The bytes passed so far.
  [[nodiscard]] std::uint64_t offset() const { return input_.offset(); }

  /// The number of values passed so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  enum class Place : std::uint8_t { kStart, kInArray, kInSequence, kEnd };

  bool begin();
  bool pass_separator();
  bool read_value();
  bool end_array();
  bool end();
  bool fail(Error error);

  Input input_;
  Document document_;
  Place place_ = Place::kStart;
  std::uint64_t array_offset_ = 0;
  std::uint64_t count_ = 0;
  Status status_;
  bool has_byte_order_mark_;
};

}  // namespace elapid::json
