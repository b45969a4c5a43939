#include "engine/linearize/object_claims.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

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

/// Nothing if a plain search finds that the operations have no order; otherwise what is wrong.
std::optional<std::string> flaw_of_search(const Operations& operations, const Model& model,
                                          std::uint64_t& work) {
  std::uint64_t some = work / 4;
  work -= some;
  const PlainAnswer relaxed = search_plainly(operations, model, Supply::kUnlimited, some);
  if (relaxed == PlainAnswer::kNoOrder) {
    return std::nullopt;
  }
  work += some;
  const PlainAnswer answer = search_plainly(operations, model, Supply::kOnce, work);
  return answer == PlainAnswer::kNoOrder ? std::nullopt
         : answer == PlainAnswer::kSpent
             ? std::optional<std::string>("the budget of the search that verifies it was spent")
             : std::optional<std::string>(kHasOrder);
}

std::optional<std::string> flaw_of_core(const Object& object, const ObjectType& type,
                                        std::span<const std::uint32_t> core, std::uint64_t work) {
  std::vector<ValueId> values;
  const Operations some = operations_of_core(object, type.core, core, values);
  std::optional<std::string> flaw = flaw_of_search(some, *type.core.model(object, values), work);
  if (flaw && some.size() < object.operations.size() && !type.core.values_of_core) {
    flaw = flaw_of_search(object.operations, *type.core.model(object, {}), work);
  }
  return flaw;
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

std::optional<std::string> flaw_of_claim(std::span<const Object> objects, const ObjectType& type,
                                         const LevelAnswer& claim, const ClaimBudget& budget) {
  const Places places(objects);
  if (claim.witness) {
    return flaw_of_order(objects, type, places, *claim.witness);
  }
  if (!claim.failure || claim.failure->txns.empty()) {
    return "it has neither an order nor a core";
  }
  std::vector<std::uint32_t> core;
  std::optional<std::uint32_t> object;
  for (const TxnId txn : claim.failure->txns) {
    const auto at = places.of(txn);
    if (!at || (object && *object != at->object)) {
      return std::string(at ? "the core is of several objects" : kForeign);
    }
    object = at->object;
    core.push_back(at->place);
  }
  return flaw_of_core(objects[*object], type, core, budget.work);
}

}  // namespace elapid::linearize
