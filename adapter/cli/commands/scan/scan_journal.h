// What `elapid scan --resume FILE` remembers: the rows of histories already checked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/commands/scan/scan_table.h"
#include "adapter/cli/journal.h"
#include "engine/ir/result.h"

namespace elapid {

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
