#include "parsers/fressian/encoder.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "parsers/fressian/codes.h"

namespace elapid::fressian {

namespace {

constexpr unsigned kBits = 8;

bool is_unit_tail(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
}

/// The longest prefix of a string that fits into a chunk, in whole units.
std::string_view first_chunk(std::string_view cesu8) {
  constexpr std::size_t kLongest = 65535;
  std::size_t end = std::min(cesu8.size(), kLongest);
  while (end > 0 && end < cesu8.size() && is_unit_tail(cesu8[end])) {
    --end;
  }
  return cesu8.substr(0, end);
}

}  // namespace

void Encoder::big_endian(std::uint64_t value, unsigned bytes) {
  for (unsigned i = bytes; i-- > 0;) {
    byte(static_cast<unsigned>(value >> (kBits * i)) & 0xffU);
  }
}

void Encoder::null() {
  byte(kNull);
}

void Encoder::boolean(bool value) {
  byte(value ? kTrue : kFalse);
}

void Encoder::integer(std::int64_t value) {
  if (value == -1) {
    byte(kMinusOne);
    return;
  }
  const auto holds = [value](const PackedInteger& p) {
    const std::int64_t high = value >> (kBits * p.bytes);
    return high >= std::int64_t{p.first} - p.zero && high < std::int64_t{p.end} - p.zero;
  };
  const auto packed = std::find_if(std::begin(kPackedIntegers), std::end(kPackedIntegers), holds);
  const auto bits = static_cast<std::uint64_t>(value);
  if (packed == std::end(kPackedIntegers)) {
    byte(kInt64);
    big_endian(bits, sizeof bits);
    return;
  }
  byte(static_cast<unsigned>((value >> (kBits * packed->bytes)) + packed->zero));
  big_endian(bits, packed->bytes);
}

void Encoder::real(double value) {
  byte(kDouble);
  big_endian(std::bit_cast<std::uint64_t>(value), sizeof value);
}

void Encoder::string(std::string_view cesu8) {
  while (cesu8.size() > first_chunk(cesu8).size()) {
    const std::string_view chunk = first_chunk(cesu8);
    byte(kStringChunk);
    integer(static_cast<std::int64_t>(chunk.size()));
    out_ += chunk;
    cesu8.remove_prefix(chunk.size());
  }
  if (cesu8.size() < kShortLengths) {
    byte(kShortString + static_cast<unsigned>(cesu8.size()));
  } else {
    byte(kString);
    integer(static_cast<std::int64_t>(cesu8.size()));
  }
  out_ += cesu8;
}

void Encoder::bytes(std::string_view bytes) {
  byte(kBytes);
  integer(static_cast<std::int64_t>(bytes.size()));
  out_ += bytes;
}

void Encoder::big_integer(std::string_view twos_complement) {
  byte(kBigInteger);
  bytes(twos_complement);
}

void Encoder::big_decimal(std::string_view twos_complement, std::int32_t scale) {
  byte(kBigDecimal);
  bytes(twos_complement);
  integer(scale);
}

void Encoder::uuid(std::string_view sixteen_bytes) {
  byte(kUuid);
  bytes(sixteen_bytes);
}

void Encoder::instant(std::int64_t ms) {
  byte(kInstant);
  integer(ms);
}

/// Writes a reference to a cached object. False if it is not cached.
bool Encoder::reference(const std::string& text) {
  const auto known = values_.find(text);
  if (known == values_.end()) {
    return false;
  }
  if (known->second < kPriorityGets) {
    byte(kPriorityCacheGet + known->second);
  } else {
    byte(kPriorityCacheGetAt);
    integer(known->second);
  }
  return true;
}

/// Begins an object that takes the next place in the cache.
void Encoder::reserve(const std::string& text) {
  byte(kPriorityCachePut);
  values_.emplace(text, static_cast<std::uint32_t>(values_.size()));
}

/// Writes a string that readers cache. The empty string is shorter than a reference.
void Encoder::cached_string(std::string_view text) {
  if (const std::string cached = '"' + std::string(text); !text.empty() && !reference(cached)) {
    reserve(cached);
    string(text);
  } else if (text.empty()) {
    string(text);
  }
}

void Encoder::name(std::uint8_t code, std::string_view name) {
  byte(code);
  const std::size_t slash = name == "/" ? std::string_view::npos : name.find('/');
  if (slash == std::string_view::npos) {
    null();
    cached_string(name);
  } else {
    cached_string(name.substr(0, slash));
    cached_string(name.substr(slash + 1));
  }
}

void Encoder::keyword(std::string_view name) {
  this->name(kKeyword, name);
}

void Encoder::symbol(std::string_view name) {
  this->name(kSymbol, name);
}

void Encoder::cached_keyword(std::string_view name) {
  if (const std::string cached = ':' + std::string(name); !reference(cached)) {
    reserve(cached);
    keyword(name);
  }
}

void Encoder::begin_list() {
  byte(kClosedList);
}

void Encoder::begin_map() {
  byte(kMap);
  begin_list();
}

void Encoder::end_list() {
  byte(kEndOfList);
}

void Encoder::begin_struct(std::string_view tag, std::uint32_t components) {
  const auto [type, is_new] = types_.emplace(tag, static_cast<std::uint32_t>(types_.size()));
  if (is_new) {
    byte(kStruct);
    string(tag);
    integer(components);
  } else if (type->second < kStructGets) {
    byte(kStructCacheGet + type->second);
  } else {
    byte(kStructCacheGetAt);
    integer(type->second);
  }
}

}  // namespace elapid::fressian
