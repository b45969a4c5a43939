#include "engine/linearize/types/multi_register.h"

#include <algorithm>
#include <utility>

#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/multi_register_dive.h"

namespace elapid::linearize {

namespace {

/// By key and value: the first invocation of a write of it.
using FirstWrites = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

FirstWrites first_writes(const Operations& operations, const RegisterCalls& calls) {
  FirstWrites first;
  for (const Operation& op : operations) {
    for (const RegisterStep& step : calls.at(op.argument)) {
      if (step.is_write) {
        first.try_emplace({step.key.value, step.value.bits()}, op.invoked);
      }
    }
  }
  return first;
}

/// Calls `see` with each read that does not follow a write of its register in its transaction.
template <class See>
void for_external_reads(std::span<const RegisterStep> steps, const See& see) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto before = steps.first(i);
    const auto writes = [&](const RegisterStep& step) {
      return step.is_write && step.key == steps[i].key;
    };
    if (!steps[i].is_write && std::ranges::none_of(before, writes)) {
      see(steps[i]);
    }
  }
}

/// Its steps cost less than those of the sweep. Of few operations other searches are quick, too.
std::uint64_t dive_work(const Operations& operations, std::uint64_t work) {
  constexpr std::size_t kFew = 1500;
  return std::min(std::min(work, kDefaultWork) * (operations.size() < kFew ? 5 : 50),
                  2 * kDefaultWork);
}

class MultiRegisterReplay : public Replay {
 public:
  MultiRegisterReplay(const RegisterCalls& calls, std::optional<ValueId> initial)
      : calls_(calls), initial_(initial) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    for (const RegisterStep& step : calls_.at(op.argument)) {
      const auto held = values_.find(step.key.value);
      const bool is_known = held != values_.end() || initial_.has_value();
      const ValueId value = held != values_.end() ? held->second : initial_.value_or(ValueId());
      if (!step.is_write && is_known && value != step.value) {
        return false;
      }
      values_[step.key.value] = step.value;
    }
    return true;
  }

 private:
  const RegisterCalls& calls_;
  std::optional<ValueId> initial_;
  std::map<std::uint32_t, ValueId> values_;
};

}  // namespace

ValueId RegisterCalls::add(const std::vector<RegisterStep>& steps) {
  const auto [found, is_new] = number_of_.try_emplace(steps, calls_.size());
  if (is_new) {
    calls_.push_back(steps);
  }
  return ValueId::integer(static_cast<std::int64_t>(found->second));
}

InitialValues initial_values(const Operations& operations, const RegisterCalls& calls,
                             std::optional<ValueId> initial, bool in_real_time) {
  const FirstWrites first = first_writes(operations, calls);
  InitialValues values;
  for (const Operation& op : operations) {
    for (const RegisterStep& step : calls.at(op.argument)) {
      values.try_emplace(step.key.value, initial.value_or(ValueId::none()));
    }
    if (initial || op.is_open()) {
      continue;
    }
    for_external_reads(calls.at(op.argument), [&](const RegisterStep& step) {
      const auto write = first.find({step.key.value, step.value.bits()});
      if (write == first.end() || (in_real_time && write->second > op.returned)) {
        values[step.key.value] = step.value;
      }
    });
  }
  return values;
}

Judgement judge_multi_register(const Operations& operations, const RegisterCalls& calls,
                               std::optional<ValueId> initial, std::uint64_t work,
                               std::uint64_t work_before) {
  const InitialValues at_first = initial_values(operations, calls, initial);
  const std::uint64_t quick_work = dive_work(operations, work);
  Judgement quick;
  if (quick_work > dive_work(operations, work_before) &&
      std::ranges::any_of(operations, &Operation::is_open)) {
    quick = dive(operations, calls, at_first, quick_work);
    if (quick.answer == Answer::kLinearizable) {
      return quick;
    }
  }
  Judgement judgement = sweep(operations, MultiRegisterModel(calls, at_first), work);
  const auto end = [&](const Judgement& search) {
    return operations[search.places.front()].returned;
  };
  const bool is_quick_further =
      judgement.answer == Answer::kUnknown && !quick.places.empty() && end(quick) > end(judgement);
  return is_quick_further ? quick : judgement;
}

MultiRegisterModel::MultiRegisterModel(const RegisterCalls& calls, const InitialValues& initial)
    : calls_(calls) {
  for (const auto& [key, value] : initial) {
    slot_of_.emplace(key, initial_.size());
    initial_.push_back(value.bits());
  }
}

void MultiRegisterModel::step(const State& state, const Operation& op,
                              std::vector<State>& next) const {
  State after = state;
  for (const RegisterStep& step : calls_.at(op.argument)) {
    std::uint32_t& held = after[slot_of_.at(step.key.value)];
    if (!step.is_write && held != ValueId::none().bits() && held != step.value.bits()) {
      return;
    }
    held = step.value.bits();
  }
  next.push_back(std::move(after));
}

/// A read of a register with an unknown initial value tells this value. So it is no plain read.
bool MultiRegisterModel::is_read(const Operation& op) const {
  return std::ranges::all_of(calls_.at(op.argument), [&](const RegisterStep& step) {
    return !step.is_write && initial_[slot_of_.at(step.key.value)] != ValueId::none().bits();
  });
}

std::unique_ptr<Replay> multi_register_replay(const RegisterCalls& calls,
                                              std::optional<ValueId> initial) {
  return std::make_unique<MultiRegisterReplay>(calls, initial);
}

}  // namespace elapid::linearize
