// Chooses the source for a path: a seekable file is read in place, any other input is spilled.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string_view>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/file_descriptor.h"
#include "parsers/bytes/forward_reader.h"
#include "parsers/bytes/read_full.h"
#include "parsers/bytes/spill_file.h"

namespace elapid {

namespace {

/// A regular file. It has a position of its own, so a shared descriptor keeps its position.
class FileSource : public ByteSource {
 public:
  FileSource(std::string name, FileDescriptor fd, std::uint64_t size)
      : ByteSource(std::move(name)), fd_(std::move(fd)), size_(size) {
    ::posix_fadvise(fd_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count = fd_.read_at(next_, into, name());
    next_ += count ? count.value() : 0;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    return fd_.read_at(offset, into, name());
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return size_; }

  [[nodiscard]] std::uint64_t consumed() const override { return next_; }

 private:
  FileDescriptor fd_;
  std::uint64_t size_;
  std::atomic<std::uint64_t> next_ = 0;  // atomic: another thread shows the progress
};

/// Keeps what it reads from a ForwardReader in a temporary file.
class SpilledSource : public ByteSource {
 public:
  SpilledSource(std::string name, std::unique_ptr<ForwardReader> reader, std::uint64_t total)
      : ByteSource(std::move(name)), reader_(std::move(reader)), total_(total) {}

  Result<std::size_t> read(std::span<char> into) override {
    Result<std::size_t> count =
        next_ < spill_.size() ? spill_.read_at(next_, into) : read_further(into);
    next_ += count ? count.value() : 0;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    return spill_.read_at(offset, into);
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return total_; }

  [[nodiscard]] std::uint64_t consumed() const override { return reader_->consumed(); }

 private:
  Result<std::size_t> read_further(std::span<char> into) {
    Result<std::size_t> count = reader_->read(into);
    if (count) {
      ELAPID_RETURN_IF_ERROR(spill_.append(into.first(count.value())));
    }
    return count;
  }

  std::unique_ptr<ForwardReader> reader_;
  SpillFile spill_;
  std::uint64_t total_;
  std::uint64_t next_ = 0;
};

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

/// The first bytes of a descriptor, as many as the longest magic number needs.
Result<std::string> read_head(const FileDescriptor& fd, const std::string& name) {
  return read_full(kZstdMagic.size(), [&](std::span<char> into) -> Result<std::size_t> {
    ELAPID_RETURN_IF_ERROR(fd.wait(name));
    return fd.read(into, name);
  });
}

std::unique_ptr<ForwardReader> decompressed(const std::string& name, std::string_view head,
                                            std::unique_ptr<ForwardReader> reader) {
  if (head.starts_with(kGzipMagic)) {
    return gzip_reader(name, std::move(reader));
  }
  if (head.starts_with(kZstdMagic)) {
    return zstd_reader(name, std::move(reader));
  }
  return reader;
}

/// Does not wait for the writer of a FIFO: that is for FileDescriptor::wait(), which a signal ends.
FileDescriptor open_to_read(const std::string& path) {
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.is_open()) {
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
  }
  return fd;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  const bool is_stdin = path == "-";
  FileDescriptor fd = is_stdin ? FileDescriptor::duplicate(STDIN_FILENO) : open_to_read(path);
  struct stat info = {};
  if (!fd.is_open() || ::fstat(fd.get(), &info) != 0) {
    return system_error(path, "cannot be opened");
  }
  if (S_ISDIR(info.st_mode)) {
    return Error{.kind = ErrorKind::kUnreadable, .message = "is a directory", .file = path};
  }
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0));
  const bool is_whole_file = S_ISREG(info.st_mode) && ::lseek(fd.get(), 0, SEEK_CUR) == 0;
  ELAPID_ASSIGN_OR_RETURN(std::string head, read_head(fd, path));
  const std::string magic = head;
  const bool is_compressed = magic.starts_with(kGzipMagic) || magic.starts_with(kZstdMagic);
  if (is_whole_file && !is_compressed && size > 0) {
    return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(path, std::move(fd), size));
  }
  auto reader = decompressed(path, magic, descriptor_reader(path, std::move(fd), std::move(head)));
  const std::uint64_t total = S_ISREG(info.st_mode) ? size : 0;
  return std::unique_ptr<ByteSource>(
      std::make_unique<SpilledSource>(path, std::move(reader), total));
}

}  // namespace elapid
