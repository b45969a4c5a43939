// Writes the accepted transactions and the events of an online check, in a thread of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/watch/event_text.h"
#include "adapter/watch/watch_state.h"
#include "engine/ir/result.h"
#include "engine/ir/thread.h"
#include "engine/online/atom.h"
#include "engine/online/violation_ledger.h"

namespace elapid {

/// The place of a checkpoint; absent if it could not be begun.
using BegunCheckpoint = std::promise<std::optional<WatchState::Checkpoint>>;

/// The output at one time, and the journal of its causes.
struct Telling {
  std::string journal = {};  ///< for the state: written first
  /// Makes the journal, with earlier ones, outlive a power cut before any event is written.
  bool is_synced = false;
  std::string lines = {};    ///< written before the events
  OnlineEvents events = {};  ///< written after `lines`
  /// The journal of a former run is replayed, which makes its events again.
  bool is_resuming = false;
  bool is_kept = false;  ///< the state keeps the numbered events
  /// A checkpoint of the state is begun after all that. Fulfilled in any case.
  std::unique_ptr<BegunCheckpoint> checkpoint = {};

  [[nodiscard]] bool is_empty() const {
    return journal.empty() && !is_synced && lines.empty() && events.empty() && !checkpoint;
  }
};

/// Writes lines and events to standard output, and journal and numbered events to the state. The
/// order is that of the calls of tell(), so the output does not depend on threads, and a state
/// knows all events that were written.
class EventWriter {
 public:
  /// Writes a text to the output of events.
  using Sink = std::function<Status(std::string_view)>;

  /// Borrows all arguments. `state` may be null if nothing is to be kept. The thread calls `sink`.
  EventWriter(const AtomTable& atoms, OnlineEventStyle style, WatchState* state,
              Sink sink = write_to_stdout);

  /// Hands over text to write, and leaves `telling` empty. Waits while much is unwritten. Numbered
  /// events that are kept must be synced. Error: the first one of the writing (kUnreadable;
  /// kInternal if memory ran out); nothing is written from then on.
  Status tell(Telling& telling);

  /// Waits until everything is written. Errors as tell().
  Status finish();

 private:
  static Status write_to_stdout(std::string_view text);
  void run(const std::stop_token& stop);
  [[nodiscard]] Status write(const Telling& telling);
  [[nodiscard]] Status begin_checkpoint(BegunCheckpoint& checkpoint, Status status);
  bool add(const OnlineEvent& event, const Telling& telling);

  static constexpr std::size_t kMostWaiting = 2;

  const AtomTable& atoms_;
  OnlineEventStyle style_;
  WatchState* state_;
  Sink sink_;
  std::string text_;  // of the writing thread
  std::mutex mutex_;
  std::condition_variable_any has_changed_;
  std::deque<Telling> waiting_;
  std::vector<Telling> spare_;  // empty, with memory to be used again
  bool is_writing_ = false;
  Status status_;
  Thread thread_;  // the last member: it ends before the others
};

}  // namespace elapid
