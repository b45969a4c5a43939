#include "adapter/watch/appended_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <span>

namespace elapid {

Result<AppendedFile> AppendedFile::open(const std::string& path, bool makes) {
  constexpr mode_t kMode = 0666;
  const int flags = O_RDWR | O_CLOEXEC | (makes ? O_CREAT : 0);
  AppendedFile file(path, FileDescriptor(::open(path.c_str(), flags, kMode)));
  struct stat facts = {};
  if (!file.fd_.is_open() || ::fstat(file.fd_.get(), &facts) != 0) {
    return system_error(path, "cannot be opened");
  }
  file.size_ = static_cast<std::uint64_t>(facts.st_size);
  return file;
}

Status AppendedFile::append(std::string_view bytes) {
  const std::uint64_t end = size_;
  size_ += bytes.size();
  return overwrite(end, bytes);
}

Status AppendedFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  is_synced_ = is_synced_ && bytes.empty();
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return system_error(path_, "cannot be written");
    }
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status AppendedFile::truncate(std::uint64_t size) {
  if (size == size_) {
    return {};
  }
  is_synced_ = false;
  size_ = size;
  return ::ftruncate(fd_.get(), static_cast<off_t>(size)) == 0
             ? Status()
             : Status(system_error(path_, "cannot be written"));
}

Status AppendedFile::sync() {
  if (!is_synced_ && ::fdatasync(fd_.get()) != 0) {
    return system_error(path_, "cannot be written to the disk");
  }
  is_synced_ = true;
  return {};
}

Result<std::string> AppendedFile::read(std::uint64_t offset, std::size_t size) const {
  const std::uint64_t there = size_ - std::min(offset, size_);
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size, there)), '\0');
  ELAPID_ASSIGN_OR_RETURN(const std::size_t count, fd_.read_at(offset, std::span(bytes), path_));
  bytes.resize(count);
  return bytes;
}

Status drop_unfinished_line(AppendedFile& file) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  std::uint64_t end = file.size();
  while (end > 0) {
    const std::uint64_t begin = end - std::min<std::uint64_t>(end, kPiece);
    ELAPID_ASSIGN_OR_RETURN(const std::string piece,
                            file.read(begin, static_cast<std::size_t>(end - begin)));
    if (const std::size_t newline = piece.rfind('\n'); newline != std::string::npos) {
      end = begin + newline + 1;
      break;
    }
    end = begin;
  }
  return file.truncate(end);
}

Status sync_directory(const std::string& path) {
  const FileDescriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return directory.is_open() && ::fsync(directory.get()) == 0
             ? Status()
             : Status(system_error(path, "cannot be written to the disk"));
}

}  // namespace elapid
