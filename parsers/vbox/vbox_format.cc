#include "parsers/vbox/vbox_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace elapid {

namespace {

constexpr std::size_t kSecondRecord = 21;  // behind that of a transaction
constexpr std::size_t kBothTimes = kSecondRecord + 13;

/// A transaction and the statement that begins it, as far as both can be seen.
bool begins_transaction(std::string_view log) {
  return log.starts_with('T') && (log.size() <= kSecondRecord || log[kSecondRecord] == 'S');
}

/// Both records say when the transaction began.
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

/// Empty logs are clients without transactions.
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
