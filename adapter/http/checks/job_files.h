// The files of jobs: what was posted, and what the check left. Each job has a folder with a random
// name, in it `history` and, for each attempt that ended, a folder of its number with `result.edn`
// and `evidence/`. They stand below one folder of the machine, or of a disk that several share, or
// in the database.
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

/// A file that is kept.
class KeptFile {
 public:
  virtual ~KeptFile() = default;

  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// Up to `most` bytes from there; fewer only at the end.
  virtual Result<std::string> read(std::uint64_t offset, std::size_t most) = 0;
};

/// Safe from several threads. Errors of all: kUnreadable.
class JobFiles {
 public:
  virtual ~JobFiles() = default;

  /// Where files are made before they are kept: a folder of this machine.
  [[nodiscard]] virtual const std::string& scratch() const = 0;

  /// Takes the file away from there and keeps it as the history of a new folder. Outlives a power
  /// cut.
  virtual Status put_history(const std::string& folder, const std::string& file) = 0;

  /// Likewise all files of a folder, as what an attempt left; but a power cut may lose it.
  virtual Status put_answer(const std::string& folder, std::int64_t attempt,
                            const std::string& answer) = 0;

  /// Makes `link` a file from which the history can be read.
  virtual Status lend_history(const std::string& folder, const std::string& link) = 0;

  /// The paths of what is in a folder below `prefix`, which ends with a slash, without it.
  virtual Result<std::vector<std::string>> list(const std::string& folder,
                                                const std::string& prefix) = 0;

  /// Null if there is none. `path` is one that list() has given, or is made here: not checked.
  virtual Result<std::unique_ptr<KeptFile>> open(const std::string& folder,
                                                 const std::string& path) = 0;

  virtual Status remove(const std::string& folder) = 0;

  /// Removes folders that no job has and that are older than this: what a kill left behind.
  virtual Status remove_others(const std::vector<std::string>& folders,
                               std::chrono::seconds age) = 0;
};

/// Below `root`, which is made. `scratch` is in it.
Result<std::unique_ptr<JobFiles>> files_in_folder(const std::string& root);

/// In the database, in pieces of a few megabytes. `scratch` is emptied: it is this process's own.
Result<std::unique_ptr<JobFiles>> files_in_database(Database& database, const std::string& scratch);

/// 32 random hex digits, of the system's random numbers.
[[nodiscard]] std::string random_name();

}  // namespace elapid::http
