// The files of jobs: the posted history, and the files of the check. Each job has a folder with a
// random name. It contains `history` and, for each ended attempt, a folder with its number, with
// `result.edn` and `evidence/`. All are below one folder of the machine, or of a disk that several
// services share, or in the database.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "adapter/http/checks/database.h"
#include "engine/ir/result.h"

namespace elapid::http {

/// A stored file.
class KeptFile {
 public:
  virtual ~KeptFile() = default;

  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// Up to `most` bytes from `offset`; fewer only at the end.
  virtual Result<std::string> read(std::uint64_t offset, std::size_t most) = 0;
};

/// Safe from several threads. Error of all functions: kUnreadable.
class JobFiles {
 public:
  virtual ~JobFiles() = default;

  /// The folder of this machine in which files are made before they are stored.
  [[nodiscard]] virtual const std::string& scratch() const = 0;

  /// Moves the file from there, and stores it as the history of a new folder. It outlives a power
  /// cut.
  virtual Status put_history(const std::string& folder, const std::string& file) = 0;

  /// Moves and stores all files of a folder as an attempt's answer. A power cut may lose them.
  virtual Status put_answer(const std::string& folder, std::int64_t attempt,
                            const std::string& answer) = 0;

  /// Makes `link` a file with the history's contents.
  virtual Status lend_history(const std::string& folder, const std::string& link) = 0;

  /// The paths of the files in a folder below `prefix`, without it. `prefix` ends with a slash.
  virtual Result<std::vector<std::string>> list(const std::string& folder,
                                                const std::string& prefix) = 0;

  /// Null if there is none. `path` is unchecked: from list() or the program itself.
  virtual Result<std::unique_ptr<KeptFile>> open(const std::string& folder,
                                                 const std::string& path) = 0;

  virtual Status remove(const std::string& folder) = 0;

  /// Removes folders of no job that are older than `age`: leftovers of a kill.
  virtual Status remove_others(const std::vector<std::string>& folders,
                               std::chrono::seconds age) = 0;
};

/// Files below `root`, which is made. `scratch` is in it.
Result<std::unique_ptr<JobFiles>> files_in_folder(const std::string& root);

/// Files in the database, in pieces of some megabytes. Empties `scratch`, this process's own.
Result<std::unique_ptr<JobFiles>> files_in_database(Database& database, const std::string& scratch);

/// 32 random hex digits, of the system's random numbers.
[[nodiscard]] std::string random_name();

}  // namespace elapid::http
