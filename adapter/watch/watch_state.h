// What `elapid watch --state DIR` keeps, so that a kill at any moment loses and repeats nothing.
//
// DIR/state.sqlite is a checkpoint: all pages, and everything else that was known then.
// DIR/journal-N has what was accepted since, in its order: lines of transactions, and watermarks.
// It is written before anybody hears what follows from it. DIR/events.jsonl has all final and late
// events; their numbers tell which of those that carrying out the journal again brings about are
// there already.
#ifndef ELAPID_ADAPTER_WATCH_WATCH_STATE_H_
#define ELAPID_ADAPTER_WATCH_WATCH_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "adapter/watch/appended_file.h"
#include "adapter/watch/sqlite_page_store.h"
#include "engine/ir/result.h"
#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

class WatchState {
 public:
  /// Opens a directory, making it if there is none. Error kUnreadable, also while another process
  /// has it open.
  static Result<WatchState> open(const std::string& directory);

  [[nodiscard]] SqlitePageStore& store() { return *store_; }

  /// What the checkpoint says of something; absent if there is none.
  [[nodiscard]] std::optional<std::string> saved(const std::string& name) {
    return store_->get(name);
  }

  /// The file of what was accepted since the checkpoint.
  [[nodiscard]] const std::string& journal_path() const { return journal_path_; }

  [[nodiscard]] std::uint64_t journal_size() const { return journal_->size(); }

  /// The number of the last event in events.jsonl; 0 if there is none.
  [[nodiscard]] std::uint64_t last_event() const { return last_event_; }

  /// Both outlive the process when they return. Error kUnreadable.
  Status write_journal(std::string_view lines) { return journal_->append(lines); }

  Status write_events(std::string_view lines) { return events_->append(lines); }

  /// Everything put into the store since the last checkpoint becomes the next one, and the journal
  /// begins anew. Error kUnreadable.
  Status checkpoint();

 private:
  explicit WatchState(std::string directory) : directory_(std::move(directory)) {}

  Status open();
  [[nodiscard]] std::string path_of_journal(std::uint64_t number) const;
  Status open_journal(std::uint64_t number);
  Status remove_other_journals() const;
  Status find_last_event();

  std::string directory_;
  std::unique_ptr<SqlitePageStore> store_;
  std::string journal_path_;
  std::optional<AppendedFile> journal_;
  std::optional<AppendedFile> events_;
  std::uint64_t journal_number_ = 0;
  std::uint64_t last_event_ = 0;
};

/// A watermark as a line of the journal, and back; other lines are those of transactions.
[[nodiscard]] std::string watermark_line(Timestamp watermark);
[[nodiscard]] std::optional<Timestamp> find_watermark(std::string_view line);

/// What a table of atoms knows, as bytes, and back.
[[nodiscard]] std::string encode(const AtomTable& atoms);
void restore(AtomTable& atoms, std::string_view bytes);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_WATCH_WATCH_STATE_H_
