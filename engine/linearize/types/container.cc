#include "engine/linearize/types/container.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/events.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/part.h"

namespace elapid::linearize {
namespace {

/// Adds the removes of known values to the stays. Returns the flaw of one, if there is one.
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
  std::uint32_t instant = 0;
  for (const OperationEvent& event : events_of(operations)) {
    Operation& op = dense[event.place];
    (event.is_return ? op.returned : op.invoked) = instant++;
  }
  return dense;
}

}  // namespace elapid::linearize
