#include "engine/infer/cycle_classes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace elapid {

namespace {

constexpr EdgeLabel kWw = kWwEdge | kWwpEdge;
constexpr EdgeLabel kWwr = kWw | kWrEdge | kWrpEdge;
constexpr EdgeLabel kItem = kWwr | kRwEdge;
constexpr EdgeLabel kAny = kItem | kRwpEdge;
constexpr EdgeLabel kReadEdges = kWrEdge | kWrpEdge;
constexpr EdgeLabel kP = kProcessEdge;
constexpr EdgeLabel kR = kRealtimeEdge;
constexpr EdgeLabel kPR = kProcessEdge | kRealtimeEdge;

constexpr EdgeLabel with(EdgeLabel a, EdgeLabel b) {
  return a | b;
}

constexpr CycleQuery plain(EdgeLabel base, EdgeLabel required = 0, EdgeLabel required_too = 0) {
  return {.base = base, .rw = 0, .mode = RwMode::kNone, .required = {required, required_too}};
}

constexpr CycleQuery anti(RwMode mode, EdgeLabel base, EdgeLabel required = 0) {
  return {.base = base, .rw = kRwEdge, .mode = mode, .required = {required, 0}};
}

/// The same with anti-dependencies of predicates, too.
constexpr CycleQuery anti_any(RwMode mode, EdgeLabel base, EdgeLabel required = 0) {
  return {.base = base, .rw = kRwEdge | kRwpEdge, .mode = mode, .required = {required, 0}};
}

using T = AnomalyType;

// Elle's table. Without predicates the rows of G-single, G-nonadjacent and G2 find only what those
// of their -item forms find.
constexpr std::array kClasses = {
    CycleClass{T::kGSingleItem, anti(RwMode::kSingle, kWwr), true},
    CycleClass{T::kG0, plain(kWw), false},
    CycleClass{T::kGNonadjacentItem, anti(RwMode::kNonadjacent, kWwr), true},
    CycleClass{T::kGSingleItemProcess, anti(RwMode::kSingle, with(kWwr, kP), kP), true},
    CycleClass{T::kG1c, plain(kWwr, kReadEdges), false},
    CycleClass{T::kGNonadjacentItemProcess, anti(RwMode::kNonadjacent, with(kWwr, kP), kP), true},
    CycleClass{T::kGSingle, anti_any(RwMode::kSingle, kWwr), true},
    CycleClass{T::kGSingleItemRealtime, anti(RwMode::kSingle, with(kWwr, kR), kR), true},
    CycleClass{T::kG2Item, anti(RwMode::kMultiple, kItem), true},
    CycleClass{T::kGNonadjacent, anti_any(RwMode::kNonadjacent, kWwr), true},
    CycleClass{T::kGNonadjacentItemRealtime, anti(RwMode::kNonadjacent, with(kWwr, kR), kR), true},
    CycleClass{T::kG2, anti_any(RwMode::kMultiple, kAny), true},
    CycleClass{T::kG0Process, plain(with(kWw, kP), kP), false},
    CycleClass{T::kG1cProcess, plain(with(kWwr, kP), kP, kReadEdges), false},
    CycleClass{T::kGSingleProcess, anti_any(RwMode::kSingle, with(kWwr, kP), kP), true},
    CycleClass{T::kG2ItemProcess, anti(RwMode::kMultiple, with(kItem, kP), kP), true},
    CycleClass{T::kGNonadjacentProcess, anti_any(RwMode::kNonadjacent, with(kWwr, kP), kP), true},
    CycleClass{T::kG2Process, anti_any(RwMode::kMultiple, with(kAny, kP), kP), true},
    CycleClass{T::kG0Realtime, plain(with(kWw, kR), kR), false},
    CycleClass{T::kG1cRealtime, plain(with(kWwr, kR), kR, kReadEdges), false},
    CycleClass{T::kGSingleRealtime, anti_any(RwMode::kSingle, with(kWwr, kR), kR), true},
    CycleClass{T::kG2ItemRealtime, anti(RwMode::kMultiple, with(kItem, kR), kR), true},
    CycleClass{T::kGNonadjacentRealtime, anti_any(RwMode::kNonadjacent, with(kWwr, kR), kR), true},
    CycleClass{T::kG2Realtime, anti_any(RwMode::kMultiple, with(kAny, kR), kR), true},
};

constexpr bool is_of_items(const CycleClass& one) {
  return (one.query.rw & kRwpEdge) == 0;
}

constexpr auto kItemClasses = [] {
  std::array<CycleClass, std::ranges::count_if(kClasses, is_of_items)> classes{};
  std::ranges::copy_if(kClasses, classes.begin(), is_of_items);
  return classes;
}();

constexpr std::array kForbidden = {
    ForbiddenGraph{T::kPl1CycleExists, Model::kPl1, kWw, false},
    ForbiddenGraph{T::kPl2CycleExists, Model::kPl2, kWwr, false},
    ForbiddenGraph{T::kPlSiCycleExists, Model::kPlSi, kWwr, true},
    ForbiddenGraph{T::kPl299CycleExists, Model::kPl299, kItem, false},
    ForbiddenGraph{T::kPl3CycleExists, Model::kPl3, kAny, false},
    ForbiddenGraph{T::kStrongSessionPl1CycleExists, Model::kStrongSessionPl1, with(kWw, kP), false},
    ForbiddenGraph{T::kStrongSessionPl2CycleExists, Model::kStrongSessionPl2, with(kWwr, kP),
                   false},
    ForbiddenGraph{T::kStrongSessionSnapshotIsolationCycleExists,
                   Model::kStrongSessionSnapshotIsolation, with(kWwr, kP), true},
    ForbiddenGraph{T::kStrongSessionSerializableCycleExists, Model::kStrongSessionSerializable,
                   with(kAny, kP), false},
    // Elle has real time alone here. These models imply those with session order, which counts even
    // where real time does not show it, as in a history without invocations.
    ForbiddenGraph{T::kStrongPl1CycleExists, Model::kStrongPl1, with(kWw, kPR), false},
    ForbiddenGraph{T::kStrongPl2CycleExists, Model::kStrongPl2, with(kWwr, kPR), false},
    ForbiddenGraph{T::kStrongSnapshotIsolationCycleExists, Model::kStrongSnapshotIsolation,
                   with(kWwr, kPR), true},
    ForbiddenGraph{T::kPlSsCycleExists, Model::kPlSs, with(kAny, kPR), false},
};

enum class Kind { kG0, kG1c, kGSingle, kGNonadjacent, kG2 };
enum class Order { kOfItems, kProcess, kRealtime };

Kind kind_of(std::span<const Step> steps) {
  const auto is = [&](std::size_t i, Relation relation) {
    return steps[i % steps.size()].relation == relation;
  };
  std::size_t rw = 0;
  bool adjacent = false;
  bool wr = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    rw += is(i, Relation::kRw) ? 1U : 0U;
    adjacent |= is(i, Relation::kRw) && is(i + 1, Relation::kRw);
    wr |= is(i, Relation::kWr);
  }
  if (rw > 1) {
    return adjacent ? Kind::kG2 : Kind::kGNonadjacent;
  }
  if (rw == 1) {
    return Kind::kGSingle;
  }
  return wr ? Kind::kG1c : Kind::kG0;
}

Order order_of(std::span<const Step> steps) {
  const auto any = [&](Relation relation) {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const Step& step) { return step.relation == relation; });
  };
  if (any(Relation::kRealtime)) {
    return Order::kRealtime;
  }
  return any(Relation::kProcess) ? Order::kProcess : Order::kOfItems;
}

}  // namespace

Relation relation_of(EdgeLabel label) {
  switch (static_cast<EdgeLabel>(1U << std::countr_zero(label))) {
    case kWwEdge:
    case kWwpEdge:
      return Relation::kWw;
    case kWrEdge:
    case kWrpEdge:
      return Relation::kWr;
    case kRwEdge:
    case kRwpEdge:
      return Relation::kRw;
    case kProcessEdge:
      return Relation::kProcess;
    default:
      return Relation::kRealtime;
  }
}

std::span<const CycleClass> cycle_classes() {
  return kItemClasses;
}

std::span<const CycleClass> cycle_classes_with_predicates() {
  return kClasses;
}

std::span<const ForbiddenGraph> forbidden_graphs() {
  return kForbidden;
}

namespace {

AnomalyType type_of(Kind kind, Order order, bool by_predicate) {
  static constexpr std::array<std::array<AnomalyType, 3>, 5> kTypes = {{
      {T::kG0, T::kG0Process, T::kG0Realtime},
      {T::kG1c, T::kG1cProcess, T::kG1cRealtime},
      {T::kGSingleItem, T::kGSingleItemProcess, T::kGSingleItemRealtime},
      {T::kGNonadjacentItem, T::kGNonadjacentItemProcess, T::kGNonadjacentItemRealtime},
      {T::kG2Item, T::kG2ItemProcess, T::kG2ItemRealtime},
  }};
  static constexpr std::array<std::array<AnomalyType, 3>, 5> kOfPredicates = {{
      kTypes[0],
      kTypes[1],
      {T::kGSingle, T::kGSingleProcess, T::kGSingleRealtime},
      {T::kGNonadjacent, T::kGNonadjacentProcess, T::kGNonadjacentRealtime},
      {T::kG2, T::kG2Process, T::kG2Realtime},
  }};
  const auto& types = by_predicate ? kOfPredicates : kTypes;
  return types[static_cast<std::size_t>(kind)][static_cast<std::size_t>(order)];
}

/// Whether an anti-dependency is one of a predicate.
bool has_predicate(std::span<const Step> steps) {
  return std::ranges::any_of(
      steps, [](const Step& step) { return step.by_predicate && step.relation == Relation::kRw; });
}

}  // namespace

AnomalyType classify(std::span<const Step> steps) {
  return type_of(kind_of(steps), order_of(steps), has_predicate(steps));
}

AnomalyType classify_any(std::span<const std::vector<Step>> cycles) {
  Kind kind = Kind::kG0;
  Order order = Order::kOfItems;
  bool by_predicate = false;
  for (const std::vector<Step>& steps : cycles) {
    kind = std::max(kind, kind_of(steps));
    order = std::max(order, order_of(steps));
    by_predicate = by_predicate || has_predicate(steps);
  }
  return type_of(kind, order, by_predicate);
}

AnomalySet cycle_types() {
  AnomalySet types;
  for (const CycleClass& c : kItemClasses) {
    types.set(c.type);
  }
  return types;
}

}  // namespace elapid
