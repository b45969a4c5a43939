#include "parsers/dbcop/readers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/bytes/window.h"
#include "parsers/dbcop/versioned_txns.h"
#include "parsers/edn/utf8.h"
#include "parsers/read_progress.h"
#include "parsers/traces/line_cursor.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr std::string_view kSpacesAndTabs = " \t";

bool is_blank(char c) {
  return kSpacesAndTabs.find(c) != std::string_view::npos;
}

/// The length of the name at the start of `text`: letters, digits and `_`. All characters beyond
/// ASCII count as letters.
std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const char c = text[length];
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    const std::size_t bytes =
        is_ascii ? std::size_t{is_plain} : edn::decode_utf8(text.substr(length)).length;
    if (bytes == 0) {
      break;
    }
    length += bytes;
  }
  return length;
}

/// Whether a line separates two sessions.
bool is_separator(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(kSpacesAndTabs), line.size()));
  line.remove_suffix(line.size() - (line.find_last_not_of(kSpacesAndTabs) + 1));
  return !line.empty() && line.find_first_not_of('-') == std::string_view::npos;
}

class HistReader {
 public:
  HistReader(ByteSource& source, const ReadOptions& options)
      : options_(options), window_(source), progress_(source, options), txns_(options) {}

  Status read();

  Result<History> finish(Sources& sources) && {
    return std::move(txns_).finish(sources, window_.offset());
  }

 private:
  Status read_line(std::string_view line, std::uint64_t offset);
  Status read_txn(LineCursor& cursor);
  Status read_event(LineCursor& cursor);
  Result<KeyId> read_variable(LineCursor& cursor);
  static void skip_blanks(LineCursor& cursor);
  void note_line_ending(std::string_view line, std::uint64_t offset);

  const ReadOptions& options_;
  Window window_;
  ReadProgress progress_;
  VersionedTxns txns_;
  std::string_view line_;
  std::uint64_t line_offset_ = 0;
  std::uint64_t session_ = 1;
  bool has_returns_ = false;
  std::string name_;  // of a variable, between quotes
};

Status HistReader::read() {
  Status status = each_line(window_, progress_, txns_.builder(),
                            [this](std::string_view line, std::uint64_t offset) {
                              note_line_ending(line, offset);
                              return read_line(line, offset);
                            });
  if (!status.ok()) {
    return end_at_break(txns_.builder(), options_, std::move(status.error()), txns_.count());
  }
  note_open_line(window_, txns_.builder());
  return {};
}

/// Notes carriage returns: the window skipped one with the newline.
void HistReader::note_line_ending(std::string_view line, std::uint64_t offset) {
  const std::size_t newline = window_.line_is_whole() ? 1 : 0;
  if (!has_returns_ && window_.offset() - offset > line.size() + newline) {
    has_returns_ = true;
    txns_.builder().remark(Remark::Kind::kOther, {.file = 0, .offset = offset},
                           "lines end with carriage returns, which dbcop itself refuses");
  }
}

Status HistReader::read_line(std::string_view line, std::uint64_t offset) {
  if (line.starts_with("//")) {
    return {};
  }
  if (is_separator(line)) {
    ++session_;
    return {};
  }
  line_ = line;
  line_offset_ = offset;
  LineCursor cursor(line, offset);
  for (skip_blanks(cursor); !cursor.at_end(); skip_blanks(cursor)) {
    ELAPID_RETURN_IF_ERROR(read_txn(cursor));
  }
  return {};
}

void HistReader::skip_blanks(LineCursor& cursor) {
  while (is_blank(cursor.peek())) {
    cursor.skip();
  }
}

Status HistReader::read_txn(LineCursor& cursor) {
  const std::uint64_t offset = cursor.offset();
  if (!cursor.take('[')) {
    return cursor.expected("a transaction as [x:=1 y==2], a comment or a separator");
  }
  for (;;) {
    ELAPID_RETURN_IF_ERROR(read_event(cursor));
    if (cursor.take(']')) {
      return txns_.end_txn(session_, !cursor.take('!'), offset);
    }
    if (!is_blank(cursor.peek())) {
      return cursor.expected("a blank or `]` behind the event");
    }
    skip_blanks(cursor);
  }
}

Status HistReader::read_event(LineCursor& cursor) {
  ELAPID_ASSIGN_OR_RETURN(const KeyId key, read_variable(cursor));
  const bool is_write = cursor.take(":=");
  if (!is_write && !cursor.take("==")) {
    return cursor.expected("`:=` or `==`");
  }
  if (!is_write && cursor.take('?')) {
    txns_.read(key, std::nullopt);
    return {};
  }
  const std::optional<std::uint64_t> version = cursor.natural();
  if (!version) {
    return cursor.expected("a version, an integer from 0 to 2^64 - 1");
  }
  if (is_write) {
    txns_.write(key, *version);
  } else {
    txns_.read(key, *version);
  }
  return {};
}

Result<KeyId> HistReader::read_variable(LineCursor& cursor) {
  const std::string_view rest = line_.substr(cursor.offset() - line_offset_);
  const std::size_t length = name_length(rest);
  if (length == 0) {
    return cursor.expected("a variable");
  }
  cursor.take(rest.substr(0, length));
  name_ = '"';
  name_.append(rest.substr(0, length)).append(1, '"');
  HistoryBuilder& builder = txns_.builder();
  return builder.key(builder.values().intern(name_));
}

}  // namespace

Result<History> read_dbcop_hist(Sources& sources, const ReadOptions& options) {
  return read_trace<HistReader>(sources, options);
}

}  // namespace elapid
