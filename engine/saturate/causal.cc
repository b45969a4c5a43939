// Causal consistency: T2 is visible to T3 if reads and, where the level has it, session
// order lead from T2 to T3 (Biswas and Enea, OOPSLA 2019, figure 2; Cerone, Bernardi and Gotsman,
// CONCUR 2015).
//
// In each chain (of a session, or of readers), only the last writer of the key in the reader's past
// counts: earlier ones precede it. Pasts are vector clocks (Fidge 1988, Mattern 1989) with an entry
// for each chain. Along a chain they only grow, so one pointer for each chain's writers of a key
// moves forward. Chains are handled in blocks, so clocks take 64 bytes a transaction for any number
// of chains. For each transaction and chain, only the last forced predecessor is kept, and only if
// it is not in the transaction's past already; a healthy history has few. The bound O(m * sessions)
// is that of Moldenhauer et al., "AWDIT" (PLDI 2025).
#include <algorithm>
#include <array>
#include <numeric>

#include "engine/saturate/axioms.h"
#include "engine/saturate/causal_chains.h"

namespace elapid {

namespace {

/// How many chains are looked at together.
constexpr std::uint32_t kBlock = 16;
/// One more than the place of the last member of each chain of a block; 0: none.
using Clock = std::array<std::uint32_t, kBlock>;

class Causal {
 public:
  Causal(const Observations& seen, bool has_sessions, std::span<const std::uint32_t> order,
         ForcedEdges& out)
      : seen_(seen),
        order_(order),
        out_(out),
        chains_(has_sessions ? CausalChains::of_sessions(seen)
                             : CausalChains::of_reads(seen, order)),
        session_before_(has_sessions
                            ? seen.session_predecessors()
                            : std::vector<std::uint32_t>(seen.txn_count(), CausalChains::kNone)),
        past_(seen.txn_count()),
        forced_(seen.txn_count()) {}

  /// The number of operations to look at, over all blocks.
  [[nodiscard]] std::uint64_t work() const {
    return (chains_.count() / kBlock + 1) * std::uint64_t{seen_.history().op_count()};
  }

  bool run(const std::function<bool()>& keep_going) {
    for (first_ = 0; first_ < chains_.count(); first_ += kBlock) {
      if (keep_going && !keep_going()) {
        return false;
      }
      last_ = std::min(first_ + kBlock, chains_.count());
      find_pasts();
      list_writers();
      std::fill(forced_.begin(), forced_.end(), Clock{});
      for (std::uint32_t chain = 0; chain < chains_.count(); ++chain) {
        visit_readers(chain);
      }
      collect();
    }
    return true;
  }

 private:
  /// The writers of one key in one chain of the block, and how many of them are in the current
  /// reader's past.
  struct Group {
    std::uint32_t column = 0;      ///< the chain's number in the block
    std::uint32_t next = 0;        ///< of places_: the first that is not in the past
    std::uint32_t next_place = 0;  ///< its place in the chain
    std::uint32_t last = 0;        ///< the place of the previous writer plus one; 0: none
  };

  [[nodiscard]] bool is_in_block(std::uint32_t chain) const {
    return chain >= first_ && chain < last_;
  }

  /// The past of each transaction includes itself.
  void find_pasts() {
    for (const std::uint32_t txn : order_) {
      Clock& past = past_[txn];
      past = {};
      const std::uint32_t chain = chains_.of(txn);
      const std::uint32_t place = chains_.place(txn);
      for_each_source(txn, [&](std::uint32_t source) {
        const Clock& other = past_[source];
        for (std::uint32_t i = 0; i < kBlock; ++i) {
          past[i] = std::max(past[i], other[i]);
        }
      });
      if (is_in_block(chain)) {
        past[chain - first_] = place + 1;
      }
    }
  }

  /// Visits the direct predecessors: the previous transaction of the session, and the writers that
  /// it read from.
  template <class Visit>
  void for_each_source(std::uint32_t txn, Visit visit) const {
    if (session_before_[txn] != CausalChains::kNone) {
      visit(session_before_[txn]);
    }
    for (const Seen& read : seen_.reads(txn)) {
      if (read.is_of_txn()) {
        visit(read.writer);
      }
    }
  }

  /// Groups the block's writers by key, then chain. Each group ends with a sentinel beyond all
  /// places.
  void list_writers() {
    const std::size_t key_count = seen_.history().key_count();
    std::vector<std::uint32_t> begin(key_count + 1, 0);
    for_each_write([&](std::uint32_t, KeyId key) { ++begin[key.index() + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> writers(begin[key_count], 0);
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for_each_write([&](std::uint32_t txn, KeyId key) { writers[next[key.index()]++] = txn; });
    first_groups_.clear();
    places_.clear();
    group_begin_.assign(key_count + 1, 0);
    for (std::size_t key = 0; key < key_count; ++key) {
      list_groups(std::span(writers).subspan(begin[key], begin[key + 1] - begin[key]));
      group_begin_[key + 1] = static_cast<std::uint32_t>(first_groups_.size());
    }
  }

  void list_groups(std::span<const std::uint32_t> writers_of_key) {
    std::uint32_t chain = CausalChains::kNone;
    for (const std::uint32_t txn : writers_of_key) {
      if (chains_.of(txn) != chain) {
        end_group(chain);
        chain = chains_.of(txn);
        first_groups_.push_back({.column = chain - first_,
                                 .next = static_cast<std::uint32_t>(places_.size()),
                                 .next_place = chains_.place(txn)});
      }
      places_.push_back(chains_.place(txn));
    }
    end_group(chain);
  }

  void end_group(std::uint32_t chain) {
    if (chain != CausalChains::kNone) {
      places_.push_back(CausalChains::kNone);
    }
  }

  /// Visits the writes chain by chain, each from its beginning.
  template <class Visit>
  void for_each_write(Visit visit) const {
    for (std::uint32_t chain = first_; chain < last_; ++chain) {
      for (const std::uint32_t txn : chains_.members(chain)) {
        for (const KeyId key : seen_.written(txn)) {
          visit(txn, key);
        }
      }
    }
  }

  void visit_readers(std::uint32_t chain) {
    groups_ = first_groups_;
    for (const std::uint32_t reader : chains_.members(chain)) {
      for (const Seen& read : seen_.reads(reader)) {
        visit_read(reader, chain, read);
      }
    }
  }

  void visit_read(std::uint32_t reader, std::uint32_t chain, const Seen& read) {
    const Clock& past = past_[reader];
    const std::uint32_t writer_chain =
        read.is_of_txn() ? chains_.of(read.writer) : CausalChains::kNone;
    for (std::uint32_t g = group_begin_[read.key.index()]; g < group_begin_[read.key.index() + 1];
         ++g) {
      Group& group = groups_[g];
      const std::uint32_t own = group.column + first_ == chain ? 1 : 0;  // not the reader itself
      const std::uint32_t limit = past[group.column] - own;
      while (group.next_place < limit) {
        group.last = group.next_place + 1;
        group.next_place = places_[++group.next];
      }
      if (group.last == 0) {
        continue;
      }
      const std::uint32_t place = group.last - 1;
      if (!read.is_of_txn()) {
        out_.push_back({chains_.members(group.column + first_)[place], Seen::kInitial});
      } else if (group.column + first_ != writer_chain || place != chains_.place(read.writer)) {
        std::uint32_t& forced = forced_[read.writer][group.column];
        forced = std::max(forced, group.last);
      }
    }
  }

  void collect() {
    for (std::uint32_t txn = 0; txn < seen_.txn_count(); ++txn) {
      for (std::uint32_t i = 0; i < last_ - first_; ++i) {
        if (forced_[txn][i] > past_[txn][i]) {
          out_.push_back({chains_.members(first_ + i)[forced_[txn][i] - 1], txn});
        }
      }
    }
  }

  const Observations& seen_;
  std::span<const std::uint32_t> order_;
  ForcedEdges& out_;
  CausalChains chains_;
  std::vector<std::uint32_t> session_before_;  // by transaction
  std::vector<Clock> past_;                    // by transaction
  std::vector<Clock> forced_;                  // by transaction: forced predecessors
  std::uint32_t first_ = 0;                    // chains of the block
  std::uint32_t last_ = 0;
  std::vector<Group> first_groups_;         // by key; before the first reader of a chain
  std::vector<Group> groups_;               // the same, at the current reader
  std::vector<std::uint32_t> group_begin_;  // by key
  std::vector<std::uint32_t> places_;       // of writers in their chains, by group
};

}  // namespace

bool force_causal(const Observations& seen, bool has_sessions, std::span<const std::uint32_t> order,
                  const LevelBudget& budget, ForcedEdges& out) {
  Causal causal(seen, has_sessions, order, out);
  return causal.work() <= budget.work && causal.run(budget.keep_going);
}

}  // namespace elapid
