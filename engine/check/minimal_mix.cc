#include "engine/check/minimal_mix.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/solve/solve.h"

namespace elapid {

namespace {

/// Excerpts solved at most, and transactions of the first one.
constexpr std::size_t kMostExcerpts = 1'000;
constexpr std::size_t kMostTxns = 400;
/// The work for each excerpt, as SolveOptions::work.
constexpr std::uint64_t kWorkEach = 1'000'000;

/// What is kept: transactions, ascending, without some of their reads.
struct Kept {
  std::vector<TxnId> txns = {};
  std::set<std::pair<TxnId, KeyId>> unread = {};  ///< whose reads of the key are left out
  bool has_sessions = true;
  bool has_real_time = true;

  [[nodiscard]] bool has(TxnId txn) const { return std::ranges::binary_search(txns, txn); }
};

/// A value of a key.
using Version = std::pair<KeyId, ValueId>;

/// By version that the proof's transactions read, the writers that did not abort.
using Writers = std::map<Version, std::vector<TxnId>>;

/// Makes a history of what is kept. Its transactions and keys have other numbers.
class ExcerptBuilder {
 public:
  ExcerptBuilder(const History& history, const Writers& writers, const Kept& kept)
      : history_(history),
        writers_(writers),
        kept_(kept),
        keys_(history.key_count(), KeyId::none()) {}

  /// May be called once.
  [[nodiscard]] History build() {
    for (const TxnId txn : kept_.txns) {
      add(txn);
    }
    HistoryInfo info;
    info.workload = history_.workload();
    info.initial = renamed(history_.info().initial);
    Result<History> built = std::move(builder_).build(std::move(info));
    assert(built);  // it has fewer operations than one that could be built
    return std::move(built).value();
  }

  /// The keys of the history, by those of the excerpt.
  [[nodiscard]] const std::vector<KeyId>& keys() const { return old_keys_; }

 private:
  /// Whether all transactions that may have written the value are kept.
  [[nodiscard]] bool keeps(KeyId key, ValueId value) const {
    const auto found = writers_.find({key, value});
    return found == writers_.end() ||
           std::ranges::all_of(found->second, [this](TxnId writer) { return kept_.has(writer); });
  }

  /// Of a list, the last element that is not the reader's own names the transaction that was read
  /// from.
  [[nodiscard]] bool keeps_read(TxnId txn, Op op) const {
    if (kept_.unread.contains({txn, op.key()})) {
      return false;
    }
    if (op.kind() != OpKind::kReadList) {
      return keeps(op.key(), op.value());
    }
    const std::span<const ValueId> elements = history_.elements(op);
    const auto is_foreign = [&](ValueId element) {
      const auto found = writers_.find({op.key(), element});
      return found == writers_.end() || found->second.size() != 1 || found->second.front() != txn;
    };
    const auto last = std::find_if(elements.rbegin(), elements.rend(), is_foreign);
    return last == elements.rend() || keeps(op.key(), *last);
  }

  void add(TxnId txn) {
    std::vector<MopInput> mops;
    std::vector<ValueId> elements;
    std::set<KeyId> unread;  // reads of a key have numbers: one that is left out takes all along
    for (const Op op : history_.ops(txn)) {
      if (op.is_read() && !keeps_read(txn, op)) {
        unread.insert(op.key());
      }
    }
    for (const Op op : history_.ops(txn)) {
      if (op.is_read() && unread.contains(op.key())) {
        continue;
      }
      MopInput mop = {.kind = op.kind(), .key = renamed(op.key())};
      if (op.kind() == OpKind::kReadList) {
        mop.list_begin = static_cast<std::uint32_t>(elements.size());
        for (const ValueId element : history_.elements(op)) {
          if (keeps(op.key(), element)) {
            elements.push_back(renamed(element));
          }
        }
        mop.list_length = static_cast<std::uint32_t>(elements.size()) - mop.list_begin;
      } else {
        mop.value = renamed(op.value());
      }
      mops.push_back(mop);
    }
    TxnInput input = {.session = history_.session(txn).value,
                      .status = history_.status(txn),
                      .mops = mops,
                      .elements = elements};
    if (history_.info().has_real_time) {
      input.invocation_time =
          history_.has_invocation(txn) ? std::int64_t{history_.invocation_id(txn).value} : -1;
      input.completion_time = history_.has_completion(txn)
                                  ? std::int64_t{history_.completion_id(txn).value}
                                  : std::numeric_limits<std::int64_t>::max();
    }
    [[maybe_unused]] const Status added = builder_.add_transaction(input);
    assert(added.ok());
  }

  KeyId renamed(KeyId key) {
    if (keys_[key.index()].is_none()) {
      keys_[key.index()] = builder_.key(ValueId::integer(static_cast<std::int64_t>(key.value)));
      old_keys_.push_back(key);
    }
    return keys_[key.index()];
  }

  ValueId renamed(ValueId value) {
    if (value.is_nil() || value.is_none()) {
      return value;
    }
    const auto number = static_cast<std::int64_t>(numbers_.size());
    return ValueId::integer(numbers_.try_emplace(value, number).first->second);
  }

  const History& history_;
  const Writers& writers_;
  const Kept& kept_;
  HistoryBuilder builder_;
  std::vector<KeyId> keys_;           // of the excerpt, by those of the history
  std::vector<KeyId> old_keys_ = {};  // of the history, by those of the excerpt
  std::unordered_map<ValueId, std::int64_t> numbers_ = {};
};

class MixMinimizer {
 public:
  MixMinimizer(const History& history, const TxnLevels& levels, const Refutation& refutation,
               const std::function<bool()>& keep_going)
      : history_(history), levels_(levels), keep_going_(keep_going), refutation_(refutation) {
    for (const TxnId txn : named()) {
      for (const Op op : history.ops(txn)) {
        for (const ValueId value : values_of(op)) {
          writers_.try_emplace({op.key(), value});
        }
      }
    }
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (history.status(txn) != TxnStatus::kAborted) {
        note_writes(txn);
      }
    }
  }

  Refutation run() {
    const Refutation whole = refutation_;
    Kept all = {.txns = named()};
    if (all.txns.size() > kMostTxns || !history_.info().initial_txn.is_none() || !adopt(all)) {
      return std::move(refutation_);
    }
    drop_orders();
    drop_txns();
    drop_reads();
    drop_txns();
    const bool is_smaller = std::pair(named().size(), refutation_.steps.size()) <
                            std::pair(all.txns.size(), whole.steps.size());
    return is_smaller ? std::move(refutation_) : whole;
  }

 private:
  /// The values that the operation read.
  [[nodiscard]] std::vector<ValueId> values_of(Op op) const {
    if (op.kind() == OpKind::kReadList) {
      const std::span<const ValueId> elements = history_.elements(op);
      return {elements.begin(), elements.end()};
    }
    return op.is_read() ? std::vector{op.value()} : std::vector<ValueId>();
  }

  void note_writes(TxnId txn) {
    for (const Op op : history_.ops(txn)) {
      const auto found = op.is_write() ? writers_.find({op.key(), op.value()}) : writers_.end();
      if (found != writers_.end() && (found->second.empty() || found->second.back() != txn)) {
        found->second.push_back(txn);
      }
    }
  }

  /// The transactions of the proof.
  [[nodiscard]] std::vector<TxnId> named() const {
    std::set<TxnId> txns;
    const auto add = [&](TxnId txn) {
      if (!txn.is_none()) {
        txns.insert(txn);
      }
    };
    for (const ProofStep& step : refutation_.steps) {
      for (const Choice& choice : step.clause) {
        add(choice.first);
        add(choice.second);
      }
      for (const OrderEdge& edge : step.cycle) {
        add(edge.from);
        add(edge.to);
        add(edge.overwritten);
      }
    }
    return {txns.begin(), txns.end()};
  }

  /// Solves the excerpt, and goes on from it if it is refuted, too.
  bool adopt(Kept kept) {
    if (kept.txns.empty() || ++tried_ > kMostExcerpts || (keep_going_ && !keep_going_())) {
      return false;
    }
    ExcerptBuilder builder(history_, writers_, kept);
    const History excerpt = builder.build();
    std::vector<OrderLevel> levels;
    std::vector<bool> dirty;
    for (const TxnId txn : kept.txns) {
      OrderLevel level = levels_.of(txn);
      level.sessions = level.sessions && kept.has_sessions;
      level.real_time = level.real_time && kept.has_real_time;
      levels.push_back(level);
      if (levels_.reads_anything(txn)) {
        dirty.resize(kept.txns.size());
        dirty[levels.size() - 1] = true;
      }
    }
    const SolveResult found = solve_mixed(excerpt, TxnLevels(std::move(levels), std::move(dirty)),
                                          {.work = kWorkEach, .keep_going = keep_going_});
    if (!found.refutation || !found.anomalies.empty()) {
      return false;
    }
    Refutation refutation = *found.refutation;
    if (!rename(excerpt, kept, builder.keys(), refutation)) {
      return false;
    }
    refutation_ = std::move(refutation);
    kept_ = std::move(kept);
    return true;
  }

  /// Gives the proof the numbers of the history. False if a choice names a part of a list.
  static bool rename(const History& excerpt, const Kept& kept, const std::vector<KeyId>& keys,
                     Refutation& refutation) {
    const auto set_txn = [&](TxnId& txn) { txn = txn.is_none() ? txn : kept.txns[txn.index()]; };
    for (ProofStep& step : refutation.steps) {
      for (Choice& choice : step.clause) {
        set_txn(choice.first);
        set_txn(choice.second);
        if (choice.kind == Choice::Kind::kReads) {
          choice.key = keys[choice.key.index()];
          if (choice.length > 0 && excerpt.has_lists()) {
            return false;
          }
        }
      }
      for (OrderEdge& edge : step.cycle) {
        set_txn(edge.from);
        set_txn(edge.to);
        set_txn(edge.overwritten);
        if (edge.relation <= Relation::kRw) {
          edge.key = keys[edge.key.index()];
        }
      }
    }
    return true;
  }

  void drop_orders() {
    for (bool Kept::*order : {&Kept::has_real_time, &Kept::has_sessions}) {
      Kept rest = kept_;
      rest.*order = false;
      adopt(std::move(rest));
    }
  }

  /// Drops transactions that the proof does not need, the last ones first. Drops many at a time,
  /// then one by one until each is needed.
  void drop_txns() {
    for (std::size_t chunk = kept_.txns.size() / 2; chunk > 1; chunk /= 2) {
      drop_txns(chunk);
    }
    while (drop_txns(1)) {
    }
  }

  /// Whether some transactions were dropped.
  bool drop_txns(std::size_t chunk) {
    bool has_dropped = false;
    for (std::size_t end = kept_.txns.size(); end > 0;) {
      const std::size_t begin = end > chunk ? end - chunk : 0;
      Kept rest = kept_;
      rest.txns.erase(rest.txns.begin() + static_cast<std::ptrdiff_t>(begin),
                      rest.txns.begin() + static_cast<std::ptrdiff_t>(end));
      has_dropped = adopt(std::move(rest)) || has_dropped;
      end = std::min(begin, kept_.txns.size());
    }
    return has_dropped;
  }

  void drop_reads() {
    for (const TxnId txn : std::vector(kept_.txns)) {
      for (const Op op : history_.ops(txn)) {
        if (op.is_read() && !kept_.unread.contains({txn, op.key()})) {
          Kept rest = kept_;
          rest.unread.insert({txn, op.key()});
          adopt(std::move(rest));
        }
      }
    }
  }

  const History& history_;
  const TxnLevels& levels_;
  const std::function<bool()>& keep_going_;
  Refutation refutation_;
  Kept kept_ = {};
  Writers writers_ = {};
  std::size_t tried_ = 0;
};

}  // namespace

Refutation minimal_in_mix(const History& history, const TxnLevels& levels,
                          const Refutation& refutation, const std::function<bool()>& keep_going) {
  return MixMinimizer(history, levels, refutation, keep_going).run();
}

}  // namespace elapid
