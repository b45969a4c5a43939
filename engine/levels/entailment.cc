#include "engine/levels/entailment.h"

#include <array>

#include "engine/levels/implications.h"

namespace elapid {

namespace {

using enum Model;

/// Whether the demands of `strong` include those of `weak`. Session guarantees are not compared
/// here: the lattice knows them (models.h).
bool demands_as_much(OrderLevel strong, OrderLevel weak) {
  const auto is_in_line = [](Visibility visibility) {
    return visibility <= Visibility::kReadCommitted || visibility == Visibility::kNothing;
  };
  return strong.sessions >= weak.sessions && strong.real_time >= weak.real_time &&
         is_in_line(strong.visibility) && is_in_line(weak.visibility) &&
         strong.visibility <= weak.visibility;
}

struct Entailment {
  Model strong;
  Model weak;
};

// Where all operations are on items, and no history tells when its transactions started:
// - PL-FCV forbids what PL-2+ does and cycles with starts that come after commits; where all
//   transactions may overlap there are none (Adya 1999, 4.3).
// - Parallel snapshot isolation is PL-2+ of transactions that agree with their own operations
//   (Cerone, Bernardi and Gotsman 2015, theorem on its dependency graphs).
// - A transaction that reads from another and later misses one of its writes is in a cycle that
//   PL-2L forbids.
// - A path back to an operation before the read at which it began is a cycle of events, too
//   (PL-MSR).
// - If of any two writers of a key one sees the other, no transaction overwrites a version that it
//   has not seen.
constexpr std::array kAmongItems = {
    Entailment{kPl2Plus, kPlFcv},
    Entailment{kParallelSnapshotIsolation, kPl2Plus},
    Entailment{kPl2L, kMonotonicAtomicView},
    Entailment{kPlMsr, kPl2L},
    Entailment{kUpdateAtomic, kPlCs},
};

ModelSet entailed_directly(Model strong) {
  ModelSet weaker = implies_directly(strong);
  const auto level = order_level(strong);
  for (const Model weak : ModelSet::all()) {
    const auto other = order_level(weak);
    if (level && other && demands_as_much(*level, *other)) {
      weaker.set(weak);
    }
  }
  for (const Entailment& entailment : kAmongItems) {
    if (entailment.strong == strong) {
      weaker.set(entailment.weak);
    }
  }
  return weaker;
}

const Implications<Model, kModelCount>& entailments() {
  static const Implications<Model, kModelCount> entailments(entailed_directly);
  return entailments;
}

}  // namespace

void KnownModels::prove(ModelSet models) {
  proven_ |= entailed(models);
  if (proven_.test(kPl2Plus) && proven_.test(kReadAtomic)) {
    proven_ |= entailed(kParallelSnapshotIsolation);
  }
}

void KnownModels::refute(ModelSet models) {
  refuted_ |= entailments().implying(models);
}

ModelSet entailed(Model model) {
  return entailments().implied_by(model);
}

ModelSet entailed(ModelSet models) {
  return entailments().implied_by(models);
}

ModelSet entailing(Model model) {
  return entailments().implying(model);
}

bool is_decided_by_others(Model model) {
  switch (model) {
    case kPlFcv:
    case kParallelSnapshotIsolation:
      return true;
    default:
      return false;
  }
}

}  // namespace elapid
