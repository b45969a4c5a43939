// The scheduler's choices. If events wait for one another in a circle, it chooses an edge that
// breaks the circle. Each choice keeps the other edges that could break it, and the earlier choices
// that excluded better ones. So a dead end leads back to the choice that caused it
// (conflict-directed backjumping: Prosser, "Hybrid algorithms for the constraint satisfaction
// problem", Computational Intelligence 9(3), 1993).
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace elapid {

class ChosenOrders {
 public:
  /// From one event to another.
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  struct Choice {
    Edge edge;
    std::vector<Edge> untried = {};           ///< alternatives, the last one first
    std::set<std::uint32_t> because_of = {};  ///< numbers of choices that exclude other edges
  };

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  void add(Choice choice) {
    const auto number = static_cast<std::uint32_t>(choices_.size());
    after_[choice.edge.first].push_back({choice.edge.second, number});
    before_[choice.edge.second].push_back({choice.edge.first, number});
    choices_.push_back(std::move(choice));
  }

  [[nodiscard]] std::size_t size() const { return choices_.size(); }

  /// Removes the last choice.
  Choice remove_last() {
    Choice last = std::move(choices_.back());
    choices_.pop_back();
    after_[last.edge.first].pop_back();
    before_[last.edge.second].pop_back();
    return last;
  }

  /// Calls `visit(event, number)` for all events chosen to come after, or before, an event.
  template <class Visit>
  void each_after(std::uint32_t event, Visit visit) const {
    each(after_, event, visit);
  }

  template <class Visit>
  void each_before(std::uint32_t event, Visit visit) const {
    each(before_, event, visit);
  }

 private:
  struct End {
    std::uint32_t event = 0;
    std::uint32_t number = 0;
  };

  using Ends = std::unordered_map<std::uint32_t, std::vector<End>>;

  template <class Visit>
  static void each(const Ends& ends, std::uint32_t event, Visit visit) {
    if (const auto found = ends.find(event); found != ends.end()) {
      for (const End& end : found->second) {
        visit(end.event, end.number);
      }
    }
  }

  std::vector<Choice> choices_;
  Ends after_;
  Ends before_;
};

}  // namespace elapid
