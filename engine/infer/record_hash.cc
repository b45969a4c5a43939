#include "engine/infer/record_hash.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace elapid {

namespace {

using Hash = std::uint32_t;

constexpr Hash with_element(Hash hash, Hash element) {
  return 31 * hash + element;
}

constexpr Hash integer_hash(std::int64_t n) {
  const auto bits = static_cast<std::uint64_t>(n);
  return static_cast<Hash>(bits ^ (bits >> 32));
}

/// Takes a code point from the front of valid UTF-8.
constexpr std::uint32_t take_code(std::string_view& text) {
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

/// Adds a character to a string's hash, which is one of UTF-16.
constexpr Hash with_code(Hash hash, std::uint32_t code) {
  if (code < 0x10000) {
    return with_element(hash, code);
  }
  const Hash high = 0xd800 + ((code - 0x10000) >> 10);
  return with_element(with_element(hash, high), 0xdc00 + (code & 0x3ffU));
}

constexpr Hash string_hash(std::string_view text) {
  Hash hash = 0;
  while (!text.empty()) {
    hash = with_code(hash, take_code(text));
  }
  return hash;
}

/// What an escape in a canonical string stands for; takes it, behind its backslash.
std::uint32_t take_escape(std::string_view& text) {
  constexpr std::string_view kLetters = "ntrfb";
  constexpr std::string_view kCodes = "\n\t\r\f\b";
  std::uint32_t code = take_code(text);
  if (code == 'u') {
    const std::string_view digits = text.substr(0, 4);
    std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    text.remove_prefix(digits.size());
  } else if (const std::size_t letter = kLetters.find(static_cast<char>(code));
             letter != std::string_view::npos) {
    code = static_cast<std::uint8_t>(kCodes[letter]);
  }
  return code;
}

Hash quoted_string_hash(std::string_view token) {
  std::string_view text = token.substr(1, token.size() - 2);
  Hash hash = 0;
  while (!text.empty()) {
    const std::uint32_t code = take_code(text);
    hash = with_code(hash, code == '\\' && !text.empty() ? take_escape(text) : code);
  }
  return hash;
}

/// Clojure's hashCombine, on Java's signed integers.
constexpr Hash combined(Hash seed, Hash hash) {
  const auto half = static_cast<Hash>(static_cast<std::int32_t>(seed) >> 2);
  return seed ^ (hash + 0x9e3779b9U + (seed << 6) + half);
}

constexpr Hash symbol_hash(std::string_view symbol) {
  const std::size_t slash = symbol.size() > 1 ? symbol.find('/') : std::string_view::npos;
  if (slash == std::string_view::npos) {
    return combined(string_hash(symbol), 0);
  }
  return combined(string_hash(symbol.substr(slash + 1)), string_hash(symbol.substr(0, slash)));
}

constexpr Hash keyword_hash(std::string_view without_colon) {
  return symbol_hash(without_colon) + 0x9e3779b9U;
}

bool is_number(std::string_view token) {
  const bool is_signed = token.size() > 1 && (token[0] == '-' || token[0] == '+');
  const char first = token[is_signed ? 1 : 0];
  return first >= '0' && first <= '9';
}

/// The hash of anything but a collection, if it is known.
std::optional<Hash> atom_hash(std::string_view token) {
  if (is_number(token)) {
    std::int64_t n = 0;
    const auto parsed = std::from_chars(token.data(), token.data() + token.size(), n);
    const bool is_long = parsed.ec == std::errc{} && parsed.ptr == token.data() + token.size();
    return is_long ? std::optional(integer_hash(n)) : std::nullopt;
  }
  switch (token.front()) {
    case '"':
      return quoted_string_hash(token);
    case ':':
      return keyword_hash(token.substr(1));
    case '{':
    case '#':
    case '\\':
      return std::nullopt;
    default:
      break;
  }
  if (token == "true" || token == "false") {
    return token == "true" ? 1231 : 1237;
  }
  return token == "nil" ? 0 : symbol_hash(token);
}

/// Takes a token that is no bracket of a vector from the front of `text`.
std::string_view take_atom(std::string_view& text) {
  std::size_t end = 1;
  if (text.front() == '"') {
    while (end < text.size() && text[end] != '"') {
      end += text[end] == '\\' ? 2U : 1U;
    }
    ++end;
  } else {
    end = text.find_first_of(" ]");
  }
  const std::string_view token = text.substr(0, end);
  text.remove_prefix(token.size());
  return token;
}

Hash value_hash(const History& history, ValueId value) {
  return value.is_integer() ? integer_hash(value.as_integer()) : java_hash(history.text(value));
}

/// The micro-operations as the vector of vectors that they are in the record.
Hash mops_hash(const History& history, TxnId txn) {
  constexpr Hash kRead = keyword_hash("r");
  constexpr Hash kWrite = keyword_hash("w");
  Hash hash = 1;
  for (const Op op : history.ops(txn)) {
    Hash mop = with_element(1, op.is_write() ? kWrite : kRead);
    mop = with_element(mop, value_hash(history, history.key_value(op.key())));
    hash = with_element(hash, with_element(mop, value_hash(history, op.value())));
  }
  return hash;
}

}  // namespace

std::uint32_t java_hash(std::string_view canonical) {
  std::vector<Hash> open = {0};  // of the vectors not yet closed; below them the value itself
  while (!canonical.empty()) {
    const char c = canonical.front();
    if (c == '[') {
      open.push_back(1);
    } else if (c == ']' && open.size() > 1) {
      const Hash closed = open.back();
      open.pop_back();
      open.back() = with_element(open.back(), closed);
    } else if (c != ' ') {
      const auto atom = atom_hash(take_atom(canonical));
      if (!atom) {
        return 0;
      }
      open.back() = with_element(open.back(), *atom);
      continue;
    }
    canonical.remove_prefix(1);
  }
  return open.front();
}

std::uint32_t record_hash(const History& history, TxnId txn) {
  constexpr Hash kOk = keyword_hash("ok");
  constexpr Hash kInfo = keyword_hash("info");
  constexpr std::int64_t kNoTime = -1;  // what Jepsen's record then holds
  const Event event = history.event(txn, EventKind::kCompletion);
  return (keyword_hash("index") ^ integer_hash(event.index)) +
         (keyword_hash("time") ^ integer_hash(event.time.value_or(kNoTime))) +
         (keyword_hash("type") ^ (history.committed(txn) ? kOk : kInfo)) +
         (keyword_hash("process") ^ integer_hash(history.session_name(history.session(txn)))) +
         (keyword_hash("f") ^ value_hash(history, history.info().f)) +
         (keyword_hash("value") ^ mops_hash(history, txn));
}

}  // namespace elapid
