#include "parsers/timekiller/txn_scanner.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "parsers/bytes/digits.h"

namespace elapid {

namespace {

// A bit for each field that an object must have exactly once.
constexpr unsigned kTid = 1;
constexpr unsigned kSid = 2;
constexpr unsigned kStart = 4;
constexpr unsigned kCommit = 8;
constexpr unsigned kOps = 16;
constexpr unsigned kSequence = 32;  // optional

constexpr unsigned kPhysical = 1;
constexpr unsigned kLogical = 2;

constexpr unsigned kType = 1;
constexpr unsigned kKey = 2;
constexpr unsigned kValue = 4;

constexpr std::ptrdiff_t kMostPlainBytes = 64;  // of a clock or operation, and what is read behind

inline bool skip_text(const char*& at, ShortText text) {
  const bool is_there = text.begins(at);
  at += text.size();
  return is_there;
}

inline bool read_natural(const char*& at, std::int64_t& number) {
  const Digits digits = up_to_16_digits(at);
  number = static_cast<std::int64_t>(digits.value);
  const bool has_odd_zero = *at == '0' && digits.count > 1;
  at += digits.count;
  return digits.count > 0 && digits.count < 16 && !has_odd_zero;
}

/// Reads `{"p":1,"l":0}` with plain numbers, the form of most clocks. Returns the end, or null if
/// the form differs.
const char* read_plain_clock(const char* at, const char* end, TimekillerClock& clock) {
  constexpr ShortText kBeforePhysical(R"({"p":)");
  constexpr ShortText kBeforeLogical(R"(,"l":)");
  std::int64_t physical = 0;
  std::int64_t logical = 0;
  if (end - at < kMostPlainBytes || !skip_text(at, kBeforePhysical) ||
      !read_natural(at, physical) || !skip_text(at, kBeforeLogical) || !read_natural(at, logical) ||
      logical >= TimekillerClock::kLogicalLimit || *at != '}') {
    return nullptr;
  }
  clock = {.physical = physical, .logical = logical};
  return at + 1;
}

}  // namespace

bool TxnScanner::read(std::string_view text, std::uint64_t offset, TimekillerTxn& txn) {
  begin_ = text.data();
  end_ = begin_ + text.size();
  at_ = begin_;
  offset_ = offset;
  txn.clear();
  txn.offset = offset;
  return take_object(
      kTid | kSid | kStart | kCommit | kOps,
      [&](std::string_view key, unsigned& bit) { return read_field(key, bit, txn); });
}

inline void TxnScanner::skip_space() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
    ++at_;
  }
}

/// Takes this character behind white space.
inline bool TxnScanner::take(char wanted) {
  if (peek() != wanted) {
    skip_space();
  }
  const bool is_there = peek() == wanted;
  at_ += is_there ? 1 : 0;
  return is_there;
}

/// Takes a string of plain characters.
inline bool TxnScanner::take_string(std::string_view& text) {
  if (!take('"')) {
    return false;
  }
  const char* const begin = at_;
  while (peek() > ' ' && *at_ != '"' && *at_ != '\\') {
    ++at_;
  }
  text = {begin, static_cast<std::size_t>(at_ - begin)};
  return take('"');
}

inline bool TxnScanner::take_integer(std::int64_t& number) {
  return take('"') ? take_bare_integer(number) && peek() == '"' && take('"')
                   : take_bare_integer(number);
}

/// Takes an integer of up to 18 digits, as JSON writes it.
inline bool TxnScanner::take_bare_integer(std::int64_t& number) {
  constexpr std::ptrdiff_t kMostDigits = 18;
  const bool is_negative = peek() == '-';
  at_ += is_negative ? 1 : 0;
  const char* const begin = at_;
  std::int64_t n = 0;
  while (is_digit(peek()) && at_ - begin < kMostDigits) {
    n = n * 10 + (*at_++ - '0');
  }
  const std::ptrdiff_t digits = at_ - begin;
  const bool has_odd_zero = digits > 0 && *begin == '0' && (digits > 1 || is_negative);
  number = is_negative ? -n : n;
  return digits > 0 && !has_odd_zero && !is_digit(peek());
}

/// Takes an object `{"key": ..., ...}`: read_field(key, bit) reads a field's value and tells its
/// bit. Returns whether each required field came once and none twice.
template <class ReadField>
bool TxnScanner::take_object(unsigned required, ReadField read_field) {
  unsigned seen = 0;
  char separator = '{';
  while (take(separator)) {
    std::string_view key;
    unsigned bit = 0;
    if (!take_string(key) || !take(':')) {
      return false;
    }
    skip_space();
    if (!read_field(key, bit) || (seen & bit) != 0) {
      return false;
    }
    seen |= bit;
    separator = ',';
  }
  return separator == ',' && (seen & required) == required && take('}');
}

template <class ReadElement>
bool TxnScanner::take_array(ReadElement read_element) {
  if (!take('[')) {
    return false;
  }
  if (take(']')) {
    return true;
  }
  do {
    skip_space();
    if (!read_element()) {
      return false;
    }
  } while (take(','));
  return take(']');
}

bool TxnScanner::read_field(std::string_view key, unsigned& bit, TimekillerTxn& txn) {
  if (key == "ops") {
    bit = kOps;
    return take_array([&] { return read_op(txn); });
  }
  if (key == "sts") {
    bit = kStart;
    return read_clock(txn.start);
  }
  if (key == "cts") {
    bit = kCommit;
    return read_clock(txn.commit);
  }
  if (key == "seq") {
    bit = kSequence;
    return take_integer(txn.sequence.emplace());
  }
  TimekillerScalar& scalar = key == "tid" ? txn.id : txn.session;
  bit = key == "tid" ? kTid : kSid;
  return (key == "tid" || key == "sid") && take_integer(scalar.number);
}

/// Reads a clock: `{"p": 1, "l": 0}`, or p alone.
bool TxnScanner::read_clock(TimekillerClock& clock) {
  if (const char* const behind = read_plain_clock(at_, end_, clock)) {
    at_ = behind;
    return true;
  }
  if (peek() != '{') {
    return take_integer(clock.physical);
  }
  return take_object(kPhysical | kLogical, [&](std::string_view key, unsigned& bit) {
    const bool is_physical = key == "p";
    bit = is_physical ? kPhysical : kLogical;
    std::int64_t& part = is_physical ? clock.physical : clock.logical;
    const bool is_known = (is_physical || key == "l") && take_integer(part);
    return is_known && (is_physical || (part >= 0 && part < TimekillerClock::kLogicalLimit));
  });
}

/// Reads `{"t":"w","k":1,"v":2}` with plain numbers, the form of most operations. Takes nothing if
/// the form differs.
inline bool TxnScanner::read_plain_op(TimekillerOp& op) {
  constexpr ShortText kFront(R"({"t":")");
  constexpr ShortText kBeforeKey(R"(","k":)");
  constexpr ShortText kBeforeValue(R"(,"v":)");

  const char* at = at_;
  if (end_ - at < kMostPlainBytes || !skip_text(at, kFront)) {
    return false;
  }
  const char kind = *at++;
  std::int64_t key = 0;
  std::int64_t value = 0;
  if ((kind != 'w' && kind != 'r') || !skip_text(at, kBeforeKey) || !read_natural(at, key) ||
      !skip_text(at, kBeforeValue) || !read_natural(at, value) || *at != '}') {
    return false;
  }
  op.key.number = key;
  op.value.number = value;
  op.kind = kind == 'w' ? OpKind::kWrite : OpKind::kRead;
  op.value_kind = TimekillerValue::kScalar;
  at_ = at + 1;
  return true;
}

bool TxnScanner::read_op(TimekillerTxn& txn) {
  TimekillerOp& op = txn.ops.emplace_back();
  op.offset = offset_ + size();
  const auto read_any_op = [&] {
    return take_object(kType | kKey, [&](std::string_view key, unsigned& bit) {
      return read_op_field(key, bit, txn, op);
    });
  };
  return read_plain_op(op) || (read_any_op() && has_possible_value(op));
}

bool TxnScanner::read_op_field(std::string_view key, unsigned& bit, TimekillerTxn& txn,
                               TimekillerOp& op) {
  switch (key.size() == 1 ? key.front() : '\0') {
    case 't': {
      std::string_view name;
      bit = kType;
      const auto kind = take_string(name) ? find_timekiller_kind(name) : std::nullopt;
      op.kind = kind.value_or(op.kind);
      return kind.has_value();
    }
    case 'k':
      bit = kKey;
      return take_integer(op.key.number);
    case 'v':
      bit = kValue;
      return read_value(txn, op);
    default:
      return false;
  }
}

bool TxnScanner::read_value(TimekillerTxn& txn, TimekillerOp& op) {
  constexpr std::string_view kNull = "null";
  if (peek() == '[') {
    op.value_kind = TimekillerValue::kList;
    op.list_begin = static_cast<std::uint32_t>(txn.elements.size());
    const bool is_list =
        take_array([&] { return take_integer(txn.elements.emplace_back().number); });
    op.list_length = static_cast<std::uint32_t>(txn.elements.size()) - op.list_begin;
    return is_list;
  }
  if (peek() == 'n') {
    const std::string_view ahead(at_, static_cast<std::size_t>(end_ - at_));
    const bool is_null = ahead.starts_with(kNull);
    if (is_null || kNull.starts_with(ahead)) {
      at_ += std::min(kNull.size(), ahead.size());
    }
    return is_null;
  }
  op.value_kind = TimekillerValue::kScalar;
  return take_integer(op.value.number);
}

}  // namespace elapid
