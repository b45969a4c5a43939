#include "engine/workloads/multi_register/single_register.h"

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "engine/linearize/register.h"
#include "engine/linearize/register_judgement.h"

namespace elapid {

namespace {

using linearize::Operation;
using linearize::Operations;
using linearize::RegisterF;
using linearize::RegisterStep;

/// The operations on one register, and their transactions.
struct Projection {
  Operations operations = {};
  std::vector<std::uint32_t> places = {};
};

/// A transaction's effect on a register: its first read before its writes, and its last write.
struct Effect {
  ValueId read = ValueId::none();
  ValueId written = ValueId::none();
};

void add(const Operation& txn, std::uint32_t place, const Effect& effect, Projection& projection) {
  Operation op = {.txn = txn.txn, .invoked = txn.invoked, .returned = txn.returned};
  if (effect.written.is_none()) {
    op.f = static_cast<std::uint8_t>(RegisterF::kRead);
    op.result = effect.read;
  } else if (effect.read.is_none()) {
    op.f = static_cast<std::uint8_t>(RegisterF::kWrite);
    op.argument = effect.written;
  } else {
    op.f = static_cast<std::uint8_t>(RegisterF::kCas);
    op.argument = effect.read;
    op.result = effect.written;
  }
  projection.operations.push_back(op);
  projection.places.push_back(place);
}

/// The operation that returns later.
std::uint32_t later(const Operations& operations, std::optional<std::uint32_t> one,
                    std::uint32_t other) {
  return one && operations[*one].returned >= operations[other].returned ? *one : other;
}

/// The projections, by key.
std::map<std::uint32_t, Projection> projections(const Operations& operations,
                                                const linearize::RegisterCalls& calls) {
  std::map<std::uint32_t, Projection> all;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    std::map<std::uint32_t, Effect> effects;
    for (const RegisterStep& step : calls.at(operations[place].argument)) {
      Effect& effect = effects[step.key.value];
      if (step.is_write) {
        effect.written = step.value;
      } else if (effect.written.is_none() && effect.read.is_none()) {
        effect.read = step.value;
      }
    }
    for (const auto& [key, effect] : effects) {
      add(operations[place], place, effect, all[key]);
    }
  }
  return all;
}

/// The values that the register may hold at first. nil stands for all values that no read shows,
/// since reads of nil do not count. Empty if there are too many to try.
std::set<ValueId> possible_at_first(const Projection& projection, ValueId known) {
  constexpr std::size_t kMost = 16;
  if (!known.is_none()) {
    return {known};
  }
  std::set<ValueId> possible = {ValueId::nil()};
  for (const Operation& op : projection.operations) {
    const RegisterF f = linearize::register_f(op);
    if (f != RegisterF::kWrite) {
      possible.insert(f == RegisterF::kRead ? op.result : op.argument);
    }
    if (possible.size() > kMost) {
      return {};
    }
  }
  return possible;
}

/// The operation by whose return no order explains the operations of one register. Nothing if an
/// order does, or if that is open.
std::optional<std::uint32_t> contradiction(const Projection& projection, ValueId at_first,
                                           const Operations& operations, std::uint64_t work) {
  const linearize::RegisterJudgement judgement =
      linearize::judge_register(projection.operations, {.initial = at_first, .work = work});
  std::optional<std::uint32_t> last;
  if (judgement.answer == linearize::Answer::kNotLinearizable) {
    for (const std::uint32_t at : judgement.operations) {
      if (at != linearize::kBeginning) {
        last = later(operations, last, projection.places[at]);
      }
    }
  }
  return last;
}

}  // namespace

std::optional<std::uint32_t> contradiction_in_one_register(const linearize::Operations& operations,
                                                           const linearize::RegisterCalls& calls,
                                                           const linearize::InitialValues& initial,
                                                           std::uint64_t work) {
  for (const auto& [key, projection] : projections(operations, calls)) {
    std::optional<std::uint32_t> last;
    for (const ValueId at_first : possible_at_first(projection, initial.at(key))) {
      const std::optional<std::uint32_t> place =
          contradiction(projection, at_first, operations, work);
      if (!place) {
        last.reset();
        break;
      }
      last = later(operations, last, *place);
    }
    if (last) {
      return last;
    }
  }
  return std::nullopt;
}

}  // namespace elapid
