// The state of `elapid watch --state DIR`. Neither a kill nor a power cut at any moment loses or
// repeats anything.
//
// DIR/state.sqlite is a checkpoint: all pages, and everything else that was known then.
// DIR/journal-N has the lines of transactions and the watermarks that were accepted since, in
// order. A line is written before an event that follows from it is reported. DIR/events.jsonl has
// all final and late events. Replaying the journals makes the events after the checkpoint
// again.
//
// The check goes on while a checkpoint is written. The next journal has what is accepted meanwhile.
// Until the checkpoint is complete, both journals follow the old one.
//
// Everything has checksums. At any moment the disk has one checkpoint, all journals that follow it,
// and all events that follow from these. A journal is continued by the next one when that one is on
// the disk. A checkpoint is committed when the events and the end of its last journal are on the
// disk. The journals before it are removed after the commit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/watch/event_file.h"
#include "adapter/watch/journal.h"
#include "adapter/watch/sqlite_page_store.h"
#include "engine/ir/result.h"
#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

class WatchState {
 public:
  /// Opens a directory, or makes it, and reads all of it; the database is read in the background,
  /// see SqlitePageStore::verified(). `conditions`: in words, what must be the same at each
  /// opening; `cache`: see SqlitePageStore. Errors: kUnreadable, also if the state is damaged or
  /// another process has it open; kUsage if it has other conditions.
  static Result<WatchState> open(const std::string& directory, const std::string& conditions,
                                 std::size_t cache = SqlitePageStore::kMostCache);

  [[nodiscard]] SqlitePageStore& store() { return *store_; }

  /// The bytes given to the last checkpoint; nothing if there was none.
  [[nodiscard]] std::optional<std::string> saved() { return store_->get(kCheck); }

  /// Paths of the journals since the checkpoint, in order.
  [[nodiscard]] std::vector<std::string> journals() const;

  /// Bytes of all these journals.
  [[nodiscard]] std::uint64_t journal_size() const { return ended_size_ + journal_->size(); }

  // A thread that writes accepted lines may call these functions, with two exceptions. The thread
  // that uses the store calls commit_checkpoint(). end_resume() and checkpoint() are called while
  // neither thread uses this.

  /// Writes accepted lines, which then survive a kill. Error: kUnreadable.
  Status write_journal(std::string_view lines) { return journal_->append(lines); }

  /// Notes a numbered event. False if it was noted before.
  bool tell_event(std::string_view line) { return events_->tell(line); }

  /// Writes the noted events. Requires that sync() was called after their causes were written to
  /// the journal. Error: kUnreadable.
  Status write_events() { return events_->write(); }

  /// Ends the replay of the journals: drops events that the replay has not made again. Error:
  /// kUnreadable.
  Status end_resume() { return events_->drop_untold(); }

  /// Makes accepted lines survive a power cut. Error: kUnreadable.
  Status sync() { return journal_->sync(); }

  /// The place to which a checkpoint belongs.
  struct Checkpoint {
    std::uint64_t journal = 0;  ///< the number of the journal that follows
    EventFile::Mark events = {};
  };

  /// Begins a checkpoint of all that was accepted and noted so far; a new journal takes the rest.
  /// On return both survive a power cut. Error: kUnreadable.
  Result<Checkpoint> begin_checkpoint();

  /// Makes `saved` and the contents of the store the checkpoint that was begun. It survives a power
  /// cut. Error: kUnreadable.
  Status commit_checkpoint(const Checkpoint& checkpoint, std::string_view saved);

  /// Begins and commits a checkpoint.
  Status checkpoint(std::string_view saved) {
    const Result<Checkpoint> begun = begin_checkpoint();
    return begun ? commit_checkpoint(begun.value(), saved) : Status(begun.error());
  }

 private:
  static constexpr const char* kConditions = "conditions";
  static constexpr const char* kCheck = "check";

  explicit WatchState(std::string directory) : directory_(std::move(directory)) {}

  Status open(const std::string& conditions, std::size_t cache);
  [[nodiscard]] std::optional<std::uint64_t> saved_number();
  Status begin(const std::string& conditions);
  Status check_conditions(const std::string& conditions);
  Status check_is_new() const;
  Status open_files();
  [[nodiscard]] std::string path_of_journal(std::uint64_t number) const;

  [[nodiscard]] std::string path_of_events() const { return directory_ + "/events.jsonl"; }

  Status open_journals();
  Status create_journal(std::uint64_t number);
  Status commit(std::uint64_t journal_number);
  Status remove_other_journals() const;

  std::string directory_;
  std::unique_ptr<SqlitePageStore> store_;
  std::optional<Journal> journal_;  // the last one
  std::optional<EventFile> events_;
  std::uint64_t journal_number_ = 0;  // of the last one
  std::uint64_t first_journal_ = 0;   // after the checkpoint
  std::uint64_t ended_size_ = 0;      // of all but the last one, when this was opened
};

/// Writes and reads the journal's lines that are no transactions: a watermark, and the number of
/// malformed lines.
[[nodiscard]] std::string watermark_line(Timestamp watermark);
[[nodiscard]] std::optional<Timestamp> find_watermark(std::string_view line);
[[nodiscard]] std::string error_count_line(std::uint64_t count);
[[nodiscard]] std::optional<std::uint64_t> find_error_count(std::string_view line);

/// Writes and reads a table of atoms as it was with that many entries, as bytes.
[[nodiscard]] std::string encode(const AtomTable& atoms, std::size_t entries);
void restore(AtomTable& atoms, std::string_view bytes);

}  // namespace elapid
