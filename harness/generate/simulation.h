// Clients of a simulated database, interleaved step by step by a seed. Each begins a
// transaction, runs its operations and commits. The operations that clients see are the
// history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/generate/event_source.h"
#include "harness/generate/random.h"
#include "harness/generate/request.h"
#include "harness/generate/store/store.h"

namespace elapid {

/// The probabilities of mishaps, in millionths.
struct Faults {
  std::uint32_t aborts = 0;         ///< the client rolls back
  std::uint32_t indeterminate = 0;  ///< the client never learns the outcome (:info)
  std::uint32_t crashes = 0;        ///< the client dies: there is no completion
};

struct SimulationOptions {
  std::uint64_t seed = 0;
  std::size_t sessions = 10;
  std::uint64_t transactions = 1000;  ///< the most transactions
  std::uint64_t operations = 0;  ///< no transaction begins after so many operations; 0: no limit
  std::uint64_t retries = 0;     ///< the most retries of an aborted transaction; 0 if others
                                 ///< see uncommitted writes
  bool is_serial = false;        ///< a transaction ends before the next one begins, and all
                                 ///< sessions begin the same number, or one less
  std::uint32_t pace_percent = 100;  ///< speed of the fastest session; the slowest has 100
  Faults faults = {};
  bool loads = false;           ///< a first transaction writes the initial values
  bool final_reads = false;     ///< at the end, all keys are read
  std::int64_t clock_skew = 0;  ///< the most that two clocks of timestamps differ, in ns
};

/// The counts of the clients at the end.
struct SimulationCounts {
  std::uint64_t transactions = 0;
  std::uint64_t operations = 0;
  std::uint64_t committed = 0;
  std::uint64_t aborted_by_store = 0;
  std::uint64_t aborted_by_client = 0;
  std::uint64_t indeterminate = 0;  ///< crashes included
  std::uint64_t retried = 0;        ///< attempts that the store aborted and that were retried
};

/// Clients of a database or of an object.
class ClientSimulation : public EventSource {
 public:
  /// From now on no transaction begins, except final reads. Open ones continue to their
  /// end.
  void stop() { is_stopped_ = true; }

  [[nodiscard]] const SimulationCounts& counts() const { return counts_; }

 protected:
  /// Whether another transaction may begin.
  [[nodiscard]] bool has_more_to_do(const SimulationOptions& options) const {
    return !is_stopped_ && counts_.transactions < options.transactions &&
           (options.operations == 0 || counts_.operations < options.operations);
  }

  SimulationCounts counts_ = {};

 private:
  bool is_stopped_ = false;
};

class Simulation : public ClientSimulation {
 public:
  Simulation(const StoreKind& kind, const StoreOptions& store,
             std::unique_ptr<RequestSource> requests, const SimulationOptions& options);
  ~Simulation() override;

  bool next(PlainEvent& event) override;

  [[nodiscard]] const Store& store() const { return store_; }

 private:
  struct Client;

  /// How a transaction ends, unless the store aborts it.
  enum class Fate : std::uint8_t {
    kCommit,
    kAbort,      ///< the client rolls back
    kForgotten,  ///< :info, and it took no effect
    kUnheard,    ///< commits, then :info
    kLate,       ///< :info, then commits
    kDies,       ///< crashes before its commit
    kDiesDone,   ///< crashes after its commit
  };
  enum class Phase : std::uint8_t { kLoad, kLoading, kRunning, kFinalReads };

  // The environment of the clients.
  [[nodiscard]] std::int64_t clock_error();
  void pass_time();
  void load(PlainEvent& event);
  bool begin_final_reads();
  std::size_t pick();
  void begin_process(std::size_t place);
  void remove(std::size_t place, std::vector<std::unique_ptr<Client>>& into);

  // The next step of the client at a place. Each returns whether there is an event.
  bool step(std::size_t place, PlainEvent& event);
  bool invoke(std::size_t place, PlainEvent& event);
  bool run_step(std::size_t place, PlainEvent& event);
  bool run_row_step(std::size_t place, const RequestStep& step, PlainEvent& event);
  bool commit(std::size_t place, PlainEvent& event);
  bool after_abort(std::size_t place, StepAnswer answer, PlainEvent& event);
  bool finish(std::size_t place, EventType type, std::string_view error, PlainEvent& event);
  bool die(std::size_t place, PlainEvent& event);
  Fate draw_fate();
  [[nodiscard]] Fate possible(Fate fate) const;
  [[nodiscard]] bool has_done_its_share(const Client& client) const;
  [[nodiscard]] std::span<const PlainField> level_field(std::optional<std::size_t> level) const;
  void set_head(const Client& client, EventType type, PlainEvent& event) const;

  SimulationOptions options_;
  std::unique_ptr<RequestSource> requests_;
  Random random_;
  Store store_;
  std::vector<PlainField> level_fields_;  // `:isolation`, by Store::draw_level()
  std::vector<std::unique_ptr<Client>> active_;
  std::vector<std::unique_ptr<Client>> rested_;  // clients that have nothing left to do
  std::vector<std::unique_ptr<Client>> spare_;   // clients that can be used again
  std::unique_ptr<Client> loader_;
  Phase phase_ = Phase::kRunning;
  std::size_t final_read_ = 0;
  std::int64_t time_ = 0;
  std::uint32_t fastest_ = 100;
};

}  // namespace elapid
