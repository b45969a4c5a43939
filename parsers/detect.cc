#include "parsers/detect.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "parsers/bytes/read_full.h"
#include "parsers/format.h"
#include "parsers/formats.h"

namespace elapid {

namespace {

/// A format with a sign of it in the input.
struct Candidate {
  const Format* format = nullptr;
  Sign sign = {};
};

/// The first bytes of a source.
Result<std::string> peek(ByteSource& source) {
  ELAPID_RETURN_IF_ERROR(source.rewind());
  Result<std::string> head =
      read_full(FileLook::kBytes, [&](std::span<char> into) { return source.read(into); });
  ELAPID_RETURN_IF_ERROR(source.rewind());
  return head;
}

/// The signs of all formats, strongest first; equal ones in the order of formats().
/// `signs_of(format)` asks one format.
template <class SignsOf>
std::vector<Candidate> compare(SignsOf signs_of) {
  std::vector<Candidate> all;
  for (const Format* format : formats()) {
    for (Sign& sign : signs_of(*format)) {
      all.push_back({format, std::move(sign)});
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const Candidate& candidate) { return candidate.sign.strength; });
  return all;
}

std::vector<Candidate> candidates(const FileLook& look) {
  std::vector<Candidate> all = compare([&](const Format& format) {
    return format.looks_at_file == nullptr ? std::vector<Sign>() : format.looks_at_file(look);
  });
  if (!all.empty() && all.front().sign.strength == Strength::kCertain) {
    all.resize(1);
  }
  return all;
}

std::vector<Candidate> candidates(const DirectoryLook& look) {
  return compare([&](const Format& format) {
    return format.looks_at_directory == nullptr ? std::vector<Sign>()
                                                : format.looks_at_directory(look);
  });
}

/// The start of an input for a one-line message.
std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 20;
  std::string out(text.substr(0, kLongest));
  const auto is_plain = [](char c) { return c >= ' ' && c < 0x7f; };
  std::replace_if(
      out.begin(), out.end(), [&is_plain](char c) { return !is_plain(c); }, '?');
  return '`' + out + (text.size() > kLongest ? "...`" : "`");
}

/// The hint ` (see --format)`.
std::string hint(const ReadWords& words) {
  return " (see " + std::string(words.format) + ")";
}

Error unrecognised(const FileLook& look, const ReadWords& words) {
  if (look.text.empty()) {
    return {.message = look.bytes.size() < FileLook::kBytes
                           ? "expected a history, found an empty file"
                           : "expected a history, found 64 KiB of white space",
            .byte_offset = 0};
  }
  return {.message = "cannot tell the format of an input that begins with " + excerpt(look.text) +
                     ": it looks like none of those known" + hint(words),
          .byte_offset = 0};
}

Detection detection(const Candidate& candidate, const DirectoryLook& look) {
  const Sign& sign = candidate.sign;
  return {.format = {candidate.format, std::string(sign.dialect)},
          .reason = sign.reason,
          .file = sign.file_name.empty() ? "" : look.path_of(sign.file_name)};
}

Error no_history(const std::string& directory) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(directory, error);
  if (error) {
    return {.kind = ErrorKind::kUnreadable,
            .message = "cannot be read: " + error.message(),
            .file = directory};
  }
  std::string missing;
  for (const Format* format : formats()) {
    if (!format->in_directory.empty()) {
      missing += (missing.empty() ? "" : ", ") + std::string(format->in_directory);
    }
  }
  return {.kind = ErrorKind::kUnreadable,
          .message = "is a directory without a history: it has none of " + missing,
          .file = directory};
}

/// Detects a directory in the requested format.
Result<Detection> asked_for(const std::string& directory, const FormatName& asked,
                            const DirectoryLook& look, const std::vector<Candidate>& all) {
  const auto is_asked = [&asked](const Candidate& candidate) {
    return candidate.format == asked.format &&
           (asked.dialect.empty() || asked.dialect == candidate.sign.dialect);
  };
  const auto match = std::ranges::find_if(all, is_asked);
  if (match == all.end() && !asked.format->is_directory) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "is a directory without a history in the format " + text(asked),
                 .file = directory};
  }
  return Detection{.format = asked,
                   .reason = "it was asked for",
                   .file = match == all.end() ? "" : detection(*match, look).file};
}

Error ambiguous(const std::string& directory, std::span<const Candidate> strongest,
                const DirectoryLook& look, const ReadWords& words) {
  std::string names;
  for (const Candidate& candidate : strongest) {
    names += (names.empty() ? "" : " or ") + text(detection(candidate, look).format);
  }
  return {.message = "cannot tell the format of this directory: it may be " + names + hint(words),
          .file = directory};
}

}  // namespace

Result<std::vector<Detection>> detect_file(ByteSource& source, const ReadWords& words) {
  const Result<std::string> head = peek(source);
  if (!head) {
    return source.located(head.error());
  }
  const FileLook look(head.value());
  std::vector<Detection> detections;
  for (const Candidate& candidate : candidates(look)) {
    detections.push_back({.format = {candidate.format, std::string(candidate.sign.dialect)},
                          .reason = candidate.sign.reason});
  }
  return detections.empty()
             ? Result<std::vector<Detection>>(source.located(unrecognised(look, words)))
             : Result<std::vector<Detection>>(std::move(detections));
}

Result<Detection> detect_directory(const std::string& directory,
                                   const std::optional<FormatName>& asked, const ReadWords& words) {
  const DirectoryLook look(directory);
  const std::vector<Candidate> all = candidates(look);
  if (asked) {
    return asked_for(directory, *asked, look, all);
  }
  if (all.empty()) {
    return no_history(directory);
  }
  const auto weaker = std::ranges::find_if(all, [&](const Candidate& candidate) {
    return candidate.sign.strength < all.front().sign.strength;
  });
  const std::span strongest(all.begin(), weaker);
  return strongest.size() == 1 ? Result<Detection>(detection(strongest.front(), look))
                               : Result<Detection>(ambiguous(directory, strongest, look, words));
}

}  // namespace elapid
