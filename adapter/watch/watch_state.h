// The state of `elapid watch --state DIR`. Neither a kill nor a power cut at any moment loses or
// repeats anything.
//
// DIR/state.sqlite is a checkpoint: all pages, and everything else that was known then.
// DIR/journal-N has the lines of transactions and the watermarks that were accepted since, in
// order. It is written before an event that follows from it is reported. DIR/events.jsonl has all
// final and late events. To carry out the journal again makes the events after the checkpoint
// again.
//
// The check goes on while a checkpoint is written. The next journal has what is accepted meanwhile,
// and until the checkpoint is there both journals follow the one before.
//
// Everything has checksums. At any moment the disk has one checkpoint, all journals that follow it,
// and all events that follow from these. A journal goes on in the next one when that one is on the
// disk. A checkpoint is committed when the events and the end of its last journal are on the disk.
// The journals before it are removed after the commit.
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
  /// Opens a directory, making it if there is none, and reads all of it, the database behind the
  /// caller's back: see SqlitePageStore::verified(). `conditions`: what must be the same whenever
  /// it is opened, in words; `cache`: see SqlitePageStore. Error kUnreadable, also if it is
  /// damaged, or while another process has it open; kUsage if it is that of other conditions.
  static Result<WatchState> open(const std::string& directory, const std::string& conditions,
                                 std::size_t cache = SqlitePageStore::kMostCache);

  [[nodiscard]] SqlitePageStore& store() { return *store_; }

  /// What the last checkpoint was given; absent if there was none.
  [[nodiscard]] std::optional<std::string> saved() { return store_->get(kCheck); }

  /// Paths of the journals of what was accepted since the checkpoint, in their order.
  [[nodiscard]] std::vector<std::string> journals() const;

  /// Bytes of all of them.
  [[nodiscard]] std::uint64_t journal_size() const { return ended_size_ + journal_->size(); }

  // What follows may be called by a thread of its own, that which writes what was accepted; except
  // commit_checkpoint(), which is called by the one that uses the store; and end_resume() and
  // checkpoint(), while neither uses this.

  /// Outlives the process. Error kUnreadable.
  Status write_journal(std::string_view lines) { return journal_->append(lines); }

  /// Tells a numbered event. False if it was told before.
  bool tell_event(std::string_view line) { return events_->tell(line); }

  /// Writes the events that were told. Requires that sync() was called behind the journal of what
  /// they follow from. Error kUnreadable.
  Status write_events() { return events_->write(); }

  /// The journal was carried out again: events that it has not brought about are none. Error
  /// kUnreadable.
  Status end_resume() { return events_->drop_untold(); }

  /// Makes what was accepted outlive a power cut. Error kUnreadable.
  Status sync() { return journal_->sync(); }

  /// What a checkpoint goes back to.
  struct Checkpoint {
    std::uint64_t journal = 0;  ///< the number of that which follows
    EventFile::Mark events = {};
  };

  /// What was accepted and told so far belongs to the checkpoint, what follows is in a new journal.
  /// On return both outlive a power cut. Error kUnreadable.
  Result<Checkpoint> begin_checkpoint();

  /// `saved` and everything put into the store become the checkpoint that was begun, which outlives
  /// a power cut. Error kUnreadable.
  Status commit_checkpoint(const Checkpoint& checkpoint, std::string_view saved);

  /// Begins and commits one.
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
  std::uint64_t first_journal_ = 0;   // behind the checkpoint
  std::uint64_t ended_size_ = 0;      // of all but the last one, when this was opened
};

/// Lines of the journal that are not those of transactions, and back: a watermark, and how many
/// lines were not understood.
[[nodiscard]] std::string watermark_line(Timestamp watermark);
[[nodiscard]] std::optional<Timestamp> find_watermark(std::string_view line);
[[nodiscard]] std::string error_count_line(std::uint64_t count);
[[nodiscard]] std::optional<std::uint64_t> find_error_count(std::string_view line);

/// What a table of atoms knew when it had that many entries, as bytes, and back.
[[nodiscard]] std::string encode(const AtomTable& atoms, std::size_t entries);
void restore(AtomTable& atoms, std::string_view bytes);

}  // namespace elapid
