#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/ir/integer_text.h"
#include "parsers/bytes/window.h"
#include "parsers/read_progress.h"
#include "parsers/traces/session_logs.h"
#include "parsers/traces/trace_reader.h"
#include "parsers/vbox/records.h"
#include "parsers/vbox/transactions.h"
#include "parsers/vbox/vbox_format.h"
#include "parsers/vbox/versions.h"

namespace elapid {

namespace {

using vbox::LogScanner;
using vbox::Record;
using vbox::Transaction;

constexpr FormatRules kVboxRules = {.initial = "versions named 0:0, from before the recording",
                                    .reads = "by the version: transaction and statement",
                                    .aborted = "records `A`",
                                    .indeterminate = "without `C` or `A`"};

constexpr std::string_view kExtension = ".log";

bool is_vbox_log(const std::string& name) {
  return name.ends_with(kExtension);
}

/// The number in the file's name, as `-1.log` or `T3.log`.
std::optional<std::int64_t> number_of_vbox_log(const std::string& name) {
  std::string_view stem = name;
  if (is_vbox_log(name)) {
    stem.remove_suffix(kExtension.size());
  }
  if (stem.starts_with('T')) {
    stem.remove_prefix(1);
  }
  return integer_of(stem);
}

class VboxReader {
 public:
  /// Requires at least one log.
  VboxReader(Sources& sources, const ReadOptions& options, std::vector<SessionLog> logs)
      : sources_(sources),
        options_(options),
        logs_(std::move(logs)),
        next_session_(std::ranges::max(logs_, {}, &SessionLog::session).session + 1) {}

  Result<History> read() {
    for (const SessionLog& log : logs_) {
      ELAPID_ASSIGN_OR_RETURN(std::uint16_t file, sources_.is_directory()
                                                      ? sources_.add(log.path)
                                                      : Result<std::uint16_t>(std::uint16_t{0}));
      files_.push_back(file);
    }
    ELAPID_RETURN_IF_ERROR(choose_workload());
    for (std::size_t log = 0; log < logs_.size(); ++log) {
      ELAPID_RETURN_IF_ERROR(read_log(log));
    }
    ELAPID_RETURN_IF_ERROR(check_reads());
    return finish();
  }

 private:
  /// Binary files have bytes, not lines.
  [[nodiscard]] Error at_file(std::uint16_t file, Error error) const {
    error.file = sources_.name(file);
    return error;
  }

  /// Calls `take(txn)`, which returns a Status, for each transaction of a log. Each one is scanned
  /// before the previous one is taken, so that its versions can be prefetched.
  template <class Take>
  Status each_transaction(std::size_t log, Take take) {
    const std::uint16_t file = files_[log];
    ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources_.open(file));
    if (Status status = source->rewind(); !status.ok()) {
      return at_file(file, std::move(status.error()));
    }
    Window window(*source);
    ReadProgress progress(*source, options_);
    LogScanner scanner(window);
    Transaction txn;
    Transaction next;
    for (bool has_txn = scanner.next(txn); has_txn; std::swap(txn, next)) {
      has_txn = scanner.next(next);
      prefetch_versions(versions_, next);
      Status status = take(txn);
      if (status.ok()) {
        status = progress.report(window.offset());
      }
      if (!status.ok()) {
        return at_file(file, std::move(status.error()));
      }
    }
    bytes_ += window.offset();
    Status status = scanner.status();
    return status.ok() ? status : at_file(file, std::move(status.error()));
  }

  /// Chooses the workload: a history with predicates is one of rows.
  Status choose_workload() {
    if (options_.workload) {
      if (*options_.workload != Workload::kRows && *options_.workload != Workload::kRwRegister) {
        return usage_error("its operations are those of rows or registers, not those of " +
                           std::string(options_.workload->name()));
      }
      workload_ = *options_.workload;
      return {};
    }
    bool has_predicate = false;
    for (std::size_t log = 0; log < logs_.size() && !has_predicate; ++log) {
      Status status = each_transaction(log, [&](const Transaction& txn) -> Status {
        has_predicate = has_predicate ||
                        std::ranges::find(txn.records, 'P', &Record::type) != txn.records.end();
        return {};
      });
      // Malformed records are reported when operations are read.
      if (!status.ok() && status.error().kind != ErrorKind::kMalformed) {
        return status;
      }
    }
    bytes_ = 0;
    workload_ = has_predicate ? Workload::kRows : Workload::kRwRegister;
    return {};
  }

  Status read_log(std::size_t log) {
    last_end_.reset();
    versions_.begin_file(files_[log]);
    Status status = each_transaction(log, [&](const Transaction& txn) { return add(log, txn); });
    if (!status.ok() && options_.salvage && status.error().kind == ErrorKind::kMalformed) {
      builder_.remark(Remark::Kind::kSalvaged,
                      {.file = files_[log], .offset = status.error().byte_offset.value_or(0)},
                      status.error().message + "; kept the transactions before that");
      return {};
    }
    return status;
  }

  Status add(std::size_t log, const Transaction& txn) {
    const SourcePosition position = {.file = files_[log], .offset = txn.offset};
    const auto number = static_cast<std::uint32_t>(ids_.size());
    if (ids_.find_or_add(txn.tid, number) != number) {
      return malformed_at(txn.offset, "expected a transaction's id of its own, found " +
                                          std::to_string(txn.tid) + " a second time");
    }
    note(txn, position);
    mops_.clear();
    if (workload_ == Workload::kRows) {
      ELAPID_RETURN_IF_ERROR(row_operations_.convert(txn, mops_));
    } else {
      register_operations_.convert(txn, mops_);
    }
    const bool overlaps = last_end_ && txn.start < *last_end_;
    last_end_ = std::max(last_end_.value_or(0), txn.end);
    overlapping_ += overlaps ? 1 : 0;
    return builder_.add_transaction({.session = overlaps ? next_session_++ : logs_[log].session,
                                     .status = txn.status,
                                     .invocation_time = static_cast<std::int64_t>(txn.start),
                                     .completion_time = static_cast<std::int64_t>(txn.end),
                                     .position = position,
                                     .mops = mops_});
  }

  void note(const Transaction& txn, SourcePosition position) {
    if (txn.status == TxnStatus::kIndeterminate) {
      builder_.remark(Remark::Kind::kOther, position,
                      "a transaction without COMMIT or ROLLBACK is taken as indeterminate");
    }
    for (const Record& record : txn.records) {
      if (record.type == 'P') {
        ++predicates_;
        if (record.low > record.high) {
          builder_.remark(Remark::Kind::kOther, {.file = position.file, .offset = record.offset},
                          "a predicate over an empty range");
        }
      } else if (record.type == 'R' && record.version.tid == 0) {
        reads_initial_ = true;
      }
    }
  }

  /// Checks reads at the end, when all writes are known.
  Status check_reads() {
    const std::optional<vbox::FirstRead> read = versions_.unwritten();
    if (!read || options_.salvage) {
      return {};
    }
    const vbox::Version name = read->version;
    return at_file(
        read->file,
        malformed_at(read->offset, "expected the version of a row that some log wrote, found " +
                                       std::to_string(name.tid) + ':' + std::to_string(name.oid) +
                                       ", whose writer is not recorded"));
  }

  Result<History> finish() {
    TraceFacts facts = {
        .format = &kVboxFormat, .workload = workload_, .rules = kVboxRules, .source_bytes = bytes_};
    facts.assumptions.emplace_back(
        "Times are ns of the clients' clock; a transaction lasts from BEGIN to the end of COMMIT.");
    if (overlapping_ > 0) {
      facts.assumptions.push_back(
          std::to_string(overlapping_) +
          " transactions that overlap others of their log are sessions of their own.");
    }
    if (workload_ == Workload::kRows) {
      facts.assumptions.emplace_back(
          reads_initial_ ? "Rows existed before the recording, since versions 0:0 were read."
                         : "The tables were empty before the recording: no version 0:0 was read.");
      facts.rows = std::move(rows_).build(!reads_initial_);
    } else {
      facts.predicates = predicates_;
    }
    return finish_trace(std::move(builder_), sources_, options_, std::move(facts));
  }

  Sources& sources_;
  const ReadOptions& options_;
  std::vector<SessionLog> logs_;
  std::vector<std::uint16_t> files_;  // numbers in sources_, by log
  Workload workload_ = Workload::kRwRegister;
  HistoryBuilder builder_;
  rows::RowsBuilder rows_{builder_};
  vbox::VersionTable versions_{builder_};
  vbox::RowOperations row_operations_{builder_, rows_, versions_};
  vbox::RegisterOperations register_operations_{builder_, versions_};
  std::vector<MopInput> mops_;
  IntMap ids_;                             // of transactions
  std::optional<std::uint64_t> last_end_;  // in the log that is being read
  std::int64_t next_session_;              // of a transaction that overlaps its log's
  std::uint64_t overlapping_ = 0;
  std::uint64_t predicates_ = 0;
  std::uint64_t bytes_ = 0;
  bool reads_initial_ = false;
};

}  // namespace

Result<History> read_vbox(Sources& sources, const std::string& /*dialect*/,
                          const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(
      std::vector<SessionLog> logs,
      find_session_logs(sources, {"logs of Vbox (*.log)", is_vbox_log, number_of_vbox_log}));
  return VboxReader(sources, options, std::move(logs)).read();
}

namespace {

constexpr std::size_t kSecondRecord = 21;  // behind that of a transaction
constexpr std::size_t kBothTimes = kSecondRecord + 13;

/// Whether the log begins with a transaction's record and the statement BEGIN, as far as both are
/// visible.
bool begins_transaction(std::string_view log) {
  return log.starts_with('T') && (log.size() <= kSecondRecord || log[kSecondRecord] == 'S');
}

/// Whether both records have the same time of the beginning.
bool agrees_on_start(std::string_view log) {
  return log.size() >= kBothTimes && begins_transaction(log) &&
         log.substr(5, 8) == log.substr(kSecondRecord + 5, 8);
}

std::vector<Sign> looks_like_vbox(const FileLook& file) {
  if (!agrees_on_start(file.bytes)) {
    return {};
  }
  return {{Strength::kStrong, "it begins with Vbox's records of a transaction's start"}};
}

/// Empty logs belong to clients without transactions.
std::vector<Sign> holds_vbox_logs(const DirectoryLook& directory) {
  for (const std::string& name : directory.files("", ".log")) {
    const std::string head = directory.head_of(name, kBothTimes);
    if (!head.empty()) {
      return begins_transaction(head) ? std::vector<Sign>{{Strength::kStrong,
                                                           "it is a directory with .log files that "
                                                           "begin with `T`"}}
                                      : std::vector<Sign>();
    }
  }
  return {};
}

constexpr std::array kVboxTargets = {Target{.format = &kVboxFormat,
                                            .extension = ".vbox",
                                            .extension_tells = true,
                                            .write_directory = write_vbox,
                                            .registers = false,
                                            .rows = true,
                                            .open_universe = true,
                                            .plan_rows = plan_vbox_rows,
                                            .aborted = true,
                                            .indeterminate = true,
                                            .invocations = true,
                                            .whole_times = true,
                                            .empty_transactions = true,
                                            .by_session = true,
                                            .keys = kNaturals,
                                            .first_session = -(std::int64_t{1} << 40)}};

}  // namespace

constinit const Format kVboxFormat = {.name = "vbox",
                                      .tools = "Vbox, Vgen",
                                      .looks_at_file = looks_like_vbox,
                                      .looks_at_directory = holds_vbox_logs,
                                      .in_directory = "logs of Vbox",
                                      .read = read_vbox,
                                      .is_directory = true,
                                      .targets = kVboxTargets};

}  // namespace elapid
