#include "adapter/cli/commands/serve/served_checks.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "adapter/cli/command.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/program.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/elle/file_output.h"
#include "engine/ir/thread.h"
#include "harness/process/fork_server.h"
#include "harness/process/program_run.h"
#include "harness/process/scratch_folder.h"

namespace elapid {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Time that a check needs beside checking: to read the history and to write the report.
constexpr std::chrono::minutes kBesideChecking{5};
constexpr std::size_t kLongestResult = std::size_t{64} << 20;
constexpr const char* kLongestMap = "16M";
constexpr std::size_t kMostReady = 64;

/// Options that are part of the question and name no file of this machine.
bool is_for_clients(const Option& option) {
  return option.is_part_of_question() && !option.is_argument() &&
         option.placeholder().find("FILE") == std::string::npos &&
         option.placeholder().find("DIR") == std::string::npos;
}

std::vector<http::Parameter> parameters() {
  CheckFlags flags;
  Options options;
  add_asked_flags(options, flags);
  std::vector<http::Parameter> parameters;
  for (const Option& option : options.all()) {
    for (const std::string& name : option.names()) {
      if (is_for_clients(option) && name.starts_with("--")) {
        parameters.push_back({.name = name.substr(2),
                              .type = option.is_flag() ? "boolean" : "string",
                              .help = option.help() + "."});
      }
    }
  }
  return parameters;
}

/// Clients know parameters, not flags: `--levels` is `levels` for them.
std::string without_dashes(std::string text) {
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    const bool begins_name =
        at + 2 < text.size() && std::islower(static_cast<unsigned char>(text[at + 2])) != 0;
    text.erase(at, begins_name ? 2 : 0);
    at += begins_name ? 0 : 2;
  }
  return text;
}

Error as_clients_know_it(const Error& error) {
  return usage_error(without_dashes(error.message));
}

/// Options whose values differ from `unset`, by their longest names.
std::vector<std::string> set_options(const Options& set, const Options& unset) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < set.all().size(); ++i) {
    const Option& option = set.all()[i];
    const std::string text = option.text();
    if (is_for_clients(option) && text != unset.all()[i].text()) {
      words.push_back(option.names().back() +
                      (option.is_flag() && !option.takes_truth() ? "" : "=" + text));
    }
  }
  return words;
}

Status keep_below(const CheckFlags& flags, const CheckCeilings& ceilings) {
  if (const auto time = parse_duration(flags.timeout); time && time.value() > ceilings.time) {
    return usage_error(
        fmt::format("timeout: a check has at most {} ms here", ceilings.time.count()));
  }
  if (const auto memory = parse_bytes(flags.memory); memory && memory.value() > ceilings.memory) {
    return usage_error(fmt::format("memory: a check has at most {} bytes here", ceilings.memory));
  }
  return {};
}

Result<std::vector<std::string>> options_of(const Pairs& pairs, const CheckCeilings& ceilings) {
  CheckFlags flags;
  flags.timeout.clear();  // the service sets it by default
  CheckFlags defaults = flags;
  Options options;
  Options unset;
  add_asked_flags(options, flags);
  add_asked_flags(unset, defaults);
  std::vector<std::string> words;
  for (const auto& [name, value] : pairs) {
    const Option* option = options.find("--" + name);
    const bool is_flag = option != nullptr && option->is_flag();
    if (std::ranges::any_of(value, [](unsigned char c) { return c < ' ' || c == '\x7f'; })) {
      return usage_error(name + ": a value has no control characters");
    }
    if (is_flag && value == "false") {
      continue;
    }
    words.push_back("--" + name + (is_flag ? "" : "=" + value));
  }
  words.emplace_back("history");
  if (const Status parsed = options.parse(words); !parsed.ok()) {
    return as_clients_know_it(parsed.error());
  }
  ELAPID_RETURN_IF_ERROR(keep_below(flags, ceilings));
  if (const Result<CheckRequest> request = check_request(flags); !request) {
    return as_clients_know_it(request.error());
  }
  return set_options(options, unset);
}

bool has(const std::vector<std::string>& options, std::string_view start) {
  return std::ranges::any_of(options,
                             [&](const std::string& option) { return option.starts_with(start); });
}

/// The path of the program that checks.
std::string checking_program() {
  return program_beside("elapid", "../../bin/elapid");
}

std::vector<std::string> command_of(const std::vector<std::string>& options,
                                    const std::string& file, const CheckCeilings& ceilings) {
  std::vector<std::string> command = {checking_program(),
                                      "check",
                                      "--output=edn",
                                      "--color=never",
                                      "--directory=evidence",
                                      "--no-sync",
                                      fmt::format("--max-map={}", kLongestMap),
                                      fmt::format("--threads={}", ceilings.threads)};
  command.insert(command.end(), options.begin(), options.end());
  if (!has(options, "--timeout=")) {
    command.push_back(fmt::format("--timeout={}ms", ceilings.time.count()));
  }
  if (!has(options, "--memory=")) {
    command.push_back(fmt::format("--memory={}", ceilings.memory));
  }
  if (has(options, "--elle-compat")) {
    command.emplace_back("--no-plots");  // pictures need another program, Graphviz
  }
  command.insert(command.end(), {"--", file});
  return command;
}

/// Runs this command as the program `elapid` does.
int check_as_program(const std::vector<std::string>& command) {
  ::signal(SIGXFSZ, SIG_IGN);
  try {
    CommandTable table = {.commands = {{"check", [] { return check_command(); }}}};
    return static_cast<int>(run_program(command, std::move(table), ELAPID_VERSION));
  } catch (...) {
    return static_cast<int>(print_error(current_error()));
  }
}

/// Checks a small history, so that forked processes find everything loaded that checks need.
void check_one_ahead() {
  const Result<ScratchFolder> scratch = ScratchFolder::create();
  if (!scratch) {
    return;
  }
  const std::string history = scratch.value().path() + "/history";
  (void)write_file(history,
                   R"({"type": "ok", "process": 0, "value": [["append", "x", 1]]}
{"type": "ok", "process": 1, "value": [["r", "x", [1]], ["append", "x", 2]]}
{"type": "ok", "process": 2, "value": [["r", "x", [1]], ["append", "x", 3]]}
{"type": "ok", "process": 0, "value": [["r", "x", [1, 2, 3]]]}
)");
  check_as_program({"elapid", "check", "--output=edn", "--no-sync",
                    "--directory=" + scratch.value().path() + "/evidence", history});
}

/// Processes to fork checks from, and those of them that are idle.
class ReadyProcesses {
 public:
  explicit ReadyProcesses(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (auto server = ForkServer::begin(check_as_program, check_one_ahead)) {
        waiting_.push_back(std::make_unique<ForkServer>(std::move(server).value()));
      }
    }
  }

  /// Calls `run` with an idle process; with null if all are busy.
  ProgramRun with_one(const std::function<ProgramRun(ForkServer*)>& run) {
    std::unique_ptr<ForkServer> server;
    {
      const std::lock_guard lock(mutex_);
      if (!waiting_.empty()) {
        server = std::move(waiting_.back());
        waiting_.pop_back();
      }
    }
    ProgramRun done = run(server.get());
    if (server) {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(server));
    }
    return done;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ForkServer>> waiting_ = {};
};

http::CheckRun run_check(const std::vector<std::string>& command, const std::string& folder,
                         const CheckCeilings& ceilings, const std::function<bool()>& is_cancelled,
                         ReadyProcesses& ready) {
  const RunLimits limits = {
      .time = ceilings.time + kBesideChecking, .file = ceilings.file, .output = kLongestResult};
  ProgramRun run = ready.with_one([&](ForkServer* server) {
    return run_program(command, folder, limits, is_cancelled, server);
  });
  http::CheckRun check = {
      .is_cancelled = run.is_cancelled, .out = std::move(run.out), .err = std::move(run.err)};
  if (!run.start_error.empty()) {
    check.err = "the check could not be started: " + run.start_error;
  } else if (run.is_out_of_time) {
    check.err = "the check did not end in time";
  } else if (run.is_cut) {
    check.err = "the check said more than is kept";
  } else if (run.signal) {
    check.err = "the check was ended by " + signal_name(*run.signal);
  } else {
    check.exit_code = run.exit_code;
  }
  return check;
}

}  // namespace

std::vector<std::string> served_watch(const http::WatchedStream& stream) {
  std::vector<std::string> command = {checking_program(), "watch"};
  command.insert(command.end(), stream.options.begin(), stream.options.end());
  command.insert(command.end(), {"--state", stream.state});
  if (stream.to_end) {
    command.emplace_back("--to-end");
  }
  command.push_back(stream.lines);
  return command;
}

http::CheckDoor served_checks(const CheckCeilings& ceilings, std::size_t jobs) {
  const auto ready = std::make_shared<ReadyProcesses>(std::min(jobs, kMostReady));
  return {
      .parameters = parameters(),
      .options_of = [ceilings](const Pairs& pairs) { return options_of(pairs, ceilings); },
      .run =
          [ceilings, ready](const std::vector<std::string>& options, const std::string& folder,
                            const std::string& file, const std::function<bool()>& is_cancelled) {
            return run_check(command_of(options, file, ceilings), folder, ceilings, is_cancelled,
                             *ready);
          }};
}

}  // namespace elapid
