#include "adapter/cli/scan/scan_journal.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = "elapid-scan/1";

Error no_journal(const std::string& path) {
  return {.message = "expected the journal of a scan (" + std::string(kKind) + ")", .file = path};
}

Error cannot_write(const std::string& path) {
  return {.kind = ErrorKind::kUnreadable, .message = "cannot be written", .file = path};
}

/// Whether this can be the beginning of a journal's line.
bool begins_as_journal(std::string_view line) {
  const std::string begin = "{\"kind\": \"" + std::string(kKind) + "\"";
  return line.starts_with(begin) || begin.starts_with(line);
}

/// Size and time of change of a file, or of all files of a directory.
std::string stamp_of(const fs::path& path) {
  std::error_code error;
  std::uintmax_t bytes = 0;
  auto newest = fs::last_write_time(path, error);
  const auto add = [&](const fs::path& file) {
    bytes += fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
    newest = std::max(newest, fs::last_write_time(file, error));
  };
  if (fs::is_directory(path, error)) {
    for (fs::directory_iterator it(path, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
      add(it->path());
    }
  } else {
    add(path);
  }
  return std::to_string(bytes) + "@" + std::to_string(newest.time_since_epoch().count());
}

std::string text_of(json::Value object, std::string_view key) {
  const auto value = json::find(object, key);
  return value && value->kind() != json::Kind::kNull ? std::string(value->text()) : std::string();
}

template <class Number>
Number number_of(json::Value object, std::string_view key) {
  const std::string text = text_of(object, key);
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

ScanRow row_of(json::Value object, const std::vector<std::string>& levels) {
  ScanRow row = {.path = text_of(object, "path"),
                 .format = text_of(object, "format"),
                 .workload = text_of(object, "workload"),
                 .transactions = number_of<std::size_t>(object, "transactions"),
                 .seconds = number_of<double>(object, "seconds"),
                 .problem = text_of(object, "problem"),
                 .code = static_cast<ExitCode>(number_of<int>(object, "exit-code"))};
  if (const auto verdicts = json::find(object, "verdicts"); verdicts && verdicts->is_object()) {
    for (const std::string& level : levels) {
      if (json::find(*verdicts, level)) {
        row.verdicts.push_back(text_of(*verdicts, level));
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
  ScanJournal journal(path, std::move(settings), std::move(levels));
  std::error_code error;
  if (fs::exists(path, error)) {
    if (Status status = journal.load(); !status.ok()) {
      return std::move(status.error());
    }
  }
  journal.file_.reset(std::fopen(path.c_str(), "ab"));
  if (!journal.file_) {
    return cannot_write(path);
  }
  return journal;
}

Status ScanJournal::load() {
  Result<std::unique_ptr<ByteSource>> source = open_source(path_);
  if (!source) {
    return std::move(source.error());
  }
  json::ValueStream stream(*source.value());
  std::uint64_t whole = 0;
  while (stream.next()) {
    const json::Value line = stream.value();
    const auto row = line.is_object() ? json::find(line, "row") : std::nullopt;
    if (!row || !row->is_object() || text_of(line, "kind") != kKind) {
      return no_journal(path_);
    }
    whole = stream.offset();
    if (text_of(line, "settings") == settings_) {
      const std::string path = text_of(*row, "path");
      entries_.insert_or_assign(path, Entry{text_of(line, "stamp"), row_of(*row, levels_)});
    }
  }
  return stream.status().ok() ? Status() : drop_unfinished(whole);
}

/// Cuts off what a run that was killed left of its last line.
Status ScanJournal::drop_unfinished(std::uint64_t whole) {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(whole));
  file >> std::ws;
  const auto begin = static_cast<std::uintmax_t>(file.tellg());
  std::string rest;
  std::getline(file, rest);
  if (!begins_as_journal(rest)) {
    return no_journal(path_);
  }
  std::error_code error;
  fs::resize_file(path_, begin, error);
  return error ? Status(cannot_write(path_)) : Status();
}

std::optional<ScanRow> ScanJournal::find(const std::string& path) const {
  const auto entry = entries_.find(path);
  const bool is_fresh = entry != entries_.end() && entry->second.stamp == stamp_of(path);
  return is_fresh ? std::optional(entry->second.row) : std::nullopt;
}

Status ScanJournal::note(const ScanRow& row) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("kind").string(kKind);
  out.key("settings").string(settings_);
  out.key("stamp").string(stamp_of(row.path));
  out.close();
  std::string line = std::move(out).take();
  line.insert(line.size() - 1, ", \"row\": " + row_map(row, levels_, Syntax::kJson));
  line += '\n';
  const std::lock_guard lock(*mutex_);
  const bool is_written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                          std::fflush(file_.get()) == 0;
  return is_written
             ? Status()
             : Status(Error{
                   .kind = ErrorKind::kUnreadable, .message = "cannot be written", .file = path_});
}

}  // namespace elapid
