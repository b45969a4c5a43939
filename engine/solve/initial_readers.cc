#include "engine/solve/initial_readers.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/graph/digraph.h"
#include "engine/graph/search_budget.h"
#include "engine/graph/shortest_cycle.h"

namespace elapid {

namespace {

/// Two writers of `key` read the initial value of `next`.
struct Pair {
  std::uint32_t key = 0;
  std::uint32_t next = 0;
  std::uint32_t one = 0;
  std::uint32_t other = 0;
};

class PairFinder {
 public:
  PairFinder(const OrderProblem& problem, const EventMap& events)
      : problem_(problem), events_(events), seen_(problem.history().key_count()) {}

  /// At most one pair for each two keys, by `key`.
  std::vector<Pair> find() {
    for (std::uint32_t key = 0; key < seen_.size(); ++key) {
      const WriteRef end = problem_.first_write(key + 1);
      for (WriteRef w = problem_.first_write(key); w < end; ++w) {
        const std::uint32_t txn = problem_.write(w).txn;
        if (problem_.history().committed({txn}) && events_.excludes_overlap(txn)) {
          look_at(key, txn);
        }
      }
    }
    return std::move(pairs_);
  }

 private:
  /// The first reader of an initial value among the writers of the current key.
  struct Reader {
    std::uint32_t of_key = 0;  // 1 + key
    std::uint32_t txn = 0;
    bool is_alone = true;
  };

  void look_at(std::uint32_t key, std::uint32_t txn) {
    for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
      const ExternalRead& read = problem_.reads()[r];
      if (read.is_append || problem_.writer_of(r) != kInitialState) {
        continue;
      }
      Reader& first = seen_[read.key.index()];
      if (first.of_key != key + 1) {
        first = {key + 1, txn};
      } else if (first.is_alone && first.txn != txn) {
        first.is_alone = false;
        pairs_.push_back({key, read.key.value, first.txn, txn});
      }
    }
  }

  const OrderProblem& problem_;
  const EventMap& events_;
  std::vector<Reader> seen_;  // by the key read
  std::vector<Pair> pairs_;
};

/// Pairs that form a ring of keys, from `key` to `next`; empty if none is found.
std::vector<Pair> ring_of(std::span<const Pair> pairs, std::size_t key_count) {
  constexpr std::uint64_t kVisitsEach = 64;
  const auto own =
      std::ranges::find_if(pairs, [](const Pair& pair) { return pair.key == pair.next; });
  if (own != pairs.end()) {
    return {*own};
  }
  std::vector<LabelledEdge> edges;
  for (const Pair& pair : pairs) {
    edges.push_back({pair.key, pair.next, kWwEdge});
  }
  SearchBudget budget(kVisitsEach * (edges.size() + key_count));
  const ShortestCycleResult found =
      shortest_cycle(Digraph(key_count, edges), {.base = kWwEdge}, budget);
  std::vector<Pair> ring;
  for (const CycleEdge& edge : found.walk) {
    ring.push_back(*std::ranges::find_if(
        pairs, [&](const Pair& pair) { return pair.key == edge.from && pair.next == edge.to; }));
  }
  return ring;
}

/// Turns pairs so that none ends in the transaction that the next one begins with. The last pair
/// ends in a transaction that the first one lacks, so that any turn of the first suits it. If there
/// is no such pair, all hold the same two transactions.
void turn_apart(std::vector<Pair>& ring) {
  const auto lacks = [](const Pair& pair, std::uint32_t txn) {
    return pair.one != txn && pair.other != txn;
  };
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Pair& next = ring[(i + 1) % ring.size()];
    if (lacks(next, ring[i].one)) {
      std::swap(ring[i].one, ring[i].other);
    }
    if (lacks(next, ring[i].other)) {
      std::ranges::rotate(ring, ring.begin() + static_cast<std::ptrdiff_t>(i + 1));
      break;
    }
  }
  for (std::size_t i = ring.size(); i > 1; --i) {
    if (ring[i - 2].other == ring[i - 1].one) {
      std::swap(ring[i - 2].one, ring[i - 2].other);
    }
  }
}

}  // namespace

std::vector<OrderEdge> ring_of_initial_readers(const OrderProblem& problem,
                                               const EventMap& events) {
  const std::vector<Pair> pairs = PairFinder(problem, events).find();
  std::vector<Pair> ring = ring_of(pairs, problem.history().key_count());
  turn_apart(ring);
  std::vector<OrderEdge> cycle;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Pair& after = ring[(i + 1) % ring.size()];
    cycle.push_back({{ring[i].one}, {ring[i].other}, Relation::kWw, {ring[i].key}});
    cycle.push_back({{ring[i].other}, {after.one}, Relation::kRw, {ring[i].next}});
  }
  return cycle;
}

}  // namespace elapid
