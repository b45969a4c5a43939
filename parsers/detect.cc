#include "parsers/detect.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

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

/// Nothing that only EDN or only JSON has is a reason to think further.
std::optional<Detection> detect_map(std::string_view inside_map, bool is_enclosed) {
  const std::string vector = is_enclosed ? "a vector with " : "";
  switch (first_key(inside_map)) {
    case FirstKey::kKeyword:
      return Detection{Format::kEdn, "it begins with " + vector + "a map of keyword keys"};
    case FirstKey::kComment:
      return Detection{Format::kEdn, "it begins with a map that holds a comment or a tag"};
    case FirstKey::kString:
      return is_enclosed ? Detection{Format::kJson, "it begins with an array of objects"}
                         : Detection{Format::kJsonl, "it begins with an object, not an array"};
    default:
      return std::nullopt;
  }
}

std::optional<Detection> detect_text(std::string_view text) {
  text = trimmed(text);
  const bool is_enclosed = text.starts_with('[');
  if (is_enclosed) {
    text = trimmed(text.substr(1));
  }
  switch (text.empty() ? '\0' : text.front()) {
    case '{':
      return detect_map(text.substr(1), is_enclosed);
    case '(':
      return Detection{Format::kEdn, "it begins with a list"};
    case ';':
      return Detection{Format::kEdn, "it begins with a comment"};
    case '#':
      return Detection{Format::kEdn, "it begins with a tag or a discarded form"};
    default:
      return std::nullopt;
  }
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
  constexpr std::string_view kJepsenMagic = "JEPSEN";
  const bool is_binary = head.starts_with(kJepsenMagic);
  return {.message = is_binary
                         ? std::string("this is Jepsen's binary format, which cannot be read; its "
                                       "run has a history.edn beside it")
                         : "cannot tell the format of an input that begins with " +
                               excerpt(trimmed(head)) +
                               ": it may be edn, json or jsonl (see --format)",
          .byte_offset = 0};
}

}  // namespace

Result<Detection> detect_format(ByteSource& source) {
  Result<std::string> head = peek(source);
  if (!head) {
    return source.located(std::move(head.error()));
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::string_view text = head.value();
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  std::optional<Detection> detection = detect_text(text);
  return detection ? Result<Detection>(std::move(*detection))
                   : Result<Detection>(source.located(unrecognised(text)));
}

}  // namespace elapid
