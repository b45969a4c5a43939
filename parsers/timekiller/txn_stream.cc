#include "parsers/timekiller/txn_stream.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/json/document.h"
#include "parsers/json/input.h"
#include "parsers/json/piece.h"
#include "parsers/timekiller/txn_document.h"

namespace elapid {

namespace {

/// Finds the end of an array or object, in text that comes in growing pieces.
class BracketCounter {
 public:
  /// Looks at what `text`, which begins with what it was before, has more. Whether the end is
  /// there.
  bool look_at(std::string_view text) {
    for (; at_ < text.size(); ++at_) {
      if (is_last(text[at_])) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  /// Bytes looked at: up to the end, if that was found.
  [[nodiscard]] std::size_t size() const { return at_; }

 private:
  bool is_last(char c) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '"') {
      is_in_string_ = !is_in_string_;
    } else if (is_in_string_) {
      is_escaped_ = c == '\\';
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      return --depth_ == 0;
    }
    return false;
  }

  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool is_in_string_ = false;
  bool is_escaped_ = false;
};

}  // namespace

TxnStream::TxnStream(ByteSource& source)
    : window_(source), longest_(source.longest_line() / json::Input::kValuePart) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  has_byte_order_mark_ = window_.ahead(kMark.size()).starts_with(kMark);
  window_.skip(has_byte_order_mark_ ? kMark.size() : 0);
}

/// The next byte that is no white space; NUL at the end.
char TxnStream::skip_space() {
  for (;;) {
    const std::string_view ahead = window_.ahead(1);
    const std::size_t blank = std::min(ahead.find_first_not_of(" \t\r\n"), ahead.size());
    window_.skip(blank);
    if (blank < ahead.size() || ahead.empty()) {
      return ahead.empty() ? '\0' : ahead[blank];
    }
  }
}

bool TxnStream::next() {
  if (place_ == Place::kEnd) {
    return false;
  }
  if (place_ == Place::kStart) {
    return begin();
  }
  const char separator = skip_space();
  if (place_ == Place::kInSequence) {
    return window_.at_end() ? end() : read();
  }
  if (separator == ']') {
    return end_array();
  }
  if (separator != ',') {
    return expected("a comma or `]`");
  }
  window_.skip(1);
  skip_space();
  return read();
}

bool TxnStream::begin() {
  const char first = skip_space();
  if (first == '{') {
    place_ = Place::kInSequence;
    return read();
  }
  if (first != '[') {
    return expected("an array of transactions or a transaction object");
  }
  place_ = Place::kInArray;
  window_.skip(1);
  return skip_space() == ']' ? end_array() : read();
}

/// Nothing follows the array. Always false.
bool TxnStream::end_array() {
  window_.skip(1);
  skip_space();
  if (!window_.at_end()) {
    return expected("the end of the input behind the array");
  }
  return end();
}

/// Always false.
bool TxnStream::end() {
  return window_.error() ? fail(*window_.error()) : (place_ = Place::kEnd, false);
}

/// The transaction that begins here.
bool TxnStream::read() {
  constexpr std::size_t kUsual = std::size_t{1} << 15;
  for (std::size_t wanted = kUsual;; wanted *= 2) {
    const std::string_view ahead = window_.ahead(wanted);
    if (scanner_.read(ahead, window_.offset(), txn_)) {
      window_.skip(scanner_.size());
      return true;
    }
    if (!scanner_.ran_out() || ahead.size() < wanted || wanted > longest_) {
      return read_slowly();
    }
  }
}

bool TxnStream::read_slowly() {
  const std::size_t size = measure();
  if (window_.error()) {
    return fail(*window_.error());
  }
  if (size > longest_) {
    return fail(too_long_at(window_.offset(), "a JSON value", longest_));
  }
  json::Document document;
  const Result<std::size_t> parsed =
      json::parse_piece(window_.ahead(size).substr(0, size), window_.offset(), document);
  if (!parsed) {
    return fail(parsed.error());
  }
  if (Status status = read_timekiller_txn(document.root(), txn_); !status.ok()) {
    return fail(std::move(status.error()));
  }
  window_.skip(parsed.value());
  return true;
}

/// Bytes from here to the end of the object or array, or of the input, or more than longest_; of
/// any other value, enough to say what it is.
std::size_t TxnStream::measure() {
  constexpr std::size_t kEnough = 4096;
  const std::string_view head = window_.ahead(kEnough);
  if (!head.starts_with('{') && !head.starts_with('[')) {
    return std::min(head.size(), kEnough);
  }
  BracketCounter counter;
  for (std::size_t wanted = kEnough;; wanted *= 2) {
    const std::string_view ahead = window_.ahead(wanted);
    if (counter.look_at(ahead) || ahead.size() < wanted || wanted > longest_) {
      return counter.size();
    }
  }
}

/// Always false.
bool TxnStream::expected(const char* what) {
  if (window_.error()) {
    return fail(*window_.error());
  }
  const std::string_view ahead = window_.ahead(1);
  std::string found = "the end of the input";
  if (!ahead.empty()) {
    const bool is_plain = ahead.front() > ' ' && ahead.front() < 0x7f;
    found = is_plain ? '`' + std::string(1, ahead.front()) + '`' : "something else";
  }
  return fail(malformed_at(window_.offset(), "expected " + std::string(what) + ", found " + found));
}

/// Always false.
bool TxnStream::fail(Error error) {
  status_ = std::move(error);
  place_ = Place::kEnd;
  return false;
}

}  // namespace elapid
