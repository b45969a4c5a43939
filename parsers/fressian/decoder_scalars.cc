// The decoder: integers, strings, and objects made of one or two of these.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "parsers/edn/token.h"
#include "parsers/fressian/big_number.h"
#include "parsers/fressian/cesu8.h"
#include "parsers/fressian/codes.h"
#include "parsers/fressian/decoder.h"
#include "parsers/fressian/hex.h"
#include "parsers/fressian/name_text.h"

namespace elapid::fressian {

namespace {

constexpr std::string_view kBytesBegin = "#bytes \"";

/// The shortest EDN text for the number in its own precision.
template <class Float>
void append_floating(Float value, std::string& out) {
  if (std::isnan(value)) {
    out += "##NaN";
    return;
  }
  if (std::isinf(value)) {
    out += value > 0 ? "##Inf" : "##-Inf";
    return;
  }
  std::array<char, 64> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  out += text;
  out += text.find_first_of(".e") == std::string_view::npos ? ".0" : "";
}

}  // namespace

bool Decoder::take_big_endian(std::size_t count, std::uint64_t& bits) {
  std::string_view bytes;
  if (!take(count, bytes)) {
    return false;
  }
  bits = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
  }
  return true;
}

/// Takes the integer that begins with this code.
bool Decoder::take_integer(std::uint8_t code, std::int64_t& value) {
  if (code < kPackedIntegers[0].end) {
    value = code;
    return true;
  }
  std::uint64_t bits = 0;
  if (code == kMinusOne) {
    value = -1;
    return true;
  }
  if (code == kInt64) {
    const bool is_read = take_big_endian(sizeof bits, bits);
    value = static_cast<std::int64_t>(bits);
    return is_read;
  }
  const auto packed = std::find_if(std::begin(kPackedIntegers), std::end(kPackedIntegers),
                                   [code](const PackedInteger& p) { return code < p.end; });
  if (packed == std::end(kPackedIntegers)) {
    return fail(code_offset_, "expected an integer, found another object");
  }
  if (!take_big_endian(packed->bytes, bits)) {
    return false;
  }
  const std::int64_t high = std::int64_t{code} - packed->zero;
  value = high * (std::int64_t{1} << (8 * packed->bytes)) + static_cast<std::int64_t>(bits);
  return true;
}

bool Decoder::take_integer(std::int64_t& value) {
  std::uint8_t code = 0;
  return take_code(code) && take_integer(code, value);
}

bool Decoder::take_count(std::uint64_t& count) {
  std::int64_t value = 0;
  const std::uint64_t begin = offset();
  if (!take_integer(value)) {
    return false;
  }
  if (value < 0) {
    return fail(begin, "expected a count, found " + std::to_string(value));
  }
  count = static_cast<std::uint64_t>(value);
  return true;
}

/// Adds bytes to raw_ in pieces, so that a wrong count takes no memory.
bool Decoder::take_counted(std::uint64_t count) {
  constexpr std::uint64_t kPiece = 65536;
  std::string_view piece;
  while (count > 0) {
    if (raw_.size() > kMaxText) {
      return fail(code_offset_, "expected a string below 256 MiB, found a longer one");
    }
    const std::uint64_t length = std::min(count, kPiece);
    if (!take(length, piece)) {
      return false;
    }
    raw_ += piece;
    count -= length;
  }
  return true;
}

/// Reads a string or bytes into raw_: chunks, then a last piece. Its code is the one after that of
/// chunks, or one from `first_short` on, which tells the length.
bool Decoder::take_chunks(std::uint8_t code, std::uint8_t chunk, std::uint8_t first_short) {
  std::uint64_t count = 0;
  raw_.clear();
  while (code == chunk) {
    if (!take_count(count) || !take_counted(count) || !take_code(code)) {
      return false;
    }
  }
  if (code >= first_short && code < first_short + kShortLengths) {
    return take_counted(code - std::uint64_t{first_short});
  }
  if (code != chunk + 1) {
    return fail(code_offset_, "expected the last chunk of a string, found another object");
  }
  return take_count(count) && take_counted(count);
}

bool Decoder::append_string(std::uint8_t code, std::string& out) {
  const std::uint64_t begin = code_offset_;
  return take_chunks(code, kStringChunk, kShortString) &&
         (append_quoted(raw_, out) ||
          fail(begin,
               "expected a string of UTF-16 units in one to three bytes each, found other "
               "bytes in it"));
}

bool Decoder::append_bytes(std::uint8_t code, std::string& out) {
  const bool is_read = take_chunks(code, kBytesChunk, kShortBytes);
  out += kBytesBegin;
  append_hex(raw_, out);
  out += '"';
  return is_read;
}

/// Appends strings, bytes, and objects that consist of a code and a few bytes.
bool Decoder::append_flat(std::uint8_t code, std::string& out) {
  switch (code) {
    case kTrue:
      out += "true";
      return true;
    case kFalse:
      out += "false";
      return true;
    case kNull:
      out += "nil";
      return true;
    case kDoubleZero:
      out += "0.0";
      return true;
    case kDoubleOne:
      out += "1.0";
      return true;
    case kFloat:
      return append_float(out);
    case kDouble:
      return append_double(out);
    default:
      return code <= kBytes ? append_bytes(code, out) : append_string(code, out);
  }
}

bool Decoder::append_float(std::string& out) {
  std::uint64_t bits = 0;
  const bool is_read = take_big_endian(sizeof(float), bits);
  append_floating(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), out);
  return is_read;
}

bool Decoder::append_double(std::string& out) {
  std::uint64_t bits = 0;
  const bool is_read = take_big_endian(sizeof(double), bits);
  append_floating(std::bit_cast<double>(bits), out);
  return is_read;
}

bool Decoder::append_instant(std::string& out) {
  namespace chrono = std::chrono;
  constexpr std::int64_t kYear0 = -62167219200000;
  constexpr std::int64_t kYear10000 = 253402300800000;
  std::int64_t ms = 0;
  if (!take_integer(ms)) {
    return false;
  }
  if (ms < kYear0 || ms >= kYear10000) {  // beyond what #inst can write
    out += "#instant-ms " + std::to_string(ms);
    return true;
  }
  const chrono::sys_time<chrono::milliseconds> time{chrono::milliseconds(ms)};
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(time - day);
  std::array<char, 64> text;
  const int length = std::snprintf(
      text.data(), text.size(), "#inst \"%04d-%02u-%02uT%02d:%02d:%02d.%03d-00:00\"",
      int{date.year()}, unsigned{date.month()}, unsigned{date.day()},
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  out.append(text.data(), static_cast<std::size_t>(length));
  return true;
}

/// Appends a keyword or a symbol: a namespace or nil, and a name.
bool Decoder::append_name(std::uint8_t code, std::string& out) {
  const std::uint64_t begin = code_offset_;
  const std::size_t start = out.size();
  if (!append(out)) {
    return false;
  }
  const std::size_t space_length = out.size() - start;
  if (!append(out)) {
    return false;
  }
  const std::string texts = out.substr(start);
  const std::string_view space = std::string_view(texts).substr(0, space_length);
  const std::string_view name = std::string_view(texts).substr(space_length);
  if ((space != "nil" && space.front() != '"') || name.front() != '"') {
    return fail(begin, "expected strings in a keyword or symbol, found " + edn::in_quotes(texts));
  }
  out.resize(start);
  fressian::append_name(code == kKeyword ? NameKind::kKeyword : NameKind::kSymbol, space, name,
                        out);
  return true;
}

bool Decoder::append_tagged_string(std::string_view tag, std::string& out) {
  const std::uint64_t begin = code_offset_;
  out += tag;
  const std::size_t start = out.size();
  if (!append(out)) {
    return false;
  }
  return out[start] == '"' || fail(begin, "expected a string behind this code, found " +
                                              edn::in_quotes(std::string_view(out).substr(start)));
}

/// Takes the next object, which must be bytes.
bool Decoder::take_bytes(std::string& bytes) {
  const std::uint64_t begin = code_offset_;
  std::string text;
  if (!append(text)) {
    return false;
  }
  if (!text.starts_with(kBytesBegin)) {
    return fail(begin, "expected bytes behind this code, found " + edn::in_quotes(text));
  }
  const auto digits = std::string_view(text).substr(kBytesBegin.size());
  bytes = unhex(digits.substr(0, digits.size() - 1));
  return true;
}

bool Decoder::append_uuid(std::string& out) {
  constexpr std::array<std::size_t, 5> kGroups = {4, 2, 2, 2, 6};
  constexpr std::size_t kLength = 16;
  const std::uint64_t begin = code_offset_;
  std::string bytes;
  if (!take_bytes(bytes)) {
    return false;
  }
  if (bytes.size() != kLength) {
    return fail(begin, "expected 16 bytes in a UUID, found " + std::to_string(bytes.size()));
  }
  out += "#uuid ";
  std::string_view rest = bytes;
  std::string_view separator = "\"";
  for (const std::size_t group : kGroups) {
    out += std::exchange(separator, "-");
    append_hex(rest.substr(0, group), out);
    rest.remove_prefix(group);
  }
  out += '"';
  return true;
}

bool Decoder::take_big_digits(std::string& digits) {
  const std::uint64_t begin = code_offset_;
  std::string bytes;
  if (!take_bytes(bytes)) {
    return false;
  }
  if (bytes.size() > kMaxBigBytes) {
    return fail(begin, "expected a big integer of at most " + std::to_string(kMaxBigBytes) +
                           " bytes, found " + std::to_string(bytes.size()));
  }
  digits = decimal_digits(bytes);
  return true;
}

bool Decoder::append_big_integer(std::string& out) {
  std::string digits;
  const bool is_read = take_big_digits(digits);
  out += digits;
  out += 'N';
  return is_read;
}

bool Decoder::append_big_decimal(std::string& out) {
  std::string digits;
  std::int64_t scale = 0;
  if (!take_big_digits(digits)) {
    return false;
  }
  const std::uint64_t begin = offset();
  if (!take_integer(scale)) {
    return false;
  }
  if (scale < std::numeric_limits<std::int32_t>::min() + 1 ||
      scale > std::numeric_limits<std::int32_t>::max()) {
    return fail(begin, "expected a scale of 32 bits, found " + std::to_string(scale));
  }
  out += digits + (scale == 0 ? "" : "E" + std::to_string(-scale)) + 'M';
  return true;
}

}  // namespace elapid::fressian
