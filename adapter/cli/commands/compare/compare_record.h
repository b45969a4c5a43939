// The memory of `elapid compare --record FILE`: the answers of each checker about each history.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "adapter/cli/journal.h"
#include "adapter/elle/document_writer.h"
#include "engine/ir/result.h"
#include "harness/compare/answer.h"
#include "harness/compare/compare.h"

namespace elapid {

/// The question of a recorded answer: the history, the level, the checker.
struct RecordedQuestion {
  std::string path = {};
  std::string stamp = {};  ///< stamp_of() the history before it was read
  std::string key = {};    ///< the independent key, or empty
  std::string level = {};
  const Participant* participant = nullptr;
};

/// A journal with a line for each run. An interrupted run is not noted.
class CompareRecord {
 public:
  /// `settings` stands for all options that every answer depends on; `program` is program_stamp().
  /// Errors of LineJournal::open().
  static Result<CompareRecord> open(const std::string& path, std::string settings,
                                    std::string program);

  /// The noted answer. Nothing if the settings differ, or if the history, the checker's description
  /// or its program (for Elapid's own engines: this program) has changed since.
  [[nodiscard]] std::optional<CheckerAnswer> find(const RecordedQuestion& question) const;

  /// Safe to call from several threads. Error: kUnreadable.
  Status note(const RecordedQuestion& question, const CheckerAnswer& answer);

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  struct Entry {
    std::string settings;
    std::string stamp;
    CheckerAnswer answer;
  };

  CompareRecord(LineJournal journal, std::string settings, std::string program,
                std::map<Key, Entry> entries)
      : journal_(std::move(journal)),
        settings_(std::move(settings)),
        program_(std::move(program)),
        entries_(std::move(entries)) {}

  [[nodiscard]] std::string settings_of(const Participant& participant) const;

  LineJournal journal_;
  std::string settings_;
  std::string program_;
  std::map<Key, Entry> entries_;
};

// The parts of an answer, for the record and for the JSON of `elapid compare`.

/// Seconds with six decimals: `0.001208`.
[[nodiscard]] std::string in_seconds(std::chrono::microseconds time);

/// Adds outcome, reason, costs, format and losses to an open map.
void write_answer(const CheckerAnswer& answer, DocumentWriter& out);

}  // namespace elapid
