// Files of jobs in the database, in pieces: no shared folder is needed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "adapter/http/checks/job_files.h"
#include "engine/ir/integer_text.h"

namespace elapid::http {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPartBytes = std::uint64_t{4} << 20;

std::uint64_t count_of(const Rows& rows) {
  const bool is_there = !rows.empty() && rows.front().front();
  return is_there ? integer_of<std::uint64_t>(*rows.front().front()).value_or(0) : 0;
}

class FileInDatabase final : public KeptFile {
 public:
  FileInDatabase(Database& database, std::string folder, std::string path, std::uint64_t size)
      : database_(database), folder_(std::move(folder)), path_(std::move(path)), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  Result<std::string> read(std::uint64_t offset, std::size_t most) override {
    std::string bytes;
    while (bytes.size() < most && offset < size_) {
      ELAPID_RETURN_IF_ERROR(fetch(offset / kPartBytes));
      const auto begin = static_cast<std::size_t>(offset % kPartBytes);
      const std::string_view more =
          std::string_view(piece_).substr(std::min(begin, piece_.size()), most - bytes.size());
      if (more.empty()) {
        break;
      }
      bytes += more;
      offset += more.size();
    }
    return bytes;
  }

 private:
  Status fetch(std::uint64_t part) {
    if (part_ == part) {
      return {};
    }
    ELAPID_ASSIGN_OR_RETURN(
        const Rows rows,
        database_.run(
            fmt::format(
                "SELECT bytes FROM elapid_files WHERE folder = $1 AND path = $2 AND part = {}",
                part),
            {folder_, path_}));
    piece_ = rows.empty() ? "" : database_.from_cell(rows.front().front().value_or(""));
    part_ = part;
    return {};
  }

  Database& database_;
  std::string folder_;
  std::string path_;
  std::uint64_t size_;
  std::string piece_ = {};
  std::optional<std::uint64_t> part_ = {};
};

class DatabaseFiles final : public JobFiles {
 public:
  DatabaseFiles(Database& database, std::string scratch)
      : database_(database), scratch_(std::move(scratch)) {}

  [[nodiscard]] const std::string& scratch() const override { return scratch_; }

  Status put_history(const std::string& folder, const std::string& file) override {
    return database_.transact([&] { return put(folder, "history", file); });
  }

  Status put_answer(const std::string& folder, std::int64_t attempt,
                    const std::string& answer) override {
    return database_.transact([&]() -> Status {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(answer)) {
        if (entry.is_regular_file()) {
          const std::string path =
              fmt::format("{}/{}", attempt, entry.path().lexically_relative(answer).string());
          ELAPID_RETURN_IF_ERROR(put(folder, path, entry.path()));
        }
      }
      return {};
    });
  }

  Status lend_history(const std::string& folder, const std::string& link) override {
    Result<std::unique_ptr<KeptFile>> file = open(folder, "history");
    if (!file || !file.value()) {
      return file ? Status(lost(folder)) : Status(file.error());
    }
    std::ofstream copy(link, std::ios::binary);
    for (std::uint64_t offset = 0; offset < file.value()->size() && copy;) {
      const Result<std::string> bytes = file.value()->read(offset, kPartBytes);
      if (!bytes || bytes.value().empty()) {
        return bytes ? Status(lost(folder)) : Status(bytes.error());
      }
      copy << bytes.value();
      offset += bytes.value().size();
    }
    copy.close();
    return copy
               ? Status()
               : Status(Error{
                     .kind = ErrorKind::kUnreadable, .message = "cannot be written", .file = link});
  }

  Result<std::vector<std::string>> list(const std::string& folder,
                                        const std::string& prefix) override {
    ELAPID_ASSIGN_OR_RETURN(
        const Rows rows,
        database_.run("SELECT path FROM elapid_files WHERE folder = $1 AND part = 0 ORDER BY path",
                      {folder}));
    std::vector<std::string> paths;
    for (const Row& row : rows) {
      const std::string path = row.front().value_or("");
      if (path.starts_with(prefix)) {
        paths.push_back(path.substr(prefix.size()));
      }
    }
    return paths;
  }

  Result<std::unique_ptr<KeptFile>> open(const std::string& folder,
                                         const std::string& path) override {
    ELAPID_ASSIGN_OR_RETURN(
        const Rows sizes,
        database_.run("SELECT sum(length(bytes)) FROM elapid_files WHERE folder = $1 AND path = $2",
                      {folder, path}));
    if (!sizes.front().front()) {
      return std::unique_ptr<KeptFile>(nullptr);
    }
    return std::unique_ptr<KeptFile>(
        std::make_unique<FileInDatabase>(database_, folder, path, count_of(sizes)));
  }

  Status remove(const std::string& folder) override {
    const Result<Rows> removed =
        database_.run("DELETE FROM elapid_files WHERE folder = $1", {folder});
    return removed ? Status() : Status(removed.error());
  }

  /// The database finds the folders without a job. A folder is created shortly before its job and
  /// has a random name, so it is removed only when it is seen twice.
  Status remove_others(const std::vector<std::string>& /*folders*/,
                       std::chrono::seconds /*age*/) override {
    ELAPID_ASSIGN_OR_RETURN(
        const Rows rows,
        database_.run("SELECT DISTINCT folder FROM elapid_files WHERE folder NOT IN"
                      " (SELECT folder FROM elapid_jobs)",
                      {}));
    std::vector<std::string> seen;
    for (const Row& row : rows) {
      const std::string folder = row.front().value_or("");
      if (std::ranges::find(seen_, folder) != seen_.end()) {
        (void)remove(folder);
      }
      seen.push_back(folder);
    }
    seen_ = std::move(seen);
    return {};
  }

 private:
  static Error lost(const std::string& folder) {
    return {.kind = ErrorKind::kUnreadable,
            .message = "the database has not the whole history of folder " + folder};
  }

  Status put(const std::string& folder, const std::string& path, const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes(kPartBytes, '\0');
    for (std::uint64_t part = 0; part == 0 || in; ++part) {
      in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      const std::string_view piece(bytes.data(), static_cast<std::size_t>(in.gcount()));
      if (piece.empty() && part > 0) {
        break;
      }
      ELAPID_RETURN_IF_ERROR(database_.run(
          fmt::format("INSERT INTO elapid_files VALUES ($1, $2, {}, $3)"
                      " ON CONFLICT (folder, path, part) DO UPDATE SET bytes = excluded.bytes",
                      part),
          {folder, path, database_.to_cell(piece)}));
    }
    return {};
  }

  Database& database_;
  std::string scratch_;
  std::vector<std::string> seen_ = {};
};

}  // namespace

Result<std::unique_ptr<JobFiles>> files_in_database(Database& database,
                                                    const std::string& scratch) {
  std::error_code error;
  fs::remove_all(scratch, error);
  fs::create_directories(scratch, error);
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "the folder cannot be made: " + error.message(),
                 .file = scratch};
  }
  return std::unique_ptr<JobFiles>(std::make_unique<DatabaseFiles>(database, scratch));
}

}  // namespace elapid::http
