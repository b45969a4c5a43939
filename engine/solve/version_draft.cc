#include "engine/solve/version_draft.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/graph/scc.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNoVersion = std::numeric_limits<std::uint32_t>::max();

class VersionDraft {
 public:
  VersionDraft(const OrderProblem& problem, const OrderGraph& graph,
               std::span<const std::uint32_t> order, LateOnes late)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        rank_(completion_ranks(problem, graph, graph.successors(), order, late)) {}

  std::optional<DraftedOrder> run() {
    if (!problem_.lists().empty() || !suppose_writers() || !order_versions()) {
      return std::nullopt;
    }
    suppose_reads();
    const Adjacency successors = with_graph(supposed_);
    std::vector<std::uint32_t> order = topological_order(successors);
    return order.size() == graph_.vertex_count()
               ? DraftedOrder{std::move(order), true}
               : without_circles(strong_components(graph_.vertex_count(), successors));
  }

 private:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  /// The rows of initial states follow those of the writes.
  [[nodiscard]] std::size_t row(WriteRef writer, KeyId key) const {
    return writer == kInitialState ? problem_.writes().size() + key.index() : writer;
  }

  [[nodiscard]] std::uint32_t rank_of(WriteRef writer) const {
    return rank_[events_.commit(problem_.write(writer).txn)];
  }

  /// Supposes a writer for each read of a certain transaction. False if one has no possible writer.
  bool suppose_writers() {
    writer_.assign(problem_.reads().size(), kOpenWriter);
    for (std::uint32_t r = 0; r < writer_.size(); ++r) {
      const std::uint32_t txn = problem_.reads()[r].txn;
      if (!problem_.is_certain(txn)) {
        continue;
      }
      writer_[r] = problem_.writer_of(r);
      if (writer_[r] != kOpenWriter) {
        continue;
      }
      writer_[r] = likely_writer(r);
      if (writer_[r] == kOpenWriter) {
        return false;
      }
      if (writer_[r] != kInitialState) {
        supposed_.emplace_back(events_.commit(problem_.write(writer_[r]).txn),
                               events_.read_event(problem_.reads()[r]));
      }
    }
    return true;
  }

  /// The last candidate that may precede the read, or else the first candidate.
  [[nodiscard]] WriteRef likely_writer(std::uint32_t read) {
    const std::span<const WriteRef> all = problem_.candidates(read);
    const std::uint32_t rank = rank_[events_.read_event(problem_.reads()[read])];
    const std::span<const WriteRef> ranked = ranked_writers(all);
    const auto behind =
        std::ranges::lower_bound(ranked, rank, {}, [this](WriteRef w) { return rank_of(w); });
    if (behind != ranked.begin()) {
      const std::uint32_t last = rank_of(*(behind - 1));
      return *std::ranges::lower_bound(ranked, last, {}, [this](WriteRef w) { return rank_of(w); });
    }
    if (!all.empty() && all.front() == kInitialState) {
      return kInitialState;
    }
    return behind != ranked.end() ? *behind : kOpenWriter;
  }

  /// The certain writers among the candidates, by rank. Many reads of a value share one list of
  /// candidates, so it is sorted once.
  [[nodiscard]] std::span<const WriteRef> ranked_writers(std::span<const WriteRef> candidates) {
    const auto [at, is_new] = ranked_.try_emplace(std::pair(candidates.data(), candidates.size()));
    if (is_new) {
      for (const WriteRef w : candidates) {
        if (w != kInitialState && problem_.is_certain(problem_.write(w).txn)) {
          at->second.push_back(w);
        }
      }
      std::ranges::stable_sort(at->second, {}, [this](WriteRef w) { return rank_of(w); });
    }
    return at->second;
  }

  /// Sets `next_`, by row. False if two writers overwrote the same version.
  bool order_versions() {
    next_.assign(problem_.writes().size() + problem_.history().key_count(), kNoVersion);
    std::vector<bool> follows(problem_.writes().size(), false);  // what its transaction read
    for (std::uint32_t r = 0; r < writer_.size(); ++r) {
      const ExternalRead& read = problem_.reads()[r];
      const bool is_bound = events_.is_merged(read.txn) || events_.excludes_overlap(read.txn);
      if (writer_[r] == kOpenWriter || (!is_bound && !read.is_append)) {
        continue;
      }
      if (const WriteRef own = problem_.write_of(read.txn, read.key); own != kInitialState) {
        std::uint32_t& next = next_[row(writer_[r], read.key)];
        if (next != kNoVersion && next != own) {
          return false;
        }
        next = own;
        follows[own] = true;
      }
    }
    std::vector<WriteRef> heads;
    for (std::uint32_t k = 0; k < problem_.history().key_count(); ++k) {
      heads.clear();
      for (WriteRef w = problem_.first_write(k); w < problem_.first_write(k + 1); ++w) {
        if (!follows[w] && problem_.is_certain(problem_.write(w).txn)) {
          heads.push_back(w);
        }
      }
      std::ranges::sort(heads, {}, [this](WriteRef w) { return std::pair(rank_of(w), w); });
      std::size_t last = row(kInitialState, KeyId{k});
      for (const WriteRef head : heads) {
        while (next_[last] != kNoVersion) {
          last = next_[last];
        }
        next_[last] = head;
        last = head;
      }
    }
    return true;
  }

  /// Supposes that each version comes before the next, and so do its readers.
  void suppose_reads() {
    for (WriteRef w = 0; w < problem_.writes().size(); ++w) {
      if (next_[w] != kNoVersion) {
        supposed_.emplace_back(events_.commit(problem_.write(w).txn),
                               events_.barrier(problem_.write(next_[w]).txn));
      }
    }
    for (std::uint32_t r = 0; r < writer_.size(); ++r) {
      const ExternalRead& read = problem_.reads()[r];
      const std::uint32_t next =
          writer_[r] == kOpenWriter ? kNoVersion : next_[row(writer_[r], read.key)];
      if (next != kNoVersion && problem_.write(next).txn != read.txn) {
        supposed_.emplace_back(events_.read_event(read), events_.commit(problem_.write(next).txn));
      }
    }
  }

  /// The edges and those of the graph.
  [[nodiscard]] Adjacency with_graph(std::vector<Edge> edges) const {
    for (const EventEdge& edge : graph_.edges()) {
      edges.emplace_back(edge.from(), edge.to());
    }
    return {graph_.vertex_count(), edges, [](const Edge& edge) { return edge; }};
  }

  /// The draft without the versions of writers on circles and of indeterminate writers, whose
  /// places are guesses. No edge that remains is part of a circle.
  DraftedOrder without_circles(const Components& components) {
    std::vector<std::uint32_t> size(components.count, 0);
    for (const std::uint32_t component : components.of) {
      ++size[component];
    }
    const auto is_on_circle = [&](std::uint32_t v) { return size[components.of[v]] > 1; };
    leave_out([&](WriteRef w) {
      const std::uint32_t txn = problem_.write(w).txn;
      return is_on_circle(events_.commit(txn)) || !problem_.history().committed({txn});
    });
    supposed_.clear();
    suppose_reads();
    DraftedOrder draft = {nearest_order(components, with_graph(supposed_)), false};
    draft.likely = std::move(supposed_);
    draft.on_circles = static_cast<std::size_t>(std::ranges::count_if(draft.order, is_on_circle));
    return draft;
  }

  /// The version before a version that is left out is followed by the one after it. Versions that
  /// are left out may follow one another in a circle.
  template <class IsLeftOut>
  void leave_out(IsLeftOut is_left_out) {
    std::vector<WriteRef> next(next_.size(), kNoVersion);
    for (std::size_t row = 0; row < next.size(); ++row) {
      const bool is_version = row < problem_.writes().size();
      if (is_version && is_left_out(static_cast<WriteRef>(row))) {
        continue;
      }
      next[row] = next_[row];
      for (std::size_t steps = 0; next[row] != kNoVersion && is_left_out(next[row]); ++steps) {
        next[row] = steps < next_.size() ? next_[next[row]] : kNoVersion;
      }
    }
    next_ = std::move(next);
  }

  /// An order along the edges; among those that may come next, the first component, then by rank.
  [[nodiscard]] std::vector<std::uint32_t> nearest_order(const Components& components,
                                                         const Adjacency& successors) const {
    const auto place = [&](std::uint32_t v) {
      return std::tuple(components.count - components.of[v], rank_[v], v);
    };
    std::vector<std::uint32_t> pending(graph_.vertex_count(), 0);
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      for (const std::uint32_t to : successors.of(v)) {
        ++pending[to];
      }
    }
    using RankedVertex = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    std::priority_queue<RankedVertex, std::vector<RankedVertex>, std::greater<>> ready;
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      if (pending[v] == 0) {
        ready.push(place(v));
      }
    }
    std::vector<std::uint32_t> order;
    order.reserve(graph_.vertex_count());
    while (!ready.empty()) {
      order.push_back(std::get<2>(ready.top()));
      ready.pop();
      for (const std::uint32_t to : successors.of(order.back())) {
        if (--pending[to] == 0) {
          ready.push(place(to));
        }
      }
    }
    return order;
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  std::vector<std::uint32_t> rank_;  // by vertex
  std::vector<WriteRef> writer_;     // by read
  std::map<std::pair<const WriteRef*, std::size_t>, std::vector<WriteRef>> ranked_;
  std::vector<WriteRef> next_;  // by row(): the next version, or kNoVersion
  std::vector<Edge> supposed_;
};

}  // namespace

std::optional<DraftedOrder> draft_order(const OrderProblem& problem, const OrderGraph& graph,
                                        std::span<const std::uint32_t> order, LateOnes late) {
  return VersionDraft(problem, graph, order, late).run();
}

}  // namespace elapid
