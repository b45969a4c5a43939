// What certify accepts is so: on random histories, against the definition of each level.
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/certify/orders/witness.h"
#include "engine/saturate/saturate.h"
#include "engine/solve/solve.h"
#include "harness/generate/random.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/truth.h"
#include "tests/property/for_all.h"
#include "tests/support/order_levels.h"
#include "tests/support/saturable_levels.h"

namespace elapid {
namespace {

// All orders there are.

/// Whether certify accepts some order of these transactions; each has one event, or two.
bool accepts_some_order(const History& history, OrderLevel level, std::vector<std::uint32_t> txns) {
  const bool is_serial = level.visibility == Visibility::kSerial;
  if (!is_serial) {
    txns.insert(txns.end(), txns.begin(), txns.end());
  }
  std::sort(txns.begin(), txns.end());
  do {
    Witness witness;
    std::vector<bool> has_started(history.txn_count(), is_serial);
    for (const std::uint32_t txn : txns) {
      witness.order.push_back({TxnId{txn}, has_started[txn]});
      has_started[txn] = true;
    }
    if (!check_witness(history, level, witness)) {
      return true;
    }
  } while (std::next_permutation(txns.begin(), txns.end()));
  return false;
}

/// The same of the committed transactions with any of the indeterminate ones.
bool accepts_some_execution(const History& history, OrderLevel level) {
  std::vector<std::uint32_t> committed;
  std::vector<std::uint32_t> perhaps;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.status(TxnId{t}) != TxnStatus::kAborted) {
      (history.committed(TxnId{t}) ? committed : perhaps).push_back(t);
    }
  }
  for (std::size_t subset = 0; subset < std::size_t{1} << perhaps.size(); ++subset) {
    std::vector<std::uint32_t> txns = committed;
    for (std::size_t i = 0; i < perhaps.size(); ++i) {
      if ((subset >> i & 1U) != 0) {
        txns.push_back(perhaps[i]);
      }
    }
    if (accepts_some_order(history, level, std::move(txns))) {
      return true;
    }
  }
  return false;
}

std::string misjudges_orders(const TinyHistory& tiny) {
  const History history = build(tiny);
  for (const OrderLevel level : kOrderLevels) {
    const std::size_t most = level.visibility == Visibility::kSerial ? 6 : 4;
    if (history.txn_count() <= most &&
        accepts_some_execution(history, level) != holds(history, level)) {
      return "an order is misjudged: " + to_text(level);
    }
  }
  return {};
}

TEST_CASE("certify property: an order is accepted exactly where a level holds") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating}, 30 * kBillion,
                    misjudges_orders);
  for_all_histories({.model = Workload::kListAppend}, 31 * kBillion, misjudges_orders);
}

// Proofs that prove something else.

/// Changes one thing.
void damage(Refutation& proof, const History& history, Random& random) {
  const auto any_txn = [&] {
    return TxnId{static_cast<std::uint32_t>(random.below(history.txn_count()))};
  };
  ProofStep& step = proof.steps[random.below(proof.steps.size())];
  if (!step.clause.empty() && random.percent(40)) {
    Choice& choice = step.clause[random.below(step.clause.size())];
    switch (random.below(4)) {
      case 0:
        choice.holds = !choice.holds;
        break;
      case 1:
        choice.first = any_txn();
        break;
      case 2:
        choice.second = random.percent(30) ? TxnId::none() : any_txn();
        break;
      default:
        step.clause.erase(step.clause.begin() + (&choice - step.clause.data()));
    }
  } else if (!step.cycle.empty()) {
    OrderEdge& edge = step.cycle[random.below(step.cycle.size())];
    switch (random.below(5)) {
      case 0:
        edge.from = any_txn();
        break;
      case 1:
        edge.to = any_txn();
        break;
      case 2:
        edge.overwritten = random.percent(30) ? TxnId::none() : any_txn();
        break;
      case 3:
        edge.key = KeyId{static_cast<std::uint32_t>(random.below(history.key_count()))};
        break;
      default:
        step.cycle.erase(step.cycle.begin() + (&edge - step.cycle.data()));
    }
  } else if (proof.steps.size() > 1) {
    proof.steps.erase(proof.steps.begin() + (&step - proof.steps.data()));
    proof.steps.back().clause.clear();
  }
}

/// False proofs: of weaker levels, of other histories, damaged ones.
class FalseProofs {
 public:
  std::string accepted(const TinyHistory& tiny) {
    const History history = build(tiny);
    Truth truth(history);
    for (const OrderLevel level : kOrderLevels) {
      const bool is_satisfied = truth.holds(level, {}).value();
      if (is_satisfied && accepts_any(history, level)) {
        return "a proof of what is not so is accepted: " + to_text(level);
      }
      if (!is_satisfied) {
        keep(solve(history, {.level = level}));
      }
    }
    for (const OrderLevel level : kSaturableLevels) {
      const std::optional<bool> is_satisfied = truth.holds(level, {});
      if (is_satisfied.value_or(false) && accepts_any(history, level)) {
        return "a proof of what is not so is accepted: " + saturable_text(level);
      }
      if (!is_satisfied.value_or(true)) {
        keep(saturate(history, {.level = level}));
      }
    }
    return {};
  }

  [[nodiscard]] std::size_t tried() const { return tried_; }

 private:
  static constexpr std::size_t kKept = 16;
  static constexpr std::size_t kDamages = 4;

  bool accepts_any(const History& history, OrderLevel level) {
    return std::ranges::any_of(
        proofs_, [&](const Refutation& proof) { return accepts(history, level, proof); });
  }

  bool accepts(const History& history, OrderLevel level, Refutation proof) {
    for (std::size_t i = 0; i <= kDamages; ++i) {
      ++tried_;
      if (!check_evidence(history, level, proof)) {
        return true;
      }
      damage(proof, history, random_);
    }
    return false;
  }

  void keep(const SolveResult& result) {
    if (result.refutation && result.refutation->steps.size() > 0) {
      proofs_.push_front(*result.refutation);
      proofs_.resize(std::min(proofs_.size(), kKept));
    }
  }

  Random random_{1};
  std::deque<Refutation> proofs_;
  std::size_t tried_ = 0;
};

/// How many proofs were tried.
std::size_t check_false_proofs(Workload model, Variety variety, std::uint64_t first_seed) {
  FalseProofs proofs;
  for_all_histories({.model = model, .variety = variety, .cases = 300}, first_seed,
                    [&](const TinyHistory& history) { return proofs.accepted(history); });
  return proofs.tried();
}

TEST_CASE("certify property: no proof of what is not so is accepted, on registers") {
  CHECK(check_false_proofs(Workload::kRwRegister, Variety::kRepeating, 32 * kBillion) +
            check_false_proofs(Workload::kRwRegister, Variety::kDistinct, 33 * kBillion) >
        1000);
}

TEST_CASE("certify property: no proof of what is not so is accepted, on lists") {
  CHECK(check_false_proofs(Workload::kListAppend, Variety::kRepeating, 34 * kBillion) +
            check_false_proofs(Workload::kListAppend, Variety::kDistinct, 35 * kBillion) +
            check_false_proofs(Workload::kListAppend, Variety::kCorners, 39 * kBillion) >
        1000);
}

}  // namespace
}  // namespace elapid
