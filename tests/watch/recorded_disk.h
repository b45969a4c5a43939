// What a program writes into a directory, in order, and what a power cut would leave of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/generate/random.h"

namespace elapid {

/// One thing that was done. Files are numbered: a name may come to stand for another file.
struct DiskOperation {
  enum class Kind : std::uint8_t {
    kWrite,     ///< `bytes` at `offset` of `file`
    kTruncate,  ///< `file` to `offset` bytes
    kSync,      ///< of `file`
    kLink,      ///< `name` stands for `file` from now on
    kUnlink,    ///< `name` stands for nothing
    kSyncDirectory,
    kTell,  ///< `bytes` to standard output, which do not get there
  };
  Kind kind = Kind::kSync;
  std::size_t file = 0;
  std::uint64_t offset = 0;
  std::string bytes = {};
  std::string name = {};
};

/// Records this process's system calls (open, write, fsync, unlink and their like are defined in
/// recorded_disk.cc and take the place of those of the C library, for SQLite too). One at a time.
class RecordedDisk {
 public:
  /// Begins with an empty directory, without subdirectories.
  explicit RecordedDisk(std::string directory);
  ~RecordedDisk();
  RecordedDisk(const RecordedDisk&) = delete;
  RecordedDisk& operator=(const RecordedDisk&) = delete;

  /// Ends the recording: everything that was done.
  std::vector<DiskOperation> stop();
};

/// Makes a directory into what the first `count` operations leave when the power is cut: what was
/// synced is there, of the rest any part, in sectors of 512 bytes.
void cut_power(const std::vector<DiskOperation>& operations, std::size_t count,
               const std::string& directory, Random& random);

}  // namespace elapid
