// Injects faults into a database while clients work on it. The faults come and go at random times.
//
//   std::vector<FaultKind> faults = {{.name = "kill", .done = "killed",
//                                 .hurt = [&] { server.kill(); return Status(); },
//                                 .healing = "start", .healed = "started",
//                                 .heal = [&] { return server.restart(); }}};
//   FaultInjector nemesis(std::move(faults), {.interval = std::chrono::seconds(2), .seed = 7});
//   drive(database, feed, recorder, {.nemesis = &nemesis});
//
// One fault at a time is there, and between two of them there is none for a while. They come in
// rounds, in each of which every fault has its turn, in an order that the seed decides, as it
// decides the times. Both ends of a fault are told in the record as Jepsen tells of its nemesis:
// `:process :nemesis`, `:type :info`, once before it is done and once after it.
//
// All is done in one thread, which lives as long as this object: a server that was started by a
// thread may end with it (see PrivateServer).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "engine/ir/thread.h"
#include "harness/drive/recorder.h"
#include "harness/generate/random.h"

namespace elapid {

/// What can be done to a database. Names are keywords of the record, and live as long as it.
struct FaultKind {
  std::string_view name;  ///< `kill`
  std::string_view done;  ///< `killed`
  std::function<Status()> hurt;
  // What ends it; a fault without a name here is over when it is done.
  std::string_view healing = {};  ///< `start`
  std::string_view healed = {};   ///< `started`
  std::function<Status()> heal = {};
};

struct NemesisOptions {
  /// From the beginning of a fault to that of the next one, on average.
  std::chrono::nanoseconds interval = std::chrono::seconds(2);
  std::uint64_t seed = 0;
};

class FaultInjector {
 public:
  FaultInjector(std::vector<FaultKind> faults, const NemesisOptions& options);
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  /// Ends the thread: what its faults are done to must be gone, or not mind.
  ~FaultInjector();

  [[nodiscard]] const std::vector<FaultKind>& faults() const { return faults_; }

  /// Begins, once; tells what it does to `log`.
  void begin(EventLog& log);

  /// No fault begins any more, and one that is there is healed at once. Does not wait for that.
  void stop();

  /// After stop(): waits until all is healed. The error of a fault that could not be done or
  /// healed, which was the last one.
  Status wait();

  /// Whether a fault could not be done or healed: the database may be lost.
  [[nodiscard]] bool has_failed();

  /// How often each fault was done so far; for after wait().
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;

  void work();
  void hurt_and_heal();
  bool pause(std::chrono::nanoseconds about);
  bool carry_out(std::size_t fault);
  bool act(std::string_view name, std::string_view done, const std::function<Status()>& action);

  std::vector<FaultKind> faults_;
  std::chrono::nanoseconds interval_;
  Random random_;
  EventLog* log_ = nullptr;
  std::vector<std::uint64_t> counts_;
  std::mutex mutex_ = {};
  std::condition_variable changed_ = {};
  bool is_stopped_ = false;
  bool is_idle_ = true;
  bool is_ending_ = false;
  std::optional<Error> error_ = {};
  Thread thread_ = {};
};

}  // namespace elapid
