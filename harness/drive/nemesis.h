// Injects faults into a database while clients work on it. Faults begin and end at random times.
//
//   std::vector<FaultKind> faults = {{.name = "kill", .done = "killed",
//                                 .hurt = [&] { server.kill(); return Status(); },
//                                 .healing = "start", .healed = "started",
//                                 .heal = [&] { return server.restart(); }}};
//   FaultInjector nemesis(std::move(faults), {.interval = std::chrono::seconds(2), .seed = 7});
//   drive(database, feed, recorder, {.nemesis = &nemesis});
//
// There is at most one fault at a time, with a pause between two faults. They come in rounds. Each
// round has every fault once. The seed decides the order and the times. The record has both ends of
// a fault, in Jepsen's form of a nemesis: `:process :nemesis`, `:type :info`, one event before the
// action and one after it.
//
// One thread does all this, and lives as long as this object: a server may end with the thread that
// started it (see PrivateServer).
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

/// A kind of fault. Its names are keywords of the record. They must outlive the injector.
struct FaultKind {
  std::string_view name;  ///< `kill`
  std::string_view done;  ///< `killed`
  std::function<Status()> hurt;
  // The name of the action that ends the fault; empty: the fault is over at once.
  std::string_view healing = {};  ///< `start`
  std::string_view healed = {};   ///< `started`
  std::function<Status()> heal = {};
};

struct NemesisOptions {
  /// From the begin of a fault to the begin of the next one, on average.
  std::chrono::nanoseconds interval = std::chrono::seconds(2);
  std::uint64_t seed = 0;
};

class FaultInjector {
 public:
  FaultInjector(std::vector<FaultKind> faults, const NemesisOptions& options);
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  /// Ends the thread. The targets of its faults must be gone, or must not need it any more.
  ~FaultInjector();

  [[nodiscard]] const std::vector<FaultKind>& faults() const { return faults_; }

  /// Starts the injector, once; it records its actions in `log`.
  void begin(EventLog& log);

  /// No more faults begin, and a current fault is healed at once. Does not wait for that.
  void stop();

  /// After stop(): waits until all is healed. Returns the error of an injection or a healing that
  /// failed; that was the last fault.
  Status wait();

  /// Whether an injection or a healing failed: then the database may be lost.
  [[nodiscard]] bool has_failed();

  /// How often each fault was injected. Call it after wait().
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
