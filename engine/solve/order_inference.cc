#include "engine/solve/order_inference.h"

#include <algorithm>
#include <limits>

#include "engine/graph/incremental_order.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Two edges. At least one of them holds in every execution. The current order contradicts both.
struct Clash {
  EventEdge one;
  EventEdge other;
};

class OrderInference {
 public:
  OrderInference(const OrderProblem& problem, OrderGraph& graph,
                 std::span<const std::uint32_t> order)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        order_(graph.vertex_count(), ends(graph), order),
        last_write_(problem.history().key_count(), kNone) {}

  std::optional<std::vector<std::uint32_t>> run(std::uint64_t& work,
                                                const std::function<bool()>& keep_going) {
    constexpr std::size_t kClashesBetweenQuestions = 256;
    // A search asks the same questions, so it handles the rest.
    constexpr std::size_t kFewOf = 16;
    std::size_t inferred = 0;
    do {
      if (!find_clashes(work, keep_going)) {
        return std::nullopt;
      }
      inferred = 0;
      for (std::size_t i = 0; i < clashes_.size() && work > 0; ++i) {
        const std::uint64_t before = order_.work();
        const std::optional<bool> is_inferred = infer(clashes_[i]);
        if (!is_inferred) {
          return std::nullopt;
        }
        inferred += *is_inferred ? 1U : 0U;
        spend(order_.work() - before, work);
        if (i % kClashesBetweenQuestions == 0 && keep_going && !keep_going()) {
          return std::nullopt;
        }
      }
      if (work == 0) {
        return std::nullopt;
      }
    } while (inferred > clashes_.size() / kFewOf);
    return std::vector(order_.order().begin(), order_.order().end());
  }

 private:
  /// A write of a key; `before` is the place of the key's previous write.
  struct Write {
    std::uint32_t txn = 0;
    std::uint32_t before = kNone;
  };

  static std::vector<IncrementalOrder::Edge> ends(const OrderGraph& graph) {
    std::vector<IncrementalOrder::Edge> edges;
    edges.reserve(graph.edges().size());
    for (const EventEdge& edge : graph.edges()) {
      edges.emplace_back(edge.from(), edge.to());
    }
    return edges;
  }

  static void spend(std::uint64_t steps, std::uint64_t& work) { work -= std::min(work, steps); }

  /// Carries the order out and collects clashes, up to a limit: inference from these may remove
  /// later ones. Returns false if `keep_going` says no.
  bool find_clashes(std::uint64_t& work, const std::function<bool()>& keep_going) {
    constexpr std::size_t kMost = std::size_t{1} << 20;
    constexpr std::uint64_t kStepsBetweenQuestions = std::uint64_t{1} << 20;
    std::uint64_t next_question = work;
    clashes_.clear();
    writes_.clear();
    last_write_.assign(last_write_.size(), kNone);
    for (const std::uint32_t vertex : order_.order()) {
      if (clashes_.size() >= kMost) {
        break;
      }
      if (work <= next_question) {
        next_question = work - std::min(work, kStepsBetweenQuestions);
        if (keep_going && !keep_going()) {
          return false;
        }
      }
      if (!events_.is_of_txn(vertex) || !problem_.is_certain(events_.txn(vertex))) {
        continue;
      }
      const std::uint32_t txn = events_.txn(vertex);
      for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
        if (events_.read_event(problem_.reads()[r]) == vertex &&
            problem_.writer_of(r) != kOpenWriter) {
          find_later_writers(r, work);
        }
      }
      if (vertex == events_.commit(txn)) {
        commit(txn, work);
      }
    }
    return true;
  }

  /// Finds the writers between the one that the read saw and the reader.
  void find_later_writers(std::uint32_t r, std::uint64_t& work) {
    const ExternalRead& read = problem_.reads()[r];
    const std::uint32_t event = events_.read_event(read);
    const TxnId writer = problem_.writer_id(problem_.writer_of(r));
    for (std::uint32_t at = last_write_[read.key.index()];
         at != kNone && TxnId{writes_[at].txn} != writer && work > 0; at = writes_[at].before) {
      spend(1, work);
      const std::uint32_t commit = events_.commit(writes_[at].txn);
      const EventEdge overwritten(event, commit, EdgeReason::kOverwritten, r);
      const EventEdge earlier(commit, writer.is_none() ? commit : events_.barrier(writer.value),
                              EdgeReason::kVisible, r);
      clashes_.push_back({overwritten, earlier});
    }
  }

  void commit(std::uint32_t txn, std::uint64_t& work) {
    for (const WriteRef w : problem_.writes_by(txn)) {
      const KeyId key = problem_.write(w).key;
      std::uint32_t& last = last_write_[key.index()];
      if (events_.excludes_overlap(txn)) {
        find_overlapping(txn, key, last, work);
      }
      writes_.push_back({txn, last});
      last = static_cast<std::uint32_t>(writes_.size() - 1);
    }
  }

  /// Writers of the key that commit after the transaction starts; `at`: the last of them.
  void find_overlapping(std::uint32_t txn, KeyId key, std::uint32_t at, std::uint64_t& work) {
    const std::uint32_t start = events_.start(txn);
    const std::uint32_t commit = events_.commit(txn);
    for (; at != kNone && work > 0; at = writes_[at].before) {
      spend(1, work);
      const std::uint32_t other = writes_[at].txn;
      if (order_.position(events_.commit(other)) < order_.position(start)) {
        break;
      }
      clashes_.push_back({{events_.commit(other), start, EdgeReason::kNoOverlap, key.value},
                          {commit, events_.barrier(other), EdgeReason::kNoOverlap, key.value}});
    }
  }

  [[nodiscard]] std::uint32_t distance(const EventEdge& against) const {
    return order_.position(against.from()) - order_.position(against.to());
  }

  [[nodiscard]] bool closes_cycle(const EventEdge& edge) {
    return order_.reaches(edge.to(), edge.from());
  }

  /// Adds one edge if the other one closes a cycle. Returns whether it adds an edge; nothing if
  /// both close cycles.
  std::optional<bool> infer(const Clash& clash) {
    const bool was_moved = order_.position(clash.one.from()) < order_.position(clash.one.to()) ||
                           order_.position(clash.other.from()) < order_.position(clash.other.to());
    if (was_moved) {
      return false;
    }
    const bool is_nearer = distance(clash.one) < distance(clash.other);
    const EventEdge& near = is_nearer ? clash.one : clash.other;
    const EventEdge& far = is_nearer ? clash.other : clash.one;
    if (closes_cycle(near)) {
      return add(far);
    }
    return closes_cycle(far) ? add(near) : std::optional(false);
  }

  std::optional<bool> add(const EventEdge& edge) {
    graph_.add(edge);
    return order_.insert(edge.from(), edge.to()) ? std::optional(true) : std::nullopt;
  }

  const OrderProblem& problem_;
  OrderGraph& graph_;
  const EventMap& events_;
  IncrementalOrder order_;
  std::vector<Write> writes_;              // carried out so far
  std::vector<std::uint32_t> last_write_;  // by key, a place in writes_
  std::vector<Clash> clashes_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> infer_in_order(const OrderProblem& problem,
                                                         OrderGraph& graph,
                                                         std::span<const std::uint32_t> order,
                                                         std::uint64_t& work,
                                                         const std::function<bool()>& keep_going) {
  return OrderInference(problem, graph, order).run(work, keep_going);
}

}  // namespace elapid
