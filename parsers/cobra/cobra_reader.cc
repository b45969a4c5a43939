#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/ir/integer_text.h"

#include "parsers/cobra/cobra_format.h"
#include "parsers/cobra/history_reader.h"
#include "parsers/cobra/log_record.h"
#include "parsers/traces/session_logs.h"

namespace elapid {

namespace {

constexpr std::string_view kExtension = ".log";

bool is_cobra_log(const std::string& name) {
  return name.ends_with(kExtension);
}

/// `12` of `T12.log`.
std::optional<std::int64_t> number_of_cobra_log(const std::string& name) {
  if (!name.starts_with('T') || !is_cobra_log(name)) {
    return std::nullopt;
  }
  return integer_of(std::string_view(name).substr(1, name.size() - 1 - kExtension.size()));
}

/// A compressed or unknown size only makes the reserved memory smaller.
std::uint64_t bytes_of(Sources& sources, const std::vector<SessionLog>& logs) {
  if (!sources.is_directory()) {
    const Result<ByteSource*> source = sources.open(0);
    return source ? source.value()->total() : 0;
  }
  std::uint64_t bytes = 0;
  for (const SessionLog& log : logs) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(log.path, error);
    bytes += error ? 0 : size;
  }
  return bytes;
}

}  // namespace

Result<History> read_cobra(Sources& sources, const std::string& dialect,
                           const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(
      std::vector<SessionLog> logs,
      find_session_logs(sources, {"logs of Cobra (*.log)", is_cobra_log, number_of_cobra_log}));
  const std::uint64_t bytes = bytes_of(sources, logs);
  cobra::HistoryReader reader(sources, std::move(logs), bytes, dialect, options);
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
