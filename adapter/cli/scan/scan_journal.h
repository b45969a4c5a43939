// What `elapid scan --resume FILE` remembers: the rows of histories already checked.
#ifndef ELAPID_ADAPTER_CLI_SCAN_SCAN_JOURNAL_H_
#define ELAPID_ADAPTER_CLI_SCAN_SCAN_JOURNAL_H_

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/scan/scan_table.h"
#include "engine/ir/result.h"

namespace elapid {

/// A file of JSON lines, one a history: its row, and what the row depends on. A line that a killed
/// run left unfinished is dropped.
class ScanJournal {
 public:
  /// `settings` stands for everything asked for that a row depends on. Error: kUnreadable if the
  /// file can be neither read nor made, kMalformed if it is no journal.
  static Result<ScanJournal> open(const std::string& path, std::string settings,
                                  std::vector<std::string> levels);

  /// The row of this path if it was noted with these settings and the history has the same size and
  /// time of change still.
  [[nodiscard]] std::optional<ScanRow> find(const std::string& path) const;

  /// Notes a row; safe to call from several threads. Error kUnreadable.
  Status note(const ScanRow& row);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  struct Entry {
    std::string stamp;
    ScanRow row;
  };

  ScanJournal(std::string path, std::string settings, std::vector<std::string> levels)
      : path_(std::move(path)), settings_(std::move(settings)), levels_(std::move(levels)) {}

  Status load();
  Status drop_unfinished(std::uint64_t whole);

  std::string path_;
  std::string settings_;
  std::vector<std::string> levels_;
  std::map<std::string, Entry> entries_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_SCAN_SCAN_JOURNAL_H_
