#include "engine/linearize/sequential_claims.h"

#include <algorithm>
#include <compare>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/linearize/types/numbers.h"

namespace elapid::linearize {

namespace {

constexpr std::uint64_t kMostNumbers = 20'000'000;  // of all configurations that are kept

/// Breadth first: all configurations after one operation more.
class AllOrders {
 public:
  AllOrders(const History& history, std::span<const Object> objects, const ModelOf& model_of,
            std::uint64_t work, const std::function<bool()>& has_budget)
      : processes_(history, objects),
        models_(models_of(objects, model_of)),
        work_(work),
        has_budget_(has_budget) {}

  PlainAnswer run() {
    Configuration first = {.places = Numbers(processes_.returned.size()),
                           .is_used = std::vector<bool>(processes_.open.size())};
    for (const auto& model : models_) {
      first.states.push_back(model->initial());
    }
    read(first);
    for (std::set<Configuration> now = {std::move(first)}; !now.empty(); now = std::move(next_)) {
      next_.clear();
      kept_ = 0;
      for (const Configuration& configuration : now) {
        if (!go_on(configuration)) {
          return PlainAnswer::kOrder;
        }
        if (is_spent()) {
          return PlainAnswer::kSpent;
        }
      }
    }
    return PlainAnswer::kNoOrder;
  }

 private:
  struct Configuration {
    Numbers places = {};             ///< by process: the operations that happened
    std::vector<bool> is_used = {};  ///< by open operation
    std::vector<State> states = {};  ///< by object

    friend auto operator<=>(const Configuration&, const Configuration&) = default;
  };

  /// A possible read changes no state, so it hinders nothing: it has happened.
  void read(Configuration& at) const {
    for (std::size_t process = 0; process < at.places.size(); ++process) {
      std::uint32_t& place = at.places[process];
      const std::vector<SequentialStep>& steps = processes_.returned[process];
      while (place < steps.size() && is_possible_read(at, steps[place])) {
        ++place;
      }
    }
  }

  [[nodiscard]] bool is_possible_read(const Configuration& at, const SequentialStep& step) const {
    const Model& model = *models_[step.object];
    std::vector<State> after;
    if (model.is_read(*step.operation)) {
      model.step(at.states[step.object], *step.operation, after);
    }
    return !after.empty();
  }

  /// Notes all configurations after one operation more; false if all operations that returned have
  /// happened.
  bool go_on(const Configuration& from) {
    bool is_done = true;
    for (std::size_t process = 0; process < from.places.size(); ++process) {
      const std::vector<SequentialStep>& steps = processes_.returned[process];
      if (const std::uint32_t place = from.places[process]; place < steps.size()) {
        is_done = false;
        take(from, steps[place], [&](Configuration& to) { ++to.places[process]; });
      }
    }
    for (std::size_t i = 0; i < processes_.open.size() && !is_done; ++i) {
      const OpenStep& open = processes_.open[i];
      if (!from.is_used[i] && from.places[open.process] >= open.after) {
        take(from, open.step, [&](Configuration& to) { to.is_used[i] = true; });
      }
    }
    return !is_done;
  }

  template <typename Mark>
  void take(const Configuration& from, const SequentialStep& step, const Mark& mark) {
    std::vector<State> after;
    models_[step.object]->step(from.states[step.object], *step.operation, after);
    for (State& reached : after) {
      Configuration to = from;
      mark(to);
      to.states[step.object] = std::move(reached);
      kept_ += to.places.size() + to.is_used.size();
      for (const State& state : to.states) {
        kept_ += 1 + state.size();
      }
      read(to);
      next_.insert(std::move(to));
    }
    work_ -= std::min<std::uint64_t>(work_, 1 + after.size());
  }

  bool is_spent() {
    const bool asks = ++visited_ % kStepsAQuestion == 0 && has_budget_;
    return work_ == 0 || kept_ > kMostNumbers || (asks && !has_budget_());
  }

  Processes processes_;
  std::vector<std::unique_ptr<Model>> models_;
  std::set<Configuration> next_ = {};
  std::uint64_t kept_ = 0;  // numbers in next_
  std::uint64_t visited_ = 0;
  std::uint64_t work_;
  const std::function<bool()>& has_budget_;
};

}  // namespace

PlainAnswer try_all_orders(const History& history, std::span<const Object> objects,
                           const ModelOf& model_of, std::uint64_t work,
                           const std::function<bool()>& has_budget) {
  return AllOrders(history, objects, model_of, work, has_budget).run();
}

bool is_sequential_order(const History& history, std::span<const Object> objects,
                         std::span<const OrderEvent> order,
                         const std::function<std::unique_ptr<Replay>(const Object&)>& replay) {
  struct Place {
    std::uint32_t object;
    std::uint32_t place;
    std::uint32_t rank = 0;  // the operations before it in its process that returned
    bool is_used = false;
  };

  const auto is_open = [&](const Place& at) {
    return objects[at.object].operations[at.place].is_open();
  };
  std::unordered_map<std::uint32_t, Place> places;  // by transaction
  std::vector<std::unique_ptr<Replay>> replays;
  for (std::uint32_t object = 0; object < objects.size(); ++object) {
    replays.push_back(replay(objects[object]));
    for (std::uint32_t place = 0; place < objects[object].operations.size(); ++place) {
      places.emplace(objects[object].operations[place].txn.value, Place{object, place});
    }
  }
  for (SessionId process{0}; process.index() < history.session_count(); ++process.value) {
    std::uint32_t rank = 0;
    for (const TxnId txn : history.session_txns(process)) {
      if (const auto found = places.find(txn.value); found != places.end()) {
        found->second.rank = rank;
        rank += is_open(found->second) ? 0U : 1U;
      }
    }
  }
  std::vector<std::uint32_t> done(history.session_count());  // of those that returned
  for (const OrderEvent& event : order) {
    const auto found = places.find(event.txn.value);
    if (found == places.end() || std::exchange(found->second.is_used, true)) {
      return false;
    }
    const Place& at = found->second;
    std::uint32_t& before = done[history.session(event.txn).index()];
    if (before < at.rank ||
        !replays[at.object]->apply(objects[at.object].operations[at.place], at.place)) {
      return false;
    }
    before += is_open(at) ? 0U : 1U;
  }
  return std::ranges::all_of(
      places, [&](const auto& entry) { return entry.second.is_used || is_open(entry.second); });
}

}  // namespace elapid::linearize
