#include "parsers/stream/stream_pieces.h"

#include <algorithm>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/stream/stream_txn.h"

namespace elapid {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

void StreamPieces::add(std::string_view line, std::uint64_t number) {
  line_ = line;
  number_ = number;
  at_ = 0;
  has_line_ = true;
  if (place_ == Place::kStart) {
    begin();
  }
}

void StreamPieces::finish() {
  line_ = {};
  at_ = 0;
  has_line_ = false;
  is_finishing_ = true;
}

/// The first character shows whether the stream is an array.
void StreamPieces::begin() {
  const std::size_t mark = line_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t first = line_.find_first_not_of(kBlanks, mark);
  if (first != std::string_view::npos) {
    const bool is_array = line_[first] == '[';
    place_ = is_array ? Place::kFirst : Place::kLines;
    at_ = is_array ? first + 1 : 0;
  }
}

std::optional<StreamPiece> StreamPieces::next() {
  if (place_ == Place::kStart || place_ == Place::kLines) {
    return std::exchange(has_line_, false)
               ? std::optional(StreamPiece{.text = line_, .line = number_})
               : std::nullopt;
  }
  if (!takes_array_) {
    place_ = Place::kLines;
    has_line_ = false;
    return fail(
        "expected a transaction a line, found an array, which several clients of a socket "
        "cannot write");
  }
  if (std::exchange(is_finishing_, false)) {
    return take_rest();
  }
  while (at_ < line_.size()) {
    if (auto piece = place_ == Place::kInside ? take_element() : step()) {
      return piece;
    }
  }
  return std::nullopt;
}

/// Skips the text between elements, up to the end of an element or of the line.
std::optional<StreamPiece> StreamPieces::step() {
  at_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size());
  if (at_ == line_.size()) {
    return std::nullopt;
  }
  const char c = line_[at_];
  if (!accepts(c)) {
    std::string message = place_ == Place::kBehind
                              ? "expected the end of the input behind the array"
                          : place_ == Place::kComma ? "expected a comma or `]`"
                                                    : "expected a transaction object";
    message += c > ' ' && c < 0x7f ? std::string(", found `") + c + '`' : ", found something else";
    StreamPiece piece = fail(std::move(message));
    place_ = place_ == Place::kBehind ? Place::kBehind : Place::kAny;
    at_ = line_.size();
    return piece;
  }
  if (c == '{') {
    place_ = Place::kInside;
    joined_.clear();
    length_ = 0;
    joined_line_ = number_;
    brackets_ = {};
    return std::nullopt;
  }
  place_ = c == ']' ? Place::kBehind : Place::kElement;
  ++at_;
  return std::nullopt;
}

bool StreamPieces::accepts(char c) const {
  switch (place_) {
    case Place::kFirst:
      return c == '{' || c == ']';
    case Place::kElement:
      return c == '{';
    case Place::kComma:
      return c == ',' || c == ']';
    case Place::kAny:
      return c == '{' || c == ',' || c == ']';
    default:
      return false;
  }
}

/// Takes the rest of an element, if it ends in this line.
std::optional<StreamPiece> StreamPieces::take_element() {
  const std::string_view rest = line_.substr(at_);
  const std::size_t end = brackets_.find_end(rest);
  const bool is_whole = end != std::string_view::npos;
  const std::string_view part = rest.substr(0, end);
  at_ += part.size();
  place_ = is_whole ? Place::kComma : Place::kInside;
  length_ += part.size();
  if (is_whole && length_ == part.size()) {
    return StreamPiece{.text = part, .line = number_};
  }
  if (length_ <= longest_) {
    joined_ += part;
    joined_ += is_whole ? "" : "\t";  // in place of the newline, which a string cannot contain
  }
  if (!is_whole) {
    return std::nullopt;
  }
  return length_ <= longest_ ? StreamPiece{.text = joined_, .line = joined_line_, .is_joined = true}
                             : fail("expected an object of no more than " +
                                    std::to_string(longest_) + " bytes, found a longer one");
}

/// Takes what is left at the end of the input.
std::optional<StreamPiece> StreamPieces::take_rest() {
  if (place_ == Place::kBehind) {
    return std::nullopt;
  }
  const bool is_inside = std::exchange(place_, Place::kBehind) == Place::kInside;
  return fail(is_inside ? "expected the rest of an object, found the end of the input"
                        : "expected `]`, found the end of the input");
}

StreamPiece StreamPieces::fail(std::string message) {
  return {.line = number_, .error = malformed_at(at_, std::move(message))};
}

}  // namespace elapid
