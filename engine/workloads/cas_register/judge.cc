#include "engine/workloads/cas_register/judge.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/object_verdict.h"
#include "engine/linearize/register.h"
#include "engine/linearize/register_core.h"
#include "engine/linearize/register_judgement.h"
#include "engine/linearize/register_replay.h"
#include "engine/workloads/cas_register/describe_register.h"

namespace elapid {

namespace {

using linearize::Answer;
using linearize::Object;
using linearize::ObjectAnswer;
using linearize::Operation;
using linearize::RegisterF;

bool is_cas(std::span<const Op> ops) {
  return ops.size() == 2 && ops[0].kind() == OpKind::kRead && ops[1].kind() == OpKind::kWrite;
}

bool is_register_operation(std::span<const Op> ops) {
  return is_cas(ops) ||
         (ops.size() == 1 && (ops[0].kind() == OpKind::kRead || ops[0].kind() == OpKind::kWrite));
}

Operation operation_of(RegisterF f, ValueId argument, ValueId result) {
  Operation operation;
  operation.f = static_cast<std::uint8_t>(f);
  operation.argument = argument;
  operation.result = result;
  return operation;
}

class RegisterDecoder {
 public:
  RegisterDecoder(const History& history, const JudgeRequest& request) : history_(history) {
    const bool shows =
        request.failed_cas == FailedCas::kWitness ||
        (request.failed_cas == FailedCas::kUnsaid && history.info().failed_cas_shows);
    failed_cas_shows_ = shows && !request.elle_compat;
    nil_shows_ = !request.elle_compat && (history.info().initial.is_nil() || writes_nil());
  }

  [[nodiscard]] bool failed_cas_shows() const { return failed_cas_shows_; }

  [[nodiscard]] std::optional<Operation> decode(TxnId txn) const {
    const auto ops = history_.ops(txn);
    const TxnStatus status = history_.status(txn);
    if (status == TxnStatus::kAborted) {
      return is_cas(ops) && failed_cas_shows_
                 ? std::optional(operation_of(RegisterF::kFailedCas, ops[0].value(), {}))
                 : std::nullopt;
    }
    if (is_cas(ops)) {
      return operation_of(RegisterF::kCas, ops[0].value(), ops[1].value());
    }
    if (ops[0].is_write()) {
      return operation_of(RegisterF::kWrite, ops[0].value(), ValueId::none());
    }
    const bool shows = status == TxnStatus::kCommitted && (nil_shows_ || !ops[0].value().is_nil());
    return shows ? std::optional(operation_of(RegisterF::kRead, ValueId::none(), ops[0].value()))
                 : std::nullopt;
  }

 private:
  [[nodiscard]] bool writes_nil() const {
    return std::ranges::any_of(history_.all_ops(),
                               [](const Op& op) { return op.is_write() && op.value().is_nil(); });
  }

  const History& history_;
  bool failed_cas_shows_ = false;
  bool nil_shows_ = false;
};

/// States: the register's value.
class RegisterStates : public linearize::Model {
 public:
  explicit RegisterStates(ValueId initial) : initial_(initial) {}

  [[nodiscard]] linearize::State initial() const override { return {initial_.bits()}; }

  void step(const linearize::State& state, const Operation& operation,
            std::vector<linearize::State>& next) const override {
    const RegisterF f = linearize::register_f(operation);
    const ValueId needed = f == RegisterF::kRead ? operation.result : operation.argument;
    const bool is_there = state[0] == needed.bits();
    if (f == RegisterF::kWrite) {
      next.push_back({operation.argument.bits()});
    } else if (is_there != (f == RegisterF::kFailedCas)) {
      next.push_back(f == RegisterF::kCas ? linearize::State{operation.result.bits()} : state);
    }
  }

  [[nodiscard]] bool is_read(const Operation& operation) const override {
    const RegisterF f = linearize::register_f(operation);
    return f == RegisterF::kRead || f == RegisterF::kFailedCas;
  }

 private:
  ValueId initial_;
};

std::optional<std::vector<ValueId>> values_of(const Operation& operation) {
  std::vector<ValueId> values;
  for (const ValueId value : {operation.argument, operation.result}) {
    if (!value.is_none()) {
      values.push_back(value);
    }
  }
  return values;
}

ObjectAnswer answer_of(const History& history, const JudgeRequest& request, const Object& object) {
  linearize::RegisterJudgement judgement = linearize::judge_register(
      object.operations,
      {.initial = history.info().initial, .work = request.work, .has_budget = request.has_budget});
  ObjectAnswer answer = {.answer = judgement.answer, .order = std::move(judgement.order)};
  if (judgement.answer == Answer::kNotLinearizable) {
    const linearize::RegisterCore core =
        judgement.flaw == linearize::RegisterFlaw::kNoOrder
            ? linearize::core_of(object.operations, judgement, history.info().initial)
            : linearize::RegisterCore();
    answer.finding = describe_register(history, object, judgement, core);
    answer.core = judgement.operations;
    answer.core.insert(answer.core.end(), core.places.begin(), core.places.end());
    std::erase(answer.core, linearize::kBeginning);
  } else if (judgement.answer == Answer::kUnknown) {
    answer.furthest = judgement.operations.front();
    if (judgement.has_too_many_open) {
      answer.unknown_because = "more than 1,024 operations were open at a time";
    }
  }
  return answer;
}

}  // namespace

Result<Verdict> judge_registers(const History& history, const JudgeRequest& request,
                                const LevelAnswer* claim) {
  const RegisterDecoder decoder(history, request);
  if (auto error = linearize::refuse_foreign(history, is_register_operation,
                                             ":read, :write and :cas of cas-register")) {
    return *error;
  }
  linearize::ObjectType type;
  type.name = "linearize";
  type.decode = [&](TxnId txn) { return decoder.decode(txn); };
  type.replay = [&](const Object&) {
    return std::make_unique<linearize::RegisterReplay>(history.info().initial);
  };
  type.core.model = [&](const Object&, auto) {
    return std::make_unique<RegisterStates>(history.info().initial);
  };
  if (!decoder.failed_cas_shows()) {
    type.core.values_of = values_of;
  }
  type.judge = [&](const Object& object) { return answer_of(history, request, object); };
  return linearize::verdict_of_objects(history, request, type, claim);
}

}  // namespace elapid
