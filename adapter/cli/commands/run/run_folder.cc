#include "adapter/cli/commands/run/run_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "adapter/elle/file_output.h"
#include "parsers/bytes/file_descriptor.h"
#include "parsers/bytes/output.h"

namespace elapid {

namespace {

namespace fs = std::filesystem;

std::string time_text(RunFolder::Time time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(time - whole);
  return fmt::format("{:%Y%m%dT%H%M%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(whole)), rest.count());
}

}  // namespace

Result<RunFolder> RunFolder::create(const std::string& store, const std::string& name, Time time) {
  const std::string parent = store + '/' + safe_file_name(name);
  std::error_code error;
  const bool is_new_store = !fs::exists(store, error);
  fs::create_directories(parent, error);
  while (!error) {
    RunFolder folder(store, parent, time_text(time));
    if (::mkdir(folder.path().c_str(), 0777) == 0) {
      folder.made_store_ = is_new_store;
      return folder;
    }
    folder.is_kept_ = true;  // an earlier run made it
    if (errno != EEXIST) {
      return system_error(folder.path(), "cannot be made");
    }
    time += std::chrono::milliseconds(1);
  }
  return Error{.kind = ErrorKind::kUnreadable,
               .message = "cannot be made: " + error.message(),
               .file = parent};
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!is_kept_) {
    fs::remove_all(path(), ignored);
    fs::remove(parent_, ignored);  // unless it holds another run
    if (made_store_) {
      fs::remove(store_, ignored);
    }
  }
}

void RunFolder::keep() {
  is_kept_ = true;
  // The links are a convenience: the run is complete without them.
  (void)put_link(time_, parent_ + "/latest");
  (void)put_link(fs::path(parent_).filename().string() + '/' + time_, store_ + "/latest");
}

}  // namespace elapid
