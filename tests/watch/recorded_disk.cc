#include "tests/watch/recorded_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace elapid {

namespace {

using Kind = DiskOperation::Kind;

/// What is recorded at the moment. Its members are called between the system calls of all threads.
class Recording {
 public:
  explicit Recording(std::string directory) : directory_(std::move(directory)) {}

  void opened(const std::string& path, int fd, bool is_new) {
    if (path == directory_) {
      descriptors_[fd] = kDirectory;
      return;
    }
    const std::optional<std::string> name = name_of(path);
    if (!name) {
      return;
    }
    if (is_new || !files_.contains(*name)) {
      files_[*name] = ++count_;
      operations_.push_back({.kind = Kind::kLink, .file = count_, .name = *name});
    }
    descriptors_[fd] = files_[*name];
  }

  void closed(int fd) { descriptors_.erase(fd); }

  void unlinked(const std::string& path) {
    if (const auto name = name_of(path)) {
      files_.erase(*name);
      operations_.push_back({.kind = Kind::kUnlink, .name = *name});
    }
  }

  void written(int fd, std::uint64_t offset, std::string bytes) {
    add(fd, {.kind = Kind::kWrite, .offset = offset, .bytes = std::move(bytes)});
  }

  void truncated(int fd, std::uint64_t size) { add(fd, {.kind = Kind::kTruncate, .offset = size}); }

  void synced(int fd) { add(fd, {.kind = Kind::kSync}); }

  void told(std::string bytes) {
    operations_.push_back({.kind = Kind::kTell, .bytes = std::move(bytes)});
  }

  [[nodiscard]] bool is_tracked(int fd) const { return descriptors_.contains(fd); }

  std::vector<DiskOperation> take() { return std::exchange(operations_, {}); }

 private:
  static constexpr std::size_t kDirectory = 0;

  void add(int fd, DiskOperation operation) {
    const auto found = descriptors_.find(fd);
    if (found == descriptors_.end()) {
      return;
    }
    operation.file = found->second;
    operation.kind = found->second == kDirectory ? Kind::kSyncDirectory : operation.kind;
    operations_.push_back(std::move(operation));
  }

  [[nodiscard]] std::optional<std::string> name_of(const std::string& path) const {
    return path.starts_with(directory_ + "/") ? std::optional(path.substr(directory_.size() + 1))
                                              : std::nullopt;
  }

  std::string directory_;
  std::map<std::string, std::size_t> files_;  // by name
  std::map<int, std::size_t> descriptors_;
  std::size_t count_ = kDirectory;
  std::vector<DiskOperation> operations_;
};

std::mutex mutex;
std::optional<Recording> recording;

/// Does something to the recording, if there is one.
template <class Do>
void record(Do what) {
  const std::scoped_lock lock(mutex);
  if (recording) {
    what(*recording);
  }
}

int open_recorded(const char* path, int flags, mode_t mode) {
  struct stat facts = {};
  const bool is_there = ::stat(path, &facts) == 0;
  const auto fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (fd >= 0) {
    const int before = errno;
    record([&](Recording& to) { to.opened(path, fd, !is_there); });
    errno = before;
  }
  return fd;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

ssize_t write_recorded(int fd, const void* bytes, std::size_t size, off_t offset) {
  const ssize_t count = ::syscall(SYS_pwrite64, fd, bytes, size, offset);
  if (count > 0) {
    record([&](Recording& to) {
      to.written(fd, static_cast<std::uint64_t>(offset),
                 std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(count)));
    });
  }
  return count;
}

int truncate_recorded(int fd, off_t size) {
  const auto code = static_cast<int>(::syscall(SYS_ftruncate, fd, size));
  record([&](Recording& to) { to.truncated(fd, static_cast<std::uint64_t>(size)); });
  return code;
}

int sync_recorded(int fd) {
  record([&](Recording& to) { to.synced(fd); });
  return 0;  // no power cut here
}

}  // namespace

// NOLINTBEGIN: the C library's names and parameters
extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_recorded(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_recorded(path, flags, mode);
}

int close(int fd) {
  record([&](Recording& from) { from.closed(fd); });
  return static_cast<int>(::syscall(SYS_close, fd));
}

ssize_t write(int fd, const void* bytes, size_t size) {
  bool is_told = false;
  record([&](Recording& to) {
    is_told = fd == STDOUT_FILENO;
    if (is_told) {
      to.told(std::string(static_cast<const char*>(bytes), size));
    } else if (to.is_tracked(fd)) {
      std::abort();  // where it writes is not known
    }
  });
  return is_told ? static_cast<ssize_t>(size) : ::syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  return write_recorded(fd, bytes, size, offset);
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
  return write_recorded(fd, bytes, size, offset);
}

int ftruncate(int fd, off_t size) noexcept {
  return truncate_recorded(fd, size);
}

int ftruncate64(int fd, off64_t size) noexcept {
  return truncate_recorded(fd, size);
}

int fsync(int fd) {
  return sync_recorded(fd);
}

int fdatasync(int fd) {
  return sync_recorded(fd);
}

int unlink(const char* path) noexcept {
  record([&](Recording& to) { to.unlinked(path); });
  return static_cast<int>(::syscall(SYS_unlink, path));
}

int remove(const char* path) noexcept {
  struct stat facts = {};
  return ::stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? ::rmdir(path) : ::unlink(path);
}

}  // extern "C"

// NOLINTEND

RecordedDisk::RecordedDisk(std::string directory) {
  const std::scoped_lock lock(mutex);
  recording.emplace(std::move(directory));
}

RecordedDisk::~RecordedDisk() {
  const std::scoped_lock lock(mutex);
  recording.reset();
}

std::vector<DiskOperation> RecordedDisk::stop() {
  const std::scoped_lock lock(mutex);
  std::vector<DiskOperation> operations = recording->take();
  recording.reset();
  return operations;
}

namespace {

/// For each operation, whether it is on the disk for certain after `count` of them.
std::vector<bool> synced(const std::vector<DiskOperation>& operations, std::size_t count) {
  std::vector<bool> is_synced(count);
  std::map<std::size_t, bool> files;
  bool is_directory_synced = false;
  for (std::size_t i = count; i-- > 0;) {
    const DiskOperation& operation = operations[i];
    const bool is_entry = operation.kind == Kind::kLink || operation.kind == Kind::kUnlink;
    files[operation.file] = files[operation.file] || operation.kind == Kind::kSync;
    is_directory_synced = is_directory_synced || operation.kind == Kind::kSyncDirectory;
    is_synced[i] = is_entry ? is_directory_synced : files[operation.file];
  }
  return is_synced;
}

void write(std::string& file, std::uint64_t offset, std::string_view bytes) {
  file.resize(std::max<std::size_t>(file.size(), offset + bytes.size()), '\0');
  std::ranges::copy(bytes, file.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// Some of the sectors.
void write_torn(std::string& file, std::uint64_t offset, std::string_view bytes, Random& random) {
  constexpr std::size_t kSector = 512;
  while (!bytes.empty()) {
    const std::size_t size = std::min<std::size_t>(bytes.size(), kSector - offset % kSector);
    if (random.percent(50)) {
      write(file, offset, bytes.substr(0, size));
    }
    offset += size;
    bytes.remove_prefix(size);
  }
}

}  // namespace

void cut_power(const std::vector<DiskOperation>& operations, std::size_t count,
               const std::string& directory, Random& random) {
  const std::vector<bool> is_synced = synced(operations, count);
  std::map<std::size_t, std::string> files;
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < count; ++i) {
    const DiskOperation& operation = operations[i];
    if (!is_synced[i] && random.percent(30)) {
      continue;
    }
    std::string& file = files[operation.file];
    if (operation.kind == Kind::kWrite && !is_synced[i] && random.percent(50)) {
      write_torn(file, operation.offset, operation.bytes, random);
    } else if (operation.kind == Kind::kWrite) {
      write(file, operation.offset, operation.bytes);
    } else if (operation.kind == Kind::kTruncate) {
      file.resize(operation.offset, '\0');
    } else if (operation.kind == Kind::kLink) {
      names[operation.name] = operation.file;
    } else if (operation.kind == Kind::kUnlink) {
      names.erase(operation.name);
    }
  }
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  for (const auto& [name, file] : names) {
    std::ofstream(directory + "/" + name, std::ios::binary) << files[file];
  }
}

}  // namespace elapid
