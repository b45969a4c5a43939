// Strict serializability decided at the instants of invocations: one sweep over time, with nothing
// in memory but what is open (docs/scale.md has the claim and its proof).
//
// Example: T1 appends 1 to x and completes, then T2 is invoked and reads x = []. So T2 comes before
// T1 (rw), although T1 completed before T2 was invoked. At T2's invocation the sweep finds the path
// T2 -> T1 with T1 in the past.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace elapid {

/// A transaction in time, in places of events. What completed before another was invoked comes
/// before it.
struct TxnInterval {
  std::uint32_t txn = 0;
  std::uint32_t invoked = 0;
  std::uint32_t completed = kNever;

  static constexpr std::uint32_t kNever = 0xffffffffU;

  friend bool operator==(const TxnInterval&, const TxnInterval&) = default;
};

/// A dependency of `to` on `from`.
struct IntervalEdge {
  enum class Kind : std::uint32_t {
    kDependency,
    kAntiDependency,
    kGuess,  ///< an order that no read shows, chosen so that it may explain all
  };

  TxnInterval from;
  TxnInterval to;
  Kind kind = Kind::kDependency;

  /// Whether real time says the same, so that the edge closes no cycle that others do not.
  [[nodiscard]] bool is_implied() const { return from.completed < to.invoked; }

  /// When the sweep meets it.
  [[nodiscard]] std::uint32_t begin() const {
    return from.invoked < to.invoked ? to.invoked : from.invoked;
  }
};

/// Places of events, both included.
struct TimeSpan {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// Adds a span to those that end no later than it. They ascend and are apart from one another.
void add_span(std::vector<TimeSpan>& spans, TimeSpan span);

/// Finds out whether dependencies and real time contradict each other.
///
/// O(edges log edges), and where dependencies lead backwards in time, what the search from there
/// meets among open transactions. Memory: the edges out of open transactions.
///
/// A sweep that begins later answers for what is invoked from then on. It needs the edges out of
/// what is open then, beside those that begin later; so slabs of time can be swept apart.
class Sweep {
 public:
  explicit Sweep(std::uint32_t begin = 0) : begin_(begin) {}

  /// Takes the next edge that is not implied. Edges come in ascending order of begin().
  void add(const IntervalEdge& edge);

  /// The instants of all contradictions, ascending and apart from one another; empty if there is
  /// none. Every transaction on a cycle of dependencies and real time is in progress at some
  /// instant of some span. Call it once, at the end.
  [[nodiscard]] std::vector<TimeSpan> finish();

  /// The instants of a single contradiction, the first of the shortest; requires that there is one.
  [[nodiscard]] TimeSpan shortest() const { return *shortest_; }

  [[nodiscard]] bool has_contradiction() const { return shortest_.has_value(); }

 private:
  struct Out {
    std::uint32_t completed = 0;
    std::vector<TxnInterval> to;
  };

  void search_from_waiting();
  void search(const TxnInterval& start);
  void note(TimeSpan span);
  void forget_before(std::uint32_t time);

  std::unordered_map<std::uint32_t, Out> out_;                 // by source, of those that are open
  using Completion = std::pair<std::uint32_t, std::uint32_t>;  // when, of which source
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions_;
  std::uint32_t begin_;
  std::uint32_t now_ = 0;
  std::vector<TxnInterval> waiting_;  // invoked now, with an edge to what was invoked before
  std::vector<TimeSpan> spans_;
  std::optional<TimeSpan> shortest_;
  // Of a search; kept for its memory.
  std::vector<TxnInterval> stack_;
};

}  // namespace elapid
