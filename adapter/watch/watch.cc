#include "adapter/watch/watch.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "adapter/watch/event_writer.h"
#include "adapter/watch/expect_stream.h"
#include "adapter/watch/page_mover.h"
#include "adapter/watch/parsed_lines.h"
#include "adapter/watch/stream_check.h"
#include "adapter/watch/watch_state.h"
#include "adapter/watch/watermarks.h"
#include "engine/online/forgetful_page_store.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

namespace {

using Clock = DeadlineWatermark::Clock;

/// One run of the command.
class Watch {
 public:
  /// `mover` is the store, or null if nothing is moved; with a state it is that of its store.
  Watch(const WatchOptions& options, const std::function<bool()>& is_stopped, PageStore& store,
        PageMover* mover, WatchState* state)
      : options_(options),
        is_stopped_(is_stopped),
        store_(store),
        mover_(mover),
        state_(state),
        check_(options, store),
        deadline_(options.deadline),
        writer_(
            check_.atoms(),
            {.at_commit = options.read_point == ReadPoint::kCommit, .is_sorted = options.is_sorted},
            state) {}

  Result<WatchOutcome> run() {
    Status status = resume();
    status = status.ok() ? follow_input() : status;
    status = status.ok() ? finish() : status;
    ELAPID_RETURN_IF_ERROR(status);
    return std::move(outcome_);
  }

 private:
  /// Restores the state of the former run.
  Status resume() {
    if (state_ == nullptr) {
      return {};
    }
    if (const auto saved = state_->saved()) {
      check_.restore(*saved);
    }
    is_resuming_ = true;
    for (const std::string& path : state_->journals()) {
      ELAPID_RETURN_IF_ERROR(follow_journal(path));
    }
    Status status = state_->store().verified();
    status = status.ok() ? tell() : status;
    status = status.ok() ? writer_.finish() : status;
    is_resuming_ = false;
    journal_size_ = state_->journal_size();
    return status.ok() ? state_->end_resume() : status;
  }

  /// Takes what the journal leads to again. Nothing is reported before the state is verified.
  Status tell_again() {
    if (state_->store().is_verified()) {
      const Status status = state_->store().verified();
      return status.ok() ? tell() : status;
    }
    check_.take_journal(telling_.journal);
    telling_.journal.clear();
    return store_.status();
  }

  Status follow_journal(const std::string& path) {
    ELAPID_ASSIGN_OR_RETURN(auto journal, open_line_source(path, options_.longest_line));
    journal->finish();
    journal_path_ = path;
    return follow(*journal);
  }

  Status follow_input() {
    ELAPID_ASSIGN_OR_RETURN(auto source, open_line_source(options_.input, options_.longest_line));
    // A pipe has an end of its own.
    if (options_.to_end && std::filesystem::is_regular_file(options_.input)) {
      source->finish();
    }
    return follow(*source);
  }

  Status follow(LineSource& source) {
    ParsedLines batches(source, check_.intake(), check_.atoms(), check_.header(),
                        options_.words.follow);
    has_ended_ = false;
    // The journal holds accepted lines, so nothing stops their reading.
    while (!has_ended_ && (is_resuming_ || (!is_stopped_() && !outcome_.malformed))) {
      LineBatch* const batch = batches.next(kPatience);
      if (batch != nullptr) {
        if (batch->error && batch->error->kind != ErrorKind::kMalformed) {
          return *batch->error;
        }
        Status status = source.has_several_writers() ? Status() : expect_first(*batch);
        status = status.ok() ? take(*batch) : status;
        ELAPID_RETURN_IF_ERROR(status);
      }
      const bool is_idle = batch == nullptr;
      if (Status status = is_resuming_ ? tell_again() : settle(Clock::now(), is_idle);
          !status.ok()) {
        return status;
      }
    }
    return {};
  }

  /// Checks the first line if it is no transaction. Only that line counts: the size of a batch is
  /// chance. Files were checked before; with several writers one wrong line is no reason to stop.
  Status expect_first(LineBatch& batch) {
    const auto first = std::ranges::find_if(batch.lines(), [](const ParsedLine& line) {
      return !line.kind || line.kind.value() != StreamLine::kBlank;
    });
    if (has_begun_ || is_resuming_ || first == batch.lines().end()) {
      return {};
    }
    has_begun_ = true;
    std::string_view text = batch.text();
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
    text = text.substr(0, text.find('\n'));
    return first->kind || first->is_misfit
               ? Status()
               : expect_stream(*memory_source(options_.input, std::string(text)),
                               options_.words.follow);
  }

  Status take(LineBatch& batch) {
    has_ended_ = batch.has_ended;
    check_.note(batch.atoms);
    if (batch.error) {
      note(*batch.error, batch.error->line.value_or(0));
    }
    if (batch.notice) {
      append_notice(other_events_, *batch.notice);
    }
    for (const ParsedLine& line : batch.lines()) {
      if (is_resuming_ && take_mark(line.line)) {
        continue;
      }
      Status status = check_.take(line);
      note_held();
      if (!status.ok() && !outcome_.malformed) {
        if (is_resuming_) {
          return damaged(std::move(status.error()), line.number);
        }
        note(std::move(status.error()), line.number);
      }
      if (outcome_.malformed) {
        return {};
      }
    }
    return {};
  }

  /// Reads a line of the journal that is no transaction. False if it is no line of the journal
  /// itself.
  bool take_mark(std::string_view line) {
    if (const auto watermark = find_watermark(line)) {
      check_.advance(*watermark);
      return true;
    }
    if (const auto count = find_error_count(line)) {
      check_.restore_errors(*count);
      return true;
    }
    return Journal::is_own_line(line);  // verified when the journal was opened
  }

  /// The error of a journal's line, which could be read when it was written.
  [[nodiscard]] Error damaged(Error error, std::uint64_t number) const {
    error.kind = ErrorKind::kUnreadable;
    error.file = journal_path_;
    error.line = number;
    return error;
  }

  /// Reports lines that were held back and cannot be accepted. If errors stop the check, the first
  /// one does.
  void note_held() {
    for (auto& [number, error] : check_.take_held_errors()) {
      if (!outcome_.malformed) {
        note(std::move(error), number);
      }
    }
  }

  /// Reports a line that cannot be read.
  void note(Error error, std::uint64_t number) {
    check_.note_error();
    const std::string place =
        error.byte_offset ? "byte " + std::to_string(*error.byte_offset) + ": " : std::string();
    append_error(other_events_, number, place + error.message);
    if (options_.stops_on_error) {
      error.file = options_.input;
      error.line = number;
      error.byte_offset.reset();
      outcome_.malformed = std::move(error);
    }
  }

  /// Moves the watermark, reports, and begins checkpoints, by what arrived and by the time that
  /// passed.
  Status settle(Clock::time_point now, bool is_idle) {
    OnlineChecker* checker = check_.checker();
    const bool has_deadline = !options_.lag && !options_.is_sorted;
    if (checker != nullptr && has_deadline && checker->greatest()) {
      deadline_.note(now, *checker->greatest());
      if (const auto watermark = deadline_.at(now)) {
        check_.advance(*watermark);
      }
    }
    ELAPID_RETURN_IF_ERROR(tell());
    if (checker != nullptr) {
      shrink(*checker);
      tell_progress(*checker, now);
    }
    if (state_ != nullptr && checker != nullptr && mover_->has_run() &&
        journal_size_ > options_.checkpoint + 2 * saved_bytes_) {
      return begin_checkpoint();
    }
    // Accepted lines survive a power cut before progress is reported, and soon in any case.
    if (is_idle || !other_events_.empty() || now - last_sync_ > kLongestUnsynced) {
      last_sync_ = now;
      telling_.is_synced = state_ != nullptr;
    }
    return writer_.tell(telling_);
  }

  /// Hands journal and events to the writer. Numbered events are reported when the lines that they
  /// follow from are on the disk.
  Status tell() {
    ELAPID_RETURN_IF_ERROR(store_.status());
    check_.take_journal(telling_.journal);
    if (state_ == nullptr || is_resuming_) {
      telling_.journal.clear();
    }
    journal_size_ += telling_.journal.size();
    telling_.lines = std::exchange(other_events_, {});
    telling_.is_resuming = is_resuming_;
    telling_.is_kept = state_ != nullptr;
    if (OnlineChecker* checker = check_.checker()) {
      checker->take_events(telling_.events);
      const bool has_numbered = told_ < checker->ledger().numbered();
      told_ = checker->ledger().numbered();
      telling_.is_synced = has_numbered && state_ != nullptr;
    }
    return writer_.tell(telling_);
  }

  void shrink(OnlineChecker& checker) {
    if (!options_.is_sorted && checker.memory() > std::max(options_.memory, least_memory_)) {
      store_.finish();  // pages that were moved the last time
      checker.shrink(options_.memory / 4 * 3);
      // Pages that cannot be moved are not tried again at once.
      least_memory_ = checker.memory() / 8 * 9;
    }
  }

  void tell_progress(const OnlineChecker& checker, Clock::time_point now) {
    if (options_.progress.count() == 0 || now - last_progress_ < options_.progress) {
      return;
    }
    const std::chrono::duration<double> passed = now - last_progress_;
    const std::uint64_t accepted = checker.counts().accepted;
    append_progress(other_events_,
                    {.checker = checker,
                     .errors = check_.errors(),
                     .rate = static_cast<double>(accepted - last_accepted_) / passed.count(),
                     .memory = checker.memory() + check_.atom_memory()});
    last_progress_ = now;
    last_accepted_ = accepted;
  }

  /// Saves what the next checkpoint consists of; pages are already on their way to the store. The
  /// writer begins the checkpoint after the current report, and the mover commits it after the
  /// pages. The check goes on meanwhile.
  Status begin_checkpoint() {
    mover_->gather();
    auto saved = std::make_shared<const std::string>(check_.save());
    saved_bytes_ = saved->size();
    journal_size_ = Journal::kHeaderSize;
    telling_.checkpoint = std::make_unique<BegunCheckpoint>();
    mover_->run_behind([state = state_, saved = std::move(saved),
                        begun = telling_.checkpoint->get_future().share()]() -> Status {
      const std::optional<WatchState::Checkpoint>& checkpoint = begun.get();
      return checkpoint ? state->commit_checkpoint(*checkpoint, *saved) : Status();
    });
    return writer_.tell(telling_);
  }

  Status checkpoint() {
    Status status = begin_checkpoint();
    status = status.ok() ? writer_.finish() : status;
    store_.finish();
    return status.ok() ? store_.status() : status;
  }

  Status finish() {
    const bool is_whole = has_ended_ && !outcome_.malformed;
    // A check that can be resumed has not seen the end.
    const bool ends = is_whole || state_ == nullptr;
    if (check_.checker() == nullptr) {
      // No operation has shown the workload: it is guessed, and the guess is not kept.
      check_.decide();
      note_held();
      state_ = nullptr;
    }
    if (ends) {
      check_.advance(Timestamp::last());
    }
    const OnlineChecker* checker = check_.checker();
    ELAPID_RETURN_IF_ERROR(tell());
    const WatchFacts facts = {
        .checker = *checker, .errors = check_.errors(), .is_sorted = options_.is_sorted};
    append_initial_hint(other_events_, facts, check_.atoms(), check_.initial(),
                        options_.words.initial);
    append_summary(other_events_, facts, options_.level, is_whole);
    outcome_.validity = validity_of(facts);
    Status status = state_ == nullptr ? Status() : checkpoint();
    status = status.ok() ? tell() : status;
    return status.ok() ? writer_.finish() : status;
  }

  static constexpr std::chrono::milliseconds kPatience = std::chrono::milliseconds(50);
  static constexpr std::chrono::seconds kLongestUnsynced = std::chrono::seconds(1);

  const WatchOptions& options_;
  const std::function<bool()>& is_stopped_;
  PageStore& store_;
  PageMover* mover_;
  WatchState* state_;
  StreamCheck check_;
  DeadlineWatermark deadline_;
  WatchOutcome outcome_;
  std::string other_events_;  // without numbers
  Telling telling_;
  std::uint64_t told_ = 0;    // numbered events
  std::string journal_path_;  // of that which is carried out again
  bool is_resuming_ = false;
  bool has_begun_ = false;
  bool has_ended_ = false;
  std::size_t least_memory_ = 0;
  std::size_t saved_bytes_ = 0;
  std::uint64_t journal_size_ = 0;  // bytes, about, with what is still being written
  Clock::time_point last_sync_ = Clock::now();
  Clock::time_point last_progress_ = Clock::now();
  std::uint64_t last_accepted_ = 0;
  EventWriter writer_;
};

}  // namespace

Result<WatchOutcome> watch(const WatchOptions& options, const std::function<bool()>& is_stopped) {
  // The cache takes a part of the allowed memory.
  const std::size_t cache =
      std::clamp(options.memory / 4, std::size_t{1} << 20, SqlitePageStore::kMostCache);
  if (options.state) {
    ELAPID_ASSIGN_OR_RETURN(
        auto state, WatchState::open(*options.state, StreamCheck::conditions(options), cache));
    PageMover mover(state.store());
    return Watch(options, is_stopped, mover, &mover, &state).run();
  }
  if (options.is_sorted) {
    ForgetfulPageStore store;
    return Watch(options, is_stopped, store, nullptr, nullptr).run();
  }
  ELAPID_ASSIGN_OR_RETURN(auto store, SqlitePageStore::open("", cache));
  PageMover mover(*store);
  return Watch(options, is_stopped, mover, &mover, nullptr).run();
}

}  // namespace elapid
