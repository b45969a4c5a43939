#include "harness/drive/drive.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/ir/thread.h"
#include "harness/drive/session.h"

namespace elapid {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{50};
constexpr std::chrono::milliseconds kBetweenConnects{100};
constexpr int kFinalAttempts = 20;
constexpr std::chrono::seconds kFinalPatience{3};

/// The state of one run, which its sessions share.
class DriveRun {
 public:
  DriveRun(Database& database, RequestFeed& feed, Recorder& recorder, const DriveOptions& options)
      : feed_(feed),
        recorder_(recorder),
        options_(options),
        ready_(static_cast<std::ptrdiff_t>(options.sessions)) {
    for (std::size_t number = 0; number < options.sessions; ++number) {
      sessions_.push_back(
          std::make_unique<DriveSession>(number, database, feed, recorder, options));
    }
  }

  Result<DriveCounts> run() {
    for (const std::unique_ptr<DriveSession>& session : sessions_) {
      ELAPID_RETURN_IF_ERROR(session->connect());
    }
    if (options_.on_connected) {
      options_.on_connected();
    }
    if (options_.loads) {
      load();
    }
    begun_ = Clock::now();
    if (options_.nemesis != nullptr) {
      options_.nemesis->begin(recorder_.log(options_.sessions));
    }
    run_sessions();
    const std::chrono::duration<double> seconds = Clock::now() - begun_;
    end_faults();
    const bool has_read_all =
        options_.final_reads && !error_ && !recorder_.has_failed() && read_finally();
    if (error_) {
      return std::move(*error_);
    }
    DriveCounts counts = sum();
    counts.seconds = seconds;
    counts.has_read_all = has_read_all;
    return counts;
  }

 private:
  void run_sessions() {
    std::vector<Thread> threads;
    running_ = sessions_.size();
    const Status begun = caught([&] {
      for (const std::unique_ptr<DriveSession>& session : sessions_) {
        threads.emplace_back([this, &session] {
          ready_.arrive_and_wait();  // no session starts while others still connect
          end_sessions(1, caught([&] { serve(*session); }));
        });
      }
    });
    const std::size_t missing = sessions_.size() - threads.size();
    ready_.count_down(static_cast<std::ptrdiff_t>(missing));
    end_sessions(missing, begun);
    watch();
    std::ranges::for_each(threads, &Thread::join);
  }

  /// Notes that so many sessions have ended or did not begin. An error ends the run.
  void end_sessions(std::size_t count, const Status& status) {
    const std::unique_lock lock(mutex_);
    running_ -= count;
    if (!status.ok()) {
      error_ = status.error();
      stop();
    }
    changed_.notify_all();
  }

  /// Waits for the end of the sessions, and ends them where necessary.
  void watch() {
    std::unique_lock lock(mutex_);
    while (running_ > 0) {
      const Clock::time_point now = Clock::now();
      const bool is_time_up = options_.time && now - begun_ >= *options_.time;
      lock.unlock();
      const bool is_enough = is_time_up || recorder_.has_failed() ||
                             (options_.nemesis != nullptr && options_.nemesis->has_failed()) ||
                             (options_.should_stop && options_.should_stop());
      if (is_enough && options_.nemesis != nullptr) {
        options_.nemesis->stop();  // first, so that no session waits for a fault to end
      }
      lock.lock();
      if (is_enough) {
        stop();
      }
      Clock::time_point next = now + kLookEvery;
      if (options_.time && !is_stopped_) {
        next = std::min(next, begun_ + std::chrono::duration_cast<Clock::duration>(*options_.time));
      }
      changed_.wait_until(lock, next, [this] { return running_ == 0; });
    }
  }

  /// Requires the mutex.
  void stop() {
    is_stopped_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
  }

  /// Waits; false if the run was stopped meanwhile.
  bool wait_until(Clock::time_point time) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_until(lock, time, [this] { return is_stopped_.load(); });
  }

  void serve(DriveSession& session) {
    while (!is_stopped_.load(std::memory_order_relaxed)) {
      if (!is_my_turn() || !reach(session) || !feed_.next(session.request())) {
        return;
      }
      session.carry_out();
      if (options_.think.count() > 0 && !wait_until(Clock::now() + options_.think)) {
        return;
      }
    }
  }

  /// With a rate, waits until the next transaction is due.
  bool is_my_turn() {
    if (options_.rate <= 0) {
      return true;
    }
    const double seconds = static_cast<double>(turns_.fetch_add(1)) / options_.rate;
    return wait_until(begun_ + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(seconds)));
  }

  /// Connects the session if necessary. False ends the session.
  bool reach(DriveSession& session) {
    if (session.is_connected()) {
      return true;
    }
    const Clock::time_point patient_until = Clock::now() + options_.reconnect;
    while (true) {
      Status status = session.connect();
      if (status.ok()) {
        reconnects_.fetch_add(1, std::memory_order_relaxed);
        return true;
      }
      if (Clock::now() >= patient_until) {
        const std::unique_lock lock(mutex_);
        error_ = std::move(status.error());
        stop();
        return false;
      }
      if (!wait_until(Clock::now() + kBetweenConnects)) {
        return false;
      }
    }
  }

  void load() {
    DriveSession& first = *sessions_.front();
    first.request().clear();
    first.request().steps = feed_.initial_writes();
    if (!first.request().steps.empty()) {
      first.carry_out();
    }
    first.request().clear();
  }

  /// Waits until all faults have ended.
  void end_faults() {
    if (options_.nemesis == nullptr) {
      return;
    }
    options_.nemesis->stop();
    if (const Status healed = options_.nemesis->wait(); !healed.ok()) {
      error_ = healed.error();
    }
  }

  /// The first session makes the final reads. An aborted read is repeated as a transaction of its
  /// own. Reading ends after several attempts, or when no read commits for some time: then the
  /// answer is false.
  bool read_finally() {
    is_stopped_ = false;
    DriveSession& first = *sessions_.front();
    Clock::time_point patient_until = Clock::now() + kFinalPatience;
    bool goes_on = true;
    for (std::size_t n = 0; goes_on && feed_.final_read(n, first.request()); ++n) {
      goes_on = false;
      for (int attempt = 0; attempt < kFinalAttempts; ++attempt) {
        if (recorder_.has_failed() || Clock::now() >= patient_until || !reach(first) ||
            (attempt > 0 && options_.should_stop && options_.should_stop())) {
          return false;
        }
        if (first.carry_out() == TxnFate::kCommitted) {
          patient_until = Clock::now() + kFinalPatience;
          goes_on = true;
          break;
        }
      }
    }
    return goes_on;
  }

  DriveCounts sum() const {
    DriveCounts sum = {.reconnects = reconnects_.load()};
    for (const std::unique_ptr<DriveSession>& session : sessions_) {
      const DriveCounts& counts = session->counts();
      sum.transactions += counts.transactions;
      sum.operations += counts.operations;
      sum.committed += counts.committed;
      sum.aborted += counts.aborted;
      sum.indeterminate += counts.indeterminate;
      sum.retried += counts.retried;
      sum.failure = sum.failure.empty() ? counts.failure : sum.failure;
      for (std::size_t error = 0; error < kTxnErrors; ++error) {
        sum.errors[error] += counts.errors[error];
      }
    }
    return sum;
  }

  RequestFeed& feed_;
  Recorder& recorder_;
  const DriveOptions& options_;
  std::vector<std::unique_ptr<DriveSession>> sessions_ = {};
  std::latch ready_;
  Clock::time_point begun_ = {};
  std::atomic<bool> is_stopped_ = false;
  std::atomic<std::uint64_t> turns_ = 0;
  std::atomic<std::uint64_t> reconnects_ = 0;
  std::mutex mutex_ = {};
  std::condition_variable changed_ = {};
  std::size_t running_ = 0;          // sessions
  std::optional<Error> error_ = {};  // why the run has ended
};

}  // namespace

Result<DriveCounts> drive(Database& database, RequestFeed& feed, Recorder& recorder,
                          const DriveOptions& options) {
  return DriveRun(database, feed, recorder, options).run();
}

}  // namespace elapid
