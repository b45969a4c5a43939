#include "parsers/bytes/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace elapid {

Status SpillFile::create() {
  if (folder_.empty()) {
    const char* folder = std::getenv("TMPDIR");
    folder_ = folder != nullptr && *folder != '\0' ? folder : "/tmp";
  }
  fd_ = FileDescriptor(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (fd_.is_open()) {
    return {};
  }
  // Some file systems do not support O_TMPFILE.
  std::string path = folder_ + "/elapid-XXXXXX";
  fd_ = FileDescriptor(::mkostemp(path.data(), O_CLOEXEC));
  if (!fd_.is_open()) {
    return system_error(folder_, "a temporary file cannot be made");
  }
  ::unlink(path.c_str());
  return {};
}

Status SpillFile::write_at(std::uint64_t offset, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count >= 0) {
      offset += static_cast<std::uint64_t>(count);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return system_error(folder_, "a temporary file cannot be written");
    }
  }
  return {};
}

Status SpillFile::append(std::span<const char> bytes) {
  if (!fd_.is_open()) {
    ELAPID_RETURN_IF_ERROR(create());
  }
  Status status = write_at(size_, bytes);
  size_ += status.ok() ? bytes.size() : 0;
  return status;
}

Status SpillFile::overwrite(std::uint64_t offset, std::span<const char> bytes) {
  return write_at(offset, bytes);
}

Result<std::size_t> SpillFile::read_at(std::uint64_t offset, std::span<char> into) const {
  if (!fd_.is_open()) {
    return std::size_t{0};
  }
  return fd_.read_at(offset, into, folder_);
}

}  // namespace elapid
