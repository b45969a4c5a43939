#include "parsers/timekiller/txn_stream.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/json/bracket_counter.h"
#include "parsers/json/document.h"
#include "parsers/json/input.h"
#include "parsers/json/piece.h"
#include "parsers/timekiller/txn_document.h"

namespace elapid {

TxnStream::TxnStream(ByteSource& source, std::uint64_t offset, TxnsBefore before)
    : window_(source, Window::kDefaultBytes, offset),
      limit_(source.line_limit().divided_by(json::Input::kValuePart)),
      place_(before == TxnsBefore::kElements       ? Place::kBehindComma
             : before == TxnsBefore::kTransactions ? Place::kInSequence
                                                   : Place::kStart) {
  if (before != TxnsBefore::kNothing) {
    return;
  }
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  has_byte_order_mark_ = window_.ahead(kMark.size()).starts_with(kMark);
  window_.skip(has_byte_order_mark_ ? kMark.size() : 0);
}

/// Skips white space. Returns the next byte; NUL at the end.
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
  if (place_ == Place::kBehindComma) {
    place_ = Place::kInArray;
    return read_element();
  }
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
  return read_element();
}

/// Reads the element behind a comma, or the first element of a piece.
bool TxnStream::read_element() {
  if (may_end_behind_comma_ && window_.at_end()) {
    ended_behind_comma_ = true;
    return end();
  }
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

/// Requires that nothing follows the array. Always false.
bool TxnStream::end_array() {
  window_.skip(1);
  skip_space();
  if (!window_.at_end()) {
    return expected("the end of the input behind the array");
  }
  return end();
}

/// Ends the stream. Always false.
bool TxnStream::end() {
  return window_.error() ? fail(*window_.error()) : (place_ = Place::kEnd, false);
}

/// Reads the transaction that begins here.
bool TxnStream::read() {
  constexpr std::size_t kUsual = std::size_t{1} << 15;
  for (std::size_t wanted = kUsual;; wanted *= 2) {
    const std::string_view ahead = window_.ahead(wanted);
    if (scanner_.read(ahead, window_.offset(), txn_)) {
      window_.skip(scanner_.size());
      return true;
    }
    if (!scanner_.ran_out() || ahead.size() < wanted || wanted > limit_.bytes) {
      return read_slowly();
    }
  }
}

bool TxnStream::read_slowly() {
  const std::size_t size = measure();
  if (window_.error()) {
    return fail(*window_.error());
  }
  if (size > limit_.bytes) {
    return fail(too_long_at(window_.offset(), "a JSON value", limit_));
  }
  json::Document document;
  const Result<std::size_t> parsed =
      json::parse_piece(window_.ahead(size).substr(0, size), window_.offset(), document);
  if (!parsed) {
    return fail(parsed.error());
  }
  if (const auto key = document.duplicate_key()) {
    return fail(malformed_at(key->offset(), "expected each key of an object once"));
  }
  if (Status status = read_timekiller_txn(document.root(), txn_); !status.ok()) {
    return fail(std::move(status.error()));
  }
  window_.skip(parsed.value());
  return true;
}

/// The bytes from here to the end of the object or array, to the end of the input, or a little more
/// than limit_. For any other value, enough bytes to describe it.
std::size_t TxnStream::measure() {
  constexpr std::size_t kEnough = 4096;
  const std::string_view head = window_.ahead(kEnough);
  if (!head.starts_with('{') && !head.starts_with('[')) {
    return std::min(head.size(), kEnough);
  }
  json::BracketCounter counter;
  std::size_t looked_at = 0;
  for (std::size_t wanted = kEnough;; wanted *= 2) {
    const std::string_view ahead = window_.ahead(wanted);
    const std::size_t end = counter.find_end(ahead.substr(looked_at));
    if (end != std::string_view::npos || ahead.size() < wanted || wanted > limit_.bytes) {
      return end == std::string_view::npos ? ahead.size() : looked_at + end;
    }
    looked_at = ahead.size();
  }
}

/// Reports what was expected here. Always false.
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
