// The memory of `elapid scan --resume FILE`: the rows of histories that were checked.
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

/// A line in the journal of a share about the share: one when its scan begins, and one when it
/// ends.
struct ShardNote {
  Shard shard = {};
  bool has_ended = false;
  std::size_t histories = 0;    ///< in the share
  std::size_t passed_over = 0;  ///< files
  std::string question = {};    ///< of its rows: the version and the flags
  std::string levels = {};      ///< the demanded levels, as the flags give them
  bool elle_compat = false;
};

/// The journal of a share: the rows that answer the last question.
struct ShardJournal {
  ShardNote note = {};
  std::map<std::string, ScanRow> rows = {};  ///< by path
};

/// Reads the journal of a share, which another program may still be writing. Error: those of
/// LineJournal::read(), and kUsage if the journal is of no share.
[[nodiscard]] Result<ShardJournal> read_shard_journal(const std::string& path);

/// A journal with a line for each history: its row, and what the row depends on.
class ScanJournal {
 public:
  /// `settings` stands for all options that a row depends on. Errors of
  /// LineJournal::open().
  static Result<ScanJournal> open(const std::string& path, std::string settings,
                                  std::vector<std::string> levels);

  /// The row of this path, if it was noted with these settings and this stamp.
  [[nodiscard]] std::optional<ScanRow> find(const std::string& path,
                                            const std::string& stamp) const;

  /// Notes the row of a history with this stamp (stamp_of()); safe to call from several threads.
  /// Error kUnreadable.
  Status note(const ScanRow& row, const std::string& stamp);

  /// Notes the share that the rows belong to. Error kUnreadable.
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
