#include "engine/linearize/object_verdict.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "engine/linearize/object_claims.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {

namespace {

/// One without an invocation may have begun before all events, at 0.
std::uint32_t invoked(const History& history, TxnId txn) {
  return history.has_invocation(txn) ? history.invocation_id(txn).value + 1 : 0;
}

/// Adds the times of the operation.
Operation with_interval(const History& history, TxnId txn, Operation operation) {
  operation.txn = txn;
  operation.invoked = invoked(history, txn);
  operation.returned = history.committed(txn) || history.status(txn) == TxnStatus::kAborted
                           ? history.completion_id(txn).value + 1
                           : kNever;
  return operation;
}

/// The reason why the history decides nothing, whatever its operations are.
std::string_view reason_to_say_nothing(const History& history, const JudgeRequest& request) {
  if (!history.info().has_real_time) {
    return "linearizability is about real time, which this history does not record";
  }
  return history.txn_count() == 0 && !request.elle_compat
             ? "the history has no operations from which anything follows"
             : "";
}

/// For single operations these models are equivalent: each operation is a transaction, and
/// linearizability is local.
ModelSet real_time_models() {
  return {elapid::Model::kLinearizable, elapid::Model::kPlSs};
}

class ObjectVerdict {
 public:
  ObjectVerdict(const History& history, const JudgeRequest& request, const ObjectType& type)
      : history_(history), request_(request), type_(type) {
    verdict_.engine = std::string(type.name);
    verdict_.assumptions.elle_compat = request.elle_compat;
    verdict_.checked = request.models.any() && !request.elle_compat
                           ? request.models
                           : ModelSet{elapid::Model::kLinearizable};
  }

  Result<Verdict> make(const LevelAnswer* claim) {
    const std::string_view reason = reason_to_say_nothing(history_, request_);
    if (!reason.empty()) {
      leave_open(std::string(reason));
      return std::move(verdict_);
    }
    const std::vector<Object> objects = objects_of(history_, type_);
    if (claim != nullptr) {
      believe(flaw_of_claim(objects, type_, *claim, {.work = std::min(request_.work, kPlainWork)}));
      return std::move(verdict_);
    }
    std::size_t operations = 0;
    for (const Object& object : objects) {
      operations += object.operations.size();
      ObjectAnswer answer = type_.judge(object);
      if (answer.answer == Answer::kLinearizable && !survives(object, answer.order)) {
        return Error{.kind = ErrorKind::kInternal,
                     .message = "the order of the operations of key " +
                                history_.key_text(object.key) + " did not survive verification"};
      }
      add(object, std::move(answer));
    }
    verdict_.entries.push_back({"key-count", static_cast<std::int64_t>(objects.size())});
    verdict_.entries.push_back({"operation-count", static_cast<std::int64_t>(operations)});
    conclude();
    add_evidence();
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] bool survives(const Object& object, const std::vector<std::uint32_t>& order) const {
    const std::unique_ptr<Replay> replay = type_.replay(object);
    return is_order_of(object.operations, order, *replay);
  }

  void believe(std::optional<std::string> flaw) {
    verdict_.complete = true;
    if (flaw) {
      leave_open(*std::move(flaw));
    }
  }

  void add(const Object& object, ObjectAnswer answer) {
    if (answer.answer == Answer::kLinearizable) {
      std::ranges::transform(answer.order, std::back_inserter(order_), [&](std::uint32_t place) {
        return OrderEvent{.txn = object.operations[place].txn};
      });
    } else if (answer.answer == Answer::kNotLinearizable && core_.empty()) {
      std::ranges::transform(answer.core, std::back_inserter(core_),
                             [&](std::uint32_t place) { return object.operations[place].txn; });
      std::ranges::sort(core_);
    }
    if (answer.answer == Answer::kNotLinearizable) {
      verdict_.findings.push_back(std::move(answer.finding));
    } else if (answer.answer == Answer::kUnknown && !open_because_ &&
               !answer.unknown_because.empty()) {
      open_because_ = std::move(answer.unknown_because);
    } else if (answer.answer == Answer::kUnknown && !open_because_) {
      const TxnId txn = object.operations[answer.furthest].txn;
      const std::string budget =
          request_.has_budget && !request_.has_budget() ? request_.spent_budget : "its work";
      open_because_ = "the budget of the search for an order was spent (" + budget +
                      "): the operations up to index " +
                      std::to_string(history_.representative(txn).index) + " have one";
    }
  }

  /// A linearizable history is sequential. For others no engine here decides that.
  void conclude() {
    verdict_.complete = true;
    const bool is_violated = !verdict_.findings.empty();
    if (is_violated) {
      verdict_.not_models = {elapid::Model::kLinearizable};
      verdict_.also_not_models = {elapid::Model::kPlSs};
    }
    const bool asks_for_real_time = (verdict_.checked & real_time_models()).any();
    if (is_violated && asks_for_real_time) {
      verdict_.validity = Validity::kInvalid;
    } else if (is_violated) {
      verdict_.findings.clear();
      leave_open("the history is not linearizable, and whether it is sequential is not decided");
    } else if (open_because_) {
      leave_open(*open_because_);
    }
  }

  void add_evidence() {
    for (const elapid::Model model : verdict_.checked) {
      if (verdict_.validity == Validity::kValid) {
        verdict_.levels.push_back(
            {.model = model, .validity = Validity::kValid, .witness = Witness{.order = order_}});
      } else if (verdict_.validity == Validity::kInvalid && real_time_models().test(model)) {
        verdict_.levels.push_back({.model = model,
                                   .validity = Validity::kInvalid,
                                   .failure = ExhaustedSearch{.txns = core_}});
      }
    }
  }

  void leave_open(std::string reason) {
    verdict_.validity = Validity::kUnknown;
    verdict_.complete = false;
    verdict_.unknown_because = std::move(reason);
  }

  const History& history_;
  const JudgeRequest& request_;
  const ObjectType& type_;
  Verdict verdict_;
  std::optional<std::string> open_because_;
  std::vector<OrderEvent> order_;  // object by object
  std::vector<TxnId> core_;        // of the first object that has no order
};

/// Those without an invocation first.
std::vector<std::uint32_t> by_invocation(const History& history) {
  TimedOrder order;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    order.add(invoked(history, txn), 0, txn.value);
  }
  return std::move(order).sorted();
}

}  // namespace

std::vector<Object> objects_of(const History& history, const ObjectType& type) {
  std::vector<std::pair<TxnId, Object>> found;  // with the first transaction of each
  std::vector<std::size_t> number_of(history.key_count(), history.key_count());
  for (const std::uint32_t number : by_invocation(history)) {
    const TxnId txn{number};
    if (history.ops(txn).empty()) {
      continue;
    }
    if (std::optional<Operation> operation = type.decode(txn)) {
      const KeyId key = type.object_of ? type.object_of(txn) : history.ops(txn).front().key();
      std::size_t& place = number_of[key.index()];
      if (place == history.key_count()) {
        place = found.size();
        found.push_back({txn, {.key = key}});
      }
      auto& [first, object] = found[place];
      first = std::min(first, txn);
      object.operations.push_back(with_interval(history, txn, *operation));
    }
  }
  std::ranges::sort(found, {}, &std::pair<TxnId, Object>::first);
  std::vector<Object> objects;
  objects.reserve(found.size());
  std::ranges::move(found | std::views::values, std::back_inserter(objects));
  return objects;
}

Result<Verdict> verdict_of_objects(const History& history, const JudgeRequest& request,
                                   const ObjectType& type, const LevelAnswer* claim) {
  return ObjectVerdict(history, request, type).make(claim);
}

ModelSet object_models() {
  return {elapid::Model::kLinearizable, elapid::Model::kSequential, elapid::Model::kPlSs};
}

}  // namespace elapid::linearize
