#include "engine/linearize/sweep_plan.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "engine/ir/int_map.h"

namespace elapid::linearize {

namespace {

class SweepPlanner {
 public:
  SweepPlanner(const Operations& operations, ValueId initial) : given_(operations) {
    plan_.initial = content(initial);
  }

  SweepPlan make() && {
    for (const Operation& operation : given_) {
      plan_.operations.push_back(planned(operation));
    }
    index_classes();
    find_wants();
    add_events();
    return std::move(plan_);
  }

 private:
  Content content(ValueId value) {
    const auto fresh = static_cast<Content>(plan_.contents.size());
    const Content found = numbers_.find_or_add(value.bits(), fresh);
    if (found == fresh) {
      plan_.contents.push_back(value);
    }
    return found;
  }

  PlannedOperation planned(const Operation& operation) {
    PlannedOperation made = {.f = register_f(operation), .returned = operation.returned};
    if (made.f == RegisterF::kRead) {
      made.sees = content(operation.result);
    } else if (made.f == RegisterF::kWrite) {
      made.leaves = content(operation.argument);
    } else {
      made.sees = content(operation.argument);
      made.leaves = made.f == RegisterF::kCas ? content(operation.result) : kNoContent;
    }
    if (made.f == RegisterF::kCas && made.sees == made.leaves) {
      made.f = RegisterF::kRead;
      made.leaves = kNoContent;
    }
    if (operation.is_open() && made.leaves != kNoContent) {
      made.in_class = class_of(made);
      plan_.classes[made.in_class].members.push_back(
          static_cast<std::uint32_t>(plan_.operations.size()));
    }
    return made;
  }

  std::uint32_t class_of(const PlannedOperation& operation) {
    const auto [found, is_new] = class_numbers_.try_emplace(
        {operation.sees, operation.leaves}, static_cast<std::uint32_t>(plan_.classes.size()));
    if (is_new) {
      plan_.classes.push_back({.is_cas = operation.f == RegisterF::kCas,
                               .sees = operation.sees,
                               .leaves = operation.leaves});
    }
    return found->second;
  }

  void index_classes() {
    plan_.writes_of.assign(plan_.contents.size(), kNoContent);
    plan_.cas_into.resize(plan_.contents.size());
    for (std::uint32_t i = 0; i < plan_.classes.size(); ++i) {
      const OpenClass& open = plan_.classes[i];
      if (open.is_cas) {
        plan_.cas_into[open.leaves].push_back(i);
      } else {
        plan_.writes_of[open.leaves] = i;
      }
    }
  }

  /// The time until which each content is wanted by a read or a cas that returns, or by a class of
  /// cas that leaves a wanted content. A failed cas may want any content.
  void find_wants() {
    std::vector<std::uint32_t> until(plan_.contents.size(), 0);
    std::uint32_t any = 0;
    for (const PlannedOperation& operation : plan_.operations) {
      const bool returns = operation.returned != kNever;
      if (returns && operation.f == RegisterF::kFailedCas) {
        any = std::max(any, operation.returned);
      } else if (returns && operation.sees != kNoContent) {
        until[operation.sees] = std::max(until[operation.sees], operation.returned);
      }
    }
    std::vector<Content> waiting;
    for (Content c = 0; c < until.size(); ++c) {
      until[c] = std::max(until[c], any);
      waiting.push_back(c);
    }
    while (!waiting.empty()) {
      const Content wanted = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t i : plan_.cas_into[wanted]) {
        const Content before = plan_.classes[i].sees;
        if (until[before] < until[wanted]) {
          until[before] = until[wanted];
          waiting.push_back(before);
        }
      }
    }
    for (OpenClass& open : plan_.classes) {
      open.wanted_until = until[open.leaves];
    }
  }

  [[nodiscard]] bool takes_part(std::uint32_t place) const {
    const PlannedOperation& operation = plan_.operations[place];
    return operation.returned != kNever ||
           (operation.leaves != kNoContent &&
            plan_.classes[operation.in_class].wanted_until > given_[place].invoked);
  }

  void add_events() {
    plan_.events = events_of(given_);
    std::erase_if(plan_.events,
                  [this](const OperationEvent& event) { return !takes_part(event.place); });
    std::uint32_t open = 0;
    for (const OperationEvent& event : plan_.events) {
      if (plan_.operations[event.place].returned != kNever) {
        open = event.is_return ? open - 1 : open + 1;
        plan_.most_open = std::max(plan_.most_open, open);
      }
    }
  }

  const Operations& given_;
  SweepPlan plan_;
  IntMap numbers_;
  std::map<std::pair<Content, Content>, std::uint32_t> class_numbers_;
};

}  // namespace

SweepPlan sweep_plan(const Operations& operations, ValueId initial) {
  return SweepPlanner(operations, initial).make();
}

}  // namespace elapid::linearize
