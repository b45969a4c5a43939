#include "engine/adya/adya.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "engine/adya/cycle_problem.h"
#include "engine/adya/cycle_search.h"
#include "engine/adya/moments.h"
#include "engine/saturate/likely_writers.h"
#include "engine/saturate/observations.h"
#include "engine/solve/beginnings.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace {

/// The work in each beginning, as SolveOptions::work: a search of choices takes a two-hundredth of
/// it.
constexpr std::uint64_t kWorkOfBeginning = 4'000'000'000;
/// The same in the whole before, for each operation.
constexpr std::uint64_t kWorkBeforeBeginnings = 50;

class CycleDecision {
 public:
  CycleDecision(const History& history, CycleLevel level, const SolveOptions& options)
      : level_(level), options_(options), rules_(read_rules(level.reads)), seen_(history, rules_) {}

  SolveResult run() {
    if (!seen_.anomalies().empty()) {
      result_.validity = Validity::kInvalid;
      result_.anomalies = seen_.anomalies();
    } else if (!seen_.contradiction().empty()) {
      result_.validity = Validity::kInvalid;
      result_.refutation = Refutation{{ProofStep{}}};  // single reads are the proof
    } else if (!seen_.unclear().empty()) {
      result_.unknown_because = seen_.unclear();
    } else {
      decide();
    }
    return std::move(result_);
  }

 private:
  void decide() {
    CycleProblem problem(seen_, rules_);
    if (!problem.certain_cycles().empty()) {
      refute(problem.certain_cycles());
      return;
    }
    const LikelyWriters likely = draft(problem);
    const auto search = [&](std::uint64_t work) {
      return search_cycles(seen_, problem, level_.shape, likely, std::min(options_.work, work),
                           options_.keep_going);
    };
    CycleSearchFindings found = search(
        has_beginnings() ? kWorkBeforeBeginnings * seen_.history().op_count() : options_.work);
    if (found.validity == Validity::kUnknown && has_beginnings()) {
      if (refute_beginning(problem)) {
        return;
      }
      found = search(options_.work);
    }
    note(found);
    if (found.validity == Validity::kValid) {
      accept(found.order);
    } else if (found.validity == Validity::kUnknown) {
      result_.unknown_because = "the budget was reached while orders of versions were chosen";
      result_.is_out_of_budget = true;
    }
  }

  void note(CycleSearchFindings& found) {
    result_.validity = found.validity;
    result_.statistics.choices += found.choices;
    result_.statistics.conflicts += found.conflicts;
    if (found.validity == Validity::kInvalid) {
      result_.ends_with_cycle = !found.refutation.back().cycle.empty();
      result_.refutation = Refutation{std::move(found.refutation)};
    }
  }

  /// Whether beginnings are much shorter than the history, and can be looked at alone: the writer
  /// of each read is known.
  [[nodiscard]] bool has_beginnings() const {
    return seen_.txn_count() >= 2 * kFirstBeginning && seen_.ambiguous().empty();
  }

  /// Whether the first transactions of the draft alone violate the level. Their writers are among
  /// them, so a version order that explains all transactions explains them, too. A search among all
  /// learns of cycles everywhere, and can take thousands of rounds until one place is refuted.
  bool refute_beginning(const CycleProblem& problem) {
    for (std::uint32_t size = kFirstBeginning;
         size <= kLastBeginning && 2 * size <= seen_.txn_count(); size *= 2) {
      Observations beginning = seen_;
      beginning.keep_only([&](std::uint32_t t) { return problem.draft()[t] < size; });
      const CycleProblem part(beginning, rules_);
      CycleSearchFindings found =
          search_cycles(beginning, part, level_.shape, {},
                        std::min(options_.work, kWorkOfBeginning), options_.keep_going);
      note(found);
      if (found.validity != Validity::kValid) {
        break;
      }
    }
    return result_.validity == Validity::kInvalid;
  }

  /// Guesses writers, and an order of versions where operations may see states of their own.
  [[nodiscard]] LikelyWriters draft(CycleProblem& problem) const {
    const bool has_moments = level_.shape == CycleShape::kMonotonic ||
                             level_.shape == CycleShape::kSnapshots ||
                             level_.shape == CycleShape::kCursor;
    if (has_moments && !seen_.ambiguous().empty()) {
      Moments moments = moments_of(problem, level_.shape, options_.keep_going);
      std::uint32_t present = 0;
      for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
        present += seen_.is_present(t) ? 1U : 0U;
      }
      if (moments.order.size() == present) {
        problem.draft_as(moments.order);
        return std::move(moments.writers);
      }
    }
    return latest_writers(seen_);
  }

  /// Each cycle is a proof of its own.
  void refute(const std::vector<std::vector<OrderEdge>>& cycles) {
    result_.validity = Validity::kInvalid;
    result_.ends_with_cycle = true;
    result_.violations = cycles.size();
    std::vector<ProofStep>& steps = result_.refutation.emplace().steps;
    for (const std::vector<OrderEdge>& cycle : cycles) {
      steps.push_back({{}, cycle});
    }
  }

  void accept(std::span<const std::uint32_t> order) {
    Witness& witness = result_.witness.emplace();
    std::ranges::transform(order, std::back_inserter(witness.order),
                           [](std::uint32_t txn) { return OrderEvent{.txn = {txn}}; });
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      for (const Seen& read : seen_.is_present(t) ? seen_.reads(t) : std::span<const Seen>()) {
        witness.reads.push_back(
            {{t}, read.key, read.is_of_txn() ? TxnId{read.writer} : TxnId::none()});
      }
    }
  }

  CycleLevel level_;
  const SolveOptions& options_;
  ReadRules rules_;
  Observations seen_;
  SolveResult result_;
};

}  // namespace

SolveResult decide_cycles(const History& history, CycleLevel level, const SolveOptions& options) {
  SolveResult result = CycleDecision(history, level, options).run();
  if (result.validity == Validity::kValid && bind_versions(options.assumptions, history)) {
    result = {.unknown_because =
                  "the level holds without the assumptions about keys and transactions, which the "
                  "engine does not apply at this level"};
  }
  return result;
}

}  // namespace elapid
