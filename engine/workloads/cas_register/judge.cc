#include "engine/workloads/cas_register/judge.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/linearize/object_verdict.h"
#include "engine/linearize/register.h"
#include "engine/linearize/register_replay.h"
#include "engine/linearize/sweep_register.h"

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
  return {.f = static_cast<std::uint8_t>(f), .argument = argument, .result = result};
}

class RegisterDecoder {
 public:
  RegisterDecoder(const History& history, const JudgeRequest& request) : history_(history) {
    const bool shows =
        request.failed_cas == FailedCas::kWitness ||
        (request.failed_cas == FailedCas::kOfFormat && history.info().failed_cas_shows);
    failed_cas_shows_ = shows && !request.elle_compat;
    nil_shows_ = !request.elle_compat && (history.info().initial.is_nil() || writes_nil());
  }

  /// The first transaction that is no operation of registers.
  [[nodiscard]] std::optional<TxnId> foreign() const {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const auto ops = history_.ops(txn);
      if (!ops.empty() && !is_register_operation(ops)) {
        return txn;
      }
    }
    return std::nullopt;
  }

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

/// `1`, `1 or 2`, `1, 2 or 3`, and at most so many.
Phrase alternatives(const std::vector<ValueId>& values) {
  constexpr std::size_t kMost = 8;
  Phrase phrase_of_all;
  const std::size_t shown = std::min(values.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == values.size();
    const std::string_view before = i == 0 ? "" : is_last ? " or " : ", ";
    phrase_of_all = phrase("{}{}{}", std::move(phrase_of_all), before, ValuePart{values[i]});
  }
  return shown == values.size() ? phrase_of_all
                                : phrase("{} or {} others", std::move(phrase_of_all),
                                         std::to_string(values.size() - shown));
}

/// What the operation needs the register to hold.
Phrase need_of(const Operation& operation) {
  switch (linearize::register_f(operation)) {
    case RegisterF::kRead:
      return phrase("read {}", ValuePart{operation.result});
    case RegisterF::kCas:
      return phrase("found {} there, and replaced it by {}", ValuePart{operation.argument},
                    ValuePart{operation.result});
    case RegisterF::kFailedCas:
      return phrase("found another value than {}", ValuePart{operation.argument});
    case RegisterF::kWrite:
      return phrase("wrote {}", ValuePart{operation.argument});
  }
  return {};
}

Description description_of(const History& history, const Object& object,
                           const linearize::Furthest& furthest) {
  const Operation& operation = object.operations[furthest.operation];
  Description description = {.name = "not-linearizable",
                             .gloss = "no order of the operations explains what one of them saw"};
  description.actors.push_back(
      {.event = representative_ref(history, operation.txn), .focus = {Focus{.mop = 0}}});
  description.claims.push_back(
      {.says = phrase("In every order of the operations invoked before {} completed, the register "
                      "then holds {}.",
                      ActorPart{.actor = 0, .with_place = true}, alternatives(furthest.contents))});
  description.claims.push_back(
      {.says = phrase("However, {} {}: not linearizable!", ActorPart{0}, need_of(operation))});
  return description;
}

}  // namespace

Result<Verdict> judge_registers(const History& history, const JudgeRequest& request) {
  const RegisterDecoder decoder(history, request);
  if (const auto txn = decoder.foreign()) {
    const Op op = history.ops(*txn).front();
    const std::string found = op.kind() == OpKind::kOther ? history.shown_text(op.value())
                                                          : "a transaction of several operations";
    return Error{.kind = ErrorKind::kMalformed,
                 .message = "expected operations :read, :write and :cas of cas-register, found " +
                            found + " (index " +
                            std::to_string(history.representative(*txn).index) + ")"};
  }
  linearize::ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return decoder.decode(txn); };
  type.replay = [&] { return std::make_unique<linearize::RegisterReplay>(history.info().initial); };
  type.judge = [&](const Object& object) {
    linearize::SweepResult swept =
        linearize::sweep_register(object.operations, {.initial = history.info().initial,
                                                      .work = request.work,
                                                      .has_budget = request.has_budget});
    ObjectAnswer answer = {.answer = swept.answer, .order = std::move(swept.order)};
    if (swept.answer == Answer::kNotLinearizable) {
      answer.finding = description_of(history, object, swept.furthest);
    } else if (swept.answer == Answer::kUnknown) {
      const TxnId txn = object.operations[swept.furthest.operation].txn;
      answer.unknown_because = "the budget of the search was spent: the operations up to index " +
                               std::to_string(history.representative(txn).index) +
                               " are linearizable";
    }
    return answer;
  };
  return linearize::verdict_of_objects(history, request, type);
}

}  // namespace elapid
