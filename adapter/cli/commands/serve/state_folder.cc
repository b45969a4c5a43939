#include "adapter/cli/commands/serve/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

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

}  // namespace

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
  return StateFolder(folder.string(), std::move(lock));
}

}  // namespace elapid
