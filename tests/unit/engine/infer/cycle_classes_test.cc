#include "engine/infer/cycle_classes.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/engine/graph/closed_walks.h"

namespace elapid {
namespace {

using T = AnomalyType;

constexpr std::array kRelations = {Relation::kWw, Relation::kWr, Relation::kRw, Relation::kProcess,
                                   Relation::kRealtime};
constexpr std::array kLabels = {kWwEdge, kWrEdge, kRwEdge, kProcessEdge, kRealtimeEdge};

/// A cycle of these steps, as `ww rw p`.
AnomalyType class_of(const std::string& words) {
  constexpr std::array<std::string_view, 5> kNames = {"ww", "wr", "rw", "p", "rt"};
  std::vector<Step> steps;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    const auto at = std::find(kNames.begin(), kNames.end(), word) - kNames.begin();
    steps.push_back(
        {.from = {}, .to = {}, .relation = kRelations.at(static_cast<std::size_t>(at))});
  }
  return classify(steps);
}

bool mixes_orders(std::span<const std::size_t> relations) {
  const auto has = [&](Relation relation) {
    return std::any_of(relations.begin(), relations.end(),
                       [&](std::size_t r) { return kRelations.at(r) == relation; });
  };
  return has(Relation::kProcess) && has(Relation::kRealtime);
}

/// Calls `visit(steps, walk)` for every cycle of two to five steps with at most one kind of order.
void each_cycle(
    const std::function<void(std::span<const Step>, std::span<const CycleEdge>)>& visit) {
  for (std::size_t length = 2; length <= 5; ++length) {
    std::vector<std::size_t> relations(length, 0);
    for (std::size_t at = 0; at < length;) {
      std::vector<Step> steps;
      std::vector<CycleEdge> walk;
      for (const std::size_t r : relations) {
        steps.push_back({.from = {}, .to = {}, .relation = kRelations.at(r)});
        walk.push_back({0, 0, kLabels.at(r)});
      }
      if (!mixes_orders(relations)) {
        visit(steps, walk);
      }
      for (at = 0; at < length && ++relations[at] == kRelations.size(); ++at) {
        relations[at] = 0;
      }
    }
  }
}

TEST_CASE("classes: a cycle is classified by its anti-dependencies, reads and orders") {
  CHECK(class_of("ww ww") == T::kG0);
  CHECK(class_of("ww wr") == T::kG1c);
  CHECK(class_of("wr wr") == T::kG1c);
  CHECK(class_of("ww rw") == T::kGSingleItem);
  CHECK(class_of("wr rw ww") == T::kGSingleItem);
  CHECK(class_of("rw ww rw wr") == T::kGNonadjacentItem);
  CHECK(class_of("rw rw") == T::kG2Item);
  CHECK(class_of("rw rw rw") == T::kG2Item);
  CHECK(class_of("rw rw ww rw wr") == T::kG2Item);
}

TEST_CASE("classes: the last step is a neighbour of the first") {
  CHECK(class_of("rw ww rw") == T::kG2Item);
  CHECK(class_of("ww rw wr rw") == T::kGNonadjacentItem);
  CHECK(class_of("rw p rw") == T::kG2ItemProcess);
}

TEST_CASE("classes: orders give forms of their own, and real time outranks sessions") {
  CHECK(class_of("ww p") == T::kG0Process);
  CHECK(class_of("wr p") == T::kG1cProcess);
  CHECK(class_of("rw p") == T::kGSingleItemProcess);
  CHECK(class_of("rw p rw p") == T::kGNonadjacentItemProcess);
  CHECK(class_of("rw rw p") == T::kG2ItemProcess);
  CHECK(class_of("ww rt") == T::kG0Realtime);
  CHECK(class_of("wr rt") == T::kG1cRealtime);
  CHECK(class_of("rw rt") == T::kGSingleItemRealtime);
  CHECK(class_of("rw rt rw ww") == T::kGNonadjacentItemRealtime);
  CHECK(class_of("rw rw rt") == T::kG2ItemRealtime);
  CHECK(class_of("rw p ww rt") == T::kGSingleItemRealtime);
}

TEST_CASE("classes: each is searched once") {
  AnomalySet seen;
  for (const CycleClass& c : cycle_classes()) {
    CHECK_FALSE(seen.test(c.type));
    seen.set(c.type);
  }
  CHECK(seen == cycle_types());
  CHECK(seen.count() == 15);
}

TEST_CASE("classes: the query of its class finds a cycle, and other queries only as G2") {
  each_cycle([](std::span<const Step> steps, std::span<const CycleEdge> walk) {
    const AnomalyType type = classify(steps);
    for (const CycleClass& c : cycle_classes()) {
      const bool found = is_of_class(c.query, walk);
      const bool expected = c.type == type;
      const bool may_be_more = c.query.mode == RwMode::kMultiple;
      if (found != expected && !(found && may_be_more)) {
        FAIL_CHECK(name(c.type) << " for a cycle of " << name(type));
      }
    }
  });
}

TEST_CASE("forbidden graphs: named after their models, weaker ones first") {
  const std::span<const ForbiddenGraph> graphs = forbidden_graphs();
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    INFO(name(graphs[i].type));
    CHECK(std::string(name(graphs[i].type)) ==
          std::string(canonical_name(graphs[i].model)) + "-cycle-exists");
    const ModelSet weaker = all_implied(ModelSet{graphs[i].model});
    for (const ForbiddenGraph& later : graphs.subspan(i + 1)) {
      CHECK_FALSE(weaker.test(later.model));
    }
  }
}

TEST_CASE("forbidden graphs: contain every cycle that their model prohibits") {
  for (const ForbiddenGraph& graph : forbidden_graphs()) {
    const AnomalySet bad = prohibited(ModelSet{graph.model}, AnomalySet());
    auto labels = graph.labels;
    labels |= graph.rw_after_other ? kRwEdge : EdgeLabel{0};
    // Real time orders whatever a session orders.
    labels |= (graph.labels & kRealtimeEdge) != 0 ? kProcessEdge : EdgeLabel{0};
    for (const CycleClass& c : cycle_classes()) {
      INFO(name(graph.type) << ", " << name(c.type));
      if (bad.test(c.type)) {
        CHECK((c.query.mentioned() & ~labels) == 0);
        CHECK((!graph.rw_after_other || c.query.mode != RwMode::kMultiple));
      }
    }
  }
}

}  // namespace
}  // namespace elapid
