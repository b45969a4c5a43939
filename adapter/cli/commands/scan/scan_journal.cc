#include "adapter/cli/commands/scan/scan_journal.h"

#include <string_view>

#include "adapter/elle/document_writer.h"

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

constexpr std::string_view kShardKey = "shard";  // only in rows of shards

std::string shard_map(const ShardNote& note) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key(kShardKey).string(note.shard.text());
  out.key("state").string(note.has_ended ? "ended" : "begun");
  out.key("histories").integer(note.histories);
  out.key("passed-over").integer(note.passed_over);
  out.key("question").string(note.question);
  out.key("levels").string(note.levels);
  out.key("elle-compat").boolean(note.elle_compat);
  out.close();
  return std::move(out).take();
}

Result<ShardNote> shard_of(json::Value object) {
  ELAPID_ASSIGN_OR_RETURN(Shard shard, parse_shard(text_field(object, kShardKey)));
  return ShardNote{.shard = shard,
                   .has_ended = text_field(object, "state") == "ended",
                   .histories = number_field<std::size_t>(object, "histories"),
                   .passed_over = number_field<std::size_t>(object, "passed-over"),
                   .question = text_field(object, "question"),
                   .levels = text_field(object, "levels"),
                   .elle_compat = text_field(object, "elle-compat") == "true"};
}

}  // namespace

Result<ShardJournal> read_shard_journal(const std::string& path) {
  ShardJournal journal;
  std::optional<std::string> settings;  // of the shard's last line
  std::vector<std::string> levels;
  const Status read = LineJournal::read(path, kKind, [&](const JournalEntry& line) -> Status {
    if (json::find(line.row, kShardKey)) {
      ELAPID_ASSIGN_OR_RETURN(ShardNote note, shard_of(line.row));
      ELAPID_ASSIGN_OR_RETURN(ScanLevels found, scan_levels(note.levels, note.elle_compat));
      if (settings != line.settings) {
        journal.rows.clear();
      }
      settings = line.settings;
      levels = std::move(found.names);
      journal.note = std::move(note);
      return {};
    }
    if (settings != line.settings) {
      return {};
    }
    ELAPID_ASSIGN_OR_RETURN(ScanRow row, row_of(line.row, levels));
    std::string history = row.path;
    if (!journal.note.shard.has(history)) {
      return {};  // of another share that the journal served before
    }
    journal.rows.insert_or_assign(std::move(history), std::move(row));
    return {};
  });
  ELAPID_RETURN_IF_ERROR(read);
  if (!settings) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "is not the journal of a share: the scan had no --shard",
                 .file = path};
  }
  return journal;
}

Result<ScanJournal> ScanJournal::open(const std::string& path, std::string settings,
                                      std::vector<std::string> levels) {
  std::map<std::string, Entry> entries;
  Result<LineJournal> journal = LineJournal::open(path, kKind, [&](const JournalEntry& line) {
    if (json::find(line.row, kShardKey)) {
      return Status();
    }
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
  ELAPID_RETURN_IF_ERROR(journal);
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

Status ScanJournal::note_shard(const ShardNote& note) {
  return journal_.note(settings_, "", shard_map(note));
}

}  // namespace elapid
