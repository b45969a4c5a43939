#include "engine/online/atom.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "engine/ir/json_string.h"

namespace elapid {

namespace {

// The two low bits tell the meaning of the others.
constexpr std::uint64_t kInteger = 0;   // 62 bits, two's complement
constexpr std::uint64_t kNumbered = 1;  // 44 bits of a number and 18 of the text's place before it
constexpr std::uint64_t kEntry = 2;     // the place of an entry
constexpr unsigned kTagBits = 2;
constexpr std::uint64_t kTagMask = 3;

constexpr unsigned kNumberBits = 44;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;
constexpr std::uint64_t kMostPrefixes = std::uint64_t{1} << (64 - kTagBits - kNumberBits);
constexpr std::size_t kMostDigits = 13;  // fewer than 2^44

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Where the number at the end of the text begins. The number has no leading zeros.
std::size_t number_begin(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && text.size() - begin < kMostDigits && is_digit(text[begin - 1])) {
    --begin;
  }
  while (begin + 1 < text.size() && text[begin] == '0') {
    ++begin;
  }
  return begin;
}

/// The text as a key of places; literals are apart from texts.
std::string tagged(std::string_view text, bool is_literal = false) {
  std::string out = is_literal ? "i" : "t";
  out += text;
  return out;
}

/// Numbers, truth values, and strings that escape something.
bool is_json(std::string_view literal) {
  const char first = literal.empty() ? ' ' : literal.front();
  return literal == "true" || literal == "false" || first == '-' || first == '"' || is_digit(first);
}

/// A literal for which is_json() holds: a string may hold control characters as they are.
void append_literal(std::string_view literal, std::string& out) {
  while (!literal.empty()) {
    const auto* control = std::ranges::find_if(
        literal, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    const auto plain = static_cast<std::size_t>(control - literal.begin());
    out += literal.substr(0, plain);
    literal.remove_prefix(plain);
    append_json_text(literal.substr(0, 1), out);
    literal.remove_prefix(std::min<std::size_t>(literal.size(), 1));
  }
}

}  // namespace

Atom AtomTable::integer(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number) << kTagBits;
  if (static_cast<std::int64_t>(bits) >> kTagBits == number) {
    return Atom(bits | kInteger);
  }
  return Atom(intern(std::to_string(number), true) << kTagBits | kEntry);
}

Atom AtomTable::text(std::string_view text) {
  const std::size_t begin = number_begin(text);
  if (begin < text.size()) {
    const std::string_view digits = text.substr(begin);
    const std::string_view before = text.substr(0, begin);
    const bool has_place = entries_.size() < kMostPrefixes || places_.contains(tagged(before));
    const std::uint64_t prefix = has_place ? intern(before, false) : kMostPrefixes;
    if (prefix < kMostPrefixes) {
      std::uint64_t number = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      return Atom((prefix << kNumberBits | number) << kTagBits | kNumbered);
    }
  }
  return Atom(intern(text, false) << kTagBits | kEntry);
}

Atom AtomTable::literal(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty()
             ? integer(number)
             : Atom(intern(text, true) << kTagBits | kEntry);
}

std::uint64_t AtomTable::intern(std::string_view text, bool is_literal) {
  const auto found = places_.find(tagged(text, is_literal));
  if (found != places_.end()) {
    return found->second;
  }
  restore({std::string(text), is_literal});
  return entries_.size() - 1;
}

void AtomTable::restore(Entry entry) {
  constexpr std::size_t kNode = 160;  // of the hash table and the vector, with two strings
  memory_ += kNode + 2 * entry.text.size();
  places_.emplace(tagged(entry.text, entry.is_literal), entries_.size());
  entries_.push_back(std::move(entry));
}

std::string AtomTable::json(Atom atom) const {
  std::string out;
  append_json(out, atom);
  return out;
}

void AtomTable::append_json(std::string& out, Atom atom) const {
  if (atom.is_none() || atom.is_nil()) {
    out += "null";
    return;
  }
  const std::uint64_t rest = atom.bits() >> kTagBits;
  switch (atom.bits() & kTagMask) {
    case kInteger: {
      std::array<char, 20> digits;
      const auto number = static_cast<std::int64_t>(atom.bits()) >> kTagBits;
      out.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
      return;
    }
    case kNumbered:
      out += json_quoted(entries_[rest >> kNumberBits].text + std::to_string(rest & kNumberMask));
      return;
    default:
      if (entries_[rest].is_literal && is_json(entries_[rest].text)) {
        append_literal(entries_[rest].text, out);
      } else {
        append_json_string(entries_[rest].text, out);
      }
  }
}

}  // namespace elapid
