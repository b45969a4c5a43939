// Sessions that use one object. Each has one operation open at a time, which is invoked, takes
// effect at a random instant, and returns at a later one. So the history is linearizable by
// construction, unless faults are injected.
//
//   session 1   invoke push 1 ....... takes effect ... ok
//   session 2       invoke pop ......................... takes effect: 1 ... ok
//
// An operation that a client rolls back has no effect (:fail). An indeterminate or crashed one
// takes effect before its session gives it up, later, or never.
//
// Faults are spread over the history at random. During a fault (object.h) the sessions stand still.
// At the end, visitors run the final operations of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "harness/generate/objects/object_types.h"
#include "harness/generate/simulation.h"

namespace elapid {

/// A fault, and how often to inject it.
struct WantedFault {
  const ObjectFault* fault = nullptr;
  std::uint64_t count = 1;
};

/// Parses `NAME:COUNT,NAME,...`; the default count is 1. Error: kUsage for a name that the type
/// does not have, and for a wrong count.
[[nodiscard]] Result<std::vector<WantedFault>> parse_object_faults(std::string_view text,
                                                                   const ObjectType& type);

/// An injected fault; its events are adjacent.
struct ToldFault {
  std::string_view name;
  std::int64_t first_index = 0;
  std::int64_t last_index = 0;
  std::int64_t first_process = 0;  ///< its processes are adjacent, too
  std::int64_t processes = 0;
};

class ObjectSimulation : public ClientSimulation {
 public:
  /// Uses these options: seed, sessions, number of operations, and probabilities of mishaps.
  ObjectSimulation(std::unique_ptr<ObjectModel> model, const SimulationOptions& options,
                   const std::vector<WantedFault>& wanted = {});

  bool next(PlainEvent& event) override;

  /// The injected faults, in the order of the history. Complete after the last event.
  [[nodiscard]] const std::vector<ToldFault>& told() const { return told_; }

 private:
  /// The outcome of an operation.
  enum class Fate : std::uint8_t {
    kReturns,
    kAborts,     ///< :fail, without effect
    kForgotten,  ///< never returns, and never takes effect
    kUnheard,    ///< takes effect, and never returns
    kLate,       ///< is given up, and takes effect later
  };

  struct Session {
    enum class State : std::uint8_t { kIdle, kInvoked, kDone };
    std::size_t number = 0;
    std::int64_t process = 0;
    State state = State::kIdle;
    Fate fate = Fate::kReturns;
    bool dies = false;  ///< a client that dies leaves no :info
    bool waits = false;
    std::int64_t invoked = 0;
    ObjectCall call = {};
    ObjectReply reply = {};
  };

  /// An operation that its session gave up, and that may still take effect.
  struct LateCall {
    ObjectCall call = {};
    std::size_t session = 0;
  };

  /// A fault of `wanted_`, and the number of events before it.
  struct Place {
    std::uint64_t after = 0;
    std::size_t what = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  void pass_time();
  void spread_faults(std::uint64_t events);
  [[nodiscard]] bool is_time_for_fault() const;
  void begin_fault();
  void begin_script(const FaultScript& script);
  void finish();
  void tell(PlainEvent& event);
  void take_late_effect(std::size_t place);

  // The next step of a session. Each returns whether there is an event.
  bool step(std::size_t place, PlainEvent& event);
  bool invoke(std::size_t place, PlainEvent& event);
  bool take_effect(Session& session, PlainEvent& event);
  bool complete(Session& session, PlainEvent& event);
  void fail(Session& session, std::string_view error, PlainEvent& event);
  void give_up(Session& session, PlainEvent& event);
  void end(Session& session, EventType type, PlainEvent& event);
  void draw_fate(Session& session);
  [[nodiscard]] bool all_wait() const;

  std::unique_ptr<ObjectModel> model_;
  SimulationOptions options_;
  std::vector<WantedFault> wanted_;
  Random random_;
  std::vector<Session> active_ = {};
  std::vector<LateCall> late_ = {};
  std::vector<Place> places_ = {};
  std::size_t next_place_ = 0;
  std::vector<ToldEvent> script_ = {};  // of the current fault, or of the end
  std::size_t next_told_ = 0;
  std::vector<std::int64_t> visits_ = {};  // by visitor: the time of its open invocation
  std::vector<ToldFault> told_ = {};
  ObjectValue shown_ = {};  // storage for the last event
  std::int64_t index_ = 0;
  std::int64_t time_ = 0;
  std::int64_t visitors_ = 0;  // number of visitors before those of the script
  std::int64_t script_visitors_ = 0;
  bool is_finished_ = false;
};

}  // namespace elapid
