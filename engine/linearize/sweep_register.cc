#include "engine/linearize/sweep_register.h"

#include <utility>

#include "engine/linearize/effect_order.h"
#include "engine/linearize/register_pass.h"
#include "engine/linearize/sweep_plan.h"

namespace elapid::linearize {

namespace {

/// The passes over one object, from quick to exact.
class Passes {
 public:
  Passes(const Operations& operations, const RegisterQuestion& question)
      : operations_(operations),
        question_(question),
        plan_(sweep_plan(operations, question.initial)) {}

  RegisterJudgement run() {
    if (plan_.most_open > SlotMask<16>::kSlots) {
      return {.operations = {0}, .has_too_many_open = true};
    }
    if (plan_.classes.empty()) {
      return answer(pass(Counting::kExact), true, true);
    }
    RegisterJudgement result = answer(pass(Counting::kCheapest), true, false);
    if (result.answer == Answer::kUnknown && !is_spent_) {
      result = answer(pass(Counting::kUnlimited), false, true);
    }
    if (result.answer == Answer::kUnknown && !is_spent_) {
      result = answer(pass(Counting::kExact), true, true);
    }
    return result;
  }

 private:
  PassResult pass(Counting counting) {
    const auto may_go_on = [this](std::uint64_t work) { return spend(work); };
    const std::uint32_t open = plan_.most_open;
    return open <= 64    ? RegisterPass<1>(plan_, counting, may_go_on).run()
           : open <= 128 ? RegisterPass<2>(plan_, counting, may_go_on).run()
           : open <= 256 ? RegisterPass<4>(plan_, counting, may_go_on).run()
                         : RegisterPass<16>(plan_, counting, may_go_on).run();
  }

  bool spend(std::uint64_t work) {
    constexpr std::uint64_t kBetweenQuestions = 1 << 16;
    work_ += work;
    const bool asks = question_.has_budget && work_ - asked_at_ >= kBetweenQuestions;
    asked_at_ = asks ? work_ : asked_at_;
    is_spent_ = work_ > question_.work || (asks && !question_.has_budget());
    return !is_spent_;
  }

  RegisterJudgement answer(const PassResult& pass, bool shows_order, bool shows_none) {
    RegisterJudgement result = {.work = work_};
    if (pass.is_finished && pass.is_possible && shows_order) {
      result.answer = Answer::kLinearizable;
      result.order = order_of_effects(operations_, pass.effects, question_.initial);
    } else if (!pass.is_possible) {
      result.answer = pass.is_finished && shows_none ? Answer::kNotLinearizable : Answer::kUnknown;
      result.flaw =
          result.answer == Answer::kUnknown ? RegisterFlaw::kNone : RegisterFlaw::kNoOrder;
      result.operations = {pass.operation};
    }
    return result;
  }

  const Operations& operations_;
  const RegisterQuestion& question_;
  SweepPlan plan_;
  std::uint64_t work_ = 0;
  std::uint64_t asked_at_ = 0;
  bool is_spent_ = false;
};

}  // namespace

RegisterJudgement sweep_register(const Operations& operations, const RegisterQuestion& question) {
  return Passes(operations, question).run();
}

}  // namespace elapid::linearize
