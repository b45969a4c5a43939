// The facts that need no choice: edges between events, and writers that a read cannot have seen.
//
// T3 reads from T1, and T2 also writes the key. If T2 is visible to T3, T2 precedes T1. If T1
// precedes T2, T3 read before T2 committed. If a level excludes overlap, and one of two writers of
// a key starts before the other one commits, it comes first. In each chain, only the last visible
// writer and the first later writer are tested: the facts about the others follow. A candidate
// writer is excluded if it commits after the read, or if another writer came in between. The rules
// repeat until nothing changes; each pass looks at the changes of the last one. docs/solver.md has
// a worked example.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/graph/chain_clocks.h"
#include "engine/solve/key_writers.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// A candidate writer that a read cannot have seen.
struct Exclusion {
  std::uint32_t read = 0;
  WriteRef candidate = kInitialState;
  /// The transaction that wrote in between; none: the candidate committed after the read.
  std::optional<std::uint32_t> between = {};
  /// The number of first edges of the graph that suffice to show it.
  std::uint32_t edge_count = 0;
};

/// A place in a list that a transaction cannot have.
struct Misplacement {
  std::uint32_t place = 0;
  /// If it had this place, an edge between the transaction and this prefix would close a cycle with
  /// a path between the two. `is_from_version`: the path leads from the prefix.
  std::uint32_t version_vertex = 0;
  bool is_from_version = false;
  /// The number of first edges of the graph that suffice to show it.
  std::uint32_t edge_count = 0;
};

class Saturation {
 public:
  enum class Outcome : std::uint8_t {
    kFixpoint,
    kCycle,     ///< the graph is cyclic: see the edges added last
    kNoWriter,  ///< a read of a certain transaction has no candidate left: contradiction()
    kNoPlace,   ///< a position of a list has no transaction left; OrderProblem::lists() names it
    kOutOfWork,
  };

  /// Excludes candidates in `problem`, adds edges to `graph`, and keeps reachability at hand.
  Saturation(OrderProblem& problem, OrderGraph& graph, Chains chains);

  /// Runs to the fixed point. `work` counts down with edges and writers looked at.
  Outcome run(std::uint64_t& work, const std::function<bool()>& keep_going);

  [[nodiscard]] const ChainClocks& clocks() const { return clocks_; }

  [[nodiscard]] const KeyWriters& writers() const { return writers_; }

  [[nodiscard]] const std::vector<Exclusion>& exclusions() const { return exclusions_; }

  [[nodiscard]] const std::vector<Misplacement>& misplacements() const { return misplacements_; }

  /// The read without a candidate writer.
  [[nodiscard]] std::uint32_t contradiction() const { return contradiction_; }

  /// A topological order of the graph in the last pass with an acyclic graph.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  void open(std::uint32_t read);
  [[nodiscard]] Outcome renew_order(const std::function<bool()>& keep_going);
  void apply_rules();
  [[nodiscard]] bool goes_on(std::size_t steps);
  void saturate_read(std::uint32_t read);
  void order_visible(std::uint32_t read, std::uint32_t writer);
  void order_later(std::uint32_t read, WriteRef writer);
  void separate_writers(WriteRef write);
  void narrow(std::uint32_t read);
  void narrow_lists();
  void narrow_place(std::uint32_t place);
  void take_part(std::uint32_t txn);
  [[nodiscard]] bool may_have_changed(std::uint32_t read) const;
  [[nodiscard]] bool excludes(std::uint32_t read, WriteRef candidate, Exclusion& why) const;
  [[nodiscard]] const KeyWriters::Entry* last_visible(const KeyWriters::Group& group,
                                                      std::uint32_t event, std::uint32_t reader,
                                                      std::uint32_t writer) const;
  void add_first(const KeyWriters::Group& group, std::uint32_t first, std::uint32_t writer,
                 std::uint32_t reader, EventEdge edge);
  void settle(std::uint32_t read);
  void note_edges(std::size_t first);
  void derive(EventEdge edge);

  OrderProblem& problem_;
  OrderGraph& graph_;
  ChainClocks clocks_;
  KeyWriters writers_;
  Adjacency successors_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> open_reads_;
  std::vector<bool> is_open_;               // by read: among these
  std::vector<std::uint32_t> fresh_reads_;  // settled in the previous pass
  std::vector<Exclusion> exclusions_;
  std::vector<Misplacement> misplacements_;
  std::size_t stands_seen_ = 0;  // how many stands settled by lists were used
  std::uint32_t contradiction_ = 0;
  bool is_contradictory_ = false;
  bool everything_changed_ = true;  // at first, and after another transaction took part
  std::uint64_t looked_at_ = 0;
  std::uint64_t work_ = 0;                             // the most of that
  const std::function<bool()>* keep_going_ = nullptr;  // while it runs
  std::size_t steps_since_asked_ = 0;
  bool is_stopped_ = false;
};

}  // namespace elapid
