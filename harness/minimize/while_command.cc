#include "harness/minimize/while_command.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/minimize/call_deletion.h"
#include "harness/process/program_run.h"
#include "harness/process/scratch_folder.h"
#include "parsers/write.h"

namespace elapid {

namespace {

/// The folder of all candidates. Each has a folder of its own in it.
struct Candidates {
  explicit Candidates(ScratchFolder made) : folder(std::move(made)) {}

  ScratchFolder folder;
  std::atomic<std::uint64_t> count = 0;
};

/// Quotes a word for the shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

std::string with_path(std::string command, const std::string& path) {
  const std::string word = quoted(path);
  bool has_place = false;
  for (std::size_t at = command.find("{}"); at != std::string::npos;
       at = command.find("{}", at + word.size())) {
    command.replace(at, 2, word);
    has_place = true;
  }
  return has_place ? command : command + " " + word;
}

/// The exit code; nothing if the program was killed, by Elapid or by a signal.
std::optional<int> exit_code_of(const std::string& line, const WhileCommand& options) {
  const ProgramRun run =
      run_program({"/bin/sh", "-c", line}, ".",
                  {.time = options.timeout, .grace = std::chrono::milliseconds(0), .output = 0},
                  options.is_cancelled);
  return run.is_out_of_time || run.is_cancelled ? std::nullopt : run.exit_code;
}

Result<bool> keeps_candidate(const History& history, const WhileCommand& options,
                             Candidates& candidates) {
  constexpr int kNotExecutable = 126;
  constexpr int kNotFound = 127;
  ELAPID_ASSIGN_OR_RETURN(const std::string folder,
                          candidates.folder.folder(std::to_string(++candidates.count)));
  const std::string path = folder + "/" + options.name;
  const Result<ConversionReport> written =
      write_history(history, history.workload(), path,
                    {.target = options.target,
                     .policy = options.any_loss ? LossPolicy::kAny : LossPolicy::kHarmless,
                     .details = details_of_small(history, options.details)});
  if (!written && written.error().kind != ErrorKind::kUsage) {
    return written.error();
  }
  const std::optional<int> code =
      written ? exit_code_of(with_path(options.command, path), options) : std::nullopt;
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (code == kNotFound || code == kNotExecutable) {
    return usage_error("the shell could not run the command: " + options.command);
  }
  return code == 0;
}

}  // namespace

Result<Keeps> keeps_while(const WhileCommand& command) {
  ELAPID_ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::create());
  const auto candidates = std::make_shared<Candidates>(std::move(folder));
  return Keeps([command, candidates](const History& history) {
    return keeps_candidate(history, command, *candidates);
  });
}

}  // namespace elapid
