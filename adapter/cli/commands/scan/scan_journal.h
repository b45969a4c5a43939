// What `elapid scan --resume FILE` remembers: the rows of histories already checked.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/commands/scan/scan_shard.h"
#include "adapter/cli/commands/scan/scan_table.h"
#include "adapter/cli/journal.h"
#include "engine/ir/result.h"

namespace elapid {

/// What a journal of a share says of it; a line when the scan of the share begins, and one when it
/// has ended.
struct ShardNote {
  Shard shard = {};
  bool has_ended = false;
  std::size_t histories = 0;    ///< in the share
  std::size_t passed_over = 0;  ///< files
  std::string question = {};    ///< what its rows answer: the version and the flags
  std::string levels = {};      ///< of the flags, the levels demanded, as they were given
  bool elle_compat = false;
};

/// What a journal of a share holds: the rows that answer the question last asked.
struct ShardJournal {
  ShardNote note = {};
  std::map<std::string, ScanRow> rows = {};  ///< by path
};

/// Reads the journal of a share, which another program may be writing still. Error: as of
/// LineJournal::read(), and kUsage if it is of no share.
[[nodiscard]] Result<ShardJournal> read_shard_journal(const std::string& path);

/// A journal with a line a history: its row, and what the row depends on.
class ScanJournal {
 public:
  /// `settings` stands for everything asked for that a row depends on. Errors of
  /// LineJournal::open().
  static Result<ScanJournal> open(const std::string& path, std::string settings,
                                  std::vector<std::string> levels);

  /// The row of this path if it was noted with these settings and the history has this stamp still.
  [[nodiscard]] std::optional<ScanRow> find(const std::string& path,
                                            const std::string& stamp) const;

  /// Notes a row of what had this stamp (stamp_of()); safe to call from several threads. Error
  /// kUnreadable.
  Status note(const ScanRow& row, const std::string& stamp);

  /// Notes what share the rows are of. Error kUnreadable.
  Status note_shard(const ShardNote& note);

 private:
  struct Entry {
    std::string stamp;
    ScanRow row;
  };

  ScanJournal(LineJournal journal, std::string settings, std::vector<std::string> levels,
              std::map<std::string, Entry> entries)
      : journal_(std::move(journal)),
        settings_(std::move(settings)),
        levels_(std::move(levels)),
        entries_(std::move(entries)) {}

  LineJournal journal_;
  std::string settings_;
  std::vector<std::string> levels_;
  std::map<std::string, Entry> entries_;
};

}  // namespace elapid
