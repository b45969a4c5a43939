#include "engine/linearize/types/add_remove_set.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/part.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

std::vector<Part> by_element(const Operations& operations) {
  std::vector<Part> parts;
  IntMap number_of;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    const auto fresh = static_cast<std::uint32_t>(parts.size());
    const std::uint32_t number = number_of.find_or_add(op.argument.bits(), fresh);
    if (number == fresh) {
      parts.emplace_back();
    }
    parts[number].add(op, place);
  }
  return parts;
}

}  // namespace

Judgement judge_add_remove_set(const Operations& operations, std::uint64_t work) {
  const AddRemoveModel model;
  TimedOrder order;
  Judgement unknown;
  for (const Part& part : by_element(operations)) {
    Judgement judgement = part.of_whole(sweep(part.operations, model, work));
    if (judgement.answer == Answer::kNotLinearizable) {
      return judgement;
    }
    if (judgement.answer == Answer::kUnknown) {
      unknown = std::move(judgement);
    }
    order.add_object(operations, judgement.order);
  }
  return unknown.places.empty() ? linearizable(std::move(order).sorted()) : unknown;
}

void AddRemoveModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  const std::uint32_t element = op.argument.bits();
  const auto at = std::ranges::lower_bound(state, element);
  const bool is_in = at != state.end() && *at == element;
  const bool has_result = !op.result.is_none();
  const bool result = op.result != ValuePool::false_value();
  if (op.f == static_cast<std::uint8_t>(SetF::kContains)) {
    if (!has_result || result == is_in) {
      next.push_back(state);
    }
    return;
  }
  const bool is_add = op.f == static_cast<std::uint8_t>(SetF::kAdd);
  if (!has_result || result == (is_add != is_in)) {
    State& after = next.emplace_back(state);
    const auto place = after.begin() + (at - state.begin());
    if (is_add && !is_in) {
      after.insert(place, element);
    } else if (!is_add && is_in) {
      after.erase(place);
    }
  }
}

bool AddRemoveModel::is_read(const Operation& op) const {
  return op.f == static_cast<std::uint8_t>(SetF::kContains) ||
         op.result == ValuePool::false_value();
}

}  // namespace elapid::linearize
