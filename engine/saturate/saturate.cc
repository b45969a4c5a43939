#include "engine/saturate/saturate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/levels/timeless.h"
#include "engine/saturate/level_check.h"
#include "engine/saturate/likely_writers.h"
#include "engine/saturate/observations.h"
#include "engine/saturate/writer_search.h"

namespace elapid {

namespace {

/// How many violations are proved.
constexpr std::size_t kViolationsShown = 16;

/// The proof of a conflict that rests on no choice.
Refutation proof_of(Conflict conflict) {
  conflict.because.push_back({{}, std::move(conflict.cycle)});
  return {std::move(conflict.because)};
}

class SaturableLevel {
 public:
  SaturableLevel(const History& history, const SolveOptions& options)
      : options_(options),
        seen_(history, {.repeatable = reads_one_state(options.level),
                        .own_writes = reads_own_writes(options.level)}) {}

  SolveResult run() {
    if (!seen_.anomalies().empty()) {
      result_.validity = Validity::kInvalid;
      result_.anomalies = seen_.anomalies();
    } else if (!seen_.contradiction().empty()) {
      result_.validity = Validity::kInvalid;
      result_.refutation = Refutation{{ProofStep{}}};  // single reads say it all
    } else if (!seen_.unclear().empty()) {
      result_.unknown_because = seen_.unclear();
    } else if (seen_.ambiguous().empty()) {
      decide();
    } else {
      search();
    }
    return std::move(result_);
  }

 private:
  void decide() {
    LevelFindings found =
        check_level(seen_, options_.level, kViolationsShown, {options_.work, options_.keep_going});
    if (!found.is_complete) {
      give_up();
    } else if (found.conflicts.empty()) {
      accept(found.order);
    } else {
      result_.validity = Validity::kInvalid;
      result_.ends_with_cycle = true;
      result_.violations = found.violations;
      std::vector<ProofStep>& steps = result_.refutation.emplace().steps;
      for (Conflict& conflict : found.conflicts) {
        std::ranges::move(proof_of(std::move(conflict)).steps, std::back_inserter(steps));
      }
    }
  }

  /// What holds whatever is chosen comes first, then guesses, then the search.
  void search() {
    if (auto proof = refute_without_choice(seen_, options_.level)) {
      result_.validity = Validity::kInvalid;
      result_.ends_with_cycle = true;
      result_.refutation = std::move(proof);
      return;
    }
    LikelyWriters likely = latest_writers(seen_);
    if (confirm(likely)) {
      return;
    }
    if (options_.keep_going && !options_.keep_going()) {
      give_up();
      return;
    }
    likely = causal_writers(seen_, options_.keep_going);
    if (confirm(likely)) {
      return;
    }
    WriterFindings found =
        search_writers(seen_, options_.level, likely, options_.work, options_.keep_going);
    result_.validity = found.validity;
    result_.statistics.choices = found.choices;
    result_.statistics.conflicts = found.conflicts;
    if (found.validity == Validity::kValid) {
      accept(found.order);
    } else if (found.validity == Validity::kInvalid) {
      result_.ends_with_cycle = !found.refutation.back().cycle.empty();
      result_.refutation = Refutation{std::move(found.refutation)};
    } else {
      give_up();
    }
  }

  [[nodiscard]] std::optional<Refutation> refute_without_choice(Observations seen,
                                                                OrderLevel level) const {
    seen.drop_ambiguous();
    LevelFindings found = check_level(seen, level, 1, {options_.work, options_.keep_going});
    return found.conflicts.empty() ? std::nullopt
                                   : std::optional(proof_of(std::move(found.conflicts.front())));
  }

  /// Whether the level holds if the reads saw these.
  bool confirm(const LikelyWriters& likely) {
    if (!choose_all(likely, seen_)) {
      return false;
    }
    const LevelFindings found =
        check_level(seen_, options_.level, 1, {options_.work, options_.keep_going});
    const bool is_confirmed = found.is_complete && found.conflicts.empty();
    if (is_confirmed) {
      accept(found.order);
    }
    return is_confirmed;
  }

  void give_up() {
    result_.unknown_because =
        "the budget was reached while edges were inferred and writers of repeated values chosen";
    result_.is_out_of_budget = true;
  }

  void accept(std::span<const std::uint32_t> order) {
    result_.validity = Validity::kValid;
    Witness& witness = result_.witness.emplace();
    witness.order.reserve(order.size());
    std::size_t read_count = 0;
    for (const std::uint32_t txn : order) {
      witness.order.push_back({.txn = {txn}});
      read_count += seen_.reads(txn).size();
    }
    witness.reads.reserve(read_count);
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (!seen_.is_present(t)) {
        continue;
      }
      for (const Seen& read : seen_.reads(t)) {
        witness.reads.push_back(
            {{t}, read.key, read.is_of_txn() ? TxnId{read.writer} : TxnId::none()});
      }
    }
  }

  const SolveOptions& options_;
  Observations seen_;
  SolveResult result_;
};

/// How much work looking for a refutation of a weaker level may cost, by operation.
constexpr std::uint64_t kWorkAnOperation = 256;

}  // namespace

std::optional<Refutation> refute_causality(const History& history, const SolveOptions& options) {
  if (history.has_lists()) {
    return std::nullopt;
  }
  const OrderLevel level = {Visibility::kCausal, options.level.sessions, false};
  Observations seen(history,
                    {.repeatable = reads_one_state(level), .own_writes = reads_own_writes(level)});
  if (!seen.unclear().empty() || !seen.anomalies().empty() || !seen.contradiction().empty()) {
    return std::nullopt;
  }
  seen.drop_ambiguous();
  const std::uint64_t work = std::min(options.work, kWorkAnOperation * history.op_count());
  LevelFindings found = check_level(seen, level, 1, {work, options.keep_going});
  return found.conflicts.empty() ? std::nullopt
                                 : std::optional(proof_of(std::move(found.conflicts.front())));
}

SolveResult saturate(const History& history, const SolveOptions& options) {
  SolveResult result = decide_in_time(history, options, [&](const SolveOptions& timed) {
    return SaturableLevel(history, timed).run();
  });
  if (result.validity == Validity::kValid && options.assumptions.bind_versions(history)) {
    result = {.unknown_because =
                  "the level holds without the assumptions about keys and transactions, which "
                  "do not count at weak levels yet"};
  }
  return result;
}

}  // namespace elapid
