// A fault of an object, told as a few events of visitors while all sessions stand still.
//
//   script.really({"add", 7});              the set has 7 now, and says so
//   script.falsely({"read"}, {1, 2});       but shows 1 and 2 only
//
// What visitors do really is done on the model, so the rest of the history fits. A script must be
// impossible whatever operations of sessions are open meanwhile: so it uses values of its own, or
// counts what open operations can explain.
#pragma once

#include <utility>
#include <vector>

#include "harness/generate/objects/object.h"

namespace elapid {

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
