#include "engine/elle/value_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/elle/murmur3.h"

namespace elapid::elle {

namespace {

// Text as Java keeps it, in UTF-16.

/// Takes a code point from the front of valid UTF-8.
std::uint32_t take_code(std::string_view& text) {
  const auto byte = [&text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  std::uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length && i < text.size(); ++i) {
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  text.remove_prefix(std::min(length, text.size()));
  return code;
}

void append(std::uint32_t code, std::u16string& out) {
  if (code < 0x10000) {
    out += static_cast<char16_t>(code);
  } else {
    out += static_cast<char16_t>(0xd800 + ((code - 0x10000) >> 10));
    out += static_cast<char16_t>(0xdc00 + ((code - 0x10000) & 0x3ffU));
  }
}

std::uint32_t take_hexadecimal(std::string_view& text) {
  const std::string_view digits = text.substr(0, 4);
  std::uint32_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  text.remove_prefix(digits.size());
  return code;
}

/// Takes the escape, behind its backslash, and returns the code point that it means.
std::uint32_t take_escape(std::string_view& text) {
  constexpr std::string_view kLetters = "ntrfb";
  constexpr std::string_view kCodes = "\n\t\r\f\b";
  const std::uint32_t code = take_code(text);
  if (code == 'u') {
    return take_hexadecimal(text);
  }
  const std::size_t letter = kLetters.find(static_cast<char>(code));
  return letter == std::string_view::npos ? code : static_cast<std::uint8_t>(kCodes[letter]);
}

/// `text` is valid UTF-8.
std::u16string utf16(std::string_view text) {
  std::u16string out;
  while (!text.empty()) {
    append(take_code(text), out);
  }
  return out;
}

/// The text that a canonical EDN string means; `token` has its quotes and escapes.
std::u16string utf16_of_string(std::string_view token) {
  std::string_view text = token.substr(1, token.size() - 2);
  std::u16string out;
  while (!text.empty()) {
    const std::uint32_t code = take_code(text);
    append(code == '\\' && !text.empty() ? take_escape(text) : code, out);
  }
  return out;
}

/// The character that a canonical EDN character means, such as `\a`, `\newline` or `\u00e9`.
char16_t utf16_of_character(std::string_view token) {
  using Name = std::pair<std::string_view, char16_t>;
  constexpr std::array kNames = {Name{"newline", u'\n'},  Name{"space", u' '},
                                 Name{"tab", u'\t'},      Name{"return", u'\r'},
                                 Name{"formfeed", u'\f'}, Name{"backspace", u'\b'}};
  std::string_view text = token.substr(1);
  for (const auto& [name, code] : kNames) {
    if (text == name) {
      return code;
    }
  }
  if (text.size() > 1 && text.front() == 'u') {
    text.remove_prefix(1);
    return static_cast<char16_t>(take_hexadecimal(text));
  }
  return text.empty() ? u'\\' : static_cast<char16_t>(take_code(text));
}

using Hash = std::uint32_t;

constexpr Hash kKeywordOffset = 0x9e3779b9U;

constexpr Hash folded(std::uint64_t bits) {
  return static_cast<Hash>(bits ^ (bits >> 32));
}

Hash string_hash(std::u16string_view text) {
  Hash hash = 0;
  for (const char16_t unit : text) {
    hash = with_element(hash, unit);
  }
  return hash;
}

/// Clojure's hashCombine, on Java's signed integers.
constexpr Hash combined(Hash seed, Hash hash) {
  const auto quarter = static_cast<Hash>(static_cast<std::int32_t>(seed) >> 2);
  return seed ^ (hash + kKeywordOffset + (seed << 6) + quarter);
}

Hash symbol_hash(std::string_view symbol, HashCode code) {
  const std::size_t slash = symbol.size() > 1 ? symbol.find('/') : std::string_view::npos;
  const bool is_qualified = slash != std::string_view::npos;
  const std::u16string name = utf16(is_qualified ? symbol.substr(slash + 1) : symbol);
  const Hash space = is_qualified ? string_hash(utf16(symbol.substr(0, slash))) : 0;
  return combined(code == HashCode::kJava ? string_hash(name) : murmur3_chars(name), space);
}

Hash long_hash(std::int64_t n, HashCode code) {
  return code == HashCode::kJava ? folded(static_cast<std::uint64_t>(n)) : murmur3_long(n);
}

/// Java's BigInteger.hashCode() of a decimal number.
Hash big_integer_hash(std::string_view digits) {
  const bool is_negative = digits.starts_with('-');
  digits.remove_prefix(is_negative || digits.starts_with('+') ? 1 : 0);
  std::vector<std::uint32_t> words;  // least significant first
  for (const char digit : digits) {
    auto carry = static_cast<std::uint64_t>(digit - '0');
    for (std::uint32_t& word : words) {
      carry += std::uint64_t{word} * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) {
      words.push_back(static_cast<std::uint32_t>(carry));
    }
  }
  Hash hash = 0;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    hash = with_element(hash, *word);
  }
  return is_negative ? 0 - hash : hash;
}

Hash double_hash(double x, HashCode code) {
  const bool is_zero = x == 0;  // Clojure's zeroes are equal
  return is_zero && code == HashCode::kClojure ? 0 : folded(std::bit_cast<std::uint64_t>(x));
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

std::optional<Hash> number_hash(std::string_view token, HashCode code) {
  if (const auto n = parse<std::int64_t>(token)) {
    return long_hash(*n, code);
  }
  if (token.ends_with('N')) {
    return big_integer_hash(token.substr(0, token.size() - 1));
  }
  if (const std::size_t slash = token.find('/'); slash != std::string_view::npos) {
    return big_integer_hash(token.substr(0, slash)) ^ big_integer_hash(token.substr(slash + 1));
  }
  const auto x = parse<double>(token);
  return x ? std::optional(double_hash(*x, code)) : std::nullopt;
}

/// Numbers that have no digits.
std::optional<Hash> special_double_hash(std::string_view token) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (token == "##NaN") {
    return folded(0x7ff8000000000000U);  // the one NaN that Java hashes
  }
  if (token == "##Inf" || token == "##-Inf") {
    return double_hash(token == "##Inf" ? kInfinity : -kInfinity, HashCode::kJava);
  }
  return std::nullopt;  // a tagged literal
}

bool is_number(std::string_view token) {
  const bool is_signed = token.size() > 1 && (token[0] == '-' || token[0] == '+');
  const char first = token[is_signed ? 1 : 0];
  return first >= '0' && first <= '9';
}

/// The hash of anything but a collection, if it is known.
std::optional<Hash> atom_hash(std::string_view token, HashCode code) {
  if (is_number(token)) {
    return number_hash(token, code);
  }
  switch (token.front()) {
    case '"': {
      const Hash hash = string_hash(utf16_of_string(token));
      return code == HashCode::kJava ? hash : murmur3_int(hash);
    }
    case ':':
      return symbol_hash(token.substr(1), code) + kKeywordOffset;
    case '\\':
      return utf16_of_character(token);
    case '#':
      return special_double_hash(token);
    default:
      break;
  }
  if (token == "true" || token == "false") {
    return token == "true" ? 1231 : 1237;
  }
  return token == "nil" ? 0 : symbol_hash(token, code);
}

/// Takes a token that is no bracket from the front of `text`.
std::string_view take_atom(std::string_view& text) {
  std::size_t end = 1;
  if (text.front() == '"') {
    while (end < text.size() && text[end] != '"') {
      end += text[end] == '\\' ? 2U : 1U;
    }
    ++end;
  } else {
    // The first character may be a bracket itself, behind the backslash of a character.
    end = text.find_first_of(" ]})", text.front() == '\\' ? 2 : 1);
  }
  const std::string_view token = text.substr(0, end);
  text.remove_prefix(token.size());
  return token;
}

/// A collection whose end is not read yet, or the outermost value.
class Open {
 public:
  enum class Kind : std::uint8_t { kValue, kVector, kSet, kMap };

  explicit Open(Kind kind) : kind_(kind), hash_(kind == Kind::kVector ? 1 : 0) {}

  void add(Hash element, HashCode code) {
    ++count_;
    switch (kind_) {
      case Kind::kValue:
        hash_ = element;
        break;
      case Kind::kVector:
        hash_ = with_element(hash_, element);
        break;
      case Kind::kSet:
        hash_ += element;
        break;
      case Kind::kMap:
        add_to_map(element, code);
        break;
    }
  }

  [[nodiscard]] Hash finish(HashCode code) const {
    const std::size_t count = kind_ == Kind::kMap ? count_ / 2 : count_;
    return code == HashCode::kJava || kind_ == Kind::kValue ? hash_
                                                            : murmur3_collection(hash_, count);
  }

 private:
  void add_to_map(Hash element, HashCode code) {
    if (count_ % 2 == 1) {
      key_ = element;
    } else if (code == HashCode::kJava) {
      hash_ += key_ ^ element;
    } else {
      hash_ += murmur3_collection(with_element(with_element(1, key_), element), 2);
    }
  }

  Kind kind_;
  Hash hash_;
  Hash key_ = 0;  // of a map, whose value comes next
  std::size_t count_ = 0;
};

/// The collection that begins at the front of `text`, if there is one. Takes its bracket.
std::optional<Open> take_bracket(std::string_view& text) {
  const auto take = [&text](std::size_t length, Open::Kind kind) {
    text.remove_prefix(length);
    return Open(kind);
  };
  if (text.starts_with('[')) {
    return take(1, Open::Kind::kVector);
  }
  if (text.starts_with('{')) {
    return take(1, Open::Kind::kMap);
  }
  return text.starts_with("#{") ? std::optional(take(2, Open::Kind::kSet)) : std::nullopt;
}

}  // namespace

std::uint32_t hash_of_text(std::string_view canonical, HashCode code) {
  std::vector<Open> open = {Open(Open::Kind::kValue)};
  while (!canonical.empty()) {
    const char c = canonical.front();
    if (const auto collection = take_bracket(canonical)) {
      open.push_back(*collection);
    } else if (c == ' ') {
      canonical.remove_prefix(1);
    } else if ((c == ']' || c == '}') && open.size() > 1) {
      canonical.remove_prefix(1);
      const Hash closed = open.back().finish(code);
      open.pop_back();
      open.back().add(closed, code);
    } else if (const auto atom = atom_hash(take_atom(canonical), code)) {
      open.back().add(*atom, code);
    } else {
      return 0;
    }
  }
  return open.front().finish(code);
}

std::uint32_t hash_of(const History& history, ValueId value, HashCode code) {
  const auto n = history.values().as_integer(value);
  return n ? long_hash(*n, code) : hash_of_text(history.text(value), code);
}

std::uint32_t clojure_hash(const History& history, std::span<const ValueId> elements) {
  Open vector(Open::Kind::kVector);
  for (const ValueId element : elements) {
    vector.add(hash_of(history, element, HashCode::kClojure), HashCode::kClojure);
  }
  return vector.finish(HashCode::kClojure);
}

bool iterates_before(std::uint32_t hash, std::uint32_t other) {
  constexpr int kBitsPerLevel = 5;
  const std::uint32_t difference = hash ^ other;
  if (difference == 0) {
    return false;
  }
  const int shift = std::countr_zero(difference) / kBitsPerLevel * kBitsPerLevel;
  constexpr std::uint32_t kMask = (1U << kBitsPerLevel) - 1;
  return ((hash >> shift) & kMask) < ((other >> shift) & kMask);
}

void sort_as_map(const History& history, std::vector<KeyId>& keys) {
  constexpr std::size_t kArrayMapKeys = 8;
  if (keys.size() <= kArrayMapKeys) {
    return;
  }
  std::ranges::stable_sort(keys, [&](KeyId a, KeyId b) {
    return iterates_before(hash_of(history, history.key_value(a), HashCode::kClojure),
                           hash_of(history, history.key_value(b), HashCode::kClojure));
  });
}

std::uint32_t java_keyword_hash(std::string_view name) {
  return symbol_hash(name, HashCode::kJava) + kKeywordOffset;
}

}  // namespace elapid::elle
