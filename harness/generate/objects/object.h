// An object with single operations, for generators of histories: the operations of sessions, their
// effects and results, and the wrong results that checkers must find.
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

/// The :value of an event, and its further fields.
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

/// An operation as invoked.
struct ObjectCall {
  std::string_view function = {};
  ObjectValue value = {};
};

/// The result of an operation when it takes effect.
struct ObjectReply {
  enum class Kind : std::uint8_t {
    kDone,
    kRefused,  ///< it fails without effect
    kWaits,    ///< it cannot take effect yet
    kGoesOn,   ///< it has done part of its work
  };
  Kind kind = Kind::kDone;
  ObjectValue value = {};
};

/// The session number of a client that is not a session.
inline constexpr std::size_t kVisitor = std::numeric_limits<std::size_t>::max();

class FaultScript;

/// The state machine of a type.
class ObjectModel {
 public:
  ObjectModel() = default;
  ObjectModel(const ObjectModel&) = delete;
  ObjectModel& operator=(const ObjectModel&) = delete;
  virtual ~ObjectModel() = default;

  /// The next operation of a session.
  virtual ObjectCall next(Random& random, std::size_t session) = 0;

  /// Lets the operation take effect.
  virtual ObjectReply apply(const ObjectCall& call, std::size_t session) = 0;

  /// Whether it may take effect after its session gave it up and went on.
  [[nodiscard]] virtual bool may_be_late(const ObjectCall& call) const {
    static_cast<void>(call);
    return true;
  }

  /// Whether it may take effect without an answer to its client.
  [[nodiscard]] virtual bool may_be_unheard(const ObjectCall& call) const {
    static_cast<void>(call);
    return true;
  }

  /// The final operations of visitors, after all sessions are done.
  virtual void finish(FaultScript& script) { static_cast<void>(script); }

  // Called with each operation as clients see it; operations without a return are only invoked.
  virtual void invoked(const ObjectCall& call) { static_cast<void>(call); }

  virtual void returned(const ObjectCall& call, bool is_ok) {
    static_cast<void>(call);
    static_cast<void>(is_ok);
  }
};

// A fault of an object: a few events of visitors while all sessions stand still.
//
//   script.really({"add", 7});              the set has 7 now, and this event says so
//   script.falsely({"read"}, {1, 2});       but this event shows only 1 and 2
//
// The model carries out the real operations of visitors, so the rest of the history fits. A script
// must be impossible whatever operations of sessions are open: so it uses values of its own, or
// accounts for what open operations can explain.

/// An event of a visitor.
struct ToldEvent {
  EventType type = EventType::kInvoke;
  std::size_t visitor = 0;
  ObjectCall call = {};    ///< of a completion: the completed call
  ObjectValue value = {};  ///< of a completion
};

class FaultScript {
 public:
  explicit FaultScript(ObjectModel& model) : model_(model) {}

  /// An operation with its effect. Returns its result.
  ObjectValue really(const ObjectCall& call) {
    ObjectReply reply = take_effect(call);
    falsely(call, reply.value);
    return std::move(reply.value);
  }

  /// An operation without effect, with this false result.
  void falsely(const ObjectCall& call, ObjectValue value) {
    invoke(0, call);
    complete(0, call, std::move(value));
  }

  /// The whole effect, without an event.
  ObjectReply take_effect(const ObjectCall& call) {
    ObjectReply reply = model_.apply(call, kVisitor);
    while (reply.kind == ObjectReply::Kind::kGoesOn) {
      reply = model_.apply(call, kVisitor);
    }
    return reply;
  }

  /// Overlapping operations of several visitors. Each visitor may have one open at a time.
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

  /// The same, with the value of its :fail.
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

/// Wraps a member function of a model that injects a fault, for ObjectFault::tell.
template <auto Tell>
void told_by(ObjectModel& model, FaultScript& script) {
  [&]<class Model>(void (Model::*tell)(FaultScript&)) {
    (static_cast<Model&>(model).*tell)(script);
  }(Tell);
}

}  // namespace elapid
