#include "harness/drive/growing_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace elapid {

namespace {

/// Cuts off an incomplete last line.
void cut_last_line(int fd) {
  struct stat info = {};
  if (::fstat(fd, &info) != 0) {
    return;
  }
  std::array<char, 4096> bytes = {};
  off_t end = info.st_size;
  while (end > 0) {
    const off_t begin =
        end > static_cast<off_t>(bytes.size()) ? end - static_cast<off_t>(bytes.size()) : 0;
    const ssize_t got = ::pread(fd, bytes.data(), static_cast<std::size_t>(end - begin), begin);
    if (got <= 0) {
      return;
    }
    for (ssize_t i = got; i > 0; --i) {
      if (bytes[static_cast<std::size_t>(i - 1)] == '\n') {
        if (begin + i < info.st_size) {
          static_cast<void>(::ftruncate(fd, begin + i) != 0);
        }
        return;
      }
    }
    end = begin;
  }
  static_cast<void>(::ftruncate(fd, 0) != 0);
}

}  // namespace

Result<GrowingFile> GrowingFile::create(const std::string& path, const std::string& scratch) {
  GrowingFile file(
      path,
      FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)));
  if (!file.fd_.is_open() || ::flock(file.fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    return system_error(path, "cannot be made");
  }
  const auto clean_up = [fd = file.fd_.get(), &scratch] {
    cut_last_line(fd);
    std::error_code ignored;
    if (!scratch.empty()) {
      std::filesystem::remove_all(scratch, ignored);
    }
  };
  ELAPID_ASSIGN_OR_RETURN(Guard guard, Guard::begin(clean_up, file.fd_.get()));
  file.guard_.emplace(std::move(guard));
  return file;
}

GrowingFile::~GrowingFile() {
  if (fd_.is_open()) {
    flush();
  }
}

void GrowingFile::flush() {
  const std::uint64_t begin = size_;
  std::string_view rest = status_.ok() ? std::string_view(buffer_) : "";
  while (!rest.empty()) {
    const ssize_t wrote = ::write(fd_.get(), rest.data(), rest.size());
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote <= 0) {
      status_ = system_error(path_, "cannot be written");
      take_back(begin);
      break;
    }
    size_ += static_cast<std::uint64_t>(wrote);
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
  buffer_.clear();
}

/// Takes back the incomplete line that was written behind `begin`.
void GrowingFile::take_back(std::uint64_t begin) {
  const std::string_view written = std::string_view(buffer_).substr(0, size_ - begin);
  const std::size_t newline = written.rfind('\n');
  size_ = begin + (newline == std::string_view::npos ? 0 : newline + 1);
  static_cast<void>(::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0);
}

}  // namespace elapid
