#include "adapter/elle/evidence_list.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/ir/json_string.h"

namespace elapid {

namespace {

constexpr std::string_view kFirstLine = "elapid evidence 1";

std::filesystem::path list_of(const std::filesystem::path& folder) {
  return folder / ".elapid-evidence";
}

/// The content of a list of files.
struct Listed {
  std::string history;  // as it is quoted there
  std::vector<std::filesystem::path> files;
};

/// Whether the path is that of evidence: a file in the folder or one level below. Lists may be
/// wrong.
bool may_be_evidence(const std::filesystem::path& file) {
  const auto parts = std::distance(file.begin(), file.end());
  constexpr std::array<std::string_view, 6> kKinds = {".dot", ".html", ".md",
                                                      ".png", ".svg",  ".txt"};
  return file.is_relative() && (parts == 1 || parts == 2) && *file.begin() != ".." &&
         std::ranges::find(kKinds, file.extension().string()) != kKinds.end();
}

/// Nothing if the folder has no list. An incomplete last line names no file.
std::optional<Listed> read_list(const std::filesystem::path& folder) {
  std::ifstream in(list_of(folder), std::ios::binary);
  Listed listed;
  std::string line;
  if (!std::getline(in, line) || line != kFirstLine || !std::getline(in, listed.history)) {
    return std::nullopt;
  }
  while (std::getline(in, line)) {
    if (!in.eof() && may_be_evidence(line)) {
      listed.files.emplace_back(line);
    }
  }
  return listed;
}

/// Removes a file. Error: it still exists.
Status remove_file(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error && error != std::errc::no_such_file_or_directory &&
      error != std::errc::not_a_directory) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "evidence of the last check cannot be removed: " + error.message(),
                 .file = file.string()};
  }
  return {};
}

}  // namespace

void remove_if_empty(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) {
    std::filesystem::remove(folder, ignored);
  }
}

Status EvidenceList::note(const std::filesystem::path& file) {
  const auto failure = [this](std::error_code error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be written: " + error.message(),
                 .file = list_of(folder_).string()};
  };
  if (!out_.is_open()) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      return failure(error);
    }
    errno = 0;
    out_.open(list_of(folder_), std::ios::binary | std::ios::trunc);
    out_ << kFirstLine << '\n' << json_quoted(history_) << '\n';
  }
  out_ << file.generic_string() << '\n' << std::flush;
  return out_ ? Status()
              : failure(std::error_code(errno == 0 ? EIO : errno, std::generic_category()));
}

Status remove_evidence(const std::filesystem::path& folder) {
  const std::optional<Listed> listed = read_list(folder);
  if (!listed) {
    return {};
  }
  for (const std::filesystem::path& file : listed->files) {
    std::filesystem::path unfinished = folder / file;
    unfinished += ".part";
    for (const std::filesystem::path& path : {folder / file, unfinished}) {
      ELAPID_RETURN_IF_ERROR(remove_file(path));
    }
    if (file.has_parent_path()) {
      remove_if_empty(folder / file.parent_path());
    }
  }
  return remove_file(list_of(folder));
}

PastEvidence::PastEvidence(const std::filesystem::path& folder) : folder_(folder) {
  const auto add = [this](const std::filesystem::path& path) {
    if (std::optional<Listed> listed = read_list(path)) {
      folders_.emplace(std::move(listed->history), path);
    }
  };
  add(folder);
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(folder, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    add(at->path());
  }
}

Status PastEvidence::remove(std::string_view history) {
  const std::string name = json_quoted(history);
  while (true) {
    std::unique_lock lock(mutex_);
    const auto found = folders_.extract(name);
    lock.unlock();
    if (found.empty()) {
      return {};
    }
    ELAPID_RETURN_IF_ERROR(remove_evidence(found.mapped()));
    if (found.mapped() != folder_) {
      remove_if_empty(found.mapped());
    }
  }
}

}  // namespace elapid
