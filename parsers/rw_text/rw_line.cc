#include "parsers/rw_text/rw_line.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "parsers/bytes/digits.h"
#include "parsers/traces/line_cursor.h"

namespace elapid {

namespace {

/// The greatest length of a line of four numbers with at most kMaxDigits digits, and of the bytes
/// that the scanner reads beyond.
constexpr std::size_t kLineBytes = 96;
constexpr int kMaxDigits = 19;

/// Ones in the lowest `bytes` bytes of a word.
std::uint64_t low_bytes(std::size_t bytes) {
  return bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * std::min<std::size_t>(bytes, 8));
}

/// Sets `expected` to the part that is required here. Returns whether it is there.
bool need(bool is_here, const char* what, const char*& expected) {
  expected = what;
  return is_here;
}

bool take_long_natural(const char*& at, std::int64_t& n) {
  std::uint64_t sum = 0;
  const char* digit = at;
  for (; is_digit(*digit) && digit - at < kMaxDigits; ++digit) {
    sum = sum * 10 + static_cast<std::uint64_t>(*digit - '0');
  }
  if (is_digit(*digit) || sum > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return false;
  }
  at = digit;
  n = static_cast<std::int64_t>(sum);
  return true;
}

/// Takes a number below 2^63. Most have fewer than eight digits.
[[gnu::always_inline]] inline bool take_natural(const char*& at, std::int64_t& n) {
  const Digits digits = up_to_8_digits(at);
  if (digits.count == 8) {
    return take_long_natural(at, n);
  }
  n = static_cast<std::int64_t>(digits.value);
  at += digits.count;
  return digits.count > 0;
}

bool take_integer(const char*& at, std::int64_t& n) {
  const bool is_negative = *at == '-';
  at += is_negative ? 1 : 0;
  const bool taken = take_natural(at, n);
  n = is_negative ? -n : n;
  return taken;
}

bool take(const char*& at, char c) {
  const bool is_here = *at == c;
  at += is_here ? 1 : 0;
  return is_here;
}

bool take_function(const char*& at, bool& is_write) {
  is_write = *at == 'w';
  const bool is_here = (is_write || *at == 'r') && at[1] == '(';
  at += is_here ? 2 : 0;
  return is_here;
}

bool take_end(const char*& at, const char* limit) {
  const char* end = at;
  end += *end == '\r' ? 1 : 0;
  const bool is_here = end == limit || *end == '\n';
  at = is_here ? end + (end == limit ? 0 : 1) : at;
  return is_here;
}

}  // namespace

void RwLineTail::assign(const char* at, std::size_t size) {
  size_ = size <= sizeof words_ && at[size - 1] == '\n' ? size : 0;
  words_[0] = word_at(at);
  words_[1] = word_at(at + 8);
  masks_[0] = low_bytes(size_);
  masks_[1] = low_bytes(size_ - std::min<std::size_t>(size_, 8));
}

bool RwScanner::next(RwLine& line) {
  const std::string_view text = window_.ahead(kLineBytes);
  line_offset_ = window_.offset();
  if (text.size() < kLineBytes) {
    return next_of_last(line);
  }
  return scan_usual(text.data(), line) || scan(text.data(), text.size(), line);
}

/// Scans a line of short numbers that ends like the one before. Takes nothing if the line differs.
inline bool RwScanner::scan_usual(const char* text, RwLine& line) {
  const Digits key = up_to_8_digits(text + 2);
  const char* const comma = text + 2 + key.count;
  const Digits value = up_to_8_digits(comma + 1);
  const char* const end = comma + 1 + value.count;
  const bool is_write = *text == 'w';
  const bool is_usual = (is_write || *text == 'r') && text[1] == '(' && key.count % 8 != 0 &&
                        *comma == ',' && value.count % 8 != 0 && tail_.matches(end);
  if (is_usual) {
    line = {.is_write = is_write,
            .key = static_cast<std::int64_t>(key.value),
            .value = static_cast<std::int64_t>(value.value),
            .session = session_,
            .txn = txn_,
            .offset = line_offset_};
    window_.skip(static_cast<std::size_t>(end - text) + tail_.size());
  }
  return is_usual;
}

/// Scans near the end of the input, in a padded copy: the scanner reads beyond a line.
bool RwScanner::next_of_last(RwLine& line) {
  char padded[kLineBytes] = {};
  const std::string_view text = window_.ahead(1);
  std::memcpy(padded, text.data(), text.size());
  if (status_.ok() && !text.empty() && scan(padded, text.size(), line)) {
    return true;
  }
  if (window_.error()) {
    status_ = *window_.error();
  }
  return false;
}

/// Requires kLineBytes readable bytes; the first `size` of them are the input's.
bool RwScanner::scan(const char* text, std::size_t size, RwLine& line) {
  const char* at = text;
  const char* expected = nullptr;
  if (need(take_function(at, line.is_write), "`r(` or `w(`", expected) &&
      need(take_natural(at, line.key), "a key, a natural number below 2^63", expected) &&
      need(take(at, ','), "`,` behind the key", expected) &&
      need(take_natural(at, line.value), "a value, a natural number below 2^63", expected) &&
      scan_tail(at, text + size, expected)) {
    line.offset = line_offset_;
    line.session = session_;
    line.txn = txn_;
    window_.skip(static_cast<std::size_t>(at - text));
    return true;
  }
  return fail(text, size, static_cast<std::size_t>(at - text), expected);
}

/// Skips the rest of a line behind its value.
bool RwScanner::scan_tail(const char*& at, const char* limit, const char*& expected) {
  if (tail_.matches(at)) {
    at += tail_.size();
    return true;
  }
  const char* const begin = at;
  const bool is_whole =
      need(take(at, ','), "`,` behind the value", expected) &&
      need(take_natural(at, session_), "a session, a natural number below 2^63", expected) &&
      need(take(at, ','), "`,` behind the session", expected) &&
      need(take_integer(at, txn_), "a transaction, an integer of at most 63 bits", expected) &&
      need(take(at, ')'), "`)` behind the transaction", expected) &&
      need(take_end(at, limit), "the end of the line", expected);
  if (is_whole) {
    tail_.assign(begin, static_cast<std::size_t>(at - begin));
  }
  return is_whole;
}

bool RwScanner::fail(const char* text, std::size_t size, std::size_t at, const char* expected) {
  status_ = expected_at(line_offset_ + at, expected, std::string_view(text, size).substr(at),
                        "the end of the input");
  return false;
}

}  // namespace elapid
