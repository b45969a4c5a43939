#include "engine/graph/chain_clocks.h"

#include <algorithm>
#include <utility>

namespace elapid {

namespace {

/// Counts the entries looked at, and asks `keep_going` now and then.
class Patience {
 public:
  explicit Patience(const std::function<bool()>& keep_going) : keep_going_(keep_going) {}

  /// Whether to go on after so many more entries.
  [[nodiscard]] bool lasts(std::size_t entries) {
    constexpr std::size_t kEntriesBetweenQuestions = std::size_t{1} << 22;
    looked_at_ += entries;
    if (looked_at_ < kEntriesBetweenQuestions) {
      return true;
    }
    looked_at_ = 0;
    return !keep_going_ || keep_going_();
  }

 private:
  const std::function<bool()>& keep_going_;
  std::size_t looked_at_ = 0;
};

/// Takes the better one of each pair. Whether anything changed.
template <class Better>
bool merge(std::uint32_t* into, const std::uint32_t* from, std::size_t n, Better better) {
  std::uint32_t difference = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t picked = better(into[i], from[i]);
    difference |= picked ^ into[i];
    into[i] = picked;
  }
  return difference != 0;
}

}  // namespace

Chains cover_with_chains(const Adjacency& successors, std::span<const std::uint32_t> order) {
  const std::uint32_t n = successors.vertex_count();
  Chains chains = {.count = 0,
                   .chain = std::vector<std::uint32_t>(n, Chains::kNone),
                   .position = std::vector<std::uint32_t>(n, 0)};
  std::vector<std::uint32_t> place(n, 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
  }
  for (const std::uint32_t v : order) {
    const std::span<const std::uint32_t> next = successors.of(v);
    if (chains.chain[v] == Chains::kNone) {
      chains.chain[v] = chains.count++;
    }
    std::uint32_t nearest = Chains::kNone;
    for (const std::uint32_t to : next) {
      if (chains.chain[to] == Chains::kNone &&
          (nearest == Chains::kNone || place[to] < place[nearest])) {
        nearest = to;
      }
    }
    if (nearest != Chains::kNone) {
      chains.chain[nearest] = chains.chain[v];
      chains.position[nearest] = chains.position[v] + 1;
    }
  }
  return chains;
}

ChainClocks::ChainClocks(Chains chains)
    : chains_(std::move(chains)),
      before_(chains_.chain.size() * stride(), 0),
      after_(chains_.chain.size() * stride(), kNever),
      changed_before_(chains_.chain.size(), false),
      changed_after_(chains_.chain.size(), false),
      noted_before_(chains_.chain.size(), false),
      noted_after_(chains_.chain.size(), false),
      has_new_edge_(chains_.chain.size(), true) {
  for (std::size_t v = 0; v < chains_.chain.size(); ++v) {
    if (chains_.chain[v] != Chains::kNone) {
      before_[v * stride() + chains_.chain[v]] = chains_.position[v] + 1;
      after_[v * stride() + chains_.chain[v]] = chains_.position[v];
    }
  }
}

void ChainClocks::note(std::uint32_t from, std::uint32_t to) {
  std::uint32_t& before = before_[to * stride() + chains_.chain[from]];
  before = std::max(before, chains_.position[from] + 1);
  std::uint32_t& after = after_[from * stride() + chains_.chain[to]];
  after = std::min(after, chains_.position[to]);
  noted_before_[to] = true;
  noted_after_[from] = true;
  has_new_edge_[from] = true;
}

bool ChainClocks::update(const Adjacency& successors, std::span<const std::uint32_t> order,
                         const std::function<bool()>& keep_going) {
  Patience patience(keep_going);
  const auto larger = [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); };
  const auto smaller = [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); };
  changed_before_.swap(noted_before_);
  changed_after_.swap(noted_after_);
  noted_before_.assign(noted_before_.size(), false);
  noted_after_.assign(noted_after_.size(), false);
  for (const std::uint32_t v : order) {
    if (!changed_before_[v] && !has_new_edge_[v]) {
      continue;
    }
    for (const std::uint32_t to : successors.of(v)) {
      if (merge(&before_[to * stride()], &before_[v * stride()], stride(), larger)) {
        changed_before_[to] = true;
      }
    }
    if (!patience.lasts(successors.of(v).size() * stride())) {
      return false;
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t v = order[i];
    for (const std::uint32_t to : successors.of(v)) {
      if ((changed_after_[to] || has_new_edge_[v]) &&
          merge(&after_[v * stride()], &after_[to * stride()], stride(), smaller)) {
        changed_after_[v] = true;
      }
    }
    if (!patience.lasts(successors.of(v).size() * stride())) {
      return false;
    }
  }
  if (is_fresh_) {
    changed_before_.assign(changed_before_.size(), true);
    changed_after_.assign(changed_after_.size(), true);
    is_fresh_ = false;
  }
  has_new_edge_.assign(has_new_edge_.size(), false);
  return true;
}

}  // namespace elapid
