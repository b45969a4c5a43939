#include "parsers/json/value_stream.h"

#include <string>
#include <utility>

#include "parsers/json/value_parser.h"

namespace elapid::json {

bool ValueStream::next() {
  if (place_ == Place::kEnd) {
    return false;
  }
  input_.skip_space();
  switch (place_) {
    case Place::kStart:
      return begin();
    case Place::kInArray:
      return pass_separator();
    default:
      return input_.at_end() ? end() : read_value();
  }
}

bool ValueStream::begin() {
  if (input_.peek() != '[') {
    place_ = Place::kInSequence;
    return input_.at_end() ? end() : read_value();
  }
  place_ = Place::kInArray;
  array_offset_ = input_.offset();
  input_.take();
  input_.skip_space();
  return input_.peek() == ']' ? end_array() : read_value();
}

/// Skips the comma between two elements, or ends the array.
bool ValueStream::pass_separator() {
  if (input_.peek() == ']') {
    return end_array();
  }
  if (input_.peek() != ',') {
    const std::string where =
        input_.at_end() ? " in the array that begins at byte " + std::to_string(array_offset_) : "";
    return fail({.message = "expected a comma or `]`, found " + input_.describe_next() + where,
                 .byte_offset = input_.offset()});
  }
  input_.take();
  input_.skip_space();
  return read_value();
}

bool ValueStream::read_value() {
  Status parsed = parse_value(input_, document_);
  if (!parsed.ok()) {
    return fail(std::move(parsed.error()));
  }
  ++count_;
  return true;
}

bool ValueStream::end_array() {
  input_.take();
  input_.skip_space();
  if (!input_.at_end()) {
    return fail({.message = "expected the end of the input behind the array, found " +
                            input_.describe_next(),
                 .byte_offset = input_.offset()});
  }
  return end();
}

/// Ends the stream. Always false.
bool ValueStream::end() {
  place_ = Place::kEnd;
  if (input_.error()) {
    status_ = *input_.error();
  }
  return false;
}

/// Always false. An error of reading precedes the error that it causes.
bool ValueStream::fail(Error error) {
  status_ = std::move(error);
  return end();
}

}  // namespace elapid::json
