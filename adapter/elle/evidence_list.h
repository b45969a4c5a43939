// Lists the files of evidence in a folder, so that the next check of the same history can remove
// them: levels that were violated then may hold now.
//
// The folder's file `.elapid-evidence` names the history and, a line each, the files. A file is
// noted before it is written. Files outside the list are never touched.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// The list of a folder whose evidence is being written.
class EvidenceList {
 public:
  EvidenceList(std::filesystem::path folder, std::string history)
      : folder_(std::move(folder)), history_(std::move(history)) {}

  /// Notes a file by its path in the folder; the first one begins the list, and makes the folder.
  /// Error: kUnreadable.
  Status note(const std::filesystem::path& file);

 private:
  std::filesystem::path folder_;
  std::string history_;
  std::ofstream out_;
};

/// Removes the folder, if it is one and is empty.
void remove_if_empty(const std::filesystem::path& folder);

/// Removes the files in the folder's list, subfolders that are then empty, and the list. Without a
/// list nothing happens. Error: kUnreadable with the first file that is still there.
Status remove_evidence(const std::filesystem::path& folder);

/// The evidence in a folder and its subfolders when this object was made.
class PastEvidence {
 public:
  explicit PastEvidence(const std::filesystem::path& folder);

  /// Removes this history's evidence in all these folders, and subfolders that are then empty.
  /// A second call does nothing. Safe to call from several threads. Error: of
  /// remove_evidence().
  Status remove(std::string_view history);

 private:
  std::filesystem::path folder_;
  std::mutex mutex_;                                           // of folders_
  std::multimap<std::string, std::filesystem::path> folders_;  // by history
};

}  // namespace elapid
