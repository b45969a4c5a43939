#include "engine/linearize/sequential_search.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "engine/ir/seeded_hash.h"

namespace elapid::linearize {

namespace {

constexpr std::size_t kMostSeen = 4'000'000;   // configurations
constexpr std::size_t kMostKept = 50'000'000;  // of states to come back to

/// How far, in instants, an operation may run ahead of one that returned first. Each operation has
/// two events, and each event two instants.
constexpr std::uint32_t kAnyLead = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kLeads[] = {4 * 32, 4 * 512, kAnyLead};

/// The hash of some numbers of a configuration, of which the combined hash is their exclusive or.
std::uint64_t hash_of(std::uint32_t what, std::uint64_t which, std::uint64_t value) {
  return seeded_hash(seeded_hash(seeded_hash(std::uint64_t{what}) ^ which) ^ value);
}

std::uint64_t hash_of(std::size_t object, const State& state) {
  const std::string_view bytes(reinterpret_cast<const char*>(state.data()),
                               state.size() * sizeof(std::uint32_t));
  return hash_of(2, object, seeded_hash(bytes));
}

/// How far each process is, and what took effect. Each step can be taken back.
class Progress {
 public:
  explicit Progress(const Processes& processes)
      : processes_(processes), next_(processes.returned.size()), is_used_(processes.open.size()) {
    for (std::uint32_t process = 0; process < next_.size(); ++process) {
      await(process);
    }
  }

  /// The next operation of a process, or an open one.
  struct Choice {
    bool is_open = false;
    std::uint32_t number = 0;
  };

  [[nodiscard]] const SequentialStep& step(const Choice& choice) const {
    return choice.is_open ? processes_.open[choice.number].step
                          : processes_.returned[choice.number][next_[choice.number]];
  }

  void take(const Choice& choice) {
    order_.emplace_back(choice, step(choice).operation->txn);
    if (choice.is_open) {
      flip_use(choice.number);
    } else {
      move(choice.number, next_[choice.number] + 1);
    }
  }

  /// Takes all but the first `length` steps back.
  void take_back(std::size_t length) {
    for (; order_.size() > length; order_.pop_back()) {
      const Choice& choice = order_.back().first;
      if (choice.is_open) {
        flip_use(choice.number);
      } else {
        move(choice.number, next_[choice.number] - 1);
      }
    }
  }

  [[nodiscard]] std::size_t length() const { return order_.size(); }

  /// Whether all operations that returned took effect.
  [[nodiscard]] bool is_done() const { return waiting_.empty(); }

  /// The next operations that return no later than so many instants after the first one, by their
  /// return. Whether these are all.
  bool waiting(std::uint32_t lead, std::vector<Choice>& choices) const {
    for (const auto& [returned, process] : waiting_) {
      if (returned - waiting_.begin()->first > lead) {
        return false;
      }
      choices.push_back({.number = process});
    }
    return true;
  }

  /// Adds one of equal open operations that may take effect. How many were looked at.
  std::size_t open_ones(std::vector<Choice>& choices) const {
    std::set<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t, std::uint32_t>> tried;
    for (std::uint32_t i = 0; i < processes_.open.size(); ++i) {
      const auto& [step, process, after] = processes_.open[i];
      const Operation& op = *step.operation;
      if (!is_used_[i] && next_[process] >= after &&
          tried.emplace(step.object, op.f, op.argument.bits(), op.result.bits()).second) {
        choices.push_back({true, i});
      }
    }
    return processes_.open.size();
  }

  [[nodiscard]] std::uint64_t hash() const { return hash_; }

  [[nodiscard]] std::vector<OrderEvent> order() const {
    std::vector<OrderEvent> order;
    for (const auto& [choice, txn] : order_) {
      order.push_back({.txn = txn});
    }
    return order;
  }

 private:
  void move(std::uint32_t process, std::uint32_t to) {
    if (const auto& steps = processes_.returned[process]; next_[process] < steps.size()) {
      waiting_.erase({steps[next_[process]].operation->returned, process});
    }
    hash_ ^= hash_of(0, process, next_[process]) ^ hash_of(0, process, to);
    next_[process] = to;
    await(process);
  }

  void await(std::uint32_t process) {
    if (const auto& steps = processes_.returned[process]; next_[process] < steps.size()) {
      waiting_.emplace(steps[next_[process]].operation->returned, process);
    }
  }

  void flip_use(std::uint32_t number) {
    is_used_[number] = !is_used_[number];
    hash_ ^= hash_of(1, number, 0);
  }

  const Processes& processes_;
  std::vector<std::uint32_t> next_;  // by process: the operations done
  std::vector<bool> is_used_;
  std::set<std::pair<std::uint32_t, std::uint32_t>>
      waiting_;  // returns of next ones, and processes
  std::vector<std::pair<Choice, TxnId>> order_;
  std::uint64_t hash_ = 0;
};

/// A pass in which none runs further ahead than the lead.
class Pass {
 public:
  Pass(const Processes& processes, const std::vector<std::unique_ptr<Model>>& models,
       std::uint32_t lead, std::uint64_t& work, const std::function<bool()>& has_budget)
      : models_(models), lead_(lead), progress_(processes), work_(work), has_budget_(has_budget) {
    for (const auto& model : models_) {
      states_.push_back(model->initial());
    }
  }

  /// kNoOrder only if none had to wait.
  SequentialAnswer run() {
    bool has_order = enter();
    while (!has_order && !branches_.empty()) {
      if (try_next(branches_.back())) {
        has_order = enter();
      } else {
        kept_ -= branches_.back().opened;
        branches_.pop_back();
      }
    }
    if (has_order) {
      return {PlainAnswer::kOrder, progress_.order()};
    }
    return {work_ == 0 || has_waited_ ? PlainAnswer::kSpent : PlainAnswer::kNoOrder};
  }

 private:
  using Choice = Progress::Choice;

  /// What can be tried from a configuration.
  struct Branch {
    std::size_t length;           // of the order so far
    std::vector<Choice> choices;  // the next one last
    Choice tried = {};
    std::vector<State> leads_to =
        {};             // states of the object after the tried one; the next one last
    State before = {};  // of the object, while it has another state
    bool has_moved = false;
    bool tries_open_ones = false;
    std::size_t opened = 0;  // choices among open ones
  };

  /// Whether all is done in the configuration. Else a branch begins there, if it is new and not
  /// hopeless.
  bool enter() {
    read_at_once();
    if (progress_.is_done()) {
      return true;
    }
    Branch branch = {.length = progress_.length(), .choices = {}};
    const bool is_new = seen_.size() < kMostSeen && seen_.insert(progress_.hash() ^ hash_).second;
    if (work_ == 0 || !is_new) {
      work_ = seen_.size() < kMostSeen ? work_ : 0;
      return false;
    }
    has_waited_ = !progress_.waiting(lead_, branch.choices) || has_waited_;
    if (std::ranges::any_of(branch.choices, [&](const Choice& one) { return is_hopeless(one); })) {
      return false;
    }
    spend(branch.choices.size() / 16);
    std::ranges::reverse(branch.choices);
    branches_.push_back(std::move(branch));
    return false;
  }

  void swap_states(std::size_t object, State& other) {
    hash_ ^= hash_of(object, states_[object]);
    std::swap(states_[object], other);
    hash_ ^= hash_of(object, states_[object]);
  }

  /// Reads that are possible only show something else once others act.
  void read_at_once() {
    std::vector<Choice> choices;
    bool has_read = true;
    while (std::exchange(has_read, false)) {
      choices.clear();
      progress_.waiting(lead_, choices);
      spend(1 + choices.size() / 16);
      for (const Choice& choice : choices) {
        if (is_possible_read(progress_.step(choice))) {
          progress_.take(choice);
          has_read = true;
        }
      }
    }
  }

  bool is_possible_read(const SequentialStep& step) {
    after_.clear();
    const Model& model = *models_[step.object];
    if (model.is_read(*step.operation)) {
      model.step(states_[step.object], *step.operation, after_);
    }
    return !after_.empty();
  }

  /// Whether a read shows what no state from here on has.
  [[nodiscard]] bool is_hopeless(const Choice& choice) const {
    const SequentialStep& step = progress_.step(choice);
    const Model& model = *models_[step.object];
    return model.is_read(*step.operation) &&
           !model.may_reach(states_[step.object], *step.operation);
  }

  /// Comes back to the branch, and takes the next of its ways. Whether there is one.
  bool try_next(Branch& branch) {
    progress_.take_back(branch.length);
    if (std::exchange(branch.has_moved, false)) {
      kept_ -= branch.before.size();
      swap_states(progress_.step(branch.tried).object, branch.before);
    }
    while (branch.leads_to.empty()) {
      if (branch.choices.empty() && !std::exchange(branch.tries_open_ones, true)) {
        let_open_ones_act(branch);
      }
      if (branch.choices.empty() || !spend(1)) {
        return false;
      }
      branch.tried = branch.choices.back();
      branch.choices.pop_back();
      const SequentialStep& step = progress_.step(branch.tried);
      models_[step.object]->step(states_[step.object], *step.operation, branch.leads_to);
      std::ranges::reverse(branch.leads_to);
    }
    branch.before = std::move(branch.leads_to.back());
    branch.leads_to.pop_back();
    swap_states(progress_.step(branch.tried).object, branch.before);
    branch.has_moved = true;
    kept_ += branch.before.size();
    progress_.take(branch.tried);
    return true;
  }

  /// After all others, since most of them serve later as well.
  void let_open_ones_act(Branch& branch) {
    const std::size_t looked_at = progress_.open_ones(branch.choices);
    std::ranges::reverse(branch.choices);
    branch.opened = branch.choices.size();
    kept_ += branch.opened;
    spend(looked_at / 4);
  }

  /// Whether there was so much work left.
  bool spend(std::uint64_t work) {
    const bool has_enough = work_ >= work;
    work_ -= std::min(work_, work);
    const bool asks = ++steps_ % kStepsAQuestion == 0 && has_budget_;
    if (kept_ > kMostKept || (asks && !has_budget_())) {
      work_ = 0;
    }
    return has_enough && work_ > 0;
  }

  const std::vector<std::unique_ptr<Model>>& models_;
  std::uint32_t lead_;
  Progress progress_;
  std::vector<State> states_;
  std::vector<Branch> branches_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<State> after_;
  bool has_waited_ = false;
  std::size_t kept_ = 0;    // numbers
  std::uint64_t hash_ = 0;  // of states that are not as at first
  std::uint64_t steps_ = 0;
  std::uint64_t& work_;
  const std::function<bool()>& has_budget_;
};

}  // namespace

SequentialAnswer search_sequentially(const History& history, std::span<const Object> objects,
                                     const ModelOf& model_of, std::uint64_t& work,
                                     const std::function<bool()>& has_budget) {
  const Processes processes(history, objects);
  const std::vector<std::unique_ptr<Model>> models = models_of(objects, model_of);
  SequentialAnswer answer;
  for (const std::uint32_t lead : kLeads) {
    if (lead != kAnyLead && lead >= processes.last_return()) {
      continue;  // none would have to wait
    }
    const std::uint64_t given = lead == kAnyLead ? work : work / 3;
    std::uint64_t left = given;
    answer = Pass(processes, models, lead, left, has_budget).run();
    work = has_budget && !has_budget() ? 0 : work - (given - left);
    if (answer.answer != PlainAnswer::kSpent || work == 0) {
      return answer;
    }
  }
  return answer;
}

}  // namespace elapid::linearize
