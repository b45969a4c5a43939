#include "parsers/bytes/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "parsers/bytes/left_to_system.h"
#include "parsers/bytes/stdout_error.h"

namespace elapid {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotWritten = "cannot be written";
constexpr std::string_view kStdout = "-";

Error failure(const std::string& path, const std::error_code& error) {
  return {.kind = ErrorKind::kUnreadable,
          .message = std::string(kNotWritten) + ": " + error.message(),
          .file = path};
}

/// Where `path` is kStdout, an error of standard output.
Error write_error(const std::string& path) {
  return path == kStdout ? stdout_error(errno) : system_error(path, kNotWritten);
}

/// A name beside `path` that is unique to this process and call.
std::string name_beside(const std::string& path) {
  static std::atomic<unsigned> calls{0};
  std::string trimmed = path;
  while (trimmed.size() > 1 && trimmed.ends_with('/')) {
    trimmed.pop_back();
  }
  return trimmed + ".partial-" + std::to_string(::getpid()) + '-' +
         std::to_string(calls.fetch_add(1));
}

/// Makes something beside `path`, and returns its name. `make` gets a name and tells whether it
/// made something new under it. A name that is taken (by a killed process of the same number) is
/// skipped. errno holds the reason of other failures.
template <class Make>
std::string make_beside(const std::string& path, Make make) {
  std::string name = name_beside(path);
  while (!make(name) && errno == EEXIST) {
    name = name_beside(path);
  }
  return name;
}

std::atomic<bool> disk_is_left{false};

bool is_out_of_order() {
  return errno == EIO || errno == ENOSPC || errno == EDQUOT;
}

/// Renames the unfinished file or folder to `path`. If a file system cannot write on request (an
/// unreadable folder, no fsync), it writes when it sees fit.
Status put_in_place(const std::string& unfinished, const std::string& path) {
  if (::rename(unfinished.c_str(), path.c_str()) != 0) {
    return system_error(path, kNotWritten);
  }
  if (disk_is_left) {
    return {};
  }
  const std::string parent = fs::path(unfinished).parent_path().string();
  const FileDescriptor folder(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder.is_open() && ::fsync(folder.get()) != 0 && is_out_of_order()
             ? Status(system_error(path, kNotWritten))
             : Status();
}

/// The end of a chain of symbolic links; the links stay.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) {
    return path;
  }
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

FileDescriptor open_for_writing(const std::string& path, int flags) {
  return FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
}

}  // namespace

void leave_disk_to_system() {
  disk_is_left = true;
}

bool is_disk_left_to_system() {
  return disk_is_left;
}

OutputFile::OutputFile(std::string path, std::string unfinished, FileDescriptor fd)
    : path_(std::move(path)), unfinished_(std::move(unfinished)), fd_(std::move(fd)) {
  buffer_.reserve(kBufferBytes);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      unfinished_(std::exchange(other.unfinished_, {})),
      fd_(std::move(other.fd_)),
      buffer_(std::move(other.buffer_)),
      flushed_(other.flushed_),
      held_(std::move(other.held_)),
      error_(std::move(other.error_)) {}

OutputFile::~OutputFile() {
  if (!unfinished_.empty()) {
    ::unlink(unfinished_.c_str());
  }
}

Result<OutputFile> OutputFile::create(const std::string& path) {
  if (path == kStdout) {
    return OutputFile(path, {}, FileDescriptor::duplicate(STDOUT_FILENO));
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    return failure(path, std::make_error_code(std::errc::is_a_directory));
  }
  const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
  std::string target = behind_links(path);
  FileDescriptor fd = in_place ? open_for_writing(target, 0) : FileDescriptor();
  std::string unfinished;
  if (!in_place) {
    unfinished = make_beside(target, [&fd](const std::string& name) {
      fd = open_for_writing(name, O_CREAT | O_EXCL);
      return fd.is_open();
    });
  }
  if (!fd.is_open()) {
    return system_error(path, kNotWritten);
  }
  return OutputFile(std::move(target), std::move(unfinished), std::move(fd));
}

void OutputFile::append_number(std::int64_t n) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void OutputFile::flush() {
  write_all(buffer_, std::nullopt);
  flushed_ += buffer_.size();
  buffer_.clear();
}

void OutputFile::allow_overwriting() {
  if (unfinished_.empty()) {
    held_.emplace();
  }
}

void OutputFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  flush();
  write_all(bytes, offset);
}

void OutputFile::write_held(std::string_view bytes, std::optional<std::uint64_t> offset) {
  Status status = offset ? held_->overwrite(*offset, bytes) : held_->append(bytes);
  if (!status.ok() && !error_) {
    error_ = std::move(status.error());
  }
}

/// Sends the bytes that were held back.
void OutputFile::release_held() {
  const SpillFile held = std::move(*held_);
  held_.reset();
  std::string bytes(kBufferBytes, '\0');
  for (std::uint64_t offset = 0; offset < held.size() && !error_;) {
    const Result<std::size_t> count = held.read_at(offset, bytes);
    if (!count) {
      error_ = count.error();
      return;
    }
    write_all(std::string_view(bytes).substr(0, count.value()), std::nullopt);
    offset += count.value();
  }
}

void OutputFile::write_all(std::string_view bytes, std::optional<std::uint64_t> offset) {
  if (held_) {
    write_held(bytes, offset);
    return;
  }
  while (!bytes.empty() && !error_) {
    const ssize_t count =
        offset ? ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(*offset))
               : ::write(fd_.get(), bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      offset = offset ? std::optional(*offset + static_cast<std::uint64_t>(count)) : std::nullopt;
    } else if (errno != EINTR) {
      error_ = write_error(path_);
    }
  }
}

Status OutputFile::commit() {
  flush();
  if (held_) {
    release_held();
  }
  if (error_) {
    return *error_;
  }
  if (unfinished_.empty()) {
    return {};
  }
  if (!disk_is_left && ::fsync(fd_.get()) != 0 && is_out_of_order()) {
    return system_error(path_, kNotWritten);
  }
  Status status = put_in_place(unfinished_, path_);
  if (status.ok()) {
    unfinished_.clear();
  }
  return status;
}

OutputDirectory::OutputDirectory(OutputDirectory&& other) noexcept
    : path_(std::move(other.path_)), unfinished_(std::exchange(other.unfinished_, {})) {}

OutputDirectory::~OutputDirectory() {
  if (!unfinished_.empty()) {
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
  }
}

Result<OutputDirectory> OutputDirectory::create(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !(fs::is_directory(path, error) && fs::is_empty(path, error))) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "a directory is to be written, and something is there already",
                 .file = path};
  }
  bool is_made = false;
  std::string unfinished = make_beside(path, [&is_made](const std::string& name) {
    is_made = ::mkdir(name.c_str(), 0777) == 0;
    return is_made;
  });
  if (!is_made) {
    return system_error(path, kNotWritten);
  }
  return OutputDirectory(path, std::move(unfinished));
}

Result<OutputFile> OutputDirectory::file(std::string_view name) const {
  return OutputFile::create(unfinished_ + '/' + std::string(name));
}

Status OutputDirectory::commit() {
  Status status = put_in_place(unfinished_, path_);
  if (status.ok()) {
    unfinished_.clear();
  }
  return status;
}

Status put_link(const std::string& target, const std::string& link) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(link, error)) && !fs::is_symlink(link, error)) {
    return failure(link, std::make_error_code(std::errc::file_exists));
  }
  bool is_made = false;
  const std::string name = make_beside(link, [&](const std::string& beside) {
    is_made = ::symlink(target.c_str(), beside.c_str()) == 0;
    return is_made;
  });
  if (!is_made) {
    return system_error(link, kNotWritten);
  }
  Status status = put_in_place(name, link);
  if (!status.ok()) {
    ::unlink(name.c_str());
  }
  return status;
}

}  // namespace elapid
