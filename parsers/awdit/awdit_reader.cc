#include "parsers/awdit/awdit_format.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "parsers/bytes/window.h"
#include "parsers/read_progress.h"
#include "parsers/traces/line_cursor.h"
#include "parsers/traces/other_line.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr FormatRules kRules = {
    .initial = "what a first transaction that writes every key wrote, else nothing",
    .reads = "by value, unique for a key",
    .aborted = "not recorded",
    .indeterminate = "not recorded"};

/// Whether a word ends here: rulers end words as blanks do.
bool ends_word(const LineCursor& cursor) {
  return cursor.at_word_end() || cursor.peek() == '-' || cursor.peek() == '=';
}

/// Takes blanks and a number behind them.
std::optional<std::uint64_t> next_natural(LineCursor& cursor) {
  return cursor.skip_blanks() ? cursor.natural() : std::nullopt;
}

class AwditReader {
 public:
  AwditReader(ByteSource& source, const ReadOptions& options)
      : options_(options),
        window_(source),
        progress_(source, options),
        builder_({.find_initial_txn = !options.initial}) {}

  Status read() {
    Status status = each_line(
        window_, progress_, builder_,
        [this](std::string_view line, std::uint64_t offset) { return take_line(line, offset); });
    if (!status.ok()) {
      return end_at_break(builder_, options_, std::move(status.error()), kept_);
    }
    note_open_line(window_, builder_);
    return close();
  }

  Result<History> finish(Sources& sources) && {
    return finish_trace(
        std::move(builder_), sources, options_,
        {.format = &kAwditFormat,
         .rules = kRules,
         .initial = ValueId::none(),
         .source_bytes = window_.offset(),
         .assumptions = {"Sessions are numbered from 0 on, in the order of the file."}});
  }

 private:
  Status take_line(std::string_view line, std::uint64_t offset);
  Status take_operation(LineCursor& cursor);
  Status take_ruler(char ruler);
  Status close();

  const ReadOptions& options_;
  Window window_;
  ReadProgress progress_;
  HistoryBuilder builder_;
  std::int64_t session_ = 0;
  bool session_is_empty_ = true;
  std::size_t kept_ = 0;  // transactions
  std::vector<MopInput> mops_;
  SourcePosition position_;  // of the first of them
};

/// A line is operations and rulers in turns; words behind a value say nothing.
Status AwditReader::take_line(std::string_view line, std::uint64_t offset) {
  ELAPID_RETURN_IF_ERROR(check_other_line(line, offset));
  for (LineCursor cursor(line, offset); !cursor.at_end();) {
    cursor.skip_blanks();
    Status status;
    if (const char next = cursor.peek(); next == '-' || next == '=') {
      cursor.skip();
      status = take_ruler(next);
    } else if (!cursor.at_end()) {
      status = take_operation(cursor);
    }
    ELAPID_RETURN_IF_ERROR(status);
  }
  return {};
}

Status AwditReader::take_operation(LineCursor& cursor) {
  if (mops_.empty()) {
    position_ = {.file = 0, .offset = cursor.offset()};
  }
  const bool is_write = cursor.peek() == 'w';
  if (!cursor.take('w') && !cursor.take('r')) {
    return cursor.expected("an operation `r KEY VALUE` or `w KEY VALUE`");
  }
  const std::optional<std::uint64_t> key = next_natural(cursor);
  if (!key) {
    return cursor.expected("a key, a natural number below 2^64");
  }
  const std::optional<std::uint64_t> value = next_natural(cursor);
  if (!value) {
    return cursor.expected("a value, a natural number below 2^64");
  }
  if (!ends_word(cursor)) {
    return cursor.expected("a blank behind the value");
  }
  cursor.skip_to_any_of("-=");
  mops_.push_back({.kind = is_write ? OpKind::kWrite : OpKind::kRead,
                   .key = builder_.key(builder_.values().natural(*key)),
                   .value = builder_.values().natural(*value)});
  return {};
}

Status AwditReader::take_ruler(char ruler) {
  Status status = close();
  if (ruler == '=' && !session_is_empty_) {
    ++session_;
    session_is_empty_ = true;
  }
  return status;
}

/// Ends the open transaction, if there is one.
Status AwditReader::close() {
  if (mops_.empty()) {
    return {};
  }
  Status status =
      builder_.add_transaction({.session = session_, .position = position_, .mops = mops_});
  mops_.clear();
  session_is_empty_ = false;
  ++kept_;
  return status;
}

}  // namespace

Result<History> read_awdit(Sources& sources, const std::string& /*dialect*/,
                           const ReadOptions& options) {
  return read_trace<AwditReader>(sources, options);
}

}  // namespace elapid
