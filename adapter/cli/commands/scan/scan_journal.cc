#include "adapter/cli/commands/scan/scan_journal.h"

#include <utility>

namespace elapid {
namespace {

constexpr LineJournal::Kind kKind = {.name = "elapid-scan/2", .words = "the journal of a scan"};

Result<ScanRow> row_of(json::Value object, const std::vector<std::string>& levels) {
  ScanRow row = {.path = text_field(object, "path"),
                 .format = text_field(object, "format"),
                 .workload = text_field(object, "workload"),
                 .transactions = number_field<std::size_t>(object, "transactions"),
                 .seconds = number_field<double>(object, "seconds"),
                 .problem = text_field(object, "problem"),
                 .code = static_cast<ExitCode>(number_field<int>(object, "exit-code"))};
  if (const auto verdicts = json::find(object, "verdicts"); verdicts && verdicts->is_object()) {
    for (const std::string& level : levels) {
      if (json::find(*verdicts, level)) {
        row.verdicts.push_back(text_field(*verdicts, level));
        if (!is_verdict(row.verdicts.back())) {
          return Error{.message =
                           "expected valid, invalid, unknown or -, found " + row.verdicts.back()};
        }
      }
    }
  }
  if (const auto found = json::find(object, "anomalies"); found && found->is_array()) {
    for (json::Value item = found->begin(); item != found->end(); item = item.next()) {
      row.anomalies.emplace_back(item.text());
    }
  }
  return row;
}

}  // namespace

Result<ScanJournal> ScanJournal::open(const std::string& path, std::string settings,
                                      std::vector<std::string> levels) {
  std::map<std::string, Entry> entries;
  Result<LineJournal> journal = LineJournal::open(path, kKind, [&](const JournalEntry& line) {
    Result<ScanRow> row = row_of(line.row, levels);
    if (!row) {
      return Status(std::move(row.error()));
    }
    if (line.settings == settings) {
      const std::string history = row.value().path;
      entries.insert_or_assign(history, Entry{line.stamp, std::move(row).value()});
    }
    return Status();
  });
  if (!journal) {
    return std::move(journal.error());
  }
  return ScanJournal(std::move(journal).value(), std::move(settings), std::move(levels),
                     std::move(entries));
}

std::optional<ScanRow> ScanJournal::find(const std::string& path, const std::string& stamp) const {
  const auto entry = entries_.find(path);
  const bool is_fresh = entry != entries_.end() && entry->second.stamp == stamp;
  return is_fresh ? std::optional(entry->second.row) : std::nullopt;
}

Status ScanJournal::note(const ScanRow& row, const std::string& stamp) {
  return journal_.note(settings_, stamp, row_map(row, levels_, Syntax::kJson));
}

}  // namespace elapid
