#include "engine/linearize/object_claims.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/linearize/sequential_claims.h"
#include "engine/linearize/types/plain_search.h"

namespace elapid::linearize {

namespace {

constexpr std::string_view kHasOrder = "the operations that the core names have an order";
constexpr std::string_view kForeign = "it names a transaction that is no operation of an object";

/// The object of each transaction's operation, and the operation's place in the object.
class Places {
 public:
  struct Place {
    std::uint32_t object;
    std::uint32_t place;
  };

  explicit Places(std::span<const Object> objects) {
    for (std::uint32_t object = 0; object < objects.size(); ++object) {
      const Operations& operations = objects[object].operations;
      for (std::uint32_t place = 0; place < operations.size(); ++place) {
        place_of_.emplace(operations[place].txn.value, Place{object, place});
      }
    }
  }

  [[nodiscard]] std::optional<Place> of(TxnId txn) const {
    const auto found = place_of_.find(txn.value);
    return found == place_of_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::uint32_t, Place> place_of_;
};

/// Sets of values. An operation joins the sets of all its values.
class JoinedValues {
 public:
  void join(std::span<const ValueId> values) {
    for (const ValueId value : values) {
      parent_.try_emplace(value.bits(), value.bits());
      parent_[first(value.bits())] = first(values.front().bits());
    }
  }

  std::uint32_t first(std::uint32_t value) {
    while (parent_.contains(value) && parent_[value] != value) {
      value = parent_[value] = parent_[parent_[value]];
    }
    return value;
  }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> parent_;
};

std::vector<ValueId> named_values(const Object& object, const CoreRules& rules,
                                  std::span<const std::uint32_t> core) {
  if (rules.values_of_core) {
    return rules.values_of_core(object, core);
  }
  std::vector<ValueId> named;
  for (const std::uint32_t place : core) {
    const auto values = rules.values_of(object.operations[place]);
    named.insert(named.end(), values ? values->begin() : named.end(),
                 values ? values->end() : named.end());
  }
  return named;
}

std::optional<std::string> flaw_of(PlainAnswer answer) {
  return answer == PlainAnswer::kNoOrder ? std::nullopt
         : answer == PlainAnswer::kSpent
             ? std::optional<std::string>("the budget of the search that verifies it was spent")
             : std::optional<std::string>(kHasOrder);
}

/// Nothing if a plain search finds that the operations have no order; otherwise what is wrong. An
/// unlimited supply may make the search short, or endless, as of a counter. So both searches take
/// turns, with more and more steps; in sum 4/3 of `work`.
std::optional<std::string> flaw_of_search(const Operations& operations, const Model& model,
                                          std::uint64_t work) {
  constexpr std::uint64_t kFirst = 512;
  constexpr std::uint64_t kLast = 2;
  for (std::uint64_t part = kFirst; part >= kLast; part /= 4) {
    std::uint64_t some = work / part;
    if (search_plainly(operations, model, Supply::kUnlimited, some) == PlainAnswer::kNoOrder) {
      return std::nullopt;
    }
    some = work / part;
    const PlainAnswer answer = search_plainly(operations, model, Supply::kOnce, some);
    if (answer != PlainAnswer::kSpent) {
      return flaw_of(answer);
    }
  }
  return flaw_of(PlainAnswer::kSpent);
}

std::optional<std::string> flaw_of_core(const Object& object, const ObjectType& type,
                                        std::span<const std::uint32_t> core, std::uint64_t work) {
  std::vector<ValueId> values;
  const Operations some = operations_of_core(object, type.core, core, values);
  std::optional<std::string> flaw = flaw_of_search(some, *type.core.model(object, values), work);
  if (flaw && some.size() < object.operations.size() && !type.core.values_of_core) {
    flaw = flaw_of_search(object.operations, *type.core.model(object, std::nullopt), work);
  }
  return flaw;
}

/// The flaw of the claim that the operations of some objects have no order that keeps the order of
/// each process. Those on the values of the core may suffice.
std::optional<std::string> flaw_of_sequential_core(
    const History& history, std::span<const Object> objects, const ObjectType& type,
    std::span<const std::uint32_t> named, std::span<const std::vector<std::uint32_t>> cores,
    const ClaimBudget& budget) {
  if (named.size() == 1) {
    const Object& object = objects[named.front()];
    std::vector<ValueId> values;
    const Object some = {
        .key = object.key,
        .operations = operations_of_core(object, type.core, cores[named.front()], values)};
    const auto model_of = [&](const Object& of) { return type.core.model(of, values); };
    if (some.operations.size() < object.operations.size() &&
        try_all_orders(history, std::span(&some, 1), model_of, budget.work / 2,
                       budget.has_budget) == PlainAnswer::kNoOrder) {
      return std::nullopt;
    }
  }
  std::vector<Object> whole;
  for (const std::uint32_t object : named) {
    whole.push_back(objects[object]);
  }
  const auto model_of = [&](const Object& of) { return type.core.model(of, std::nullopt); };
  return flaw_of(try_all_orders(history, whole, model_of, budget.work / 2, budget.has_budget));
}

std::optional<std::string> flaw_of_order(std::span<const Object> objects, const ObjectType& type,
                                         const Places& places, const Witness& witness) {
  std::vector<std::vector<std::uint32_t>> orders(objects.size());
  for (const OrderEvent& event : witness.order) {
    const auto at = places.of(event.txn);
    if (!at) {
      return std::string(kForeign);
    }
    orders[at->object].push_back(at->place);
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::unique_ptr<Replay> replay = type.replay(objects[i]);
    if (!is_order_of(objects[i].operations, orders[i], *replay)) {
      return "an object cannot go through all its operations in this order";
    }
  }
  return std::nullopt;
}

}  // namespace

Operations operations_of_core(const Object& object, const CoreRules& rules,
                              std::span<const std::uint32_t> core, std::vector<ValueId>& values) {
  if (!rules.values_of) {
    return object.operations;
  }
  std::vector<std::optional<std::vector<ValueId>>> values_of;
  JoinedValues joined;
  for (const Operation& operation : object.operations) {
    values_of.push_back(rules.values_of(operation));
    if (values_of.back()) {
      joined.join(*values_of.back());
    }
  }
  std::vector<std::uint32_t> named;
  for (const ValueId value : named_values(object, rules, core)) {
    named.push_back(joined.first(value.bits()));
    values.push_back(value);
  }
  std::ranges::sort(named);
  std::vector<bool> is_in_core(object.operations.size());
  for (const std::uint32_t place : core) {
    is_in_core[place] = true;
  }
  Operations kept;
  for (std::uint32_t place = 0; place < object.operations.size(); ++place) {
    const auto& on = values_of[place];
    const bool is_on =
        on && (on->empty() || std::ranges::binary_search(named, joined.first(on->front().bits())));
    if (is_on || (!on && is_in_core[place])) {
      kept.push_back(object.operations[place]);
    }
  }
  return kept;
}

std::optional<std::string> flaw_of_claim(const History& history, std::span<const Object> objects,
                                         const ObjectType& type, const LevelAnswer& claim,
                                         const ClaimBudget& budget) {
  const Places places(objects);
  const bool keeps_processes = claim.model == elapid::Model::kSequential;
  if (claim.witness) {
    const bool is_sequential =
        keeps_processes && is_sequential_order(history, objects, claim.witness->order, type.replay);
    return is_sequential ? std::nullopt : flaw_of_order(objects, type, places, *claim.witness);
  }
  if (!claim.failure || claim.failure->txns.empty()) {
    return "it has neither an order nor a core";
  }
  std::vector<std::vector<std::uint32_t>> cores(objects.size());
  std::vector<std::uint32_t> named;
  for (const TxnId txn : claim.failure->txns) {
    const auto at = places.of(txn);
    if (!at) {
      return std::string(kForeign);
    }
    if (cores[at->object].empty()) {
      named.push_back(at->object);
    }
    cores[at->object].push_back(at->place);
  }
  if (keeps_processes) {
    return flaw_of_sequential_core(history, objects, type, named, cores, budget);
  }
  return named.size() > 1
             ? std::optional<std::string>("the core is of several objects")
             : flaw_of_core(objects[named.front()], type, cores[named.front()], budget.work);
}

}  // namespace elapid::linearize
