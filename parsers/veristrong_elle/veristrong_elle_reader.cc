#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "parsers/bytes/window.h"
#include "parsers/read_progress.h"
#include "parsers/traces/id_numbers.h"
#include "parsers/traces/int_keys.h"
#include "parsers/traces/line_cursor.h"
#include "parsers/traces/trace_reader.h"
#include "parsers/traces/txn_collector.h"
#include "parsers/veristrong_elle/veristrong_elle_format.h"

namespace elapid {

namespace {

constexpr FormatRules kVeriStrongRules = {.initial = "the empty list",
                                          .reads = "by their elements, unique for a key",
                                          .aborted = "not recorded",
                                          .indeterminate = "not recorded"};

class VeristrongElleReader {
 public:
  VeristrongElleReader(ByteSource& source, const ReadOptions& options)
      : options_(options), window_(source), progress_(source, options), keys_(builder_) {}

  Status read();
  Result<History> finish(Sources& sources) &&;

 private:
  Status take_line(std::string_view line, std::uint64_t offset);
  Status take_count(LineCursor& cursor);
  Status take_operation(LineCursor& cursor);
  Status take_txn(LineCursor& cursor);
  Status take_append(LineCursor& cursor);
  Status take_list(LineCursor& cursor);
  Status check_count();

  const ReadOptions& options_;
  Window window_;
  ReadProgress progress_;
  HistoryBuilder builder_;
  IntKeys keys_;
  IdNumbers numbers_;  // of transactions
  TxnCollector collector_;
  std::optional<std::uint64_t> count_;  // from the first line
  std::uint64_t operations_ = 0;
  std::uint32_t txn_ = 0;  // of the line read last
  std::vector<ValueId> elements_;
};

/// Skips blanks and takes an integer, which must be a whole word. Error: `expected WHAT`.
Status take_integer(LineCursor& cursor, std::int64_t& n, std::string_view what) {
  cursor.skip_blanks();
  const LineCursor begin = cursor;
  const std::optional<std::int64_t> taken = cursor.integer();
  if (!taken || !cursor.at_word_end()) {
    return begin.expected(what);
  }
  n = *taken;
  return {};
}

Status VeristrongElleReader::read() {
  Status status = each_line(
      window_, progress_, builder_,
      [this](std::string_view line, std::uint64_t offset) { return take_line(line, offset); });
  if (status.ok()) {
    status = check_count();
  }
  if (status.ok()) {
    note_open_line(window_, builder_);
    return status;
  }
  // The rest of the last transaction may be missing.
  const bool any = collector_.size() > 0;
  if (any) {
    collector_.txn(txn_).is_whole = false;
  }
  return end_at_break(builder_, options_, std::move(status.error()),
                      collector_.size() - (any ? 1 : 0));
}

Status VeristrongElleReader::take_line(std::string_view line, std::uint64_t offset) {
  LineCursor cursor(line, offset);
  cursor.skip_blanks();
  if (cursor.at_end()) {
    return {};
  }
  ELAPID_RETURN_IF_ERROR(count_ ? take_operation(cursor) : take_count(cursor));
  cursor.skip_blanks();
  return cursor.at_end() ? Status() : cursor.expected("the end of the line");
}

Status VeristrongElleReader::take_count(LineCursor& cursor) {
  count_ = cursor.natural();
  return count_ ? Status() : cursor.expected("the number of operations");
}

Status VeristrongElleReader::take_operation(LineCursor& cursor) {
  if (operations_ == *count_) {
    return cursor.expected("the end after " + std::to_string(*count_) +
                           " operations, as the first line says");
  }
  ELAPID_RETURN_IF_ERROR(take_txn(cursor));
  cursor.skip_blanks();
  const LineCursor begin = cursor;
  const bool is_append = cursor.peek() == 'A';
  if ((!cursor.take('A') && !cursor.take('R')) || !cursor.at_word_end()) {
    return begin.expected("`A` or `R`");
  }
  ++operations_;
  return is_append ? take_append(cursor) : take_list(cursor);
}

/// Takes session and transaction. A new transaction begins.
Status VeristrongElleReader::take_txn(LineCursor& cursor) {
  const SourcePosition position = {.file = 0, .offset = cursor.offset()};
  std::int64_t session = 0;
  std::int64_t id = 0;
  Status status = take_integer(cursor, session, "a session, a 64-bit integer");
  if (status.ok()) {
    status = take_integer(cursor, id, "a transaction, a 64-bit integer");
  }
  ELAPID_RETURN_IF_ERROR(status);
  txn_ = numbers_.number(id);
  if (txn_ == collector_.size()) {
    collector_.begin({.session = session, .position = position});
  } else if (const std::int64_t first = collector_.txn(txn_).session; first != session) {
    builder_.remark(Remark::Kind::kOther, position,
                    "transaction " + std::to_string(id) + " began in session " +
                        std::to_string(first) + " and stays there: this line names session " +
                        std::to_string(session));
  }
  return {};
}

Status VeristrongElleReader::take_append(LineCursor& cursor) {
  std::int64_t key = 0;
  std::int64_t element = 0;
  ELAPID_RETURN_IF_ERROR(take_integer(cursor, key, "a key, a 64-bit integer"));
  ELAPID_RETURN_IF_ERROR(take_integer(cursor, element, "an element, a 64-bit integer"));
  collector_.add(txn_, OpKind::kAppend, keys_.key(key), builder_.values().integer(element));
  return {};
}

Status VeristrongElleReader::take_list(LineCursor& cursor) {
  std::int64_t key = 0;
  std::int64_t length = 0;
  ELAPID_RETURN_IF_ERROR(take_integer(cursor, key, "a key, a 64-bit integer"));
  const LineCursor begin = cursor;
  ELAPID_RETURN_IF_ERROR(take_integer(cursor, length, "the number of elements"));
  if (length < 0) {
    return begin.expected("the number of elements, not below 0");
  }
  elements_.clear();
  for (std::int64_t i = 0; i < length; ++i) {
    std::int64_t element = 0;
    ELAPID_RETURN_IF_ERROR(take_integer(cursor, element, "another element, a 64-bit integer"));
    elements_.push_back(builder_.values().integer(element));
  }
  collector_.add_list(txn_, keys_.key(key), elements_);
  return {};
}

/// Checks the number of operations at the end of the input.
Status VeristrongElleReader::check_count() {
  if (!count_) {
    return malformed_at(window_.offset(),
                        "expected the number of operations, found an empty input");
  }
  if (operations_ < *count_) {
    return malformed_at(window_.offset(), "expected " + std::to_string(*count_) +
                                              " operations, as the first line says, found " +
                                              std::to_string(operations_));
  }
  return {};
}

Result<History> VeristrongElleReader::finish(Sources& sources) && {
  if (Status status = collector_.hand_over(builder_); !status.ok()) {
    return sources.located(0, std::move(status.error()));
  }
  return finish_trace(std::move(builder_), sources, options_,
                      {.format = &kVeristrongElleFormat,
                       .workload = Workload::kListAppend,
                       .rules = kVeriStrongRules,
                       .source_bytes = window_.offset()});
}

}  // namespace

Result<History> read_veristrong_elle(Sources& sources, const std::string& /*dialect*/,
                                     const ReadOptions& options) {
  return read_trace<VeristrongElleReader>(sources, options);
}

namespace {

std::vector<Sign> looks_like_veristrong_elle(const FileLook& file) {
  static const Pattern pattern(R"(^\s*\d+\s+-?\d+\s+-?\d+\s+[AR]\s)", "0123456789");
  if (!pattern.is_in(file.text)) {
    return {};
  }
  return {{Strength::kStrong, "it begins with a count and a line of `session txn A|R`"}};
}

constexpr std::array kVeristrongElleTargets = {Target{.format = &kVeristrongElleFormat,
                                                      .extension = ".txt",
                                                      .write_file = write_veristrong_elle,
                                                      .registers = false,
                                                      .lists = true,
                                                      .ids = true,
                                                      .keys = kNaturals,
                                                      .values = kNaturals}};

}  // namespace

constinit const Format kVeristrongElleFormat = {.name = "veristrong-elle",
                                                .tools = "VeriStrong",
                                                .looks_at_file = looks_like_veristrong_elle,
                                                .read = read_veristrong_elle,
                                                .targets = kVeristrongElleTargets};

}  // namespace elapid
