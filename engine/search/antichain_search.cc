#include "engine/search/antichain_search.h"

#include <algorithm>
#include <compare>
#include <span>

#include "engine/search/prospect.h"
#include "engine/search/state_memo.h"

namespace elapid::search {

namespace {

class AntichainSearch {
 public:
  AntichainSearch(const Demands& demands, OrderLevel level, const SearchComponent& component,
                  KeyStore& store, SearchBudget& budget)
      : history_(demands.history()),
        level_(level),
        component_(component),
        are_lists_(demands.are_lists()),
        store_(store),
        budget_(budget),
        done_(component.chain_count(), 0),
        prospect_(demands, component, level.visibility) {
    for (const Task& task : component.tasks) {
      for (const Access& access : component.accesses_of(task)) {
        store_.expect(access, task.is_optional);
      }
      if (!task.is_optional) {
        ++unfinished_;
        by_completion_.push_back(task.txn);
      }
    }
    if (level.real_time) {
      std::ranges::sort(by_completion_, {}, [this](TxnId t) { return history_.completion_id(t); });
      place_.assign(history_.txn_count(), kNone);
      for (Index i = 0; i < by_completion_.size(); ++i) {
        place_[by_completion_[i].index()] = i;
      }
      has_committed_.assign(by_completion_.size(), false);
    }
  }

  SearchOutcome run() {
    make_harmless_moves();
    memo_.insert(hash_of_state());
    open_frame(0);
    while (unfinished_ > 0 && !frames_.empty()) {
      const bool is_full = std::max(memo_.size(), moves_.size()) >= budget_.states;
      if (is_full || !has_budget()) {
        return {.is_full = is_full, .states = memo_.size()};
      }
      step();
    }
    return unfinished_ > 0
               ? SearchOutcome{.validity = Validity::kInvalid, .states = memo_.size()}
               : SearchOutcome{
                     .validity = Validity::kValid, .order = order(), .states = memo_.size()};
  }

 private:
  struct Made {
    Index chain;
    std::size_t log_begin;
  };

  struct Move {
    std::uint64_t rank;
    Index chain;
    friend auto operator<=>(const Move&, const Move&) = default;
  };

  struct Frame {
    std::size_t made_begin;   // the first of the moves that led here
    std::size_t moves_begin;  // in moves_: the first move to try next
    std::size_t next;
  };

  [[nodiscard]] bool has_two_halves() const { return level_.visibility != Visibility::kSerial; }

  [[nodiscard]] const Task* head(Index chain) const {
    const Index place =
        component_.chain_begin[chain] + (has_two_halves() ? done_[chain] / 2 : done_[chain]);
    return place < component_.chain_begin[chain + 1] ? &component_.tasks[place] : nullptr;
  }

  /// Whether the chain's next event is a start, not a commit.
  [[nodiscard]] bool is_start(Index chain) const {
    return !has_two_halves() || done_[chain] % 2 == 0;
  }

  [[nodiscard]] bool has_budget() {
    constexpr std::uint64_t kRounds = 16;
    return budget_.work > 0 &&
           (rounds_++ % kRounds != 0 || !budget_.keep_going || budget_.keep_going());
  }

  // The search.

  void step() {
    Frame& top = frames_.back();
    if (top.next == moves_.size()) {
      undo(top.made_begin);
      moves_.resize(top.moves_begin);
      frames_.pop_back();
      has_met_dead_end_ = true;
      return;
    }
    const std::size_t made = made_.size();
    if (!make_if_possible(moves_[top.next++].chain)) {
      return;
    }
    make_harmless_moves();
    if (unfinished_ > 0 && (!memo_.insert(hash_of_state()) || is_hopeless())) {
      undo(made);
      return;
    }
    open_frame(made);
  }

  [[nodiscard]] StateHash hash_of_state() const {
    StateHash hash = store_.hash();
    hash ^= progress_;
    return hash;
  }

  /// Whether the state is a dead end. Looked for only after the first dead end, which most
  /// histories do not have.
  [[nodiscard]] bool is_hopeless() {
    return has_met_dead_end_ && !are_lists_ && !prospect_.is_open(store_, done_, budget_.work);
  }

  void open_frame(std::size_t made_begin) {
    frames_.push_back({made_begin, moves_.size(), moves_.size()});
    for (Index c = 0; c < component_.chain_count(); ++c) {
      if (head(c) != nullptr && (!is_start(c) || may_start(*head(c)))) {
        moves_.push_back({rank(c), c});
      }
    }
    std::sort(moves_.begin() + static_cast<std::ptrdiff_t>(frames_.back().moves_begin),
              moves_.end());
  }

  /// The rank of a move; the lowest is tried first. Commits come first, then transactions that can
  /// commit at once: most databases do more than the level demands. Among these the order of
  /// completions decides, which nearly serves all reads of a healthy history. Chains without known
  /// times advance at one pace.
  [[nodiscard]] std::uint64_t rank(Index chain) {
    const Task& task = *head(chain);
    std::uint64_t kind = 0;
    if (is_start(chain)) {
      begin(task);
      const bool may_commit =
          all_writes(task, [this](const Access& access) { return !store_.would_lose(access); });
      take_back_begin(task);
      kind = may_commit ? 1 : 2;
    }
    const Index length = component_.chain_begin[chain + 1] - component_.chain_begin[chain];
    const std::uint64_t place = history_.info().has_real_time
                                    ? task.txn.value
                                    : (std::uint64_t{done_[chain]} << 30) / length;
    return kind << 32 | place;
  }

  // Moves.

  [[nodiscard]] bool may_start(const Task& task) const {
    if (task.after_chain != kNone &&
        done_[task.after_chain] / (has_two_halves() ? 2 : 1) < task.after_count) {
      return false;
    }
    if (level_.real_time && first_running_ < by_completion_.size() &&
        history_.has_invocation(task.txn) &&
        history_.completion_id(by_completion_[first_running_]) < history_.invocation_id(task.txn)) {
      return false;
    }
    if (task.is_optional && all_writes(task, [this](const Access& access) {
          return store_.is_write_unwanted(access);
        })) {
      return false;  // no read needs its writes
    }
    return std::ranges::all_of(component_.accesses_of(task), [this](const Access& access) {
      return store_.serves(access) && !(access.writes() && store_.is_held(access.key));
    });
  }

  /// Makes the chain's next move, unless a committed transaction could never be served after it.
  /// The transaction may start, if it has not started.
  bool make_if_possible(Index chain) {
    const Task& task = *head(chain);
    --budget_.work;
    if (is_start(chain)) {
      begin(task);
    }
    if (commits(chain) &&
        !all_writes(task, [this](const Access& access) { return !store_.would_lose(access); })) {
      if (is_start(chain)) {
        take_back_begin(task);
      }
      return false;
    }
    finish_move(chain, task);
    return true;
  }

  /// Makes harmless moves until there are none.
  void make_harmless_moves() {
    bool has_moved = true;
    while (has_moved && unfinished_ > 0) {
      has_moved = false;
      for (Index c = 0; c < component_.chain_count(); ++c) {
        while (make_if_harmless(c)) {
          has_moved = true;
        }
      }
    }
  }

  bool make_if_harmless(Index chain) {
    const Task* task = head(chain);
    if (task == nullptr || budget_.work == 0) {
      return false;
    }
    --budget_.work;
    if (!is_start(chain)) {
      if (!is_harmless_commit(*task)) {
        return false;
      }
      finish_move(chain, *task);
      return true;
    }
    if (!may_start(*task)) {
      return false;
    }
    begin(*task);
    if (!is_harmless_start(*task)) {
      take_back_begin(*task);
      return false;
    }
    finish_move(chain, *task);
    return true;
  }

  template <class Predicate>
  [[nodiscard]] bool all_writes(const Task& task, Predicate predicate) const {
    return std::ranges::all_of(component_.accesses_of(task), [&](const Access& access) {
      return !access.writes() || predicate(access);
    });
  }

  /// Whether this move leads from each state that can still finish to one that can still finish.
  /// Then no other move needs to be tried. In all cases the continuation still works if this move
  /// is made first, because its reads agree now, as they did then, and
  ///
  /// - a transaction that writes nothing leaves what others read as it is;
  /// - it does not matter what a key holds that no transaction wants to read any more, or which
  ///   transaction overwrites an unwanted version with an unwanted version;
  /// - if this transaction is the next to write the key in every continuation that finishes, and no
  ///   transaction wants what the key holds, then nothing comes in between that reads or writes it;
  /// - at prefix consistency a start changes nothing at all but that the transaction may commit.
  ///
  /// At snapshot isolation a start keeps other writers of its keys from starting. That does no harm
  /// either if they must come after this transaction, or if it can commit at once.
  ///
  /// An optional transaction may be missing in a continuation, so that only lists that were read
  /// can show that it comes next. Called after begin().
  [[nodiscard]] bool is_harmless_start(const Task& task) const {
    switch (level_.visibility) {
      case Visibility::kPrefix:
        return true;
      case Visibility::kSnapshot:
        return all_writes(task, [&](const Access& a) { return comes_next(task, a); }) ||
               (all_writes(task, [&](const Access& a) { return is_settled(task, a); }));
      default:
        return all_writes(task, [&](const Access& a) { return is_settled(task, a); });
    }
  }

  /// As is_harmless_start(), for a commit of its own. At snapshot isolation no other transaction
  /// may write the keys before it.
  [[nodiscard]] bool is_harmless_commit(const Task& task) const {
    if (level_.visibility == Visibility::kPrefix) {
      return all_writes(task, [&](const Access& a) {
        return is_idle(a) ||
               (store_.is_next_by_list(a) && store_.is_quiet(a.key) && !store_.would_lose(a));
      });
    }
    return all_writes(task, [&](const Access& a) {
      return is_idle(a) || (store_.is_quiet(a.key) && !store_.would_lose(a));
    });
  }

  /// Whether it does not matter when the key is written.
  [[nodiscard]] bool is_idle(const Access& access) const {
    return store_.is_unwanted(access.key) ||
           (store_.is_quiet(access.key) && store_.is_write_unwanted(access));
  }

  [[nodiscard]] bool comes_next(const Task& task, const Access& access) const {
    return store_.is_next_by_list(access) || (!task.is_optional && store_.is_next_by_read(access));
  }

  [[nodiscard]] bool is_settled(const Task& task, const Access& access) const {
    return (!task.is_optional && is_idle(access)) ||
           (comes_next(task, access) && store_.is_quiet(access.key) && !store_.would_lose(access));
  }

  // What moves change.

  [[nodiscard]] bool commits(Index chain) const { return !has_two_halves() || !is_start(chain); }

  void begin(const Task& task) {
    for (const Access& access : component_.accesses_of(task)) {
      store_.read(access, task.is_optional);
    }
  }

  void take_back_begin(const Task& task) {
    for (const Access& access : component_.accesses_of(task)) {
      store_.take_back_read(access, task.is_optional);
    }
  }

  /// Completes a move after begin().
  void finish_move(Index chain, const Task& task) {
    made_.push_back({chain, log_.size()});
    if (commits(chain)) {
      for (const Access& access : component_.accesses_of(task)) {
        if (access.writes()) {
          log_.push_back(store_.write(access));
        }
      }
      unfinished_ -= task.is_optional ? 0U : 1U;
    }
    set_on_its_way(task, !commits(chain));
    note_commit(chain, task, true);
    advance(chain, 1);
  }

  void undo(std::size_t made_begin) {
    while (made_.size() > made_begin) {
      const auto [chain, log_begin] = made_.back();
      made_.pop_back();
      advance(chain, ~Index{0});
      undo_move(chain, *head(chain));
      log_.resize(log_begin);
    }
  }

  void undo_move(Index chain, const Task& task) {
    note_commit(chain, task, false);
    set_on_its_way(task, commits(chain) && has_two_halves());
    if (commits(chain)) {
      unfinished_ += task.is_optional ? 0U : 1U;
      const std::span<const Access> accesses = component_.accesses_of(task);
      std::size_t logged = log_.size();
      for (std::size_t i = accesses.size(); i-- > 0;) {
        if (accesses[i].writes()) {
          store_.take_back_write(accesses[i], log_[--logged]);
        }
      }
    }
    if (is_start(chain)) {
      take_back_begin(task);
    }
  }

  void set_on_its_way(const Task& task, bool is_on_its_way) {
    if (level_.visibility != Visibility::kSnapshot) {
      return;
    }
    for (const Access& access : component_.accesses_of(task)) {
      if (access.writes()) {
        store_.hold(access.key, is_on_its_way);
      }
    }
  }

  void note_commit(Index chain, const Task& task, bool has_committed) {
    if (!level_.real_time || task.is_optional || !commits(chain)) {
      return;
    }
    const Index place = place_[task.txn.index()];
    has_committed_[place] = has_committed;
    first_running_ = has_committed ? first_running_ : std::min(first_running_, place);
    while (first_running_ < has_committed_.size() && has_committed_[first_running_]) {
      ++first_running_;
    }
  }

  void advance(Index chain, Index difference) {
    const auto feature = [&] { return zobrist(std::uint64_t{chain} << 32 | done_[chain]); };
    progress_ ^= feature();
    done_[chain] += difference;
    progress_ ^= feature();
  }

  /// The order of the moves made. Optional transactions that started and did not commit are left
  /// out.
  [[nodiscard]] std::vector<OrderEvent> order() const {
    std::vector<OrderEvent> events;
    std::vector<Index> done(component_.chain_count(), 0);
    for (const auto [chain, log_begin] : made_) {
      const Index halves = has_two_halves() ? 2 : 1;
      const Task& task = component_.tasks[component_.chain_begin[chain] + done[chain] / halves];
      const bool is_commit = ++done[chain] % halves == 0;
      if (!task.is_optional || done_[chain] == halves) {
        events.push_back({task.txn, is_commit});
      }
    }
    return events;
  }

  const History& history_;
  OrderLevel level_;
  const SearchComponent& component_;
  bool are_lists_;
  KeyStore& store_;
  SearchBudget& budget_;
  std::vector<Index> done_;     // by chain: the number of events
  std::size_t unfinished_ = 0;  // committed transactions
  // Committed transactions in the order of completions; with real time.
  std::vector<TxnId> by_completion_;
  std::vector<bool> has_committed_;
  std::vector<Index> place_;  // by transaction
  Index first_running_ = 0;
  StateHash progress_;  // of done_
  std::vector<Made> made_;
  std::vector<Index> log_;  // what keys held before their writes
  std::vector<Frame> frames_;
  std::vector<Move> moves_;
  StateMemo memo_;
  bool has_met_dead_end_ = false;
  Prospect prospect_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

SearchOutcome search_antichains(const Demands& demands, OrderLevel level,
                                const SearchComponent& component, KeyStore& store,
                                SearchBudget& budget) {
  return AntichainSearch(demands, level, component, store, budget).run();
}

}  // namespace elapid::search
