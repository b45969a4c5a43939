#include "engine/levels/entailment.h"

#include <array>

namespace elapid {

namespace {

using enum Model;

constexpr std::size_t index(Model model) {
  return static_cast<std::size_t>(model);
}

/// Whether what `strong` demands includes what `weak` does. Of the session guarantees the lattice
/// knows (models.h).
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
// - Whoever reads from a transaction before it misses one of its writes is in a cycle that PL-2L
//   forbids.
// - Where of two writers of a key one sees the other, none overwrites what it has not read.
constexpr std::array kAmongItems = {
    Entailment{kPl2Plus, kPlFcv},
    Entailment{kParallelSnapshotIsolation, kPl2Plus},
    Entailment{kPl2L, kMonotonicAtomicView},
    Entailment{kUpdateAtomic, kPlCs},
};

using ModelMatrix = std::array<ModelSet, kModelCount>;

ModelMatrix direct_entailments() {
  ModelMatrix direct;
  for (std::size_t strong = 0; strong < kModelCount; ++strong) {
    direct[strong] = implies_directly(static_cast<Model>(strong)).set(strong);
    const auto level = order_level(static_cast<Model>(strong));
    for (std::size_t weak = 0; level && weak < kModelCount; ++weak) {
      const auto other = order_level(static_cast<Model>(weak));
      if (other && demands_as_much(*level, *other)) {
        direct[strong].set(weak);
      }
    }
  }
  for (const Entailment& entailment : kAmongItems) {
    direct[index(entailment.strong)].set(index(entailment.weak));
  }
  return direct;
}

/// All entailments (Warshall's algorithm), and the same the other way round.
struct Closure {
  Closure() : entailed(direct_entailments()) {
    for (std::size_t via = 0; via < kModelCount; ++via) {
      for (ModelSet& models : entailed) {
        if (models.test(via)) {
          models |= entailed[via];
        }
      }
    }
    for (std::size_t strong = 0; strong < kModelCount; ++strong) {
      for (std::size_t weak = 0; weak < kModelCount; ++weak) {
        entailing[weak].set(strong, entailed[strong].test(weak));
      }
    }
  }

  ModelMatrix entailed;
  ModelMatrix entailing;
};

const Closure& closure() {
  static const Closure closure;
  return closure;
}

ModelSet image(const ModelMatrix& matrix, const ModelSet& models) {
  ModelSet result;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    if (models.test(m)) {
      result |= matrix[m];
    }
  }
  return result;
}

}  // namespace

void KnownModels::prove(ModelSet models) {
  proven_ |= entailed(models);
  if (proven_.test(index(kPl2Plus)) && proven_.test(index(kReadAtomic))) {
    proven_ |= entailed(kParallelSnapshotIsolation);
  }
}

void KnownModels::refute(ModelSet models) {
  refuted_ |= image(closure().entailing, models);
}

ModelSet entailed(Model model) {
  return closure().entailed[index(model)];
}

ModelSet entailed(ModelSet models) {
  return image(closure().entailed, models);
}

ModelSet entailing(Model model) {
  return closure().entailing[index(model)];
}

bool is_decided_by_others(Model model) {
  switch (model) {
    case kPl2L:
    case kPl3U:
    case kPlCs:
    case kPlFcv:
    case kPlMsr:
    case kParallelSnapshotIsolation:
    case kUpdateAtomic:
      return true;
    default:
      return false;
  }
}

}  // namespace elapid
