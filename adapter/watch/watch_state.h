// What `elapid watch --state DIR` keeps, so that neither a kill nor a power cut at any moment loses
// or repeats anything.
//
// DIR/state.sqlite is a checkpoint: all pages, and everything else that was known then.
// DIR/journal-N has what was accepted since, in its order: lines of transactions, and watermarks.
// It is written before anybody hears what follows from it. DIR/events.jsonl has all final and late
// events; carrying out the journal again brings about those behind the checkpoint.
//
// Everything has checksums. What is on the disk at any moment is one checkpoint, its whole journal
// and all events that follow: a checkpoint is committed when the events and the next, empty journal
// are on the disk, and the journal before it is removed when the commit is.
#ifndef ELAPID_ADAPTER_WATCH_WATCH_STATE_H_
#define ELAPID_ADAPTER_WATCH_WATCH_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "adapter/watch/event_file.h"
#include "adapter/watch/journal.h"
#include "adapter/watch/sqlite_page_store.h"
#include "engine/ir/result.h"
#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

class WatchState {
 public:
  /// Opens a directory, making it if there is none, and reads all of it. `conditions`: what must be
  /// the same whenever it is opened, in words; `cache`: see SqlitePageStore. Error kUnreadable,
  /// also if it is damaged, or while another process has it open; kUsage if it is that of other
  /// conditions.
  static Result<WatchState> open(const std::string& directory, const std::string& conditions,
                                 std::size_t cache = SqlitePageStore::kMostCache);

  [[nodiscard]] SqlitePageStore& store() { return *store_; }

  /// What the last checkpoint was given; absent if there was none.
  [[nodiscard]] std::optional<std::string> saved() { return store_->get(kCheck); }

  /// The journal of what was accepted since the checkpoint, for the thread that writes it.
  [[nodiscard]] const Journal& journal() const { return *journal_; }

  /// Outlives the process. This, sync() and what is about events may be called by another thread
  /// than the rest, except while end_resume() or checkpoint() runs. Error kUnreadable.
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

  /// `saved` and everything put into the store become the next checkpoint, which outlives a power
  /// cut; the journal begins anew. Error kUnreadable.
  Status checkpoint(std::string_view saved);

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

  Status create_journal(std::uint64_t number);
  Status commit(std::uint64_t journal_number);
  Status remove_other_journals() const;

  std::string directory_;
  std::unique_ptr<SqlitePageStore> store_;
  std::optional<Journal> journal_;
  std::optional<EventFile> events_;
  std::uint64_t journal_number_ = 0;
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

#endif  // ELAPID_ADAPTER_WATCH_WATCH_STATE_H_
