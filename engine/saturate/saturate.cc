#include "engine/saturate/saturate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/levels/timeless.h"
#include "engine/saturate/causal_in_order.h"
#include "engine/saturate/first_commits.h"
#include "engine/saturate/level_check.h"
#include "engine/saturate/likely_writers.h"
#include "engine/saturate/observations.h"
#include "engine/saturate/writer_search.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace {

/// The greatest number of violations that are proved.
constexpr std::size_t kViolationsShown = 16;

/// The proof of a conflict that depends on no choice.
Refutation proof_of(Conflict conflict) {
  conflict.because.push_back({{}, std::move(conflict.cycle)});
  return {std::move(conflict.because)};
}

bool follows_from_pram(Visibility visibility) {
  return visibility == Visibility::kPram || visibility == Visibility::kMonotonicWrites ||
         visibility == Visibility::kMonotonicReads || visibility == Visibility::kReadYourWrites;
}

}  // namespace

/// What levels with the same rules share: the observations, and the result of the search for a
/// causally consistent order.
class SharedObservations {
 public:
  SharedObservations(const History& history, ReadRules rules)
      : rules_(rules), seen_(history, rules) {}

  [[nodiscard]] bool has(ReadRules rules) const { return rules_ == rules; }

  [[nodiscard]] const Observations& seen() const { return seen_; }

  /// As find_causal_order(), once for all levels with the same sessions and real time. Only if each
  /// read has one possible writer.
  [[nodiscard]] const std::optional<std::vector<std::uint32_t>>& causal_order(
      OrderLevel level, const std::function<bool()>& keep_going) {
    level.visibility = Visibility::kCausal;
    if (!ordered_ || *ordered_ != level) {
      ordered_ = level;
      order_ = find_causal_order(seen_, level, keep_going);
    }
    return order_;
  }

 private:
  ReadRules rules_;
  Observations seen_;
  std::optional<OrderLevel> ordered_;
  std::optional<std::vector<std::uint32_t>> order_;
};

namespace {

class SaturableLevel {
 public:
  SaturableLevel(SharedObservations& shared, const SolveOptions& options)
      : options_(options), shared_(shared), seen_(shared.seen()) {}

  SolveResult run() {
    if (!seen_.anomalies().empty()) {
      result_.validity = Validity::kInvalid;
      result_.anomalies = seen_.anomalies();
    } else if (!seen_.contradiction().empty()) {
      result_.validity = Validity::kInvalid;
      result_.refutation = Refutation{{ProofStep{}}};  // reads alone refute it
    } else if (!seen_.unclear().empty()) {
      result_.unknown_because = seen_.unclear();
    } else if (seen_.ambiguous().empty()) {
      decide();
    } else {
      search(seen_);
    }
    return std::move(result_);
  }

 private:
  void decide() {
    if (options_.level.visibility != Visibility::kNothing) {
      if (const auto& order = shared_.causal_order(options_.level, options_.keep_going)) {
        accept(seen_, *order);
        return;
      }
    }
    LevelFindings found = check_level_by_axiom(seen_, options_.level, kViolationsShown,
                                               {options_.work, options_.keep_going});
    if (!found.is_complete) {
      give_up();
    } else if (found.conflicts.empty()) {
      accept(seen_, found.order);
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

  /// First looks for a refutation that needs no choice, then tries guesses, then searches.
  void search(Observations seen) {
    if (auto proof = refute_without_choice(seen, options_.level)) {
      result_.validity = Validity::kInvalid;
      result_.ends_with_cycle = true;
      result_.refutation = std::move(proof);
      return;
    }
    LikelyWriters likely = latest_writers(seen);
    if (confirm(likely, seen) || decide_by_commits(seen)) {
      return;
    }
    if (options_.keep_going && !options_.keep_going()) {
      give_up();
      return;
    }
    likely = causal_writers(seen, options_.keep_going);
    if (confirm(likely, seen)) {
      return;
    }
    if (follows_from_pram(options_.level.visibility)) {
      likely = pram_writers(seen, options_.keep_going);
      if (confirm(likely, seen)) {
        return;
      }
    }
    WriterFindings found =
        search_writers(seen, options_.level, likely, options_.work, options_.keep_going);
    result_.validity = found.validity;
    result_.statistics.choices = found.choices;
    result_.statistics.conflicts = found.conflicts;
    if (found.validity == Validity::kValid) {
      accept(seen, found.order);
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

  /// Whether it is decided by the order in which transactions can commit at all.
  bool decide_by_commits(Observations& seen) {
    FirstCommits first = first_commits(seen_, options_.level);  // no writer was chosen there
    if (first.refutation) {
      result_.validity = Validity::kInvalid;
      result_.refutation = std::move(first.refutation);
      return true;
    }
    return options_.level.visibility == Visibility::kNothing && confirm(first.writers, seen);
  }

  /// Whether the level holds if the reads saw these writers.
  bool confirm(const LikelyWriters& likely, Observations& seen) {
    if (!choose_all(likely, seen)) {
      return false;
    }
    const LevelFindings found =
        check_level(seen, options_.level, 1, {options_.work, options_.keep_going});
    const bool is_confirmed = found.is_complete && found.conflicts.empty();
    if (is_confirmed) {
      accept(seen, found.order);
    }
    return is_confirmed;
  }

  void give_up() {
    result_.unknown_because =
        "the budget was reached while edges were inferred and writers of repeated values chosen";
    result_.is_out_of_budget = true;
  }

  void accept(const Observations& seen, std::span<const std::uint32_t> order) {
    result_.validity = Validity::kValid;
    Witness& witness = result_.witness.emplace();
    witness.order.reserve(order.size());
    std::size_t read_count = 0;
    for (const std::uint32_t txn : order) {
      witness.order.push_back({.txn = {txn}});
      read_count += seen.reads(txn).size();
    }
    witness.reads.reserve(read_count);
    for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
      if (!seen.is_present(t)) {
        continue;
      }
      for (const Seen& read : seen.reads(t)) {
        witness.reads.push_back(
            {{t}, read.key, read.is_of_txn() ? TxnId{read.writer} : TxnId::none()});
      }
    }
  }

  const SolveOptions& options_;
  SharedObservations& shared_;
  const Observations& seen_;
  SolveResult result_;
};

/// The most work on a refutation of a weaker level, for each operation.
constexpr std::uint64_t kWorkAnOperation = 256;

}  // namespace

std::optional<Refutation> refute_causality(const History& history, const SolveOptions& options) {
  if (history.has_lists()) {
    return std::nullopt;
  }
  const OrderLevel level = {Visibility::kCausal, options.level.sessions, false};
  Observations seen(history, read_rules(level));
  if (!seen.unclear().empty() || !seen.anomalies().empty() || !seen.contradiction().empty()) {
    return std::nullopt;
  }
  seen.drop_ambiguous();
  const std::uint64_t work = std::min(options.work, kWorkAnOperation * history.op_count());
  LevelFindings found = check_level(seen, level, 1, {work, options.keep_going});
  return found.conflicts.empty() ? std::nullopt
                                 : std::optional(proof_of(std::move(found.conflicts.front())));
}

Saturator::Saturator(const History& history) : history_(history) {}

Saturator::Saturator(Saturator&& other) noexcept = default;

Saturator::~Saturator() = default;

SolveResult Saturator::decide(const SolveOptions& options) {
  SolveResult result = decide_in_time(history_, options, [&](const SolveOptions& timed) {
    const ReadRules rules = read_rules(timed.level);
    if (!shared_ || !shared_->has(rules)) {
      forget();  // frees the old one first
      shared_ = std::make_unique<SharedObservations>(history_, rules);
    }
    return SaturableLevel(*shared_, timed).run();
  });
  if (result.validity == Validity::kValid && bind_versions(options.assumptions, history_)) {
    result = {.unknown_because =
                  "the level holds without the assumptions about keys and transactions, which the "
                  "engine does not apply at weak levels"};
  }
  return result;
}

void Saturator::forget() {
  shared_.reset();
}

SolveResult saturate(const History& history, const SolveOptions& options) {
  return Saturator(history).decide(options);
}

}  // namespace elapid
