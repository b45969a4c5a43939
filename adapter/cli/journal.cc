#include "adapter/cli/journal.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "adapter/elle/document_writer.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const std::string& path) {
  return {.kind = ErrorKind::kUnreadable, .message = "cannot be written", .file = path};
}

}  // namespace

Result<LineJournal> LineJournal::open(const std::string& path, const Kind& kind,
                                      const std::function<void(const JournalEntry&)>& on_line) {
  LineJournal journal(path, kind);
  std::error_code error;
  if (fs::exists(path, error)) {
    if (Status status = journal.load(on_line); !status.ok()) {
      return std::move(status.error());
    }
  }
  journal.file_.reset(std::fopen(path.c_str(), "abe"));
  if (!journal.file_) {
    return cannot_write(path);
  }
  return journal;
}

Status LineJournal::load(const std::function<void(const JournalEntry&)>& on_line) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path_);
  if (!source) {
    return std::move(source.error());
  }
  json::ValueStream stream(*source.value());
  std::uint64_t whole = 0;
  while (stream.next()) {
    const json::Value line = stream.value();
    const auto row = line.is_object() ? json::find(line, "row") : std::nullopt;
    if (!row || !row->is_object() || text_field(line, "kind") != kind_.name) {
      return no_journal();
    }
    whole = stream.offset();
    on_line({.settings = text_field(line, "settings"),
             .stamp = text_field(line, "stamp"),
             .row = *row});
  }
  return stream.status().ok() ? Status() : drop_unfinished(whole);
}

/// Cuts off what a run that was killed left of its last line.
Status LineJournal::drop_unfinished(std::uint64_t whole) {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(whole));
  file >> std::ws;
  const auto begin = static_cast<std::uintmax_t>(file.tellg());
  std::string rest;
  std::getline(file, rest);
  if (!begins_as_journal(rest)) {
    return no_journal();
  }
  std::error_code error;
  fs::resize_file(path_, begin, error);
  return error ? Status(cannot_write(path_)) : Status();
}

/// Whether this can be the beginning of a line.
bool LineJournal::begins_as_journal(std::string_view line) const {
  const std::string begin = "{\"kind\": \"" + std::string(kind_.name) + "\"";
  return line.starts_with(begin) || begin.starts_with(line);
}

Error LineJournal::no_journal() const {
  return {.message = "expected " + std::string(kind_.words) + " (" + std::string(kind_.name) + ")",
          .file = path_};
}

Status LineJournal::note(const std::string& settings, const std::string& stamp,
                         std::string_view row) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("kind").string(kind_.name);
  out.key("settings").string(settings);
  out.key("stamp").string(stamp);
  out.close();
  std::string line = std::move(out).take();
  line.insert(line.size() - 1, ", \"row\": " + std::string(row));
  line += '\n';
  const std::lock_guard lock(*mutex_);
  const bool is_written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                          std::fflush(file_.get()) == 0;
  return is_written ? Status() : Status(cannot_write(path_));
}

std::string stamp_of(const std::string& path) {
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

std::string text_field(json::Value row, std::string_view key) {
  const auto value = json::find(row, key);
  return value && value->kind() != json::Kind::kNull ? std::string(value->text()) : std::string();
}

}  // namespace elapid
