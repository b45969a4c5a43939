// A file that remembers finished work, so that an ended run can be resumed.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/json/document.h"

namespace elapid {

/// A line of a journal.
struct JournalEntry {
  std::string settings = {};  ///< all options that the row depends on
  std::string stamp = {};     ///< of the row's input: see stamp_of()
  json::Value row;            ///< an object; valid while the line is read
};

/// JSON lines of one kind, each with a checksum. An unfinished last line, which a killed run
/// leaves, is dropped.
class LineJournal {
 public:
  /// A kind of journal: `elapid-scan/2` and, for messages, `the journal of a scan`.
  struct Kind {
    std::string_view name;
    std::string_view words;
  };

  /// Reads the existing lines; `on_line` may refuse a line that it does not understand. Error:
  /// kUnreadable if the file can be neither read nor made; kMalformed if it is no journal of this
  /// kind, or if a line is damaged or refused.
  static Result<LineJournal> open(const std::string& path, const Kind& kind,
                                  const std::function<Status(const JournalEntry&)>& on_line);

  /// Reads a journal that another program may be writing: nothing is opened for writing, and an
  /// unfinished last line is skipped. Error: kUnreadable also if there is no such file.
  static Status read(const std::string& path, const Kind& kind,
                     const std::function<Status(const JournalEntry&)>& on_line);

  /// Adds a line; `row` is an object on one line. Safe to call from several threads. Error
  /// kUnreadable.
  Status note(const std::string& settings, const std::string& stamp, std::string_view row);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  LineJournal(std::string path, const Kind& kind) : path_(std::move(path)), kind_(kind) {}

  /// Reads all lines. The bytes before an unfinished last line; nothing if there is none.
  Result<std::optional<std::uint64_t>> load(
      const std::function<Status(const JournalEntry&)>& on_line);
  Status take(const std::string& line, const std::function<Status(const JournalEntry&)>& on_line);
  [[nodiscard]] bool begins_as_journal(std::string_view line) const;

  std::string path_;
  Kind kind_;
  std::unique_ptr<std::FILE, Closer> file_ = {};
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

/// Size of a file or of the files of a directory, and a checksum of each one's name, size and time
/// of change. Take the stamp before reading: a later change then gives another stamp.
[[nodiscard]] std::string stamp_of(const std::string& path);

/// This program: its version, and size and time of change of its file.
[[nodiscard]] std::string program_stamp(std::string_view version);

/// A field of a row as text; empty if it is absent or null.
[[nodiscard]] std::string text_field(json::Value row, std::string_view key);

/// A field of a row as a number; 0 if it is not a number.
template <class Number>
[[nodiscard]] Number number_field(json::Value row, std::string_view key) {
  const std::string text = text_field(row, key);
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace elapid
