#include "parsers/detect.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "parsers/bytes/read_full.h"

namespace elapid {

namespace {

constexpr std::size_t kPeekBytes = std::size_t{1} << 16;

/// The first kPeekBytes of a source.
Result<std::string> peek(ByteSource& source) {
  if (Status status = source.rewind(); !status.ok()) {
    return std::move(status.error());
  }
  Result<std::string> head =
      read_full(kPeekBytes, [&](std::span<char> into) { return source.read(into); });
  if (Status status = source.rewind(); !status.ok()) {
    return std::move(status.error());
  }
  return head;
}

/// Text without the white space before it; commas are white space in EDN.
std::string_view trimmed(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\n\v\f\r,"), text.size()));
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

using Detections = std::vector<Detection>;

Detection found(Format format, std::string reason, std::string dialect = {}) {
  return {{format, std::move(dialect)}, std::move(reason), {}};
}

/// Whether JSON text has this key in what can be seen of it.
bool has_key(std::string_view text, std::string_view key) {
  return text.find('"' + std::string(key) + '"') != std::string_view::npos;
}

/// JSON by its keys, from behind the first brace on. Keys that are seen may stand anywhere.
Detections detect_object(std::string_view inside, bool is_enclosed) {
  Detections all;
  if (has_key(inside, "sts") && has_key(inside, "cts") && has_key(inside, "ops")) {
    all.push_back(found(Format::kTimekiller, "its objects have sts, cts and ops"));
  }
  if (!is_enclosed && has_key(inside, "params") && has_key(inside, "data")) {
    all.push_back(found(Format::kDbcop, "it is an object with params and data", "json"));
  }
  if (!is_enclosed && has_key(inside, "value") && !has_key(inside, "type") &&
      !has_key(inside, "process")) {
    all.push_back(found(Format::kViper, "its objects have a value and no type", "json"));
  }
  all.push_back(is_enclosed ? found(Format::kJson, "it begins with an array of objects")
                            : found(Format::kJsonl, "it begins with an object, not an array"));
  return all;
}

/// What stands where a map's first key is expected.
enum class FirstKey : std::uint8_t { kKeyword, kString, kComment, kNone };

FirstKey first_key(std::string_view inside_map) {
  const std::string_view text = trimmed(inside_map);
  switch (text.empty() ? '\0' : text.front()) {
    case ':':
      return FirstKey::kKeyword;
    case '"':
      return FirstKey::kString;
    case ';':
    case '#':
    case '^':
      return FirstKey::kComment;
    default:
      return FirstKey::kNone;
  }
}

/// Porcupine's key-value histories are EDN whose operations name their key apart from the value.
bool is_porcupine_kv(std::string_view text) {
  static const re2::RE2 pattern(R"(:f :(get|put|append), :key ")");
  return re2::RE2::PartialMatch(piece(text.substr(0, text.find('\n'))), pattern);
}

/// Nothing that only EDN or only JSON has is a reason to think further.
Detections detect_map(std::string_view inside_map, bool is_enclosed) {
  const std::string vector = is_enclosed ? "a vector with " : "";
  switch (first_key(inside_map)) {
    case FirstKey::kKeyword:
      if (is_porcupine_kv(inside_map)) {
        return {found(Format::kPorcupine, "its first operation has a :key beside its value", "kv")};
      }
      return {found(Format::kEdn, "it begins with " + vector + "a map of keyword keys")};
    case FirstKey::kComment:
      return {found(Format::kEdn, "it begins with a map that holds a comment or a tag")};
    case FirstKey::kString:
      return detect_object(inside_map, is_enclosed);
    default:
      return {};
  }
}

/// Text that is EDN or JSON by its brackets.
Detections detect_forms(std::string_view text) {
  const bool is_enclosed = text.starts_with('[');
  if (is_enclosed) {
    text = trimmed(text.substr(1));
  }
  if (is_enclosed && text.starts_with('[') && has_key(text, "events")) {
    return {found(Format::kDbcop, "it begins with sessions of transactions with events", "json")};
  }
  switch (text.empty() ? '\0' : text.front()) {
    case '{':
      return detect_map(text.substr(1), is_enclosed);
    case '(':
      return {found(Format::kEdn, "it begins with a list")};
    case ';':
      return {found(Format::kEdn, "it begins with a comment")};
    case '#':
      return {found(Format::kEdn, "it begins with a tag or a discarded form")};
    default:
      return {};
  }
}

/// Grammars of lines, told by the first line that is not blank.
std::optional<Detection> detect_lines(std::string_view text) {
  struct Grammar {
    const char* pattern;
    Format format;
    const char* dialect;
    const char* reason;
  };

  static constexpr std::array kGrammars = {
      Grammar{R"(^[rw]\(-?\d+,-?\d+,-?\d+,-?\d+\))", Format::kRwText, "",
              "its lines are op(key,value,session,transaction)"},
      Grammar{R"((^|\s)((READ|WRITE) KEY\[|INSERT\[|DELETE\[|CONTAINS\[))", Format::kIsopredict, "",
              "its first line names a key and the transaction that read or wrote it"},
      Grammar{R"(^INFO\s+jepsen\.util)", Format::kPorcupine, "etcd",
              "it begins with a line of Jepsen's log"},
      Grammar{R"(^\s*([RW]\d[a-z]|[CA]\d|S\d)(\s*([RW]\d[a-z]|[CA]\d|S\d))*\s*$)", Format::kCoo, "",
              "its first line is a schedule such as R0a W1a C0 C1"},
      Grammar{R"(^[rw]\s+\d+\s+\d+(\s|$))", Format::kAwdit, "",
              "it begins with an operation as `r KEY VALUE`"},
      Grammar{R"(^//|^\s*\[\s*\w+(:=|==))", Format::kDbcop, "hist",
              "it begins with a comment or a transaction such as [x:=1]"}};
  const std::string_view line = first_line(text);
  for (const Grammar& grammar : kGrammars) {
    if (re2::RE2::PartialMatch(piece(line), grammar.pattern)) {
      return found(grammar.format, grammar.reason, grammar.dialect);
    }
  }
  static const re2::RE2 count(R"(^\s*\d+\s+-?\d+\s+-?\d+\s+[AR]\s)");
  if (re2::RE2::PartialMatch(piece(text), count)) {
    return found(Format::kVeristrongElle, "it begins with a count and a line of `session txn A|R`");
  }
  return std::nullopt;
}

/// dbcop's bincode: five small numbers, then a text's length and the text.
bool may_be_bincode(std::string_view head) {
  constexpr std::size_t kParams = 40;
  constexpr std::size_t kHead = kParams + 8;
  if (head.size() < kHead) {
    return false;
  }
  const auto number = [head](std::size_t at) {
    std::uint64_t n = 0;
    for (std::size_t i = 8; i-- > 0;) {
      n = n << 8 | static_cast<unsigned char>(head[at + i]);
    }
    return n;
  };
  for (std::size_t at = 0; at < kParams; at += 8) {
    if (number(at) > 0xffffffffU) {
      return false;
    }
  }
  const std::uint64_t length = number(kParams);
  const std::string_view info =
      head.substr(kHead, std::min<std::uint64_t>(length, head.size() - kHead));
  return length <= 4096 &&
         std::all_of(info.begin(), info.end(), [](char c) { return c >= ' ' || c == '\n'; });
}

/// Cobra's record of a transaction's start, and behind it one of the others or a time.
bool may_be_cobra(std::string_view head) {
  constexpr std::size_t kSecondRecord = 9;
  return head.starts_with('S') && head.size() > kSecondRecord &&
         std::string_view("RWC\0", 4).find(head[kSecondRecord]) != std::string_view::npos;
}

/// The first number of bincode may be any byte, also those that others begin with.
Detections detect_binary(std::string_view head) {
  constexpr std::string_view kJepsenMagic = "JEPSEN";
  constexpr unsigned char kFressianMap = 0xc0;
  if (head.starts_with(kJepsenMagic)) {
    return {found(Format::kJepsen, "it begins with `JEPSEN`", "binary")};
  }
  Detections all;
  if (may_be_bincode(head)) {
    all.push_back(found(Format::kDbcop,
                        "it begins as dbcop's bincode: five small numbers and a text", "bincode"));
  }
  if (!head.empty() && static_cast<unsigned char>(head.front()) == kFressianMap) {
    all.push_back(found(Format::kJepsen, "it begins with Fressian's code of a map", "fressian"));
  }
  if (may_be_cobra(head)) {
    all.push_back(found(Format::kCobra, "it begins with Cobra's record of a transaction's start"));
  }
  return all;
}

Detections detect_head(std::string_view head) {
  Detections all = detect_binary(head);
  const std::string_view text = trimmed(head);
  if (auto lines = detect_lines(text)) {
    all.push_back(std::move(*lines));
  } else {
    std::ranges::move(detect_forms(text), std::back_inserter(all));
  }
  return all;
}

/// The start of an input for a message of one line.
std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 20;
  std::string out(text.substr(0, kLongest));
  const auto is_plain = [](char c) { return c >= ' ' && c < 0x7f; };
  std::replace_if(
      out.begin(), out.end(), [&is_plain](char c) { return !is_plain(c); }, '?');
  return '`' + out + (text.size() > kLongest ? "...`" : "`");
}

Error unrecognised(std::string_view head) {
  if (trimmed(head).empty()) {
    return {.message = head.size() < kPeekBytes ? "expected a history, found an empty file"
                                                : "expected a history, found 64 KiB of white space",
            .byte_offset = 0};
  }
  return {.message = "cannot tell the format of an input that begins with " +
                     excerpt(trimmed(head)) + ": it looks like none of those known (see --format)",
          .byte_offset = 0};
}

}  // namespace

Result<std::vector<Detection>> detect_file(ByteSource& source) {
  Result<std::string> head = peek(source);
  if (!head) {
    return source.located(std::move(head.error()));
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::string_view text = head.value();
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  Detections detections = detect_head(text);
  return detections.empty() ? Result<Detections>(source.located(unrecognised(text)))
                            : Result<Detections>(std::move(detections));
}

}  // namespace elapid
