#include "engine/infer/cycle_classes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace elapid {

namespace {

constexpr EdgeLabel kWw = kWwEdge;
constexpr EdgeLabel kWwr = kWwEdge | kWrEdge;
constexpr EdgeLabel kItem = kWwEdge | kWrEdge | kRwEdge;
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

using T = AnomalyType;

// Elle's table without the rows that differ from another in predicates only (G-single,
// G-nonadjacent, G2 and their -process and -realtime forms): without predicates every such cycle is
// an -item cycle.
constexpr std::array kClasses = {
    CycleClass{T::kGSingleItem, anti(RwMode::kSingle, kWwr), true},
    CycleClass{T::kG0, plain(kWw), false},
    CycleClass{T::kGNonadjacentItem, anti(RwMode::kNonadjacent, kWwr), true},
    CycleClass{T::kGSingleItemProcess, anti(RwMode::kSingle, with(kWwr, kP), kP), true},
    CycleClass{T::kG1c, plain(kWwr, kWrEdge), false},
    CycleClass{T::kGNonadjacentItemProcess, anti(RwMode::kNonadjacent, with(kWwr, kP), kP), true},
    CycleClass{T::kGSingleItemRealtime, anti(RwMode::kSingle, with(kWwr, kR), kR), true},
    CycleClass{T::kG2Item, anti(RwMode::kMultiple, kItem), true},
    CycleClass{T::kGNonadjacentItemRealtime, anti(RwMode::kNonadjacent, with(kWwr, kR), kR), true},
    CycleClass{T::kG0Process, plain(with(kWw, kP), kP), false},
    CycleClass{T::kG1cProcess, plain(with(kWwr, kP), kP, kWrEdge), false},
    CycleClass{T::kG2ItemProcess, anti(RwMode::kMultiple, with(kItem, kP), kP), true},
    CycleClass{T::kG0Realtime, plain(with(kWw, kR), kR), false},
    CycleClass{T::kG1cRealtime, plain(with(kWwr, kR), kR, kWrEdge), false},
    CycleClass{T::kG2ItemRealtime, anti(RwMode::kMultiple, with(kItem, kR), kR), true},
};

constexpr std::array kForbidden = {
    ForbiddenGraph{T::kPl1CycleExists, Model::kPl1, kWw, false},
    ForbiddenGraph{T::kPl2CycleExists, Model::kPl2, kWwr, false},
    ForbiddenGraph{T::kPlSiCycleExists, Model::kPlSi, kWwr, true},
    ForbiddenGraph{T::kPl299CycleExists, Model::kPl299, kItem, false},
    ForbiddenGraph{T::kPl3CycleExists, Model::kPl3, kItem, false},
    ForbiddenGraph{T::kStrongSessionPl1CycleExists, Model::kStrongSessionPl1, with(kWw, kP), false},
    ForbiddenGraph{T::kStrongSessionPl2CycleExists, Model::kStrongSessionPl2, with(kWwr, kP),
                   false},
    ForbiddenGraph{T::kStrongSessionSnapshotIsolationCycleExists,
                   Model::kStrongSessionSnapshotIsolation, with(kWwr, kP), true},
    ForbiddenGraph{T::kStrongSessionSerializableCycleExists, Model::kStrongSessionSerializable,
                   with(kItem, kP), false},
    // Elle has real time alone here. These models imply those with session order, which counts even
    // where real time does not show it, as in a history without invocations.
    ForbiddenGraph{T::kStrongPl1CycleExists, Model::kStrongPl1, with(kWw, kPR), false},
    ForbiddenGraph{T::kStrongPl2CycleExists, Model::kStrongPl2, with(kWwr, kPR), false},
    ForbiddenGraph{T::kStrongSnapshotIsolationCycleExists, Model::kStrongSnapshotIsolation,
                   with(kWwr, kPR), true},
    ForbiddenGraph{T::kPlSsCycleExists, Model::kPlSs, with(kItem, kPR), false},
};

enum class Kind { kG0, kG1c, kGSingle, kGNonadjacent, kG2 };
enum class Order { kNone, kProcess, kRealtime };

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
  return any(Relation::kProcess) ? Order::kProcess : Order::kNone;
}

}  // namespace

Relation relation_of(EdgeLabel label) {
  switch (static_cast<EdgeLabel>(1U << std::countr_zero(label))) {
    case kWwEdge:
      return Relation::kWw;
    case kWrEdge:
      return Relation::kWr;
    case kRwEdge:
      return Relation::kRw;
    case kProcessEdge:
      return Relation::kProcess;
    default:
      return Relation::kRealtime;
  }
}

std::span<const CycleClass> cycle_classes() {
  return kClasses;
}

std::span<const ForbiddenGraph> forbidden_graphs() {
  return kForbidden;
}

namespace {

AnomalyType type_of(Kind kind, Order order) {
  static constexpr std::array<std::array<AnomalyType, 3>, 5> kTypes = {{
      {T::kG0, T::kG0Process, T::kG0Realtime},
      {T::kG1c, T::kG1cProcess, T::kG1cRealtime},
      {T::kGSingleItem, T::kGSingleItemProcess, T::kGSingleItemRealtime},
      {T::kGNonadjacentItem, T::kGNonadjacentItemProcess, T::kGNonadjacentItemRealtime},
      {T::kG2Item, T::kG2ItemProcess, T::kG2ItemRealtime},
  }};
  return kTypes[static_cast<std::size_t>(kind)][static_cast<std::size_t>(order)];
}

}  // namespace

AnomalyType classify(std::span<const Step> steps) {
  return type_of(kind_of(steps), order_of(steps));
}

AnomalyType classify_any(std::span<const std::vector<Step>> cycles) {
  Kind kind = Kind::kG0;
  Order order = Order::kNone;
  for (const std::vector<Step>& steps : cycles) {
    kind = std::max(kind, kind_of(steps));
    order = std::max(order, order_of(steps));
  }
  return type_of(kind, order);
}

AnomalySet cycle_types() {
  AnomalySet types;
  for (const CycleClass& c : kClasses) {
    types.set(c.type);
  }
  return types;
}

}  // namespace elapid
