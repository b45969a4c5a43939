#include "engine/saturate/first_commits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/saturate/precedence.h"
#include "engine/solve/cycle_steps.h"

namespace elapid {

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Adjacency rows_of(std::uint32_t count, const std::vector<Pair>& pairs) {
  return Adjacency(count, pairs, [](const Pair& pair) { return pair; });
}

class Commits {
 public:
  Commits(const Observations& seen, const Precedence& graph)
      : seen_(seen),
        graph_(graph),
        waits_for_(graph.vertex_count(), 0),
        is_served_(seen.value_count(), false),
        likely_(seen.ambiguous().size(), Seen::kNoTxn) {}

  void run() {
    list_successors();
    list_values();
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      if (waits_for_[v] == 0) {
        ready_.push_back(v);
      }
    }
    for (std::uint32_t value = 0; value < seen_.value_count(); ++value) {
      if (seen_.writers_of(value).back() == Seen::kInitial) {
        serve(value, Seen::kInitial);
      }
    }
    while (!ready_.empty()) {
      const std::uint32_t vertex = ready_.back();
      ready_.pop_back();
      commit(vertex);
    }
  }

  [[nodiscard]] bool has_committed(std::uint32_t vertex) const { return waits_for_[vertex] == 0; }

  [[nodiscard]] LikelyWriters take_writers() { return std::move(likely_); }

 private:
  void list_successors() {
    std::vector<Pair> edges;
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      std::uint32_t cursor = 0;
      for (std::uint32_t before = 0; graph_.next(v, cursor, before);) {
        edges.emplace_back(before, v);
        ++waits_for_[v];
      }
    }
    successors_ = rows_of(graph_.vertex_count(), edges);
  }

  void list_values() {
    std::vector<Pair> written;
    for (std::uint32_t value = 0; value < seen_.value_count(); ++value) {
      for (const std::uint32_t writer : seen_.writers_of(value)) {
        if (writer != Seen::kInitial && seen_.is_present(writer)) {
          written.emplace_back(writer, value);
        }
      }
    }
    values_of_ = rows_of(seen_.txn_count(), written);
    std::vector<Pair> read;
    for (std::uint32_t i = 0; i < seen_.ambiguous().size(); ++i) {
      const Observations::Ambiguous& open = seen_.ambiguous()[i];
      if (seen_.is_present(open.txn)) {
        read.emplace_back(open.value, i);
        ++waits_for_[open.txn];
      }
    }
    reads_of_ = rows_of(seen_.value_count(), read);
  }

  void commit(std::uint32_t vertex) {
    for (const std::uint32_t next : successors_.of(vertex)) {
      come_closer(next);
    }
    if (vertex < seen_.txn_count()) {
      for (const std::uint32_t value : values_of_.of(vertex)) {
        serve(value, vertex);
      }
    }
  }

  void serve(std::uint32_t value, std::uint32_t writer) {
    if (is_served_[value]) {
      return;
    }
    is_served_[value] = true;
    for (const std::uint32_t read : reads_of_.of(value)) {
      likely_[read] = writer;
      come_closer(seen_.ambiguous()[read].txn);
    }
  }

  void come_closer(std::uint32_t vertex) {
    if (--waits_for_[vertex] == 0) {
      ready_.push_back(vertex);
    }
  }

  const Observations& seen_;
  const Precedence& graph_;
  std::vector<std::uint32_t> waits_for_;  // by vertex: predecessors and reads
  Adjacency successors_;                  // by vertex
  Adjacency values_of_;                   // by transaction: that it left behind
  Adjacency reads_of_;                    // by value: ambiguous reads
  std::vector<bool> is_served_;           // by value
  std::vector<std::uint32_t> ready_;
  LikelyWriters likely_;
};

/// The proof that none of the transactions that cannot commit is the first of them. Of these it
/// speaks of the heads: all their certain predecessors can commit, but all writers of a value that
/// they read are heads or come after heads.
class NoFirst {
 public:
  NoFirst(const Observations& seen, const Precedence& graph, const Commits& commits,
          const LikelyWriters& served)
      : seen_(seen), graph_(graph), commits_(commits), served_(served) {}

  std::optional<Refutation> prove() {
    if (!find_heads()) {
      return std::nullopt;
    }
    for (const auto& [head, read] : read_of_) {
      const auto before = static_cast<std::ptrdiff_t>(proof_.steps.size());
      add_choices(head, read);
      if (steps_left_ == 0) {
        return std::nullopt;
      }
      if (is_proved()) {  // by this head alone
        proof_.steps.erase(proof_.steps.begin(), proof_.steps.begin() + before);
        return std::move(proof_);
      }
    }
    while (!is_proved()) {
      eliminate();
    }
    return std::move(proof_);
  }

 private:
  /// The proof grows with their cube.
  static constexpr std::size_t kMostHeads = 32;
  static constexpr std::size_t kMostWriters = 1000;
  static constexpr std::uint64_t kMostSteps = 10'000'000;

  /// False if there are many, or if one need not have taken effect.
  bool find_heads() {
    std::size_t writers = 0;
    for (std::uint32_t i = 0; i < seen_.ambiguous().size(); ++i) {
      const Observations::Ambiguous& open = seen_.ambiguous()[i];
      const std::span<const std::uint32_t> all = seen_.writers_of(open.value);
      if (served_[i] != Seen::kNoTxn || !seen_.is_present(open.txn) || !is_head(open.txn) ||
          !read_of_.emplace(open.txn, i).second) {
        continue;
      }
      writers += all.size();
      if (!std::ranges::all_of(all,
                               [&](std::uint32_t writer) { return seen_.is_present(writer); })) {
        return false;
      }
    }
    return !read_of_.empty() && read_of_.size() <= kMostHeads && writers <= kMostWriters;
  }

  [[nodiscard]] bool is_head(std::uint32_t txn) const {
    return waiting_before(txn) == Seen::kNoTxn;
  }

  /// A certain predecessor that cannot commit.
  [[nodiscard]] std::uint32_t waiting_before(std::uint32_t vertex) const {
    steps_left_ -= std::min<std::uint64_t>(steps_left_, 1);
    std::uint32_t cursor = 0;
    for (std::uint32_t before = 0; graph_.next(vertex, cursor, before);) {
      if (!commits_.has_committed(before)) {
        return before;
      }
    }
    return Seen::kNoTxn;
  }

  /// Whichever writer the read saw, a head precedes it, and so the reader.
  void add_choices(std::uint32_t head, std::uint32_t read) {
    const Observations::Ambiguous& open = seen_.ambiguous()[read];
    const std::uint32_t place = open.place - seen_.first_read(head);
    const KeyId key = seen_.reads(head)[place].key;
    std::set<std::uint32_t>& before = before_[head];
    for (const std::uint32_t writer : seen_.writers_of(open.value)) {
      if (writer == head) {
        continue;
      }
      ProofStep step = {.clause = {{.kind = Choice::Kind::kReads,
                                    .holds = false,
                                    .first = {head},
                                    .second = {writer},
                                    .key = key,
                                    .length = seen_.number_of_read(head, place)}},
                        .cycle = path_to(writer)};
      const std::uint32_t first = step.cycle.empty() ? writer : step.cycle.front().from.value;
      step.cycle.push_back({.from = {writer}, .to = {head}, .relation = Relation::kWr, .key = key});
      if (first != head) {
        before.insert(first);
        step.clause.push_back(precedes(first, head));
        step.cycle.push_back(assumed(head, first));
      }
      join_orders(step.cycle);
      proof_.steps.push_back(std::move(step));
    }
    add_some_before(head);
  }

  /// From a head to the transaction, along certain edges. If these form a cycle, the steps end.
  [[nodiscard]] std::vector<OrderEdge> path_to(std::uint32_t txn) const {
    std::vector<OrderEdge> path;
    while (!read_of_.contains(txn) && steps_left_ > 0) {
      std::uint32_t before = waiting_before(txn);
      const bool is_by_time = before >= seen_.txn_count();
      while (before >= seen_.txn_count() && steps_left_ > 0) {
        before = waiting_before(before);
      }
      path.push_back(certain_edge(before, txn, is_by_time));
      txn = before;
    }
    std::ranges::reverse(path);
    return path;
  }

  [[nodiscard]] OrderEdge certain_edge(std::uint32_t from, std::uint32_t to,
                                       bool is_by_time) const {
    OrderEdge edge = {.from = {from}, .to = {to}, .relation = Relation::kProcess};
    const auto reads = seen_.reads(to);
    const auto read = std::ranges::find(reads, from, &Seen::writer);
    if (is_by_time) {
      edge.relation = Relation::kRealtime;
    } else if (read != reads.end()) {
      edge.relation = Relation::kWr;
      edge.key = read->key;
    }
    return edge;
  }

  static Choice precedes(std::uint32_t first, std::uint32_t second) {
    return {.first = {first}, .second = {second}};
  }

  /// An edge of the order of commits, which a step assumes.
  static OrderEdge assumed(std::uint32_t first, std::uint32_t second) {
    return {.from = {first}, .to = {second}, .relation = Relation::kWw, .key = KeyId::none()};
  }

  /// One of those in before_ precedes the head, by the steps so far.
  void add_some_before(std::uint32_t head) {
    ProofStep step;
    for (const std::uint32_t first : before_[head]) {
      step.clause.push_back(precedes(first, head));
    }
    proof_.steps.push_back(std::move(step));
  }

  [[nodiscard]] bool is_proved() const { return proof_.steps.back().clause.empty(); }

  /// Instead of one head, one of those that precede it precedes the others.
  void eliminate() {
    const auto least = std::ranges::min_element(
        before_, {}, [](const auto& entry) { return entry.second.size(); });
    const std::uint32_t gone = least->first;
    const std::set<std::uint32_t> before_gone = std::move(least->second);
    before_.erase(least);
    for (auto& [head, before] : before_) {
      if (before.erase(gone) == 0) {
        continue;
      }
      for (const std::uint32_t first : before_gone) {
        if (first != head) {
          proof_.steps.push_back(
              {{precedes(gone, first), precedes(head, gone), precedes(first, head)},
               {assumed(first, gone), assumed(gone, head), assumed(head, first)}});
          before.insert(first);
        }
      }
      add_some_before(head);
      if (before.empty()) {
        return;
      }
    }
  }

  const Observations& seen_;
  const Precedence& graph_;
  const Commits& commits_;
  const LikelyWriters& served_;
  mutable std::uint64_t steps_left_ = kMostSteps;
  std::map<std::uint32_t, std::uint32_t> read_of_;           // by head: a read not served
  std::map<std::uint32_t, std::set<std::uint32_t>> before_;  // by head: one of these precedes it
  Refutation proof_;
};

}  // namespace

FirstCommits first_commits(const Observations& seen, OrderLevel level) {
  const Precedence graph(seen, level);
  Commits commits(seen, graph);
  commits.run();
  FirstCommits first = {.writers = commits.take_writers()};
  // There the vertices behind the transactions are no instants.
  if (level.visibility != Visibility::kWritesFollowReads) {
    first.refutation = NoFirst(seen, graph, commits, first.writers).prove();
  }
  return first;
}

}  // namespace elapid
