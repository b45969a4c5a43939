// An object on which single operations work, as a generator of histories knows it: what sessions
// ask of it, what each operation does and answers, and which wrong answers its checkers must find.
//
//   a counter: {add, 2} makes it 2; {read} answers 2; the fault "below-acknowledged" answers 1
//
// A type of object is a file of this folder and a row of the table object_types.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// The :value of an event, and what it has beside it.
struct ObjectValue {
  PlainValue shape = PlainValue::kNil;
  std::array<std::int64_t, 3> numbers = {};
  std::vector<std::int64_t> elements = {};
  PlainTree tree = {};
  std::vector<PlainField> fields = {};

  [[nodiscard]] static ObjectValue number(std::int64_t n) {
    return {.shape = PlainValue::kNumber, .numbers = {n}};
  }

  [[nodiscard]] static ObjectValue list(std::vector<std::int64_t> elements) {
    return {.shape = PlainValue::kElements, .elements = std::move(elements)};
  }

  [[nodiscard]] static ObjectValue of(PlainTree tree) {
    return {.shape = PlainValue::kTree, .tree = std::move(tree)};
  }
};

/// An operation, as it is invoked.
struct ObjectCall {
  std::string_view function = {};
  ObjectValue value = {};
};

/// What an operation comes to when it takes effect.
struct ObjectReply {
  enum class Kind : std::uint8_t {
    kDone,
    kRefused,  ///< it fails, and has changed nothing
    kWaits,    ///< it cannot take effect yet
    kGoesOn,   ///< it has done a part of its work
  };
  Kind kind = Kind::kDone;
  ObjectValue value = {};
};

/// The client that asks, if it is not a session.
inline constexpr std::size_t kVisitor = std::numeric_limits<std::size_t>::max();

class FaultScript;

/// The state machine of a type.
class ObjectModel {
 public:
  ObjectModel() = default;
  ObjectModel(const ObjectModel&) = delete;
  ObjectModel& operator=(const ObjectModel&) = delete;
  virtual ~ObjectModel() = default;

  /// What a session does next.
  virtual ObjectCall next(Random& random, std::size_t session) = 0;

  /// The operation takes effect.
  virtual ObjectReply apply(const ObjectCall& call, std::size_t session) = 0;

  /// Whether it may take effect after its session has given it up, and goes on.
  [[nodiscard]] virtual bool may_be_late(const ObjectCall& call) const {
    static_cast<void>(call);
    return true;
  }

  /// Whether it may take effect though its client never hears of it.
  [[nodiscard]] virtual bool may_be_unheard(const ObjectCall& call) const {
    static_cast<void>(call);
    return true;
  }

  /// What visitors ask when all sessions are done.
  virtual void finish(FaultScript& script) { static_cast<void>(script); }

  // What clients see of each operation; those that never return are only invoked.
  virtual void invoked(const ObjectCall& call) { static_cast<void>(call); }

  virtual void returned(const ObjectCall& call, bool is_ok) {
    static_cast<void>(call);
    static_cast<void>(is_ok);
  }
};

// A fault of an object, told as a few events of visitors while all sessions stand still.
//
//   script.really({"add", 7});              the set has 7 now, and says so
//   script.falsely({"read"}, {1, 2});       but shows 1 and 2 only
//
// The model carries out the real operations of visitors, so the rest of the history fits. A script
// must be impossible whatever operations of sessions are open meanwhile: so it uses values of its
// own, or counts what open operations can explain.

/// An event of a visitor.
struct ToldEvent {
  EventType type = EventType::kInvoke;
  std::size_t visitor = 0;
  ObjectCall call = {};    ///< of a completion: what it completes
  ObjectValue value = {};  ///< of a completion
};

class FaultScript {
 public:
  explicit FaultScript(ObjectModel& model) : model_(model) {}

  /// An operation with its effect; what it answers.
  ObjectValue really(const ObjectCall& call) {
    ObjectReply reply = take_effect(call);
    falsely(call, reply.value);
    return std::move(reply.value);
  }

  /// An operation without effect, that answers this.
  void falsely(const ObjectCall& call, ObjectValue value) {
    invoke(0, call);
    complete(0, call, std::move(value));
  }

  /// The whole effect, and no event.
  ObjectReply take_effect(const ObjectCall& call) {
    ObjectReply reply = model_.apply(call, kVisitor);
    while (reply.kind == ObjectReply::Kind::kGoesOn) {
      reply = model_.apply(call, kVisitor);
    }
    return reply;
  }

  /// Operations of several visitors that overlap. Requires that each has one open at a time.
  void invoke(std::size_t visitor, const ObjectCall& call) {
    model_.invoked(call);
    events_.push_back({EventType::kInvoke, visitor, call, {}});
  }

  void complete(std::size_t visitor, const ObjectCall& call, ObjectValue value) {
    model_.returned(call, true);
    events_.push_back({EventType::kOk, visitor, call, std::move(value)});
  }

  /// An operation that is refused, and has no effect.
  void refused(const ObjectCall& call) { refused(call, call.value); }

  /// The same, with what its :fail shows.
  void refused(const ObjectCall& call, ObjectValue value) {
    invoke(0, call);
    model_.returned(call, false);
    events_.push_back({EventType::kFail, 0, call, std::move(value)});
  }

  [[nodiscard]] const std::vector<ToldEvent>& events() const { return events_; }

 private:
  ObjectModel& model_;
  std::vector<ToldEvent> events_ = {};
};

/// A member function of a model that tells a fault, as ObjectFault::tell wants it.
template <auto Tell>
void told_by(ObjectModel& model, FaultScript& script) {
  [&]<class Model>(void (Model::*tell)(FaultScript&)) {
    (static_cast<Model&>(model).*tell)(script);
  }(Tell);
}

}  // namespace elapid
