#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "parsers/bytes/digits.h"
#include "parsers/bytes/window.h"
#include "parsers/coo/coo_format.h"
#include "parsers/coo/coo_rows.h"
#include "parsers/coo/coo_schedule.h"
#include "parsers/read_progress.h"
#include "parsers/traces/line_cursor.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr FormatRules kCooRules = {.initial = "0",
                                   .reads = "not recorded: by the policy that the dialect names",
                                   .aborted = "an operation A",
                                   .indeterminate = "neither an operation C nor A"};

struct NamedPolicy {
  std::string_view dialect;
  CooPolicy policy;
  std::string_view sentence;
};

constexpr std::array kPolicies = {
    NamedPolicy{"read-committed", CooPolicy::kReadCommitted,
                "A read is taken to see what its transaction wrote, else the latest write whose "
                "transaction had committed (policy read-committed)."},
    NamedPolicy{"read-uncommitted", CooPolicy::kReadUncommitted,
                "A read is taken to see what its transaction wrote, else the latest write whose "
                "transaction had not aborted (policy read-uncommitted)."},
    NamedPolicy{"repeatable-read", CooPolicy::kRepeatableRead,
                "A read is taken to see what its transaction wrote, else what it read before, else "
                "the latest write whose transaction had committed (policy repeatable-read)."}};

const NamedPolicy& policy_of(const std::string& dialect) {
  const auto named = std::ranges::find(kPolicies, dialect, &NamedPolicy::dialect);
  return named == kPolicies.end() ? kPolicies.front() : *named;
}

class CooReader {
 public:
  /// `is_of_rows`: scans are kept.
  CooReader(ByteSource& source, const ReadOptions& options, const NamedPolicy& policy,
            bool is_of_rows)
      : options_(options),
        policy_(policy),
        is_of_rows_(is_of_rows),
        window_(source),
        progress_(source, options) {}

  Status read();
  Result<History> finish(Sources& sources) &&;

 private:
  Status take_line(std::string_view text, std::uint64_t offset);
  Status take_operation(LineCursor& cursor, CooSchedule& schedule);
  static Status take_item(LineCursor& cursor, CooSchedule& schedule, std::size_t txn,
                          bool is_write);
  Status add(const CooSchedule& schedule);
  Status add(const CooTxn& txn, std::size_t number);
  [[nodiscard]] std::vector<std::string> assumptions() const;

  const ReadOptions& options_;
  const NamedPolicy& policy_;
  bool is_of_rows_;
  Window window_;
  ReadProgress progress_;
  HistoryBuilder builder_;
  CooRows rows_{builder_};
  std::int64_t line_ = 0;       // the number of the line, from 1
  std::int64_t operation_ = 0;  // the number of the operation in the file, from 1: its time
  std::uint64_t schedules_ = 0;
  std::uint64_t scans_ = 0;
  std::size_t kept_ = 0;  // transactions
  std::vector<MopInput> mops_;
};

Status CooReader::read() {
  Status status = each_line(
      window_, progress_, builder_,
      [this](std::string_view line, std::uint64_t offset) { return take_line(line, offset); });
  if (!status.ok()) {
    // Part of a schedule might read writes of its missing rest, so only whole schedules are kept.
    return end_at_break(builder_, options_, std::move(status.error()), kept_);
  }
  note_open_line(window_, builder_);
  return status;
}

Status CooReader::take_line(std::string_view text, std::uint64_t offset) {
  ++line_;
  CooSchedule schedule(policy_.policy);
  LineCursor cursor(text, offset);
  for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
    ++operation_;
    ELAPID_RETURN_IF_ERROR(take_operation(cursor, schedule));
  }
  return add(schedule);
}

/// Takes the digit of a transaction.
std::optional<std::size_t> take_txn(LineCursor& cursor) {
  const char digit = cursor.peek();
  if (!is_digit(digit)) {
    return std::nullopt;
  }
  cursor.skip();
  return static_cast<std::size_t>(digit - '0');
}

Status CooReader::take_operation(LineCursor& cursor, CooSchedule& schedule) {
  const LineCursor begin = cursor;
  const char letter = cursor.peek();
  if (std::string_view("RWCAS").find(letter) == std::string_view::npos) {
    return cursor.expected("an operation R, W, C, A or S");
  }
  cursor.skip();
  const std::optional<std::size_t> number = take_txn(cursor);
  if (!number) {
    return cursor.expected("a transaction, one digit");
  }
  if (is_digit(cursor.peek())) {
    return begin.expected("a transaction of one digit");
  }
  if (schedule.txn(*number, begin.offset(), operation_).has_ended()) {
    return begin.expected("no operation of transaction " + std::to_string(*number) +
                          ", which has ended");
  }
  switch (letter) {
    case 'C':
      schedule.finish(*number, TxnStatus::kCommitted, operation_);
      return {};
    case 'A':
      schedule.finish(*number, TxnStatus::kAborted, operation_);
      return {};
    case 'S':
      ++scans_;
      if (is_of_rows_) {
        schedule.scan(*number);
      }
      return {};
    default:
      return take_item(cursor, schedule, *number, letter == 'W');
  }
}

Status CooReader::take_item(LineCursor& cursor, CooSchedule& schedule, std::size_t txn,
                            bool is_write) {
  const char item = cursor.peek();
  if (item < 'a' || item > 'z') {
    return cursor.expected("an item, a to z");
  }
  cursor.skip();
  schedule.access(txn, static_cast<std::size_t>(item - 'a'), is_write);
  return {};
}

Status CooReader::add(const CooSchedule& schedule) {
  schedules_ += schedule.txns().empty() ? 0U : 1U;
  if (is_of_rows_) {
    rows_.add(line_, schedule, operation_);
    kept_ += schedule.txns().size();
    return {};
  }
  for (const std::size_t number : schedule.txns()) {
    ELAPID_RETURN_IF_ERROR(add(schedule.txn(number), number));
  }
  kept_ += schedule.txns().size();
  return {};
}

Status CooReader::add(const CooTxn& txn, std::size_t number) {
  mops_.clear();
  for (const CooAccess& access : txn.accesses) {
    const std::string key = coo_item_key(line_, access.item);
    const bool is_write = access.kind == CooAccess::Kind::kWrite;
    mops_.push_back({.kind = is_write ? OpKind::kWrite : OpKind::kRead,
                     .key = builder_.key(builder_.values().intern(key)),
                     .value = builder_.values().natural(access.version)});
  }
  return builder_.add_transaction({.session = coo_session(line_, number),
                                   .status = txn.status,
                                   .invocation_time = txn.begin,
                                   .completion_time = txn.has_ended() ? txn.end : operation_,
                                   .position = {.file = 0, .offset = txn.offset},
                                   .mops = mops_});
}

std::vector<std::string> CooReader::assumptions() const {
  std::vector<std::string> sentences = {
      std::string(policy_.sentence), "The n-th write to an item writes n, and 0 was there before.",
      "Item a of line 3 is key \"s3/a\", and transaction 1 of line 3 is session 31: the "
      "schedules, " +
          std::to_string(schedules_) + ", have nothing to do with one another.",
      "The order of the operations is real time, one nanosecond each."};
  if (is_of_rows_) {
    sentences.emplace_back(
        "A scan is taken to read, by the same policy, those items of its schedule whose version is "
        "even, as 3TS does.");
  } else if (scans_ > 0) {
    sentences.push_back("Scans, which name no item, were left out: " + std::to_string(scans_) +
                        '.');
  }
  return sentences;
}

Result<History> CooReader::finish(Sources& sources) && {
  TraceFacts facts = {.format = &kCooFormat,
                      .rules = kCooRules,
                      .initial = ValueId::integer(0),
                      .source_bytes = window_.offset(),
                      .assumptions = assumptions()};
  if (!is_of_rows_) {
    facts.predicates = scans_;
    return finish_trace(std::move(builder_), sources, options_, std::move(facts));
  }
  if (Status status = rows_.hand_over(); !status.ok()) {
    return sources.located(0, std::move(status.error()));
  }
  facts.workload = Workload::kRows;
  facts.initial = ValueId::nil();
  facts.initial_txn = {0};
  facts.rows = std::move(rows_).build();
  return finish_trace(std::move(builder_), sources, options_, std::move(facts));
}

/// Whether the input has a scan; only scans use this letter.
Result<bool> has_scans(Sources& sources) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  if (Status status = source->rewind(); !status.ok()) {
    return sources.located(0, std::move(status.error()));
  }
  Window window(*source);
  for (std::string_view ahead = window.ahead(1); !ahead.empty(); ahead = window.ahead(1)) {
    if (ahead.find('S') != std::string_view::npos) {
      return true;
    }
    window.skip(ahead.size());
  }
  return window.error() ? Result<bool>(*window.error()) : Result<bool>(false);
}

}  // namespace

Result<History> read_coo(Sources& sources, const std::string& dialect, const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(
      const bool is_of_rows,
      options.workload ? Result<bool>(*options.workload == Workload::kRows) : has_scans(sources));
  return read_trace<CooReader>(sources, options, policy_of(dialect), is_of_rows);
}

namespace {

std::vector<Sign> looks_like_coo(const FileLook& file) {
  static const Pattern pattern(R"(^\s*([RW]\d[a-z]|[CA]\d|S\d)(\s*([RW]\d[a-z]|[CA]\d|S\d))*\s*$)",
                               "RWCAS");
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {{Strength::kStrong, "its first line is a schedule such as R0a W1a C0 C1"}};
}

constexpr std::array<std::string_view, 3> kCooDialects = {"read-committed", "read-uncommitted",
                                                          "repeatable-read"};

constexpr std::array kCooTargets = {Target{.format = &kCooFormat,
                                           .dialect = kCooDialects.front(),
                                           .extension = ".txt",
                                           .write_file = write_coo,
                                           .aborted = true,
                                           .empty_transactions = true,
                                           .letter_keys = true,
                                           .drops_values = true,
                                           .serial = true,
                                           .drops_sessions = true}};

}  // namespace

constinit const Format kCooFormat = {.name = "coo",
                                     .tools = "3TS-Coo",
                                     .dialects = kCooDialects,
                                     .looks_at_file = looks_like_coo,
                                     .read = read_coo,
                                     .targets = kCooTargets};

}  // namespace elapid
