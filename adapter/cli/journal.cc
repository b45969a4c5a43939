#include "adapter/cli/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "adapter/elle/document_writer.h"
#include "adapter/watch/checksum.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const std::string& path) {
  return {.kind = ErrorKind::kUnreadable, .message = "cannot be written", .file = path};
}

/// A line with the checksum of its beginning.
std::string sealed(const std::string& body) {
  return fmt::format("{}, \"sum\": \"{:016x}\"}}", body, checksum(body, 0));
}

}  // namespace

Result<LineJournal> LineJournal::open(const std::string& path, const Kind& kind,
                                      const std::function<Status(const JournalEntry&)>& on_line) {
  LineJournal journal(path, kind);
  std::error_code error;
  if (fs::exists(path, error)) {
    ELAPID_ASSIGN_OR_RETURN(const auto whole, journal.load(on_line));
    if (whole) {
      // Cuts off the incomplete last line of a run that was killed.
      fs::resize_file(path, *whole, error);
      if (error) {
        return cannot_write(path);
      }
    }
  }
  journal.file_.reset(std::fopen(path.c_str(), "abe"));
  if (!journal.file_) {
    return cannot_write(path);
  }
  return journal;
}

Status LineJournal::read(const std::string& path, const Kind& kind,
                         const std::function<Status(const JournalEntry&)>& on_line) {
  LineJournal journal(path, kind);
  const auto loaded = journal.load(on_line);
  return loaded ? Status() : Status(loaded.error());
}

Result<std::optional<std::uint64_t>> LineJournal::load(
    const std::function<Status(const JournalEntry&)>& on_line) {
  std::ifstream file(path_, std::ios::binary);
  std::uint64_t whole = 0;  // bytes of whole lines
  std::uint64_t number = 1;
  for (std::string line; std::getline(file, line); ++number) {
    if (number == 1 && !begins_as_journal(line)) {
      return Error{.message = fmt::format("expected {} ({})", kind_.words, kind_.name),
                   .file = path_};
    }
    if (file.eof() && begins_as_journal(line)) {
      return std::optional(whole);
    }
    if (Status status = take(line, on_line); !status.ok()) {
      status.error().file = path_;
      status.error().line = number;
      return std::move(status.error());
    }
    whole += line.size() + 1;
  }
  if (file.bad() || !file.eof()) {
    return Error{.kind = ErrorKind::kUnreadable, .message = "cannot be read", .file = path_};
  }
  return std::optional<std::uint64_t>();
}

Status LineJournal::take(const std::string& line,
                         const std::function<Status(const JournalEntry&)>& on_line) {
  const Error damaged = {.message =
                             "the line is damaged, its checksum is another one; without the line "
                             "its history is checked again"};
  const std::size_t end = sealed("").size();
  if (line.size() < end || line != sealed(line.substr(0, line.size() - end))) {
    return damaged;
  }
  const std::unique_ptr<ByteSource> source = memory_source(path_, line);
  json::ValueStream stream(*source);
  const auto row = stream.next() && stream.value().is_object() ? json::find(stream.value(), "row")
                                                               : std::nullopt;
  if (!row || !row->is_object() || text_field(stream.value(), "kind") != kind_.name) {
    return damaged;
  }
  return on_line({.settings = text_field(stream.value(), "settings"),
                  .stamp = text_field(stream.value(), "stamp"),
                  .row = *row});
}

/// Whether the text can begin a line of the journal.
bool LineJournal::begins_as_journal(std::string_view line) const {
  const std::string begin = "{\"kind\": \"" + std::string(kind_.name) + "\"";
  return line.starts_with(begin) || begin.starts_with(line);
}

Status LineJournal::note(const std::string& settings, const std::string& stamp,
                         std::string_view row) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("kind").string(kind_.name);
  out.key("settings").string(settings);
  out.key("stamp").string(stamp);
  out.close();
  std::string body = std::move(out).take();
  body.pop_back();  // removes the bracket: a row follows
  const std::string line = sealed(body + ", \"row\": " + std::string(row)) + '\n';
  const std::lock_guard lock(*mutex_);
  const bool is_written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                          std::fflush(file_.get()) == 0;
  return is_written ? Status() : Status(cannot_write(path_));
}

std::string stamp_of(const std::string& path) {
  std::error_code error;
  std::uintmax_t bytes = 0;
  std::uint64_t files = 0;  // the sum of their checksums: they come in any order
  // Folders do not count: they change when a scan writes its results into a run.
  const auto add = [&](const fs::path& file) {
    if (fs::is_regular_file(file, error)) {
      const std::uintmax_t size = fs::file_size(file, error);
      const auto time = fs::last_write_time(file, error).time_since_epoch().count();
      bytes += size;
      files += checksum(fmt::format("{} {} {}", size, time, file.filename().string()), 0);
    }
  };
  if (fs::is_directory(path, error)) {
    for (fs::directory_iterator it(path, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
      add(it->path());
    }
  } else {
    add(path);
  }
  return fmt::format("{}@{:016x}", bytes, files);
}

std::string program_stamp(std::string_view version) {
  return std::string(version) + " " + stamp_of("/proc/self/exe");
}

std::string text_field(json::Value row, std::string_view key) {
  const auto value = json::find(row, key);
  return value && value->kind() != json::Kind::kNull ? std::string(value->text()) : std::string();
}

}  // namespace elapid
