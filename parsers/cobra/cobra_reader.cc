#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "parsers/cobra/cobra_format.h"
#include "parsers/cobra/history_reader.h"
#include "parsers/cobra/log_files.h"
#include "parsers/cobra/log_record.h"

namespace elapid {

Result<History> read_cobra(Sources& sources, const std::string& dialect,
                           const ReadOptions& options) {
  std::vector<cobra::LogFile> logs;
  if (sources.is_directory()) {
    ELAPID_ASSIGN_OR_RETURN(logs, cobra::find_logs(sources.path()));
  } else {
    const std::string& path = sources.path();
    logs.push_back({.path = path, .session = cobra::session_of(path).value_or(0)});
    // A compressed or unknown size only makes the reserved memory smaller.
    Result<ByteSource*> source = sources.open(0);
    logs.back().bytes = source ? source.value()->total() : 0;
  }
  cobra::HistoryReader reader(sources, std::move(logs), dialect, options);
  ELAPID_RETURN_IF_ERROR(reader.read());
  return std::move(reader).finish();
}

namespace {

constexpr std::size_t kSecondRecord = 9;  // behind the first one: a letter and a number

bool starts_txn(std::string_view log) {
  return log.starts_with('S');
}

/// Whether the first record is followed by another record, or by a time.
bool goes_on(std::string_view log) {
  return log.size() > kSecondRecord &&
         std::string_view("RWC\0", 4).find(log[kSecondRecord]) != std::string_view::npos;
}

std::vector<Sign> looks_like_cobra(const FileLook& file) {
  if (!starts_txn(file.bytes) || !goes_on(file.bytes)) {
    return {};
  }
  return {{Strength::kLikely, "it begins with Cobra's record of a transaction's start"}};
}

/// An empty log is a session without transactions, and a broken log may end or continue
/// arbitrarily. A log of another program may also begin with an `S`, as in `Starting`.
std::vector<Sign> holds_cobra_logs(const DirectoryLook& directory) {
  bool has_start = false;
  for (const std::string& name : directory.files("", ".log")) {
    const std::string head = directory.head_of(name, kSecondRecord + 1);
    if (starts_txn(head) && (head.size() <= kSecondRecord || goes_on(head))) {
      return {{Strength::kStrong, "it is a directory with .log files that begin with `S`"}};
    }
    has_start = has_start || starts_txn(head);
  }
  return has_start ? std::vector<Sign>{{Strength::kLikely,
                                        "it is a directory with .log files that begin with `S`"}}
                   : std::vector<Sign>();
}

constexpr std::array<std::string_view, 3> kCobraDialects = {"plain", "universal", "timestamps"};

/// Ids with special meanings, which cannot stand for values.
constexpr std::array<std::int64_t, 6> kSpecialIds = {cobra::kInitialId, cobra::kNullId,
                                                     cobra::kDeleteId,  cobra::kUniversalId,
                                                     cobra::kGcTrueId,  cobra::kGcFalseId};

constexpr Target cobra_target(std::string_view dialect) {
  const bool is_universal = dialect == "universal";
  const bool has_times = dialect == "timestamps";
  return {.format = &kCobraFormat,
          .dialect = dialect,
          .extension = ".cobra",
          .extension_tells = true,
          .write_directory = write_cobra,
          .invocations = has_times,
          .times_in_ms = has_times,
          .empty_transactions = true,
          .repeats = is_universal,
          .unique_everywhere = !is_universal,
          .by_session = true,
          .ids = true,
          .excuses_unwritten = !is_universal,
          .aborted_ids = true,
          .reserved = kSpecialIds,
          .keys = kIntegers,
          .values = kIntegers};
}

constexpr std::array kCobraTargets = {cobra_target("plain"), cobra_target("universal"),
                                      cobra_target("timestamps")};

}  // namespace

constinit const Format kCobraFormat = {.name = "cobra",
                                       .tools = "Cobra, PolySI, VeriStrong",
                                       .dialects = kCobraDialects,
                                       .binary_dialects = kCobraDialects,
                                       .looks_at_file = looks_like_cobra,
                                       .looks_at_directory = holds_cobra_logs,
                                       .in_directory = "logs of Cobra",
                                       .read = read_cobra,
                                       .is_directory = true,
                                       .targets = kCobraTargets};

}  // namespace elapid
