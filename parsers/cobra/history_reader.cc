#include "parsers/cobra/history_reader.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "parsers/bytes/window.h"
#include "parsers/cobra/log_scanner.h"
#include "parsers/jepsen/initial_value.h"
#include "parsers/read_progress.h"

namespace elapid::cobra {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

/// PolySI's dumps store the initial transaction in a log of this number.
constexpr std::int64_t kInitialSession = -1;

std::optional<bool> asked_universal(const std::string& dialect) {
  return dialect == "universal" ? std::optional(true)
         : dialect == "plain"   ? std::optional(false)
                                : std::nullopt;
}

std::optional<bool> asked_times(const std::string& dialect) {
  return dialect.empty() ? std::nullopt : std::optional(dialect == "timestamps");
}

/// The .debug file beside a log, if there is one.
std::optional<std::string> debug_beside(const std::string& log) {
  std::filesystem::path debug = log;
  debug.replace_extension(".debug");
  std::error_code error;
  return std::filesystem::is_regular_file(debug, error) ? std::optional(debug.string())
                                                        : std::nullopt;
}

/// The versions that logs of this size may hold, if half of the operations are writes.
std::size_t expected_versions(std::uint64_t bytes) {
  constexpr std::uint64_t kBytesPerVersion = 58;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  return static_cast<std::size_t>(std::min(bytes / kBytesPerVersion, kMost));
}

/// The value that reads of the initial state saw. finish() reports the error.
ValueId value_before(const ReadOptions& options, ValuePool& values) {
  const Result<ValueId> initial = initial_value(options, ValueId::nil(), values);
  return initial ? initial.value() : ValueId::nil();
}

}  // namespace

HistoryReader::HistoryReader(Sources& sources, std::vector<SessionLog> logs, std::uint64_t bytes,
                             const std::string& dialect, const ReadOptions& options)
    : sources_(sources),
      options_(options),
      logs_(std::move(logs)),
      asked_times_(asked_times(dialect)),
      builder_({.first_txn = logs_.front().session == kInitialSession ? FirstTxn::kMarked
                                                                      : FirstTxn::kOrdinary}),
      interpreter_(builder_, value_before(options, builder_.values()), asked_universal(dialect),
                   expected_versions(bytes)) {
  constexpr std::uint64_t kBytesPerOp = 27;  // writes take 25, reads 33
  constexpr std::uint64_t kMost = std::uint64_t{1} << 33;
  builder_.reserve(std::min(bytes, kMost) / kBytesPerOp);
}

/// Binary files have bytes, not lines.
Error HistoryReader::located(std::uint16_t file, Error error) const {
  error.file = sources_.name(file);
  return error;
}

Status HistoryReader::read() {
  for (const SessionLog& log : logs_) {
    ELAPID_RETURN_IF_ERROR(read_log(log));
  }
  return add_unrecorded_writers();
}

Status HistoryReader::read_log(const SessionLog& log) {
  CurrentLog current{.session = log.session};
  if (sources_.is_directory()) {
    ELAPID_ASSIGN_OR_RETURN(current.file, sources_.add(log.path));
    if (const std::optional<std::string> debug = debug_beside(log.path)) {
      ELAPID_RETURN_IF_ERROR(read_debug(*debug, current));
    }
  }
  log_files_.push_back(current.file);
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources_.open(current.file));
  const std::uint64_t txns_before = txns_;
  Status broken = read_txns(*source, current);
  const bool is_broken = !broken.ok();
  ELAPID_RETURN_IF_ERROR(end_log(std::move(broken), txns_before, current));
  return check_tail(current, is_broken);
}

Status HistoryReader::read_debug(const std::string& path, CurrentLog& current) {
  ELAPID_ASSIGN_OR_RETURN(current.debug_file, sources_.add(path));
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources_.open(current.debug_file));
  if (Status status = current.debug.read(*source, options_); !status.ok()) {
    return sources_.located(current.debug_file, std::move(status.error()));
  }
  bytes_ += current.debug.bytes();
  return {};
}

Status HistoryReader::read_txns(ByteSource& source, CurrentLog& current) {
  Window window(source);
  if (!layout_ && !window.at_end()) {
    layout_ =
        find_layout(window.ahead(kLayoutTrialBytes).substr(0, kLayoutTrialBytes), asked_times_);
  }
  ReadProgress progress(source, options_);
  LogScanner scanner(window, layout_.value_or(Layout{}));
  LogBlock block;
  std::uint64_t passed = 0;
  while (scanner.next(block)) {
    bytes_ += window.offset() - passed;
    passed = window.offset();
    ELAPID_RETURN_IF_ERROR(add_block(block, current));
    ELAPID_RETURN_IF_ERROR(progress.report(window.offset()));
  }
  return scanner.status();
}

Status HistoryReader::add_block(const LogBlock& block, CurrentLog& current) {
  interpreter_.begin(block, *layout_);
  for (const TxnRecord& txn : block.txns) {
    const auto mops = interpreter_.interpret(txn);
    if (!mops) {
      return interpreter_.error();
    }
    if (const auto place = current.debug.find(txn.id)) {
      current.debug.txns()[*place].is_logged = true;
      ELAPID_RETURN_IF_ERROR(add_aborted_before(*place, current));
    }
    ELAPID_RETURN_IF_ERROR(add_txn(txn, *mops, current));
  }
  return {};
}

Status HistoryReader::add_txn(const TxnRecord& txn, std::span<const MopInput> mops,
                              const CurrentLog& current) {
  ++txns_;
  if (mops.empty() && txn.op_count != 0) {
    return {};  // it only tells the state before
  }
  TxnInput input{.session = current.session, .position = {current.file, txn.offset}, .mops = mops};
  if (layout_->has_times) {
    set_times(txn, input);
  }
  return builder_.add_transaction(input);
}

void HistoryReader::set_times(const TxnRecord& txn, TxnInput& input) {
  if (txn.commit_ms < txn.start_ms) {
    builder_.remark(Remark::Kind::kTimeBackwards, input.position,
                    "transaction " + hex(txn.id) + " commits " +
                        std::to_string(txn.start_ms - txn.commit_ms) +
                        " ms before it starts: taken as committed when it starts");
  }
  input.invocation_time = txn.start_ms * kNsPerMs;
  input.completion_time = std::max(txn.start_ms, txn.commit_ms) * kNsPerMs;
  first_time_ = std::min(first_time_, *input.invocation_time);
  last_time_ = std::max(last_time_, *input.completion_time);
}

/// Adds the aborted transactions that the .debug file has before this place.
Status HistoryReader::add_aborted_before(std::size_t place, CurrentLog& current) {
  for (; current.next_fate < place; ++current.next_fate) {
    const DebugLog::Txn& txn = current.debug.txns()[current.next_fate];
    tried_ += txn.fate == Fate::kTried ? 1 : 0;
    if (txn.fate != Fate::kAborted) {
      continue;
    }
    aborted_.find_or_add(static_cast<std::int64_t>(txn.id), 0);
    // Its times are unknown, and a history has times for all transactions or for none.
    if (layout_ && layout_->has_times) {
      continue;
    }
    Status status = builder_.add_transaction({.session = current.session,
                                              .status = TxnStatus::kAborted,
                                              .position = {current.debug_file, txn.offset}});
    ELAPID_RETURN_IF_ERROR(status);
  }
  return {};
}

/// Handles the end of a log; `broken` tells whether it ends in a break.
Status HistoryReader::end_log(Status broken, std::uint64_t txns_before, const CurrentLog& current) {
  if (broken.ok()) {
    return {};
  }
  if (!salvages(broken.error())) {
    return located(current.file, std::move(broken.error()));
  }
  builder_.remark(Remark::Kind::kSalvaged, {current.file, broken.error().byte_offset.value_or(0)},
                  "the log breaks here: " + broken.error().message + "; " +
                      plural(txns_ - txns_before, "transaction") + " before it taken");
  return {};
}

/// Checks what follows the last logged transaction, and whether all committed transactions are
/// logged.
Status HistoryReader::check_tail(CurrentLog& current, bool is_broken) {
  std::vector<DebugLog::Txn>& txns = current.debug.txns();
  if (!is_broken) {
    if (Status status = add_aborted_before(txns.size(), current); !status.ok()) {
      return located(current.debug_file, std::move(status.error()));
    }
  }
  const auto is_missing = [](const DebugLog::Txn& txn) {
    return txn.fate == Fate::kCommitted && !txn.is_logged;
  };
  const auto missing = std::count_if(txns.begin(), txns.end(), is_missing);
  if (missing == 0) {
    return {};
  }
  const DebugLog::Txn& first = *std::find_if(txns.begin(), txns.end(), is_missing);
  const std::string message = "expected transaction " + hex(first.id) + " in " +
                              sources_.name(current.file) +
                              ", since it has committed; that log lacks " +
                              plural(static_cast<std::uint64_t>(missing), "committed transaction");
  if (!options_.salvage) {
    return sources_.located(current.debug_file, malformed_at(first.offset, message));
  }
  builder_.remark(Remark::Kind::kSalvaged, {current.debug_file, first.offset}, message);
  return {};
}

}  // namespace elapid::cobra
