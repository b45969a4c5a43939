// Of valid histories of registers and lists no proof of the contrary is accepted: proofs are made
// of the words of proofs, all kinds of edges and choices, and not from proofs that were true once.
//
// What is accepted on the way, clause by clause, is made as strong as it will go and kept, so that
// false steps come to a false end: a clause loses all choices that it can do without, and single
// choices follow by unit propagation.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/certify.h"
#include "harness/generate/random.h"
#include "tests/oracle/truth.h"
#include "tests/property/for_all.h"
#include "tests/support/order_levels.h"
#include "tests/support/random_history.h"
#include "tests/support/sample_size.h"
#include "tests/support/saturable_levels.h"
#include "tests/support/shrink.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

/// The same for all transactions, the one that does not exist among them, and none().
std::vector<TxnId> all_txns(const History& history, bool with_none) {
  std::vector<TxnId> txns;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    txns.push_back({t});
  }
  if (with_none) {
    txns.push_back(TxnId::none());
  }
  return txns;
}

std::vector<KeyId> all_keys(const History& history) {
  std::vector<KeyId> keys;
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    keys.push_back({k});
  }
  return keys;
}

Choice contrary(Choice choice) {
  if (choice.kind == Choice::Kind::kBefore) {
    std::swap(choice.first, choice.second);
  } else {
    choice.holds = !choice.holds;
  }
  return choice;
}

/// All choices that a proof may name, each with its contrary.
std::vector<Choice> all_choices(const History& history) {
  constexpr std::uint32_t kLongest = 3;
  std::vector<Choice> choices;
  for (const TxnId first : all_txns(history, false)) {
    choices.push_back({.kind = Choice::Kind::kTookEffect, .first = first});
    for (const TxnId second : all_txns(history, true)) {
      if (first < second && !second.is_none()) {
        choices.push_back({.first = first, .second = second});
      }
      for (const KeyId key : all_keys(history)) {
        for (std::uint32_t length = 0; length <= kLongest; ++length) {
          choices.push_back({.kind = Choice::Kind::kReads,
                             .first = first,
                             .second = second,
                             .key = key,
                             .length = length});
        }
      }
    }
  }
  const std::size_t count = choices.size();
  for (std::size_t i = 0; i < count; ++i) {
    choices.push_back(contrary(choices[i]));
  }
  return choices;
}

/// All edges, from a transaction to itself among them.
std::vector<OrderEdge> all_edges(const History& history) {
  std::vector<OrderEdge> edges;
  for (const TxnId from : all_txns(history, false)) {
    for (const TxnId to : all_txns(history, false)) {
      edges.push_back({.from = from, .to = to, .relation = Relation::kProcess});
      edges.push_back({.from = from, .to = to, .relation = Relation::kRealtime});
      for (const KeyId key : all_keys(history)) {
        edges.push_back({.from = from, .to = to, .relation = Relation::kWw, .key = key});
        edges.push_back({.from = from, .to = to, .relation = Relation::kWr, .key = key});
        for (const TxnId overwritten : all_txns(history, true)) {
          edges.push_back({.from = from,
                           .to = to,
                           .relation = Relation::kRw,
                           .key = key,
                           .overwritten = overwritten});
        }
      }
    }
  }
  return edges;
}

/// Forges proofs about one history at one level.
class KeyForger {
 public:
  KeyForger(const History& history, OrderLevel level, Assumptions assumptions, Random& random)
      : history_(history),
        level_(level),
        assumptions_(std::move(assumptions)),
        random_(random),
        edges_(all_edges(history)) {
    for (const Choice& choice : all_choices(history)) {
      if (holds({{choice, contrary(choice)}, {}})) {  // the history has what it speaks of
        choices_.push_back(choice);
      }
    }
    kept_.clear();
  }

  /// All cycles of one edge and of two: alone, and, so many percent of them, with each choice.
  void try_short_cycles(std::size_t percent) {
    for (const OrderEdge& first : edges_) {
      if (first.from == first.to) {
        try_cycle({first}, percent);
      }
      for (const OrderEdge& second : edges_) {
        if (first.to == second.from && second.to == first.from) {
          try_cycle({first, second}, percent);
        }
      }
    }
  }

  /// Random steps: cycles with the choices that they rest on, or arbitrary ones.
  void try_any(std::size_t count) {
    for (std::size_t i = 0; i < count && !is_forged_; ++i) {
      const std::vector<OrderEdge> cycle = random_cycle();
      std::vector<Choice> clause = random_.percent(80) ? premises(cycle) : std::vector<Choice>();
      for (std::size_t more = random_.below(3); more > 0 && !choices_.empty(); --more) {
        clause.push_back(random_.pick(choices_));
      }
      keep_what_holds(std::move(clause), random_.percent(90) ? cycle : std::vector<OrderEdge>());
    }
  }

  /// What follows from all that was kept.
  void conclude() {
    for (bool goes_on = true; goes_on && !is_forged_;) {
      goes_on = false;
      for (const Choice& choice : choices_) {
        if (std::ranges::find(known_, choice) == known_.end() && holds({{choice}, {}})) {
          known_.push_back(choice);
          kept_.push_back({{choice}, {}});
          goes_on = true;
        }
      }
      holds({{}, {}});
    }
    try_short_cycles(0);
  }

  [[nodiscard]] bool is_forged() const { return is_forged_; }

  [[nodiscard]] std::size_t tried() const { return tried_; }

  [[nodiscard]] std::size_t accepted() const { return accepted_; }

 private:
  static constexpr std::size_t kMostKept = 40;

  /// Whether the step is accepted after the kept ones. With an empty clause, that is a forgery.
  bool holds(const ProofStep& step) {
    Refutation proof = {kept_};
    proof.steps.push_back(step);
    if (!step.clause.empty()) {
      proof.steps.push_back({});
    }
    ++tried_;
    const auto flaw = check_evidence(history_, level_, proof, assumptions_);
    is_forged_ = is_forged_ || !flaw;
    const bool is_last = flaw && flaw->starts_with("step " + std::to_string(proof.steps.size()));
    return !flaw || (is_last && !step.clause.empty());
  }

  void try_cycle(const std::vector<OrderEdge>& cycle, std::size_t percent) {
    holds({{}, cycle});
    if (!random_.percent(percent)) {
      return;
    }
    for (const Choice& choice : choices_) {
      keep_what_holds({choice}, cycle);
    }
  }

  void keep_what_holds(std::vector<Choice> clause, const std::vector<OrderEdge>& cycle) {
    random_.shuffle(clause);
    if (kept_.size() >= kMostKept || !holds({clause, cycle})) {
      return;
    }
    for (std::size_t i = 0; i < clause.size() && !is_forged_;) {
      std::vector<Choice> less = clause;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (holds({less, cycle})) {
        clause = std::move(less);
      } else {
        ++i;
      }
    }
    const bool is_new = std::ranges::none_of(kept_, [&](const ProofStep& step) {
      return std::ranges::is_permutation(step.clause, clause);
    });
    if (is_new && !clause.empty()) {
      ++accepted_;
      kept_.push_back({std::move(clause), cycle});
    }
  }

  std::vector<OrderEdge> random_cycle() {
    std::vector<OrderEdge> cycle;
    const std::size_t length = 1 + random_.below(4);
    while (cycle.size() < length) {
      std::vector<OrderEdge> next;
      std::ranges::copy_if(edges_, std::back_inserter(next), [&](const OrderEdge& edge) {
        const bool is_last = cycle.size() + 1 == length;
        return (cycle.empty() || edge.from == cycle.back().to) &&
               (!is_last || edge.to == (cycle.empty() ? edge.from : cycle.front().from));
      });
      cycle.push_back(random_.pick(next));
    }
    return cycle;
  }

  /// The negations of the choices that the edges rest on.
  [[nodiscard]] std::vector<Choice> premises(const std::vector<OrderEdge>& cycle) const {
    std::vector<Choice> clause;
    const auto name = [&](auto is_premise) {
      std::ranges::copy_if(choices_, std::back_inserter(clause), [&](const Choice& choice) {
        return std::ranges::find(clause, choice) == clause.end() && is_premise(choice);
      });
    };
    const auto order = [&](TxnId first, TxnId second) {
      name([&](const Choice& choice) {
        return choice.kind == Choice::Kind::kBefore && choice.first == second &&
               choice.second == first;
      });
    };
    const auto read = [&](TxnId reader, KeyId key, TxnId writer) {
      name([&](const Choice& choice) {
        return choice.kind == Choice::Kind::kReads && !choice.holds && choice.first == reader &&
               choice.key == key && choice.second == writer;
      });
    };
    for (const OrderEdge& edge : cycle) {
      if (edge.relation == Relation::kWw) {
        order(edge.from, edge.to);
      } else if (edge.relation == Relation::kWr) {
        read(edge.to, edge.key, edge.from);
      } else if (edge.relation == Relation::kRw) {
        order(edge.overwritten, edge.to);
        read(edge.from, edge.key, edge.overwritten);
      }
    }
    return clause;
  }

  const History& history_;
  OrderLevel level_;
  Assumptions assumptions_;
  Random& random_;
  std::vector<OrderEdge> edges_;
  std::vector<Choice> choices_;
  std::vector<Choice> known_;
  std::vector<ProofStep> kept_;
  bool is_forged_ = false;
  std::size_t tried_ = 0;
  std::size_t accepted_ = 0;
};

/// How much is tried of each history.
struct Effort {
  std::size_t histories = 0;
  std::size_t levels = 3;   ///< of those that hold
  std::size_t percent = 2;  ///< of short cycles with each choice
  std::size_t steps = 30;   ///< at random
};

std::vector<OrderLevel> all_levels(const History& history) {
  std::vector<OrderLevel> levels(kOrderLevels.begin(), kOrderLevels.end());
  levels.insert(levels.end(), kSaturableLevels.begin(), kSaturableLevels.end());
  std::erase_if(levels,
                [&](OrderLevel level) { return level.real_time && !history.info().has_real_time; });
  return levels;
}

std::string level_text(OrderLevel level) {
  return is_saturable(level.visibility) ? saturable_text(level) : to_text(level);
}

Assumptions random_assumptions(const History& history, Random& random) {
  Assumptions assumptions;
  if (random.percent(70) || history.has_lists()) {
    return assumptions;
  }
  assumptions.sequential_keys = random.percent(50);
  assumptions.linearizable_keys = random.percent(50);
  return assumptions;
}

History history_of(const TinyHistory& tiny, std::size_t form) {
  if (tiny.model == Workload::kListAppend || form < 2) {
    return build(tiny);
  }
  return form == 2 ? build_with_initial(tiny)
                   : build_trace(tiny, {.has_times = form % 2 == 0, .has_initial_txn = form < 5});
}

class ForgedKeys {
 public:
  explicit ForgedKeys(Effort effort) : effort_(effort) {}

  /// The level at which something false is accepted.
  std::string forged(const TinyHistory& tiny, std::uint64_t seed) {
    Random random(seed);
    const History history = history_of(tiny, random.below(6));
    const Assumptions assumptions = random_assumptions(history, random);
    std::vector<OrderLevel> levels = all_levels(history);
    random.shuffle(levels);
    Truth truth(history);
    std::size_t left = effort_.levels;
    for (const OrderLevel level : levels) {
      const bool is_weak = is_saturable(level.visibility);
      const Assumptions assumed = is_weak ? Assumptions() : assumptions;
      if (left == 0 || !truth.holds(level, assumed).value_or(false)) {
        continue;
      }
      --left;
      KeyForger forger(history, level, assumed, random);
      forger.try_short_cycles(effort_.percent);
      forger.try_any(effort_.steps);
      forger.conclude();
      tried_ += forger.tried();
      accepted_ += forger.accepted();
      if (forger.is_forged()) {
        return level_text(level);
      }
    }
    return {};
  }

  [[nodiscard]] std::size_t tried() const { return tried_; }

  [[nodiscard]] std::size_t accepted() const { return accepted_; }

 private:
  Effort effort_;
  std::size_t tried_ = 0;
  std::size_t accepted_ = 0;
};

/// Small histories, at levels that they satisfy.
void forge(Workload workload, Variety variety, std::uint64_t first_seed, Effort effort) {
  constexpr std::size_t kMostTxns = 4;
  ForgedKeys forged(effort);
  const std::uint64_t begin = first_seed + first_seed_of_cases();
  std::size_t count = 0;
  for (std::uint64_t seed = begin; count < effort.histories; ++seed) {
    const TinyHistory tiny = random_history(workload, seed, variety);
    const History history = build(tiny);
    if (history.txn_count() > kMostTxns || history.key_count() > 2) {
      continue;
    }
    ++count;
    const std::string level = forged.forged(tiny, seed);
    if (!level.empty()) {
      const TinyHistory small = shrink(
          tiny, [&](const TinyHistory& smaller) { return !forged.forged(smaller, seed).empty(); });
      FAIL_CHECK("seed " << seed << ", " << level << "\n  " << to_text(small));
      break;
    }
  }
  CHECK(forged.accepted() > effort.histories);
  WARN(forged.tried() << " steps tried, " << forged.accepted() << " accepted");
}

constexpr Effort kQuick = {.histories = 2, .levels = 2};
constexpr Effort kLarge = {.histories = 100, .levels = 26, .percent = 5, .steps = 60};

void forge_all(Effort effort) {
  forge(Workload::kRwRegister, Variety::kRepeating, 110 * kBillion, effort);
  forge(Workload::kRwRegister, Variety::kCorners, 111 * kBillion, effort);
  forge(Workload::kRwRegister, Variety::kDistinct, 112 * kBillion, effort);
  forge(Workload::kListAppend, Variety::kRepeating, 113 * kBillion, effort);
  forge(Workload::kListAppend, Variety::kCorners, 114 * kBillion, effort);
  forge(Workload::kListAppend, Variety::kDistinct, 115 * kBillion, effort);
}

TEST_CASE("forged proofs: none about a valid history of registers or lists is accepted") {
  forge_all(kQuick);
}

TEST_CASE("forged proofs: none about many histories of registers or lists", "[.nightly]") {
  forge_all(kLarge);
}

}  // namespace
}  // namespace elapid
