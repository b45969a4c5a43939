#include "parsers/awdit/awdit_reader.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "parsers/awdit/awdit_format.h"
#include "parsers/bytes/each_piece.h"
#include "parsers/traces/line_cursor.h"
#include "parsers/traces/other_line.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr FormatRules kAwditRules = {
    .initial = "what a first transaction that writes every key wrote, else nothing",
    .reads = "by value, unique for a key",
    .aborted = "not recorded",
    .indeterminate = "not recorded"};

/// Whether a word ends here: rulers end words just as blanks do.
bool ends_word(const LineCursor& cursor) {
  return cursor.at_word_end() || cursor.peek() == '-' || cursor.peek() == '=';
}

/// Skips blanks and takes the number behind them.
std::optional<std::uint64_t> next_natural(LineCursor& cursor) {
  return cursor.skip_blanks() ? cursor.natural() : std::nullopt;
}

/// Whether the next word is a function, as of an operation.
bool is_function(LineCursor cursor) {
  return (cursor.take('r') || cursor.take('w')) && ends_word(cursor);
}

/// Skips the words behind a value, up to a ruler. They have no meaning, so none may be the
/// beginning of another operation, which would be lost.
Status skip_words(LineCursor& cursor) {
  while (cursor.skip_blanks()) {
    if (is_function(cursor)) {
      return cursor.expected("each operation on a line of its own");
    }
    cursor.skip_to_any_of("-= \t\v\f\r\n");
  }
  return {};
}

Status read_operation(LineCursor& cursor, AwditItem& item) {
  item.is_write = cursor.peek() == 'w';
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
  item.key = *key;
  item.value = *value;
  return skip_words(cursor);
}

/// Reads a line of operations and rulers, and passes them to `take`, which returns a Status. Words
/// behind a value are ignored.
template <class Take>
Status read_line(std::string_view line, std::uint64_t offset, Take take) {
  ELAPID_RETURN_IF_ERROR(check_other_line(line, offset));
  for (LineCursor cursor(line, offset); !cursor.at_end();) {
    cursor.skip_blanks();
    AwditItem item = {.offset = cursor.offset()};
    if (const char next = cursor.peek(); next == '-' || next == '=') {
      cursor.skip();
      item.ruler = next;
    } else if (cursor.at_end()) {
      break;
    } else if (Status status = read_operation(cursor, item); !status.ok()) {
      return status;
    }
    ELAPID_RETURN_IF_ERROR(take(item));
  }
  return {};
}

/// The lines of a piece.
struct AwditPiece {
  InputPiece bytes = {};
  std::vector<AwditItem> items = {};
  bool is_whole = false;
};

void parse_awdit_piece(AwditPiece& piece) {
  PieceSource source(piece.bytes);
  Window window(source, InputPiece::kBytes, piece.bytes.offset());
  piece.items.clear();
  piece.is_whole = true;
  std::uint64_t offset = window.offset();
  while (const std::optional<std::string_view> line = window.line()) {
    const Status status = read_line(*line, offset, [&](const AwditItem& item) {
      piece.items.push_back(item);
      return Status();
    });
    piece.is_whole = piece.is_whole && status.ok();
    offset = window.offset();
  }
}

}  // namespace

AwditReader::AwditReader(ByteSource& source, const ReadOptions& options, std::size_t piece_bytes)
    : source_(source),
      options_(options),
      piece_bytes_(piece_bytes),
      window_(source),
      progress_(source, options),
      builder_({.first_txn = options.initial ? FirstTxn::kOrdinary : FirstTxn::kZeros}) {}

Status AwditReader::read() {
  Status status = read_all();
  return status.ok() ? close() : end_at_break(builder_, options_, std::move(status.error()), kept_);
}

Status AwditReader::read_all() {
  skip_byte_order_mark(window_, builder_);
  const bool has_mark = window_.offset() > 0;
  if (has_mark || options_.threads == 1 || !is_worth_cutting(source_, piece_bytes_)) {
    return read_lines(window_);
  }
  ELAPID_RETURN_IF_ERROR(source_.rewind());
  PieceCutter cutter(source_, piece_bytes_);
  Status status;
  const auto join = [&](AwditPiece& piece) {
    for (const AwditItem& item : piece.items) {
      if (status = take(item); !status.ok()) {
        return false;
      }
    }
    bytes_ = piece.bytes.offset() + piece.bytes.text().size();
    if (!piece.bytes.text().ends_with('\n')) {
      note_open_line(bytes_, builder_);
    }
    status = progress_.report(bytes_);
    return status.ok();
  };
  const PiecesRead pieces =
      for_each_piece<AwditPiece>(cutter, options_.threads, parse_awdit_piece, join);
  if (!status.ok() || pieces.is_all) {
    return status;
  }
  ResumedSource rest(source_, cutter, pieces.offset);
  Window window(rest, Window::kDefaultBytes, pieces.offset);
  return read_lines(window);
}

Status AwditReader::read_lines(Window& window) {
  Status status = each_line(window, progress_, [this](std::string_view line, std::uint64_t offset) {
    return read_line(line, offset, [this](const AwditItem& item) { return take(item); });
  });
  bytes_ = window.offset();
  if (status.ok()) {
    note_open_line(window, builder_);
  }
  return status;
}

Status AwditReader::take(const AwditItem& item) {
  if (item.ruler == 0) {
    if (mops_.empty()) {
      position_ = {.file = 0, .offset = item.offset};
    }
    mops_.push_back({.kind = item.is_write ? OpKind::kWrite : OpKind::kRead,
                     .key = builder_.key(builder_.values().natural(item.key)),
                     .value = builder_.values().natural(item.value)});
    return {};
  }
  Status status = close();
  if (item.ruler == '=' && !session_is_empty_) {
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

Result<History> AwditReader::finish(Sources& sources) && {
  return finish_trace(std::move(builder_), sources, options_,
                      {.format = &kAwditFormat,
                       .rules = kAwditRules,
                       .initial = ValueId::none(),
                       .source_bytes = bytes_,
                       .assumptions = {"Sessions are numbered from 0 on, in the order of the "
                                       "file."}});
}

Result<History> read_awdit(Sources& sources, const std::string& /*dialect*/,
                           const ReadOptions& options) {
  return read_trace<AwditReader>(sources, options);
}

namespace {

std::vector<Sign> looks_like_awdit(const FileLook& file) {
  static const Pattern pattern(R"(^[rw]\s+\d+\s+\d+(\s|$))", "rw");
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {{Strength::kStrong, "it begins with an operation as `r KEY VALUE`"}};
}

constexpr std::array kAwditTargets = {Target{.format = &kAwditFormat,
                                             .extension = ".txt",
                                             .write_file = write_awdit,
                                             .by_session = true,
                                             .initial = InitialForm::kWritten,
                                             .keys = kNaturals,
                                             .values = kNaturals}};

}  // namespace

constinit const Format kAwditFormat = {.name = "awdit",
                                       .tools = "AWDIT's tests",
                                       .looks_at_file = looks_like_awdit,
                                       .read = read_awdit,
                                       .targets = kAwditTargets};

}  // namespace elapid
