#include "engine/linearize/sequential_search.h"

#include <algorithm>
#include <compare>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/linearize/types/numbers.h"

namespace elapid::linearize {

namespace {

constexpr std::size_t kMostOperations = 2'000;      // the search is as deep
constexpr std::uint64_t kMostNumbers = 20'000'000;  // of all configurations that are kept
constexpr std::uint64_t kStepsAQuestion = 1'024;    // how often a search asks whether to go on

/// An operation, and the number of its object.
struct SequentialStep {
  std::uint32_t object = 0;
  const Operation* operation = nullptr;
};

/// An operation that never returned. It follows the first `after` of its process that did.
struct OpenStep {
  SequentialStep step;
  std::uint32_t process = 0;
  std::uint32_t after = 0;
};

/// The operations of each process that returned, in order, and the others.
struct Processes {
  std::vector<std::vector<SequentialStep>> returned;
  std::vector<OpenStep> open;

  Processes(const History& history, std::span<const Object> objects)
      : returned(history.session_count()) {
    std::unordered_map<std::uint32_t, SequentialStep> step_of;  // by transaction
    for (std::uint32_t object = 0; object < objects.size(); ++object) {
      for (const Operation& operation : objects[object].operations) {
        step_of.emplace(operation.txn.value, SequentialStep{object, &operation});
      }
    }
    for (std::uint32_t process = 0; process < returned.size(); ++process) {
      for (const TxnId txn : history.session_txns(SessionId{process})) {
        const auto found = step_of.find(txn.value);
        if (found != step_of.end() && !found->second.operation->is_open()) {
          returned[process].push_back(found->second);
        } else if (found != step_of.end()) {
          const auto after = static_cast<std::uint32_t>(returned[process].size());
          open.push_back({found->second, process, after});
        }
      }
    }
  }
};

std::vector<std::unique_ptr<Model>> models_of(std::span<const Object> objects,
                                              const ModelOf& model_of) {
  std::vector<std::unique_ptr<Model>> models;
  for (const Object& object : objects) {
    models.push_back(model_of(object));
  }
  return models;
}

/// Depth first, the operation that returned first before others.
class Search {
 public:
  Search(const History& history, std::span<const Object> objects, const ModelOf& model_of,
         std::uint64_t& work, const std::function<bool()>& has_budget)
      : processes_(history, objects),
        models_(models_of(objects, model_of)),
        next_(processes_.returned.size()),
        is_used_(processes_.open.size()),
        work_(work),
        has_budget_(has_budget) {
    for (const auto& model : models_) {
      states_.push_back(model->initial());
    }
  }

  SequentialAnswer run() {
    const bool has_order = go_on();
    SequentialAnswer answer = {.answer = has_order    ? PlainAnswer::kOrder
                                         : work_ == 0 ? PlainAnswer::kSpent
                                                      : PlainAnswer::kNoOrder};
    for (const TxnId txn : has_order ? order_ : std::vector<TxnId>()) {
      answer.order.push_back({.txn = txn});
    }
    return answer;
  }

 private:
  /// Whether the rest has an order. If not, all is as before.
  bool go_on() {
    const Numbers before = next_;
    const std::size_t length = order_.size();
    read_at_once();
    const bool is_done = std::ranges::equal(next_, processes_.returned, {}, {},
                                            [](const auto& steps) { return steps.size(); });
    if (is_done || (is_new() && (go_on_returned() || go_on_open()))) {
      return true;
    }
    next_ = before;
    order_.resize(length);
    return false;
  }

  void read_at_once() {
    std::vector<State> after;
    for (std::uint32_t process = 0; process < next_.size(); ++process) {
      for (const SequentialStep* step = next_of(process); step != nullptr;
           step = next_of(process)) {
        after.clear();
        const Model& model = *models_[step->object];
        if (!model.is_read(*step->operation)) {
          break;
        }
        model.step(states_[step->object], *step->operation, after);
        if (after.empty()) {
          break;
        }
        ++next_[process];
        order_.push_back(step->operation->txn);
      }
    }
  }

  [[nodiscard]] const SequentialStep* next_of(std::uint32_t process) const {
    const std::vector<SequentialStep>& steps = processes_.returned[process];
    return next_[process] < steps.size() ? &steps[next_[process]] : nullptr;
  }

  bool go_on_returned() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_return;
    for (std::uint32_t process = 0; process < next_.size(); ++process) {
      if (const SequentialStep* step = next_of(process)) {
        by_return.emplace_back(step->operation->returned, process);
      }
    }
    std::ranges::sort(by_return);
    return std::ranges::any_of(by_return, [this](const auto& entry) {
      const SequentialStep step = *next_of(entry.second);
      ++next_[entry.second];
      const bool has_order = take(step);
      next_[entry.second] -= has_order ? 0U : 1U;
      return has_order;
    });
  }

  bool go_on_open() {
    std::set<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t, std::uint32_t>> tried;
    for (std::size_t i = 0; i < processes_.open.size(); ++i) {
      const auto& [step, process, after] = processes_.open[i];
      const Operation& op = *step.operation;
      if (is_used_[i] || next_[process] < after ||
          !tried.emplace(step.object, op.f, op.argument.bits(), op.result.bits()).second) {
        continue;
      }
      is_used_[i] = true;
      if (take(step)) {
        return true;
      }
      is_used_[i] = false;
    }
    return false;
  }

  bool take(SequentialStep step) {
    work_ -= work_ > 0 ? 1 : 0;
    if (++steps_ % kStepsAQuestion == 0 && has_budget_ && !has_budget_()) {
      work_ = 0;
    }
    std::vector<State> after;
    if (work_ > 0) {
      models_[step.object]->step(states_[step.object], *step.operation, after);
    }
    order_.push_back(step.operation->txn);
    for (State& state : after) {
      std::swap(states_[step.object], state);
      if (go_on()) {
        return true;
      }
      std::swap(states_[step.object], state);
    }
    order_.pop_back();
    return false;
  }

  /// Whether the search was not here before. No work is left once too much is kept.
  bool is_new() {
    Numbers numbers = configuration();
    kept_ += numbers.size();
    if (kept_ > kMostNumbers) {
      work_ = 0;
    }
    return work_ > 0 && seen_.insert(std::move(numbers)).second;
  }

  [[nodiscard]] Numbers configuration() const {
    Numbers numbers = next_;
    numbers.insert(numbers.end(), is_used_.begin(), is_used_.end());
    for (const State& state : states_) {
      numbers.push_back(static_cast<std::uint32_t>(state.size()));
      numbers.insert(numbers.end(), state.begin(), state.end());
    }
    return numbers;
  }

  Processes processes_;
  std::vector<std::unique_ptr<Model>> models_;
  Numbers next_;  // by process: the operations done
  std::vector<bool> is_used_;
  std::vector<State> states_;
  std::vector<TxnId> order_;
  std::unordered_set<Numbers, NumbersHash> seen_;
  std::uint64_t kept_ = 0;  // numbers
  std::uint64_t steps_ = 0;
  std::uint64_t& work_;
  const std::function<bool()>& has_budget_;
};

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

std::size_t count_of(std::span<const Object> objects) {
  std::size_t count = 0;
  for (const Object& object : objects) {
    count += object.operations.size();
  }
  return count;
}

}  // namespace

SequentialAnswer search_sequentially(const History& history, std::span<const Object> objects,
                                     const ModelOf& model_of, std::uint64_t& work,
                                     const std::function<bool()>& has_budget) {
  return count_of(objects) > kMostOperations
             ? SequentialAnswer()
             : Search(history, objects, model_of, work, has_budget).run();
}

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
