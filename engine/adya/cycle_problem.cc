#include "engine/adya/cycle_problem.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/adya/paths.h"

namespace elapid {

namespace {

/// How many violations are proved.
constexpr std::size_t kCyclesShown = 16;

std::vector<Arc> arcs_of(std::span<const OrderEdge> edges) {
  std::vector<Arc> arcs;
  std::ranges::transform(edges, std::back_inserter(arcs), [](const OrderEdge& edge) {
    return Arc{edge.from.value, edge.to.value};
  });
  return arcs;
}

}  // namespace

CycleProblem::CycleProblem(const Observations& seen, ReadRules rules) : seen_(seen) {
  const TxnId initial = history().info().initial_txn;
  if (!initial.is_none() && history().committed(initial)) {
    initial_ = initial.value;
  }
  find_operations(rules);
  make_draft();
  if (certain_cycles_.empty()) {
    count_depths();
  }
}

void CycleProblem::find_operations(ReadRules rules) {
  TxnReader reader(history());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> writers;
  for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
    first_write_.push_back(write_count());
    if (!seen_.reads(t).empty()) {
      reader.read({t}, rules);
      std::ranges::transform(reader.reads(), std::back_inserter(read_mops_), &OthersRead::mop);
    }
    const std::span<const Op> ops = history().ops({t});
    for (const KeyId key : seen_.written(t)) {
      std::size_t mop = ops.size() - 1;
      while (!ops[mop].is_write() || ops[mop].key() != key) {
        --mop;
      }
      write_mops_.push_back(static_cast<std::uint32_t>(mop));
      writers.emplace_back(key.value, t);
    }
  }
  writers_ = Adjacency(static_cast<std::uint32_t>(history().key_count()), writers,
                       [](const auto& writer) { return writer; });
}

/// What lists show, what is read without a choice, and that the initial transaction comes first.
std::vector<OrderEdge> CycleProblem::certain_edges() const {
  std::vector<OrderEdge> edges;
  for (const OrderProblem::KnownOrder& known : seen_.known_orders()) {
    edges.push_back({{known.before}, {known.after}, Relation::kWw, known.key});
  }
  for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
    for (const Seen& read : seen_.is_present(t) ? seen_.reads(t) : std::span<const Seen>()) {
      if (read.is_of_txn()) {
        edges.push_back({{read.writer}, {t}, Relation::kWr, read.key});
      }
    }
    if (initial_ != Seen::kNoTxn && t != initial_) {
      edges.push_back({{initial_}, {t}, Relation::kProcess});
    }
  }
  return edges;
}

void CycleProblem::make_draft() {
  const std::vector<OrderEdge> edges = certain_edges();
  const std::vector<Arc> arcs = arcs_of(edges);
  ArcBudget budget = {16 * (arcs.size() + seen_.txn_count() + std::uint64_t{1})};
  for (const ArcPath& path : cycles_of(seen_.txn_count(), arcs, kCyclesShown, budget)) {
    std::vector<OrderEdge>& cycle = certain_cycles_.emplace_back();
    std::ranges::transform(path, std::back_inserter(cycle),
                           [&](std::uint32_t arc) { return edges[arc]; });
  }
  if (!certain_cycles_.empty()) {
    return;
  }
  std::vector<std::uint32_t> numbers(seen_.txn_count());
  std::iota(numbers.begin(), numbers.end(), 0U);
  set_draft(order_by_rank(seen_.txn_count(), arcs, numbers));
}

void CycleProblem::set_draft(std::span<const std::uint32_t> order) {
  draft_.resize(seen_.txn_count());
  std::uint32_t place = 0;
  for (const std::uint32_t t : order) {
    draft_[t] = place++;
  }
}

void CycleProblem::draft_as(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> ranks = draft_;
  for (std::uint32_t& rank : ranks) {
    rank += seen_.txn_count();
  }
  std::uint32_t rank = 0;
  for (const std::uint32_t t : order) {
    ranks[t] = rank++;
  }
  set_draft(order_by_rank(seen_.txn_count(), arcs_of(certain_edges()), ranks));
}

/// Lists order their writers in chains, and the writers that no read shows behind these.
void CycleProblem::count_depths() {
  depths_.assign(write_count(), 0);
  std::vector<OrderProblem::KnownOrder> known = seen_.known_orders();
  std::ranges::sort(known, {}, [this](const auto& order) { return draft_[order.before]; });
  for (const OrderProblem::KnownOrder& order : known) {
    std::uint32_t& depth = depths_[write_of(order.after, order.key)];
    depth = std::max(depth, depths_[write_of(order.before, order.key)] + 1);
  }
}

std::uint32_t CycleProblem::write_of(std::uint32_t txn, KeyId key) const {
  const std::span<const KeyId> keys = seen_.written(txn);
  return first_write_[txn] +
         static_cast<std::uint32_t>(std::ranges::lower_bound(keys, key) - keys.begin());
}

bool CycleProblem::is_certain(std::uint32_t first, std::uint32_t second) const {
  return first == initial_ ||
         (history().has_lists() && some_shared_key(first, second, [&](KeyId key) {
            return depths_[write_of(first, key)] < depths_[write_of(second, key)];
          }));
}

}  // namespace elapid
