#include "engine/solve/excerpt.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "engine/ir/history_builder.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();
// Values in excerpts are numbers of writes; these stand for no write.
constexpr ValueId kInitial = ValueId::integer(-1);
constexpr ValueId kUnwritten = ValueId::integer(-2);
// Times in excerpts are places of events.
constexpr std::int64_t kBeforeAll = -1;
constexpr std::int64_t kAfterAll = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Excerpts::Excerpts(const OrderProblem& problem, OrderLevel level, const Assumptions& assumptions,
                   std::span<const TxnId> txns)
    : problem_(problem),
      level_(level),
      assumptions_(assumptions),
      txns_(txns.begin(), txns.end()),
      footprints_(problem.history(), txns) {
  if (is_list()) {
    place_appends();
  }
}

OrderLevel Excerpts::level() const {
  OrderLevel level = level_;
  // If each transaction is a session of its own, session order adds nothing, and the check is
  // faster with it.
  level.sessions = level.sessions || !has_sessions();
  return level;
}

/// Follows each list from its beginning. A list gets no places if the elements of one transaction
/// are not adjacent in it.
void Excerpts::place_appends() {
  std::unordered_map<WriteRef, WriteRef> next;
  std::vector<WriteRef> first;
  std::unordered_set<KeyId> tangled;
  for (std::uint32_t r = 0; r < problem_.reads().size(); ++r) {
    const ExternalRead& read = problem_.reads()[r];
    if (!read.is_append) {
      continue;
    }
    const WriteRef own = problem_.write_of(read.txn, read.key);
    const bool is_first_time = place_of_.emplace(own, kNoPlace).second;
    if (!is_first_time || read.count != 1) {
      tangled.insert(read.key);
    } else if (problem_.candidates(r)[0] == kInitialState) {
      first.push_back(own);
    } else {
      next.emplace(problem_.candidates(r)[0], own);
    }
  }
  std::erase_if(first, [&](WriteRef w) { return tangled.contains(problem_.write(w).key); });
  for (const WriteRef start : first) {
    std::uint32_t place = 0;
    place_of_[start] = place;
    for (auto at = next.find(start); at != next.end(); at = next.find(at->second)) {
      place_of_[at->second] = ++place;
    }
  }
}

/// The part of a touch that an excerpt can keep.
Touch Excerpts::telling(TxnId txn, Touch touch) const {
  if (!is_list()) {
    return touch;
  }
  const bool is_clear = !problem_.lists().is_ambiguous(touch.key);
  if (!is_clear || !problem_.history().committed(txn)) {
    touch.read = ValueId::none();
  }
  const auto place = place_of_.find(problem_.write_of(txn.value, touch.key));
  if (!is_clear || (place != place_of_.end() && place->second == kNoPlace)) {
    touch.write = ValueId::none();
  }
  return touch;
}

Excerpt Excerpts::whole() const {
  const History& history = problem_.history();
  Excerpt excerpt;
  for (const TxnId txn : txns_) {
    if (problem_.presence(txn.value) == Presence::kAbsent) {
      continue;
    }
    Excerpted kept = {.txn = txn,
                      .session = has_sessions() ? history.session(txn).value : txn.value,
                      .has_invocation = history.has_invocation(txn),
                      .has_completion = history.committed(txn)};
    for (const Touch& touch : footprints_.of(txn)) {
      kept.touches.push_back(telling(txn, touch));
    }
    excerpt.push_back(std::move(kept));
  }
  return excerpt;
}

/// Writes one excerpt as a history.
class Excerpts::Writer {
 public:
  Writer(const Excerpts& of, const Excerpt& excerpt)
      : of_(of), problem_(of.problem_), excerpt_(excerpt) {
    for (const Excerpted& kept : excerpt) {
      for (const Touch& touch : kept.touches) {
        if (!touch.write.is_none()) {
          writes_.push_back(problem_.write_of(kept.txn.value, touch.key));
        }
      }
    }
    std::ranges::sort(writes_);
  }

  SmallHistory write() {
    const History& history = problem_.history();
    HistoryInfo info;
    if (history.info().initial != ValueId::nil()) {
      info.initial = history.info().initial.is_none() ? ValueId::none() : kInitial;
    }
    for (const Excerpted& kept : excerpt_) {
      if (kept.txn == history.info().initial_txn) {
        info.initial_txn = {static_cast<std::uint32_t>(txns_.size())};
      }
      add(kept);
    }
    if (of_.is_list()) {
      add_list_readers();
    }
    Result<History> small = std::move(builder_).build(std::move(info));
    assert(small);  // a part of a valid history is valid
    Assumptions assumptions = assumptions_in(small.value());
    return {std::move(small).value(), std::move(assumptions), std::move(txns_), std::move(keys_)};
  }

 private:
  void add(const Excerpted& kept) {
    mops_.clear();
    elements_.clear();
    for (const Touch& touch : kept.touches) {
      if (!touch.read.is_none() && keeps_sources(kept.txn, touch)) {
        of_.is_list() ? add_list_read(touch) : add_register_read(touch);
      }
      if (!touch.write.is_none()) {
        mops_.push_back({.kind = of_.is_list() ? OpKind::kAppend : OpKind::kWrite,
                         .key = key(touch.key),
                         .value = value(touch.key, touch.write)});
      }
    }
    add_txn(kept.txn, kept.session, problem_.history().status(kept.txn),
            kept.has_invocation ? problem_.history().invocation_id(kept.txn).value : kBeforeAll,
            kept.has_completion ? problem_.history().completion_id(kept.txn).value : kAfterAll);
  }

  void add_txn(TxnId txn, std::int64_t session, TxnStatus status, std::int64_t invocation,
               std::int64_t completion) {
    TxnInput input = {.session = session, .status = status};
    if (of_.has_real_time()) {
      input.invocation_time = invocation;
      input.completion_time = completion;
    }
    input.mops = mops_;
    input.elements = elements_;
    [[maybe_unused]] const Status added = builder_.add_transaction(input);
    assert(added.ok());
    txns_.push_back(txn);
  }

  /// Adds one reader of each list, so that the order of its elements is known.
  void add_list_readers() {
    for (const auto& [number, list] : lists_) {
      mops_.clear();
      elements_.clear();
      const std::vector<WriteRef> appends = appends_of(number);
      if (!appends.empty()) {
        add_list(list, appends);
        add_txn(TxnId::none(), -1 - std::int64_t{list.value}, TxnStatus::kCommitted, kBeforeAll,
                kAfterAll);
      }
    }
  }

  [[nodiscard]] bool is_kept(WriteRef write) const {
    return std::ranges::binary_search(writes_, write);
  }

  /// All writes of the value.
  [[nodiscard]] std::pair<WriteRef, WriteRef> writes_of(KeyId key, ValueId value) const {
    const auto begin = problem_.writes().begin();
    const auto found = std::ranges::equal_range(begin + problem_.first_write(key.value),
                                                begin + problem_.first_write(key.value + 1), value,
                                                {}, &FinalWrite::value);
    return {static_cast<WriteRef>(found.begin() - begin),
            static_cast<WriteRef>(found.end() - begin)};
  }

  [[nodiscard]] bool keeps_sources(TxnId reader, const Touch& touch) const {
    const auto [first, last] = writes_of(touch.key, touch.read);
    for (WriteRef write = first; write < last && !touch.is_unwritten; ++write) {
      const std::uint32_t txn = problem_.write(write).txn;
      if (txn != reader.value && problem_.presence(txn) != Presence::kAbsent && !is_kept(write)) {
        return false;
      }
    }
    return true;
  }

  void add_register_read(const Touch& touch) {
    mops_.push_back({.key = key(touch.key), .value = value(touch.key, touch.read)});
    if (touch.is_unwritten) {
      const ValueId initial = problem_.history().info().initial;
      mops_.push_back({.key = key(touch.key),
                       .value = value(touch.key, touch.read.is_nil() ? initial : ValueId::nil())});
    }
  }

  void add_list_read(const Touch& touch) {
    if (touch.is_unwritten) {
      add_list(key(touch.key), {});
      return;
    }
    const WriteRef last = writes_of(touch.key, touch.read).first;
    std::vector<WriteRef> shown = appends_of(touch.key);
    const auto end = std::ranges::find(shown, last);
    if (end != shown.end()) {
      shown.erase(end + 1, shown.end());
      add_list(key(touch.key), shown);
    }
  }

  /// Adds a read that shows these appends.
  void add_list(KeyId list, const std::vector<WriteRef>& appends) {
    mops_.push_back({.kind = OpKind::kReadList,
                     .key = list,
                     .list_begin = static_cast<std::uint32_t>(elements_.size()),
                     .list_length = static_cast<std::uint32_t>(appends.size())});
    std::ranges::transform(appends, std::back_inserter(elements_),
                           [](WriteRef write) { return ValueId::integer(write); });
  }

  /// The kept appends to a list whose places are known, in the order of the list.
  [[nodiscard]] std::vector<WriteRef> appends_of(KeyId key) const {
    std::vector<WriteRef> appends;
    const auto first = std::ranges::lower_bound(writes_, problem_.first_write(key.value));
    const auto last = std::ranges::lower_bound(writes_, problem_.first_write(key.value + 1));
    std::copy_if(first, last, std::back_inserter(appends),
                 [this](WriteRef write) { return of_.place_of_.contains(write); });
    std::ranges::sort(appends, {}, [this](WriteRef write) { return of_.place_of_.at(write); });
    return appends;
  }

  KeyId key(KeyId of) {
    const auto [at, is_new] = lists_.try_emplace(of, KeyId());
    if (is_new) {
      at->second = builder_.key(ValueId::integer(static_cast<std::int64_t>(keys_.size())));
      keys_.push_back(of);
    }
    return at->second;
  }

  /// The number of the first write of this value stands for the value.
  [[nodiscard]] ValueId value(KeyId key, ValueId of) const {
    if (of.is_nil()) {
      return of;
    }
    if (of == problem_.history().info().initial) {
      return kInitial;
    }
    const auto [first, last] = writes_of(key, of);
    return first < last ? ValueId::integer(first) : kUnwritten;
  }

  [[nodiscard]] Assumptions assumptions_in(const History& small) const {
    Assumptions assumptions = of_.assumptions_;
    const std::unordered_map<std::int64_t, std::int64_t> places(
        assumptions.transaction_order.begin(), assumptions.transaction_order.end());
    assumptions.transaction_order.clear();
    for (std::uint32_t t = 0; t < excerpt_.size() && !places.empty(); ++t) {
      const auto place = places.find(problem_.history().representative(excerpt_[t].txn).index);
      if (place != places.end()) {
        assumptions.transaction_order.emplace_back(small.representative({t}).index, place->second);
      }
    }
    return assumptions;
  }

  const Excerpts& of_;
  const OrderProblem& problem_;
  const Excerpt& excerpt_;
  std::vector<WriteRef> writes_;  // kept
  HistoryBuilder builder_;
  std::map<KeyId, KeyId> lists_;
  std::vector<TxnId> txns_;
  std::vector<KeyId> keys_;
  std::vector<MopInput> mops_;
  std::vector<ValueId> elements_;
};

SmallHistory Excerpts::as_history(const Excerpt& excerpt) const {
  return Writer(*this, excerpt).write();
}

/// Translates the steps of a proof.
class Excerpts::Restorer {
 public:
  Restorer(const Excerpts& of, const SmallHistory& excerpt) : of_(of), excerpt_(excerpt) {}

  void restore(ProofStep& step) {
    for (Choice& choice : step.clause) {
      restore(choice.first);
      restore(choice.second);
      restore(choice.key);
    }
    if (of_.is_list()) {
      leave_out_readers(step.cycle);
    }
    for (OrderEdge& edge : step.cycle) {
      // In the excerpt edge.to appended next. In the whole list other elements may come between,
      // but edge.to still appended later.
      if (of_.is_list() && edge.relation == Relation::kRw && !reads(edge.from, edge.key)) {
        edge = {edge.from, edge.to, Relation::kWw, edge.key};
      }
      restore(edge.from);
      restore(edge.to);
      restore(edge.overwritten);
      restore(edge.key);
    }
  }

  /// Whether each restored transaction is one of the history.
  [[nodiscard]] bool has_succeeded() const { return has_succeeded_; }

 private:
  [[nodiscard]] bool is_added(TxnId txn) const { return excerpt_.txns[txn.index()].is_none(); }

  /// Replaces the two edges through an added reader by one: the append that the reader shows
  /// precedes the append that it does not show.
  void leave_out_readers(std::vector<OrderEdge>& cycle) const {
    if (!cycle.empty() && is_added(cycle.front().from)) {
      std::ranges::rotate(cycle, cycle.end() - 1);
    }
    for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
      if (is_added(cycle[i].to)) {
        cycle[i] = {cycle[i].from, cycle[i + 1].to, Relation::kWw, cycle[i].key};
        cycle.erase(cycle.begin() + static_cast<std::ptrdiff_t>(i + 1));
      }
    }
  }

  [[nodiscard]] bool reads(TxnId txn, KeyId key) const {
    return std::ranges::any_of(excerpt_.history.ops(txn),
                               [key](Op op) { return op.is_read() && op.key() == key; });
  }

  void restore(TxnId& txn) {
    if (!txn.is_none()) {
      txn = excerpt_.txns[txn.index()];
      has_succeeded_ = has_succeeded_ && !txn.is_none();
    }
  }

  void restore(KeyId& key) const { key = key.is_none() ? key : excerpt_.keys[key.index()]; }

  const Excerpts& of_;
  const SmallHistory& excerpt_;
  bool has_succeeded_ = true;
};

std::optional<Refutation> Excerpts::in_history(const SmallHistory& excerpt,
                                               Refutation refutation) const {
  Restorer restorer(*this, excerpt);
  for (ProofStep& step : refutation.steps) {
    restorer.restore(step);
  }
  return restorer.has_succeeded() ? std::optional(std::move(refutation)) : std::nullopt;
}

}  // namespace elapid
