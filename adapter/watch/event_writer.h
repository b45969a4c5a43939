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

/// What a checkpoint goes back to; absent if it could not be begun.
using BegunCheckpoint = std::promise<std::optional<WatchState::Checkpoint>>;

/// What is told at one time, and what it follows from.
struct Telling {
  std::string journal = {};  ///< for the state: comes first
  /// The journal outlives a power cut, this one and those before, before anything else is told.
  bool is_synced = false;
  std::string lines = {};    ///< come first of what is told
  OnlineEvents events = {};  ///< behind them
  /// The journal of a former run is carried out again, which brings about again what was told then.
  bool is_resuming = false;
  bool is_kept = false;  ///< the state keeps the numbered events
  /// A checkpoint of the state is begun behind all that. Fulfilled in any case.
  std::unique_ptr<BegunCheckpoint> checkpoint = {};

  [[nodiscard]] bool is_empty() const {
    return journal.empty() && !is_synced && lines.empty() && events.empty() && !checkpoint;
  }
};

/// Writes to standard output, and journal and numbered events to the state. The order is that in
/// which tell() is called, so that the output does not depend on the threads, and a state knows
/// whatever was told.
class EventWriter {
 public:
  /// Writes a text to where events are told.
  using Sink = std::function<Status(std::string_view)>;

  /// Borrows all. `state` may be null if nothing is to be kept. `sink` is called in the thread.
  EventWriter(const AtomTable& atoms, OnlineEventStyle style, WatchState* state,
              Sink sink = write_to_stdout);

  /// Has something written soon, and leaves `telling` empty. Waits while much is unwritten.
  /// Numbered events that are kept must be synced. Error: the first one that the writing has met
  /// (kUnreadable; kInternal where memory ran out); nothing is written from then on.
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
  Thread thread_;  // the last member: it ends before what it uses
};

}  // namespace elapid
