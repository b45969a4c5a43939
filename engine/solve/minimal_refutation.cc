#include "engine/solve/minimal_refutation.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/solve/excerpt.h"
#include "engine/solve/proof_strength.h"

namespace elapid {

namespace {

/// The budget of all excerpts together, in transactions and touches.
constexpr std::size_t kWork = 250'000;
/// The budget of each excerpt, as SolveOptions::work.
constexpr std::uint64_t kWorkEach = 1'000'000;

/// The transactions and touches that a proof names, without repetition and ascending.
struct Named {
  std::vector<TxnId> txns = {};
  std::vector<std::pair<TxnId, KeyId>> touches = {};

  void add(TxnId txn, KeyId key) {
    if (!txn.is_none()) {
      txns.push_back(txn);
      touches.emplace_back(txn, key);
    }
  }

  [[nodiscard]] bool has(TxnId txn) const { return std::ranges::binary_search(txns, txn); }

  [[nodiscard]] bool has(TxnId txn, KeyId key) const {
    return std::ranges::binary_search(touches, std::pair(txn, key));
  }
};

template <class Item>
void sort_without_repetition(std::vector<Item>& items) {
  std::ranges::sort(items);
  const auto repeated = std::ranges::unique(items);
  items.erase(repeated.begin(), repeated.end());
}

Named named_in(const Refutation& proof) {
  Named named;
  for (const ProofStep& step : proof.steps) {
    for (const Choice& choice : step.clause) {
      named.add(choice.first, choice.key);
      named.add(choice.second, choice.key);
    }
    for (const OrderEdge& edge : step.cycle) {
      named.add(edge.from, edge.key);
      named.add(edge.to, edge.key);
      named.add(edge.overwritten, edge.key);
    }
  }
  sort_without_repetition(named.txns);
  sort_without_repetition(named.touches);
  return named;
}

/// The transactions that the proof names, and the readers that prove that these took effect.
std::vector<TxnId> involved_in(const Refutation& proof, const OrderProblem& problem) {
  std::vector<TxnId> txns = named_in(proof).txns;
  for (std::size_t i = 0; i < txns.size(); ++i) {
    if (const auto read = problem.proven_by(txns[i].value)) {
      const TxnId reader{problem.reads()[*read].txn};
      if (std::ranges::find(txns, reader) == txns.end()) {
        txns.push_back(reader);
      }
    }
  }
  std::ranges::sort(txns);
  return txns;
}

/// The number of transactions and touches.
std::size_t size_of(const Excerpt& excerpt) {
  std::size_t size = excerpt.size();
  for (const Excerpted& kept : excerpt) {
    size += kept.touches.size();
  }
  return size;
}

/// Deletes one needless part after the other.
class Minimizer {
 public:
  Minimizer(const OrderProblem& problem, const SolveOptions& options, const SolveExcerpt& solve,
            SolveResult& result)
      : options_(options),
        solve_(solve),
        result_(result),
        strength_(strength_of(result)),
        excerpts_(problem, options.level, options.assumptions,
                  involved_in(*result.refutation, problem)) {}

  /// Whether any excerpt was refuted.
  bool run() {
    const Excerpt whole = excerpts_.whole();
    const bool suffices = adopt(whole);
    if (!drop_orders(whole) && !suffices) {
      return false;  // for example, lists with repeated elements
    }
    keep_named_transactions();
    drop_transactions();
    keep_named_touches();
    drop_touches();
    drop_bonds();
    drop_transactions();
    return true;
  }

 private:
  /// Keeps the excerpt as the current one if it suffices for a proof.
  bool adopt(Excerpt excerpt) {
    work_ += size_of(excerpt);
    is_spent_ = work_ > kWork || (options_.keep_going && !options_.keep_going());
    if (is_spent_) {
      return false;
    }
    SolveResult found = solve_excerpt(excerpts_, excerpt, options_, kWorkEach, solve_);
    if (!found.refutation || !strength_of(found).is_at_least(strength_)) {
      return false;
    }
    excerpt_ = std::move(excerpt);
    strength_ = strength_of(found);
    result_.ends_with_cycle = found.ends_with_cycle;
    result_.refutation = std::move(found.refutation);
    return true;
  }

  /// Drops transactions that the current proof does not name.
  void keep_named_transactions() {
    const Named named = named_in(*result_.refutation);
    Excerpt rest = excerpt_;
    std::erase_if(rest, [&](const Excerpted& kept) { return !named.has(kept.txn); });
    if (rest.size() < excerpt_.size()) {
      adopt(std::move(rest));
    }
  }

  /// Drops real time of all transactions, then sessions too. Returns whether either succeeds.
  bool drop_orders(Excerpt whole) {
    for (Excerpted& kept : whole) {
      kept.has_invocation = kept.has_completion = false;
    }
    const bool is_timeless = adopt(whole);
    for (Excerpted& kept : whole) {
      kept.session = kept.txn.value;
    }
    return adopt(std::move(whole)) || is_timeless;
  }

  void keep_named_touches() {
    const Named named = named_in(*result_.refutation);
    Excerpt rest = excerpt_;
    for (Excerpted& kept : rest) {
      std::erase_if(kept.touches,
                    [&](const Touch& touch) { return !named.has(kept.txn, touch.key); });
    }
    adopt(std::move(rest));
  }

  void drop_transactions() {
    for (std::size_t size = excerpt_.size() / 2; size > 1; size /= 2) {
      drop_transactions(size);
    }
    while (drop_transactions(1)) {  // a new proof may need fewer transactions
    }
  }

  /// Tries to drop `size` transactions at a time. Returns whether any was dropped.
  bool drop_transactions(std::size_t size) {
    bool has_dropped = false;
    for (std::size_t end = excerpt_.size(); end > 0 && !is_spent_;) {
      const std::size_t begin = end - std::min(size, end);
      Excerpt rest = excerpt_;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin),
                 rest.begin() + static_cast<std::ptrdiff_t>(end));
      if (adopt(std::move(rest))) {
        has_dropped = true;
        keep_named_transactions();
      }
      end = std::min(begin, excerpt_.size());
    }
    return has_dropped;
  }

  /// Applies `change` to a copy of one transaction's part, and tries the result if `change` returns
  /// true.
  template <class Change>
  void try_on(std::size_t member, Change change) {
    Excerpt changed = excerpt_;
    if (change(changed[member])) {
      adopt(std::move(changed));
    }
  }

  void drop_touches() {
    for (std::size_t m = 0; m < excerpt_.size(); ++m) {
      for (std::size_t t = 0; t < excerpt_[m].touches.size() && !is_spent_; ++t) {
        for (ValueId Touch::*part : {&Touch::read, &Touch::write}) {
          try_on(m, [&](Excerpted& kept) {
            return !std::exchange(kept.touches[t].*part, ValueId::none()).is_none();
          });
        }
      }
    }
  }

  /// Splits sessions in two, and drops times of invocations and completions.
  void drop_bonds() {
    for (std::size_t m = 0; m < excerpt_.size() && !is_spent_; ++m) {
      split_session(m);
      try_on(m, [](Excerpted& kept) { return std::exchange(kept.has_invocation, false); });
      try_on(m, [](Excerpted& kept) { return std::exchange(kept.has_completion, false); });
    }
  }

  void split_session(std::size_t member) {
    const std::uint32_t session = excerpt_[member].session;
    const auto is_of_it = [&](const Excerpted& kept) { return kept.session == session; };
    const auto here = excerpt_.begin() + static_cast<std::ptrdiff_t>(member);
    if (std::none_of(excerpt_.begin(), here, is_of_it)) {
      return;
    }
    Excerpt split = excerpt_;
    std::uint32_t fresh = 0;
    for (const Excerpted& kept : split) {
      fresh = std::max(fresh, kept.session + 1);
    }
    for (std::size_t m = member; m < split.size(); ++m) {
      split[m].session = is_of_it(split[m]) ? fresh : split[m].session;
    }
    adopt(std::move(split));
  }

  const SolveOptions& options_;
  const SolveExcerpt& solve_;
  SolveResult& result_;
  ProofStrength strength_;
  Excerpts excerpts_;
  Excerpt excerpt_;
  std::size_t work_ = 0;
  bool is_spent_ = false;
};

}  // namespace

SolveResult solve_excerpt(const Excerpts& excerpts, const Excerpt& excerpt,
                          const SolveOptions& options, std::uint64_t work,
                          const SolveExcerpt& solve) {
  const SmallHistory small = excerpts.as_history(excerpt);
  SolveOptions how = options;
  how.refute_weaker = {};
  how.level = excerpts.level();
  how.assumptions = small.assumptions;
  how.work = work;
  how.threads = 1;
  SolveResult found = solve(small.history, how);
  if (found.refutation) {
    found.refutation = excerpts.in_history(small, std::move(*found.refutation));
  }
  return found;
}

bool minimize_refutation(const OrderProblem& problem, const SolveOptions& options,
                         const SolveExcerpt& solve, SolveResult& result) {
  return Minimizer(problem, options, solve, result).run();
}

}  // namespace elapid
