#include "harness/drive/growing_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace elapid {

namespace {

/// Cuts off what stands behind the last newline.
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

/// Closes all but two descriptors.
void close_others(unsigned one, unsigned other) {
  const auto [low, high] = std::minmax(one, other);
  if (low > 0) {
    ::close_range(0, low - 1, 0);
  }
  if (high > low + 1) {
    ::close_range(low + 1, high - 1, 0);
  }
  ::close_range(high + 1, ~0U, 0);
}

/// All that the guard ever does. It hears none of the terminal's signals, and holds no file that
/// anybody else waits for. A byte says that all is well; the leash that ends without one, that the
/// program is dead.
[[noreturn]] void guard(int file, int leash, const std::string& scratch) {
  ::setsid();
  close_others(static_cast<unsigned>(file), static_cast<unsigned>(leash));
  char byte = 0;
  ssize_t got = -1;
  while ((got = ::read(leash, &byte, 1)) < 0 && errno == EINTR) {
  }
  if (got == 0) {
    cut_last_line(file);
    std::error_code ignored;
    if (!scratch.empty()) {
      std::filesystem::remove_all(scratch, ignored);
    }
  }
  ::_exit(0);
}

}  // namespace

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::move(other.fd_)),
      leash_(std::move(other.leash_)),
      guard_(std::exchange(other.guard_, -1)),
      buffer_(std::move(other.buffer_)),
      size_(other.size_),
      status_(std::move(other.status_)) {}

Result<GrowingFile> GrowingFile::create(const std::string& path, const std::string& scratch) {
  GrowingFile file(
      path,
      FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)));
  if (!file.fd_.is_open() || ::flock(file.fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    return system_error(path, "cannot be made");
  }
  if (Status status = file.begin_guard(scratch); !status.ok()) {
    return std::move(status.error());
  }
  return file;
}

Status GrowingFile::begin_guard(const std::string& scratch) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error(path_, "cannot be guarded");
  }
  const FileDescriptor theirs(ends[0]);
  leash_ = FileDescriptor(ends[1]);
  guard_ = ::fork();
  if (guard_ < 0) {
    return system_error(path_, "cannot be guarded");
  }
  if (guard_ == 0) {
    guard(fd_.get(), theirs.get(), scratch);
  }
  return {};
}

GrowingFile::~GrowingFile() {
  if (!fd_.is_open()) {
    return;
  }
  flush();
  static_cast<void>(::write(leash_.get(), "", 1) != 1);
  leash_ = FileDescriptor();
  while (guard_ > 0 && ::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
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

/// Of the lines behind `begin` those stay that are whole.
void GrowingFile::take_back(std::uint64_t begin) {
  const std::string_view written = std::string_view(buffer_).substr(0, size_ - begin);
  const std::size_t newline = written.rfind('\n');
  size_ = begin + (newline == std::string_view::npos ? 0 : newline + 1);
  static_cast<void>(::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0);
}

}  // namespace elapid
