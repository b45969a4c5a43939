#include "adapter/watch/appended_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <span>
#include <utility>

namespace elapid {

Result<AppendedFile> AppendedFile::open(const std::string& path) {
  constexpr mode_t kMode = 0666;
  AppendedFile file(path,
                    FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode)));
  struct stat facts = {};
  if (!file.fd_.is_open() || ::fstat(file.fd_.get(), &facts) != 0) {
    return system_error(path, "cannot be opened");
  }
  const Result<std::uint64_t> end = file.line_begin(static_cast<std::uint64_t>(facts.st_size));
  if (!end) {
    return end.error();
  }
  file.size_ = end.value();
  const auto offset = static_cast<off_t>(file.size_);
  if (::ftruncate(file.fd_.get(), offset) != 0 ||
      ::lseek(file.fd_.get(), offset, SEEK_SET) != offset) {
    return system_error(path, "cannot be written");
  }
  return file;
}

/// Where the line begins that goes on until `end`.
Result<std::uint64_t> AppendedFile::line_begin(std::uint64_t end) const {
  constexpr std::uint64_t kChunk = 1 << 16;
  std::string chunk;
  while (end > 0) {
    const std::uint64_t begin = end - std::min(end, kChunk);
    chunk.resize(static_cast<std::size_t>(end - begin));
    const Result<std::size_t> count = fd_.read_at(begin, std::span(chunk), path_);
    if (!count) {
      return count.error();
    }
    const std::size_t newline = chunk.rfind('\n');
    if (newline != std::string::npos) {
      return begin + newline + 1;
    }
    end = begin;
  }
  return std::uint64_t{0};
}

Status AppendedFile::append(std::string_view lines) {
  while (!lines.empty()) {
    const ssize_t count = ::write(fd_.get(), lines.data(), lines.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return system_error(path_, "cannot be written");
    }
    size_ += static_cast<std::uint64_t>(count);
    lines.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<std::string> AppendedFile::last_line() const {
  if (size_ == 0) {
    return std::string();
  }
  const Result<std::uint64_t> begin = line_begin(size_ - 1);
  if (!begin) {
    return begin.error();
  }
  std::string line(static_cast<std::size_t>(size_ - 1 - begin.value()), '\0');
  const Result<std::size_t> count = fd_.read_at(begin.value(), std::span(line), path_);
  return count ? Result<std::string>(std::move(line)) : Result<std::string>(count.error());
}

}  // namespace elapid
