#include "adapter/cli/commands/serve/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "adapter/elle/file_output.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_user() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  if (data != nullptr && *data == '/') {
    return fs::path(data) / "elapid";
  }
  return home != nullptr && *home == '/' ? fs::path(home) / ".local/share/elapid" : fs::path();
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  return text;
}

/// Notes the current boot of the machine; true if the last note was of another boot.
Result<bool> note_boot(const fs::path& folder) {
  const std::string boot = text_of("/proc/sys/kernel/random/boot_id");
  const std::string before = text_of(folder / "boot");
  if (boot != before) {
    ELAPID_RETURN_IF_ERROR(write_file(folder / "boot", boot + "\n"));
  }
  return !before.empty() && boot != before;
}

}  // namespace

Result<StateFolder> StateFolder::open_any() {
  constexpr int kMost = 1000;
  const fs::path folder = folder_of_user();
  for (int i = 0; i < kMost && !folder.empty(); ++i) {
    const std::string path = folder / ("shared-" + std::to_string(i));
    Result<StateFolder> opened = open(path);
    if (opened || opened.error().kind != ErrorKind::kUsage) {
      return opened;
    }
  }
  return open("");
}

Result<StateFolder> StateFolder::open(const std::string& path) {
  const fs::path folder = path.empty() ? folder_of_user() : fs::absolute(path);
  if (folder.empty()) {
    return usage_error(
        "there is neither HOME nor XDG_DATA_HOME: --state must say where to keep "
        "histories and answers");
  }
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && !fs::is_directory(folder, error)) {
    return system_error(folder.string(), "the folder cannot be made");
  }
  FileDescriptor lock(
      ::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!lock.is_open()) {
    return system_error(folder.string(), "the folder cannot be written to");
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return usage_error(folder.string() + ": another elapid serve has this folder");
  }
  const fs::path temporary = folder / "tmp";
  fs::remove_all(temporary, error);
  fs::create_directory(temporary, error);
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "the folder cannot be made: " + error.message(),
                 .file = temporary.string()};
  }
  ::setenv("TMPDIR", temporary.c_str(), 1);
  ELAPID_ASSIGN_OR_RETURN(const bool is_after_boot, note_boot(folder));
  return StateFolder(folder.string(), std::move(lock), is_after_boot);
}

}  // namespace elapid
