#include "engine/ir/value_pool.h"

#include <charconv>
#include <functional>
#include <optional>

namespace elapid {

namespace {

/// The 64-bit integer that `text` is the canonical form of.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return n;
}

ValueClass class_of_number(std::string_view text) {
  if (text.back() == 'N') {
    return ValueClass::kBigInt;
  }
  if (text.back() == 'M') {
    return ValueClass::kDecimal;
  }
  if (text.find('/') != std::string_view::npos) {
    return ValueClass::kRatio;
  }
  return parse_integer(text) ? ValueClass::kLong : ValueClass::kDouble;
}

ValueClass class_of_dispatch(std::string_view text) {
  if (text.starts_with("#{")) {
    return ValueClass::kSet;
  }
  return text.starts_with("##") ? ValueClass::kDouble : ValueClass::kTagged;
}

ValueClass class_of_text(std::string_view text) {
  const char c = text.front();
  const bool is_signed_number =
      (c == '-' || c == '+') && text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  if ((c >= '0' && c <= '9') || is_signed_number) {
    return class_of_number(text);
  }
  switch (c) {
    case '"':
      return ValueClass::kString;
    case ':':
      return ValueClass::kKeyword;
    case '\\':
      return ValueClass::kCharacter;
    case '[':
      return ValueClass::kVector;
    case '{':
      return ValueClass::kMap;
    case '#':
      return class_of_dispatch(text);
    default:
      return text == "true" || text == "false" ? ValueClass::kBoolean : ValueClass::kSymbol;
  }
}

}  // namespace

ValuePool::ValuePool() : begin_{0}, slots_(16, kEmpty) {
  intern("nil");
  intern("false");
}

ValueId ValuePool::integer(std::int64_t n) {
  return ValueId::fits_inline(n) ? ValueId::integer(n) : intern(std::to_string(n));
}

ValueId ValuePool::intern(std::string_view canonical) {
  const char first = canonical.empty() ? '"' : canonical.front();
  if ((first >= '0' && first <= '9') || first == '-') {
    if (const auto n = parse_integer(canonical); n && ValueId::fits_inline(*n)) {
      return ValueId::integer(*n);
    }
  }
  std::size_t slot = slot_of(canonical);
  if (slots_[slot] != kEmpty) {
    return ValueId::interned(slots_[slot]);
  }
  if ((size() + 1) * 2 > slots_.size()) {
    grow();
    slot = slot_of(canonical);
  }
  const auto index = static_cast<std::uint32_t>(size());
  bytes_ += canonical;
  begin_.push_back(bytes_.size());
  slots_[slot] = index;
  return ValueId::interned(index);
}

ValueId ValuePool::find(std::string_view canonical) const {
  if (const auto n = parse_integer(canonical); n && ValueId::fits_inline(*n)) {
    return ValueId::integer(*n);
  }
  const std::uint32_t index = slots_[slot_of(canonical)];
  return index == kEmpty ? ValueId::none() : ValueId::interned(index);
}

std::size_t ValuePool::slot_of(std::string_view canonical) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(canonical)&mask;
  while (slots_[slot] != kEmpty && interned_text(slots_[slot]) != canonical) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void ValuePool::grow() {
  slots_.assign(slots_.size() * 2, kEmpty);
  for (std::uint32_t index = 0; index < size(); ++index) {
    slots_[slot_of(interned_text(index))] = index;
  }
}

void ValuePool::append_text(ValueId value, std::string& out) const {
  if (value.is_none()) {
    out += "none";
  } else if (value.is_integer()) {
    char digits[16];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value.as_integer());
    out.append(digits, error == std::errc{} ? end : digits);
  } else {
    out += interned_text(value.interned_index());
  }
}

std::string ValuePool::text(ValueId value) const {
  std::string out;
  append_text(value, out);
  return out;
}

ValueClass ValuePool::class_of(ValueId value) const {
  if (value.is_integer()) {
    return ValueClass::kLong;
  }
  return value.is_nil() ? ValueClass::kNil : class_of_text(interned_text(value.interned_index()));
}

std::size_t ValuePool::memory_bytes() const {
  return bytes_.capacity() + begin_.capacity() * sizeof(begin_[0]) +
         slots_.capacity() * sizeof(slots_[0]);
}

}  // namespace elapid
