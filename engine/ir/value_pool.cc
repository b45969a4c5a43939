#include "engine/ir/value_pool.h"

#include <charconv>
#include <limits>

#include "engine/ir/integer_text.h"
#include "engine/ir/shown_name.h"
#include "engine/ir/visible.h"

namespace elapid {

namespace {

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
  return integer_of(text) ? ValueClass::kLong : ValueClass::kDouble;
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

ValuePool::ValuePool(std::uint32_t room) : room_(room), begin_{0} {
  intern("nil");
  intern("false");
}

ValueId ValuePool::natural(std::uint64_t n) {
  constexpr auto kMaxLong = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return n <= kMaxLong ? integer(static_cast<std::int64_t>(n)) : intern(std::to_string(n) + "N");
}

ValueId ValuePool::intern_long(std::int64_t n) {
  const auto is_it = [&](std::uint32_t i) { return longs_[i] == n; };
  const auto fresh = static_cast<std::uint32_t>(longs_.size());
  if (fresh == room_) {
    const std::uint32_t known = long_index_.find(hash_of(n), is_it);
    return known == HashIndex::kAbsent ? overflow() : ValueId::long_integer(known);
  }
  const std::uint32_t index = long_index_.find_or_add(hash_of(n), fresh, is_it);
  if (index == fresh) {
    longs_.push_back(n);
  }
  return ValueId::long_integer(index);
}

ValueId ValuePool::intern(std::string_view canonical) {
  const char first = canonical.empty() ? '"' : canonical.front();
  if ((first >= '0' && first <= '9') || first == '-') {
    if (const auto n = integer_of(canonical)) {
      return integer(*n);
    }
  }
  const auto is_it = [&](std::uint32_t i) { return interned_text(i) == canonical; };
  const auto fresh = static_cast<std::uint32_t>(text_count());
  if (fresh == room_) {
    const std::uint32_t known = text_index_.find(hash_of(canonical), is_it);
    return known == HashIndex::kAbsent ? overflow() : ValueId::interned(known);
  }
  const std::uint32_t index = text_index_.find_or_add(hash_of(canonical), fresh, is_it);
  if (index == fresh) {
    bytes_ += canonical;
    begin_.push_back(bytes_.size());
  }
  return ValueId::interned(index);
}

ValueId ValuePool::overflow() {
  is_overfull_ = true;
  return ValueId::nil();
}

ValueId ValuePool::find(std::string_view canonical) const {
  const auto n = integer_of(canonical);
  if (n && ValueId::fits_inline(*n)) {
    return ValueId::integer(*n);
  }
  const std::uint32_t index =
      n ? long_index_.find(hash_of(*n), [&](std::uint32_t i) { return longs_[i] == *n; })
        : text_index_.find(hash_of(canonical),
                           [&](std::uint32_t i) { return interned_text(i) == canonical; });
  if (index == HashIndex::kAbsent) {
    return ValueId::none();
  }
  return n ? ValueId::long_integer(index) : ValueId::interned(index);
}

void ValuePool::append_text(ValueId value, std::string& out) const {
  if (value.is_none()) {
    out += "none";
  } else if (const auto n = as_integer(value)) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, *n);
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

std::string ValuePool::shown_text(ValueId value) const {
  const bool is_text = !value.is_none() && !as_integer(value);
  return is_text ? visible_line(shown_name(interned_text(value.interned_index()))) : text(value);
}

ValueClass ValuePool::class_of(ValueId value) const {
  if (value.is_integer() || value.is_long()) {
    return ValueClass::kLong;
  }
  return value.is_nil() ? ValueClass::kNil : class_of_text(interned_text(value.interned_index()));
}

std::optional<std::int64_t> ValuePool::as_integer(ValueId value) const {
  if (value.is_integer()) {
    return value.as_integer();
  }
  return value.is_long() ? std::optional(longs_[value.interned_index()]) : std::nullopt;
}

std::size_t ValuePool::memory_bytes() const {
  return bytes_.size() + begin_.size() * sizeof(begin_[0]) + longs_.size() * sizeof(longs_[0]) +
         text_index_.memory_bytes() + long_index_.memory_bytes();
}

}  // namespace elapid
