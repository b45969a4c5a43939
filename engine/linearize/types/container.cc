#include "engine/linearize/types/container.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/part.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

/// Takes the removes of known values into the stays; the flaw of one, if any.
Judgement remove_all(const Operations& operations, const IntMap& stay_of_value,
                     std::vector<Stay>& stays) {
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    if (is_add(op) || op.result.is_none() || op.result.is_nil()) {
      continue;
    }
    const std::uint32_t number = stay_of_value.find(op.result.bits());
    if (number == IntMap::kAbsent) {
      return refuted(Pattern::kNeverAdded, {place});
    }
    Stay& stay = stays[number];
    if (stay.remove != kNoPlace) {
      return refuted(Pattern::kRemovedTwice, {stay.remove, place});
    }
    if (op.returned < stay.add_from) {
      return refuted(Pattern::kRemovedBeforeAdded, {place, stay.add});
    }
    stay.remove = place;
    stay.remove_from = std::max(op.invoked, stay.add_from);
    stay.remove_to = op.returned;
    stay.add_to = std::min(stay.add_to, op.returned);
  }
  return {};
}

/// The places of those that returned, in order of their returns.
std::vector<std::uint32_t> by_return(const Operations& operations) {
  TimedOrder order;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    if (!operations[place].is_open()) {
      order.add(operations[place].returned, 0, place);
    }
  }
  return std::move(order).sorted();
}

}  // namespace

Stays stays_of(const Operations& sparse) {
  Stays result;
  const Operations operations = with_dense_instants(sparse);
  IntMap stay_of_value;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    result.instants += op.is_open() ? 1U : 2U;
    if (is_add(op)) {
      const auto fresh = static_cast<std::uint32_t>(result.stays.size());
      if (stay_of_value.find_or_add(op.argument.bits(), fresh) != fresh || op.argument.is_nil()) {
        result.has_repeated_values = true;
      }
      result.stays.push_back(
          {.value = op.argument, .add = place, .add_from = op.invoked, .add_to = op.returned});
    } else if (op.result.is_nil()) {
      result.empty.push_back({place, op.invoked, op.returned});
    } else if (op.result.is_none()) {
      result.crashed.push_back({place, op.invoked, kNever});
    }
  }
  if (!result.has_repeated_values) {
    result.flaw = remove_all(operations, stay_of_value, result.stays);
    std::erase_if(result.stays, [](const Stay& stay) {
      return stay.add_to == kNever && stay.remove == kNoPlace;
    });
  }
  return result;
}

Judgement sweep_container(const Operations& operations, const Model& model, std::uint64_t work) {
  IntMap is_removed;
  for (const Operation& op : operations) {
    if (!is_add(op) && !op.result.is_none()) {
      is_removed.find_or_add(op.result.bits(), 0);
    }
  }
  Part part;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const Operation& op = operations[place];
    if (!is_add(op) || !op.is_open() || is_removed.find(op.argument.bits()) != IntMap::kAbsent) {
      part.add(op, place);
    }
  }
  return part.of_whole(sweep(part.operations, model, work));
}

Operations with_dense_instants(const Operations& operations) {
  Operations dense = operations;
  const std::vector<std::uint32_t> returns = by_return(operations);
  std::uint32_t instant = 0;
  std::size_t next = 0;
  const auto return_before = [&](std::uint32_t bound) {
    for (; next < returns.size() && operations[returns[next]].returned < bound; ++next) {
      dense[returns[next]].returned = instant++;
    }
  };
  for (Operation& op : dense) {
    return_before(op.invoked);
    op.invoked = instant++;
  }
  return_before(kNever);
  return dense;
}

}  // namespace elapid::linearize
