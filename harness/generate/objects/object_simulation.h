// Sessions that use one object: each has one operation open at a time, which is invoked, takes
// effect at a random instant, and returns at another one. So the history is linearizable by
// construction, unless faults are put into it.
//
//   session 1   invoke push 1 ....... takes effect ... ok
//   session 2       invoke pop ......................... takes effect: 1 ... ok
//
// An operation that a client rolls back has no effect (:fail). One that is indeterminate or crashes
// takes effect or never: before its session gives it up, or at some time later.
//
// Faults are spread over the history at random. While one is told (object.h), the sessions
// stand still. When all are done, visitors ask what the model asks in the end.
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

/// A fault that is wanted so many times.
struct WantedFault {
  const ObjectFault* fault = nullptr;
  std::uint64_t count = 1;
};

/// Takes `NAME:COUNT,NAME,...`; without a count once. Error: kUsage for a name that the type does
/// not have, and for what is no count.
[[nodiscard]] Result<std::vector<WantedFault>> parse_object_faults(std::string_view text,
                                                                   const ObjectType& type);

/// A fault that was told, by events that follow one another.
struct ToldFault {
  std::string_view name;
  std::int64_t first_index = 0;
  std::int64_t last_index = 0;
  std::int64_t first_process = 0;  ///< its processes follow one another too
  std::int64_t processes = 0;
};

class ObjectSimulation : public ClientSimulation {
 public:
  /// Of the options: seed, sessions, how many operations, and what befalls them.
  ObjectSimulation(std::unique_ptr<ObjectModel> model, const SimulationOptions& options,
                   const std::vector<WantedFault>& wanted = {});

  bool next(PlainEvent& event) override;

  /// In the order of the history. Complete when there are no more events.
  [[nodiscard]] const std::vector<ToldFault>& told() const { return told_; }

 private:
  /// What becomes of an operation.
  enum class Fate : std::uint8_t {
    kReturns,
    kAborts,     ///< :fail, without effect
    kForgotten,  ///< never returns, and never takes effect
    kUnheard,    ///< takes effect, and never returns
    kLate,       ///< is given up, and then takes effect
  };

  struct Session {
    enum class State : std::uint8_t { kIdle, kInvoked, kDone };
    std::size_t number = 0;
    std::int64_t process = 0;
    State state = State::kIdle;
    Fate fate = Fate::kReturns;
    bool dies = false;  ///< where it never returns, there is no :info either
    bool waits = false;
    std::int64_t invoked = 0;
    ObjectCall call = {};
    ObjectReply reply = {};
  };

  /// An operation that its session has given up, and that still may take effect.
  struct LateCall {
    ObjectCall call = {};
    std::size_t session = 0;
  };

  /// A fault of `wanted_` that is told after so many events.
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

  // What a session does next; each says whether there is an event.
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
  std::vector<ToldEvent> script_ = {};  // of the fault that is told, or of the end
  std::size_t next_told_ = 0;
  std::vector<std::int64_t> visits_ = {};  // when each visitor invoked what it has open
  std::vector<ToldFault> told_ = {};
  ObjectValue shown_ = {};  // what the last event borrows
  std::int64_t index_ = 0;
  std::int64_t time_ = 0;
  std::int64_t visitors_ = 0;  // before those of the script
  std::int64_t script_visitors_ = 0;
  bool is_finished_ = false;
};

}  // namespace elapid
