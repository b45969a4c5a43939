#include "harness/process/scratch_folder.h"

#include <cstdlib>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace elapid {
namespace {

Error cannot_make(const std::string& path, const std::string& why) {
  return {.kind = ErrorKind::kUnreadable, .message = "cannot be made: " + why, .file = path};
}

}  // namespace

Result<ScratchFolder> ScratchFolder::create() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string path = (error ? std::filesystem::path("/tmp") : base) / "elapid-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return cannot_make(path, std::strerror(errno));
  }
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

Result<std::string> ScratchFolder::folder(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  std::error_code error;
  std::filesystem::create_directory(path, error);
  return error ? Result<std::string>(cannot_make(path, error.message())) : path;
}

}  // namespace elapid
