#include "harness/minimize/while_command.h"

#include <atomic>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "parsers/write.h"

namespace elapid {

namespace {

namespace fs = std::filesystem;
namespace process = boost::process;

/// A folder for this user alone, removed with all that is in it.
class PrivateFolder {
 public:
  static Result<std::shared_ptr<PrivateFolder>> create() {
    std::error_code error;
    const fs::path base = fs::temp_directory_path(error);
    std::string path = (base / "elapid-minimize-XXXXXX").string();
    if (error || ::mkdtemp(path.data()) == nullptr) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "expected to make a temporary folder, and could not",
                   .file = path};
    }
    return std::make_shared<PrivateFolder>(path);
  }

  explicit PrivateFolder(fs::path path) : path_(std::move(path)) {}

  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  /// A folder in it that nobody else has; nothing if there is no room.
  [[nodiscard]] std::optional<fs::path> folder() {
    const fs::path path = path_ / std::to_string(++next_);
    std::error_code error;
    return fs::create_directory(path, error) ? std::optional(path) : std::nullopt;
  }

 private:
  fs::path path_;
  std::atomic<std::uint64_t> next_ = 0;
};

/// One word for the shell.
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

/// The exit code; nothing if it was killed, by us or by a signal.
std::optional<int> exit_code_of(const std::string& line, const WhileCommand& options) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLongestPause(10);
  std::error_code error;
  process::group group;
  process::child child("/bin/sh", process::args({"-c", line}),
                       process::std_in<process::null, process::std_out> process::null,
                       process::std_err > process::null, group, error);
  if (error) {
    return std::nullopt;
  }
  const Clock::time_point begun = Clock::now();
  std::chrono::microseconds pause(200);
  bool is_killed = false;
  while (child.running(error) && !is_killed) {
    is_killed =
        Clock::now() - begun > options.timeout || (options.is_cancelled && options.is_cancelled());
    if (!is_killed) {
      std::this_thread::sleep_for(pause);
      pause = std::min<std::chrono::microseconds>(2 * pause, kLongestPause);
    }
  }
  group.terminate(error);  // with what it has left behind
  child.wait(error);
  const bool has_exited = !is_killed && WIFEXITED(child.native_exit_code());
  return has_exited ? std::optional(child.exit_code()) : std::nullopt;
}

Result<bool> keeps_candidate(const History& history, const WhileCommand& options,
                             PrivateFolder& folders) {
  constexpr int kNotExecutable = 126;
  constexpr int kNotFound = 127;
  const std::optional<fs::path> folder = folders.folder();
  if (!folder) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "expected to make a folder for a candidate, and could not"};
  }
  const std::string path = (*folder / options.name).string();
  const Result<ConversionReport> written =
      write_history(history, history.workload(), path,
                    {.target = options.target,
                     .policy = options.any_loss ? LossPolicy::kAny : LossPolicy::kHarmless});
  if (!written && written.error().kind != ErrorKind::kUsage) {
    return written.error();
  }
  const std::optional<int> code =
      written ? exit_code_of(with_path(options.command, path), options) : std::nullopt;
  std::error_code ignored;
  fs::remove_all(*folder, ignored);
  if (code == kNotFound || code == kNotExecutable) {
    return usage_error("the shell could not run the command: " + options.command);
  }
  return code == 0;
}

}  // namespace

Result<Keeps> keeps_while(const WhileCommand& command) {
  Result<std::shared_ptr<PrivateFolder>> folder = PrivateFolder::create();
  if (!folder) {
    return folder.error();
  }
  return Keeps([command, folder = std::move(folder).value()](const History& history) {
    return keeps_candidate(history, command, *folder);
  });
}

}  // namespace elapid
