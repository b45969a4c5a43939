#include "adapter/http/streams/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "adapter/watch/appended_file.h"
#include "engine/ir/integer_text.h"

namespace elapid::http {
namespace {

constexpr std::size_t kEventPiece = std::size_t{256} << 10;
constexpr std::string_view kEventKey = R"({"event":")";

/// The kind of an event: `final` of `{"event":"final",...`.
std::string_view kind_of(std::string_view line) {
  if (!line.starts_with(kEventKey)) {
    return {};
  }
  line.remove_prefix(kEventKey.size());
  return line.substr(0, line.find('"'));
}

/// The number behind an event's kind, under this key; 0 if there is none.
std::uint64_t number_of(std::string_view line, std::string_view kind, std::string_view key) {
  line.remove_prefix(kEventKey.size() + kind.size());
  if (!line.starts_with(key)) {
    return 0;
  }
  line.remove_prefix(key.size());
  return integer_of<std::uint64_t>(line.substr(0, line.find_first_of(",}"))).value_or(0);
}

bool is_account(std::string_view line) {
  const std::string_view kind = kind_of(line);
  return kind == "progress" || kind == "summary";
}

/// A summary of a stream that goes on.
bool is_passing_summary(std::string_view line, std::string_view kind) {
  return kind == "summary" && line.find(R"("whole":false)") != std::string_view::npos;
}

/// Whether the event was reported before: its number is at most `greatest`. Otherwise raises
/// `greatest`.
bool is_told(std::uint64_t number, std::uint64_t& greatest) {
  if (number > 0 && number <= greatest) {
    return true;
  }
  greatest = std::max(greatest, number);
  return false;
}

/// Whole lines from an offset: those that fit into a piece, or one longer line.
Result<std::string> lines_from(const AppendedFile& file, std::uint64_t offset) {
  for (std::size_t size = kEventPiece;; size *= 2) {
    Result<std::string> bytes = file.read(offset, size);
    if (!bytes) {
      return bytes;
    }
    const std::size_t end = bytes.value().rfind('\n') + 1;
    if (end > 0 || bytes.value().size() < size) {
      bytes.value().resize(end);
      return bytes;
    }
  }
}

}  // namespace

std::string to_string(const EventPlace& place) {
  return fmt::format("{}.{}.{}", place.offset, place.numbered, place.line);
}

std::optional<EventPlace> parse_event_place(std::string_view text) {
  EventPlace place;
  for (std::uint64_t* const part : {&place.offset, &place.numbered, &place.line}) {
    const std::size_t end = part == &place.line ? text.size() : text.find('.');
    const auto number = integer_of<std::uint64_t>(text.substr(0, end));
    if (!number || end == std::string_view::npos) {
      return std::nullopt;
    }
    *part = *number;
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return place;
}

Result<std::string> EventLog::text_behind(EventPlace& place) const {
  ELAPID_ASSIGN_OR_RETURN(const auto file, AppendedFile::open(path_));
  ELAPID_ASSIGN_OR_RETURN(const std::string lines, lines_from(file, place.offset));
  std::string text;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    place.offset += line.size() + 1;
    const std::string_view kind = kind_of(line);
    if (kind.empty() || is_passing_summary(line, kind) ||
        is_told(number_of(line, kind, R"(","n":)"), place.numbered) ||
        is_told(number_of(line, kind, R"(","line":)"), place.line)) {
      continue;
    }
    text.append("id: ").append(to_string(place)).append("\nevent: ").append(kind);
    text.append("\ndata: ").append(line).append("\n\n");
  }
  return text;
}

Result<EventPlace> EventLog::place_before_end(std::uint64_t bytes) const {
  ELAPID_ASSIGN_OR_RETURN(const auto file, AppendedFile::open(path_));
  const std::uint64_t size = file.size();
  if (size <= bytes) {
    return EventPlace{};
  }
  EventPlace place = {.offset = size - bytes};
  ELAPID_ASSIGN_OR_RETURN(const std::string rest, file.read(place.offset, bytes));
  place.offset += rest.find('\n') + 1;
  return place;
}

Result<std::string> EventLog::last_account() const {
  ELAPID_ASSIGN_OR_RETURN(const auto file, AppendedFile::open(path_));
  // Reads pieces backwards from the end. They grow, since a piece may begin within a line.
  for (std::uint64_t size = 8192;; size *= 4) {
    const std::uint64_t begin = file.size() - std::min(size, file.size());
    ELAPID_ASSIGN_OR_RETURN(const std::string bytes, file.read(begin, size));
    std::string_view rest = bytes;
    rest = rest.substr(0, rest.rfind('\n') + 1);
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.size() - 1);
      const std::size_t start = line.rfind('\n') + 1;
      if ((start > 0 || begin == 0) && is_account(line.substr(start))) {
        return std::string(line.substr(start));
      }
      rest = rest.substr(0, start);
    }
    if (begin == 0) {
      return std::string();
    }
  }
}

Status EventLog::drop_unfinished() const {
  auto file = AppendedFile::open(path_);
  return file ? drop_unfinished_line(file.value()) : Status(file.error());
}

}  // namespace elapid::http
