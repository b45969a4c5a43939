// Files of jobs below a folder: renamed to their places, so that they are whole or absent.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "adapter/http/checks/job_files.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid::http {
namespace {

namespace fs = std::filesystem;

Error file_error(const fs::path& path, const std::string& what, const std::error_code& code) {
  return {.kind = ErrorKind::kUnreadable,
          .message = what + ": " + code.message(),
          .file = path.string()};
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

/// Makes renames in the folder survive a power cut.
Status sync_folder(const fs::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::fsync(fd.get()) != 0) {
    return file_error(folder, "the folder cannot be written to the disk", last_error());
  }
  return {};
}

class FileOnDisk final : public KeptFile {
 public:
  FileOnDisk(FileDescriptor fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  Result<std::string> read(std::uint64_t offset, std::size_t most) override {
    std::string bytes(most, '\0');
    ELAPID_ASSIGN_OR_RETURN(const std::size_t size, fd_.read_at(offset, bytes, "a file of a job"));
    bytes.resize(size);
    return bytes;
  }

 private:
  FileDescriptor fd_;
  std::uint64_t size_;
};

class FolderFiles final : public JobFiles {
 public:
  explicit FolderFiles(const fs::path& root) : jobs_(root / "jobs"), scratch_(root / "work") {}

  Status begin() {
    for (const fs::path& folder : {jobs_, fs::path(scratch_)}) {
      std::error_code error;
      fs::create_directories(folder, error);
      if (error) {
        return file_error(folder, "the folder cannot be made", error);
      }
    }
    return {};
  }

  [[nodiscard]] const std::string& scratch() const override { return scratch_; }

  Status put_history(const std::string& folder, const std::string& file) override {
    std::error_code error;
    fs::create_directory(jobs_ / folder, error);
    if (!error) {
      fs::rename(file, jobs_ / folder / "history", error);
    }
    if (error) {
      return file_error(jobs_ / folder, "the history cannot be kept", error);
    }
    const Status synced = sync_folder(jobs_ / folder);
    return synced.ok() ? sync_folder(jobs_) : synced;
  }

  Status put_answer(const std::string& folder, std::int64_t attempt,
                    const std::string& answer) override {
    const fs::path place = jobs_ / folder / std::to_string(attempt);
    std::error_code error;
    fs::remove_all(place, error);
    fs::rename(answer, place, error);
    return error ? Status(file_error(place, "the answer cannot be kept", error)) : Status();
  }

  Status lend_history(const std::string& folder, const std::string& link) override {
    std::error_code error;
    fs::create_symlink(fs::absolute(jobs_ / folder / "history"), link, error);
    return error ? Status(file_error(link, "the history cannot be linked", error)) : Status();
  }

  Result<std::vector<std::string>> list(const std::string& folder,
                                        const std::string& prefix) override {
    std::vector<std::string> paths;
    const fs::path top = jobs_ / folder / prefix;
    std::error_code error;
    for (fs::recursive_directory_iterator file(top, error), end; !error && file != end;
         file.increment(error)) {
      if (file->is_regular_file(error)) {
        paths.push_back(file->path().lexically_relative(top).string());
      }
    }
    std::ranges::sort(paths);
    return paths;
  }

  Result<std::unique_ptr<KeptFile>> open(const std::string& folder,
                                         const std::string& path) override {
    const fs::path place = jobs_ / folder / path;
    FileDescriptor fd(::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat facts = {};
    if (!fd.is_open() || ::fstat(fd.get(), &facts) != 0) {
      return errno == ENOENT || errno == ENOTDIR
                 ? Result<std::unique_ptr<KeptFile>>(nullptr)
                 : file_error(place, "the file cannot be opened", last_error());
    }
    return std::unique_ptr<KeptFile>(
        std::make_unique<FileOnDisk>(std::move(fd), static_cast<std::uint64_t>(facts.st_size)));
  }

  Status remove(const std::string& folder) override {
    std::error_code error;
    fs::remove_all(jobs_ / folder, error);
    return error ? Status(file_error(jobs_ / folder, "the folder cannot be removed", error))
                 : Status();
  }

  Status remove_others(const std::vector<std::string>& folders, std::chrono::seconds age) override {
    const std::set<std::string> known(folders.begin(), folders.end());
    const auto newest = fs::file_time_type::clock::now() - age;
    for (const fs::path& top : {jobs_, fs::path(scratch_)}) {
      std::error_code error;
      for (fs::directory_iterator entry(top, error), end; !error && entry != end;
           entry.increment(error)) {
        std::error_code ignored;
        if (!known.contains(entry->path().filename().string()) &&
            fs::last_write_time(entry->path(), ignored) <= newest) {
          fs::remove_all(entry->path(), ignored);
        }
      }
    }
    return {};
  }

 private:
  fs::path jobs_;
  std::string scratch_;
};

}  // namespace

Result<std::unique_ptr<JobFiles>> files_in_folder(const std::string& root) {
  auto files = std::make_unique<FolderFiles>(root);
  ELAPID_RETURN_IF_ERROR(files->begin());
  return std::unique_ptr<JobFiles>(std::move(files));
}

std::string random_name() {
  std::array<std::uint8_t, 16> bytes = {};
  while (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace elapid::http
