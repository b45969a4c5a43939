#include "engine/linearize/object_verdict.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "engine/linearize/object_claims.h"
#include "engine/linearize/sequential_claims.h"
#include "engine/linearize/sequential_search.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {

namespace {

constexpr const char* kNoSession =
    "operations have no invocation: an order in real time does not show that it keeps the order of "
    "each process";

constexpr std::uint64_t kSequentialWork = 1'500'000;
constexpr std::uint64_t kSequentialWorkOfEach = 20;  // more for each operation
constexpr std::uint64_t kSecondWork = 3'000'000;     // of a second opinion; less than in certify

/// The instants of events are even.
std::uint32_t instant_of(EventId event) {
  return 2 * (event.value + 1);
}

/// The instant at which each transaction began. One without an invocation may have begun before all
/// events, at 0; or, to keep the order of processes, right after the one before it in its process.
std::vector<std::uint32_t> beginnings(const History& history, bool keeps_processes) {
  std::vector<std::uint32_t> begun(history.txn_count());
  for (SessionId process{0}; process.index() < history.session_count(); ++process.value) {
    std::uint32_t next = 0;
    for (const TxnId txn : history.session_txns(process)) {
      std::uint32_t& instant = begun[txn.index()];
      instant = history.has_invocation(txn) ? instant_of(history.invocation_id(txn)) : next;
      if (keeps_processes) {
        next = 1 + (history.has_completion(txn) ? instant_of(history.completion_id(txn)) : instant);
      }
    }
  }
  return begun;
}

std::vector<Object> objects_of(const History& history, const ObjectType& type,
                               bool keeps_processes) {
  std::vector<std::pair<TxnId, Object>> found;  // with the first transaction of each
  std::vector<std::size_t> number_of(history.key_count(), history.key_count());
  const std::vector<std::uint32_t> begun = beginnings(history, keeps_processes);
  TimedOrder by_beginning;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    by_beginning.add(begun[txn.index()], 0, txn.value);
  }
  for (const std::uint32_t number : std::move(by_beginning).sorted()) {
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
      operation->txn = txn;
      operation->invoked = begun[number];
      operation->returned = history.committed(txn) || history.status(txn) == TxnStatus::kAborted
                                ? instant_of(history.completion_id(txn))
                                : kNever;
      object.operations.push_back(*operation);
    }
  }
  std::ranges::sort(found, {}, &std::pair<TxnId, Object>::first);
  std::vector<Object> objects;
  objects.reserve(found.size());
  std::ranges::move(found | std::views::values, std::back_inserter(objects));
  return objects;
}

/// For single operations these models are equivalent: each operation is a transaction, and
/// linearizability is local.
ModelSet real_time_models() {
  return {elapid::Model::kLinearizable, elapid::Model::kPlSs};
}

/// The reason why the history decides nothing, whatever its operations are.
std::string_view reason_to_say_nothing(const History& history, const JudgeRequest& request,
                                       ModelSet asked) {
  if (!history.info().has_real_time && (asked & real_time_models()).any()) {
    return "linearizability is about real time, which this history does not record";
  }
  return history.txn_count() == 0 && !request.elle_compat
             ? "the history has no operations from which anything follows"
             : "";
}

/// The verdict on all asked models. Beginnings keep the order of processes if sequential alone is
/// asked. Where that matters, it is asked alone (engine/check/check.cc).
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
    const std::string_view reason = reason_to_say_nothing(history_, request_, verdict_.checked);
    if (!reason.empty()) {
      leave_open(std::string(reason));
      return std::move(verdict_);
    }
    const bool keeps_processes = verdict_.checked == ModelSet{elapid::Model::kSequential};
    has_moved_ = keeps_processes && lacks_invocations(history_);
    const std::vector<Object> objects = objects_of(history_, type_, keeps_processes);
    if (claim != nullptr) {
      believe(flaw_of_claim(history_, objects, type_, *claim,
                            {.work = std::min(request_.work, kPlainWork)}));
      return std::move(verdict_);
    }
    std::size_t operations = 0;
    for (const Object& object : objects) {
      operations += object.operations.size();
      ObjectAnswer answer = type_.judge(object);
      if (answer.answer == Answer::kNotLinearizable) {
        violations_.emplace_back(&object, answer.core);
      }
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
    const bool asks_for_real_time = (verdict_.checked & real_time_models()).any();
    if (verdict_.validity == Validity::kUnknown && !asks_for_real_time) {
      try_without_real_time(objects);
    }
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
      make_set_of_core();
    }
    if (answer.answer == Answer::kNotLinearizable) {
      verdict_.findings.push_back(std::move(answer.finding));
    } else if (answer.answer == Answer::kUnknown && !open_because_ &&
               !answer.unknown_because.empty()) {
      open_because_ = std::move(answer.unknown_because);
    } else if (answer.answer == Answer::kUnknown && !open_because_) {
      const TxnId txn = object.operations[answer.furthest].txn;
      const std::string budget = request_.is_spent() ? request_.spent_budget : "its work";
      open_because_ = "the budget of the search for an order was spent (" + budget +
                      "): the operations before index " +
                      std::to_string(history_.representative(txn).index) + " have one";
    }
  }

  void make_set_of_core() {
    std::ranges::sort(core_);
    const auto rest = std::ranges::unique(core_);
    core_.erase(rest.begin(), rest.end());
  }

  /// A linearizable history is sequential, if its beginnings keep the order of processes.
  void conclude() {
    verdict_.complete = true;
    const bool is_violated = !verdict_.findings.empty();
    if (is_violated && !has_moved_) {
      verdict_.not_models = {elapid::Model::kLinearizable};
      verdict_.also_not_models = {elapid::Model::kPlSs};
    }
    const bool asks_for_real_time = (verdict_.checked & real_time_models()).any();
    if (is_violated && asks_for_real_time) {
      verdict_.validity = Validity::kInvalid;
    } else if (is_violated) {
      verdict_.findings.clear();
      const std::string search = request_.is_spent()
                                     ? request_.spent_budget
                                     : "the search for a sequential order was too long";
      leave_open(has_moved_ ? search : "the history is not linearizable, and " + search);
    } else if (open_because_) {
      leave_open(*open_because_);
    }
  }

  /// Searches an order that keeps that of each process: first of the operations that have none in
  /// real time, which may be few, then of all. The objects share their work.
  void try_without_real_time(const std::vector<Object>& objects) {
    std::uint64_t work = std::min(request_.work, kSequentialWork);
    for (const auto& [object, core] : violations_) {
      std::vector<ValueId> values;
      const Object some = {.key = object->key,
                           .operations = operations_of_core(*object, type_.core, core, values)};
      const auto model_of = [&](const Object& of) { return type_.core.model(of, values); };
      if (!core.empty() && work > 0 &&
          search_sequentially(history_, std::span(&some, 1), model_of, work, request_.has_budget)
                  .answer == PlainAnswer::kNoOrder) {
        core_.clear();
        std::ranges::transform(
            core, std::back_inserter(core_),
            [&of = *object](std::uint32_t place) { return of.operations[place].txn; });
        if (is_refuted(objects)) {
          return refute(true);
        }
        break;  // a second opinion takes long
      }
    }
    search_all(objects);
  }

  void search_all(const std::vector<Object>& objects) {
    std::uint64_t work = kSequentialWork;
    for (const Object& object : objects) {
      work += kSequentialWorkOfEach * object.operations.size();
    }
    work = std::min(request_.work, work);
    const auto model_of = [&](const Object& of) { return type_.core.model(of, std::nullopt); };
    SequentialAnswer answer =
        search_sequentially(history_, objects, model_of, work, request_.has_budget);
    if (answer.answer == PlainAnswer::kNoOrder) {
      core_.clear();
      for (const Object& object : objects) {
        std::ranges::transform(object.operations, std::back_inserter(core_), &Operation::txn);
      }
      if (is_refuted(objects)) {
        refute(objects.size() == 1);
      }
    } else if (answer.answer == PlainAnswer::kOrder &&
               is_sequential_order(history_, objects, answer.order, type_.replay)) {
      order_ = std::move(answer.order);
      settle(Validity::kValid);
    }
  }

  /// Whether a second opinion is, too, that the core has no order that keeps the order of each
  /// process.
  [[nodiscard]] bool is_refuted(const std::vector<Object>& objects) {
    make_set_of_core();
    const LevelAnswer claim = {.model = elapid::Model::kSequential,
                               .validity = Validity::kInvalid,
                               .failure = ExhaustedSearch{.txns = core_}};
    return !flaw_of_claim(
        history_, objects, type_, claim,
        {.work = std::min(request_.work, kSecondWork), .has_budget = request_.has_budget});
  }

  /// The core has no order that keeps the order of each process. It is of one object, or all.
  void refute(bool is_of_one) {
    settle(Validity::kInvalid);
    verdict_.not_models = {elapid::Model::kSequential};
    verdict_.also_not_models = {elapid::Model::kPlSs};
    if (!has_moved_) {
      verdict_.also_not_models.set(elapid::Model::kLinearizable);
    }
    Description finding = {.name = "not-sequential",
                           .gloss =
                               "no order that keeps the order of each process explains what "
                               "the operations saw"};
    constexpr std::size_t kMostActors = 4;
    SeriesPart actors;
    for (const TxnId txn : std::span(core_).first(std::min(core_.size(), kMostActors))) {
      actors.items.push_back(as_phrase(ActorPart{finding.actors.size()}));
      finding.actors.push_back(
          {.event = representative_ref(history_, txn), .focus = {Focus{.mop = 0}}});
    }
    finding.claims.push_back(
        {.says = phrase(is_of_one ? "No order of the operations on one object with {}{} keeps the "
                                    "order of each process: not sequential!"
                                  : "No order of the operations on all objects, among them {}{}, "
                                    "keeps the order of each process: not sequential!",
                        std::move(actors), core_.size() > kMostActors ? " and others" : "")});
    verdict_.findings = {std::move(finding)};
  }

  void settle(Validity validity) {
    verdict_.engine = "sequential-search";
    verdict_.validity = validity;
    verdict_.complete = true;
    verdict_.unknown_because.reset();
  }

  void add_evidence() {
    for (const elapid::Model model : verdict_.checked) {
      const bool is_refuted = real_time_models().test(model) || verdict_.not_models.test(model);
      if (verdict_.validity == Validity::kValid) {
        verdict_.levels.push_back(
            {.model = model, .validity = Validity::kValid, .witness = Witness{.order = order_}});
      } else if (verdict_.validity == Validity::kInvalid && is_refuted) {
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
  bool has_moved_ = false;  // some beginnings are later than in real time
  std::optional<std::string> open_because_;
  std::vector<OrderEvent> order_;  // object by object
  std::vector<TxnId> core_;        // operations that have no order
  std::vector<std::pair<const Object*, std::vector<std::uint32_t>>>
      violations_;  // with their cores
};

}  // namespace

bool lacks_invocations(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.ops(txn).empty() && !history.has_invocation(txn)) {
      return true;
    }
  }
  return false;
}

std::vector<Object> objects_of(const History& history, const ObjectType& type) {
  return objects_of(history, type, false);
}

/// Where an operation has no invocation, it begins before those of its process. So a linearizable
/// history need not be strict serializable.
Result<Verdict> verdict_of_objects(const History& history, const JudgeRequest& request,
                                   const ObjectType& type, const LevelAnswer* claim) {
  ELAPID_ASSIGN_OR_RETURN(Verdict verdict, ObjectVerdict(history, request, type).make(claim));
  const bool may_hold = claim == nullptr || claim->validity == Validity::kValid;
  if (verdict.validity == Validity::kValid && may_hold && !request.elle_compat &&
      request.models.test(elapid::Model::kPlSs) && lacks_invocations(history)) {
    verdict.levels.clear();
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because = kNoSession;
  }
  return verdict;
}

ModelSet object_models() {
  return {elapid::Model::kLinearizable, elapid::Model::kSequential, elapid::Model::kPlSs};
}

}  // namespace elapid::linearize
