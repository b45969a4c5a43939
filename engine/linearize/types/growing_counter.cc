#include "engine/linearize/types/growing_counter.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/configurations.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/possible_sums.h"
#include "engine/linearize/types/retreat.h"

namespace elapid::linearize {
namespace {

constexpr std::size_t kSlots = 64;
constexpr std::size_t kDoneWords = kSlots / 32;
constexpr std::size_t kMostClasses = 256;
constexpr std::uint32_t kNothingThere = 0xffffffffU;  // no operation, no step

/// The choices among adds that never returned. kFewOfBest is pass 1 of the header, kAmount 2, kAny
/// 3, the others 4.
enum class Choices : std::uint8_t { kFewOfBest, kAmount, kFew, kAny, kAll };

bool counts_uses(Choices choices) {
  return choices != Choices::kAmount && choices != Choices::kAny;
}

bool is_of_few(Choices choices) {
  return choices == Choices::kFewOfBest || choices == Choices::kFew;
}

bool shows_sum(const Operation& op) {
  return op.f == static_cast<std::uint8_t>(CounterF::kRead);
}

/// By the count of invocations so far: the least sum that reads show which are invoked later.
std::vector<std::int64_t> least_sums_later(const Operations& operations,
                                           const std::vector<std::int64_t>& numbers) {
  std::vector<std::int64_t> least(operations.size() + 1, std::numeric_limits<std::int64_t>::max());
  for (std::size_t place = operations.size(); place-- > 0;) {
    least[place] = shows_sum(operations[place]) ? std::min(least[place + 1], numbers[place])
                                                : least[place + 1];
  }
  return least;
}

/// The adds of one number that never return.
struct NumberClass {
  std::int64_t number;
  std::vector<std::uint32_t> invoked;  ///< so far
};

/// The possibilities that a pass keeps.
struct Keeps {
  Choices choices;
  std::size_t few;    ///< of each sum; more behind dead ends
  std::size_t alike;  ///< choices for each sum and open adds
};

class CounterPass {
 public:
  /// `least_later`: see least_sums_later().
  CounterPass(const Operations& operations, const std::vector<std::int64_t>& numbers,
              const std::vector<std::int64_t>& least_later, Keeps keeps, std::uint64_t& work)
      : operations_(operations),
        numbers_(numbers),
        least_later_of_(least_later),
        choices_(keeps.choices),
        retreat_({.narrowest = keeps.few, .widest = 16, .most_dead_ends = 12}),
        alike_(keeps.alike),
        most_steps_(kMostSteps + kStepsOfEach * operations.size()),
        work_(work),
        classes_(number_classes()),
        now_(kDoneWords, counted_classes()),
        seen_(kDoneWords, counted_classes()),
        after_(kDoneWords, counted_classes()),
        slots_(kSlots, kNothingThere) {}

  /// Whether possibilities were left out.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

  /// The number of invocations and returns before the last one that it came to.
  [[nodiscard]] std::size_t followed() const { return followed_; }

  Judgement run(const std::vector<OperationEvent>& events) {
    row_.assign(now_.width(), 0);
    row_[0] = number_of(0);
    row_.back() = kNothingThere;
    now_.insert(row_);
    std::uint32_t furthest = 0;
    for (std::size_t at = 0; at < events.size();) {
      if (choices_ == Choices::kFewOfBest && Retreat<Checkpoint>::begins_at(at)) {
        retreat_.begin(at, checkpoint());
      }
      furthest = at >= followed_ ? events[at].place : furthest;
      follow(events[at]);
      if (is_spent()) {
        is_cut_ = true;
        return undecided(furthest);
      }
      if (now_.size() > 0) {
        followed_ = std::max(followed_, ++at);
      } else if (choices_ != Choices::kFewOfBest || !is_cut_) {
        return no_order(events[at].place);
      } else if (!go_back(events, at)) {
        return undecided(furthest);
      }
    }
    return linearizable(order_to(now_.at(0).back()));
  }

 private:
  // 8 bytes each: at most 128 MB, and 128 bytes an operation.
  static constexpr std::size_t kMostSteps = 1 << 24;
  static constexpr std::size_t kStepsOfEach = 16;

  /// Keeps row_ as it is, for later and for its own end.
  class SavedRow {
   public:
    explicit SavedRow(CounterPass& pass) : pass_(pass), begin_(pass.saved_.size()) {
      pass.saved_.insert(pass.saved_.end(), pass.row_.begin(), pass.row_.end());
    }

    SavedRow(const SavedRow&) = delete;
    SavedRow& operator=(const SavedRow&) = delete;

    ~SavedRow() {
      restore();
      pass_.saved_.resize(begin_);
    }

    void restore() const {
      std::copy_n(pass_.saved_.begin() + static_cast<std::ptrdiff_t>(begin_), pass_.row_.size(),
                  pass_.row_.begin());
    }

   private:
    CounterPass& pass_;
    std::size_t begin_;  // in saved_
  };

  /// Where the pass can go on again.
  struct Checkpoint {
    Configurations now;
    std::vector<std::uint32_t> slots;
    std::vector<std::size_t> by_number;
    std::vector<std::size_t> open_reads;
    std::uint32_t invoked;
    std::int64_t returned;
    std::size_t steps;
  };

  [[nodiscard]] Checkpoint checkpoint() const {
    return {now_, slots_, by_number_, open_reads_, invoked_, returned_, steps_.size()};
  }

  /// From a dead end to an earlier event. Whether that may help.
  bool go_back(const std::vector<OperationEvent>& events, std::size_t& at) {
    const std::optional<std::size_t> first = retreat_.go_back(at);
    if (!first) {
      return false;
    }
    for (; at > *first; --at) {
      const OperationEvent& undone = events[at - 1];
      const std::int64_t number = numbers_[undone.place];
      if (!undone.is_return && operations_[undone.place].is_open() && number > 0) {
        classes_[class_of_.at(number)].invoked.pop_back();
      }
    }
    const Checkpoint& to = retreat_.checkpoint(at);
    now_ = to.now;
    slots_ = to.slots;
    by_number_ = to.by_number;
    open_reads_ = to.open_reads;
    invoked_ = to.invoked;
    returned_ = to.returned;
    steps_.resize(to.steps);
    return true;
  }

  void follow(const OperationEvent& event) {
    if (event.is_return) {
      let_return(event.place);
    } else {
      invoked_ = event.place + 1;
      invoke(event.place);
    }
  }

  /// The least sum that reads show which are not yet invoked.
  [[nodiscard]] std::int64_t least_later() const { return least_later_of_[invoked_]; }

  /// Names also the later read of least: possibilities are left out because of it.
  [[nodiscard]] Judgement no_order(std::uint32_t place) const {
    Judgement judgement = refuted(Pattern::kNoOrder, {place});
    for (std::uint32_t later = invoked_; later < operations_.size(); ++later) {
      if (shows_sum(operations_[later]) && numbers_[later] == least_later()) {
        judgement.places.push_back(later);
        break;
      }
    }
    return judgement;
  }

  /// Whether the work or the room for steps ran out.
  [[nodiscard]] bool is_spent() const { return work_ == 0 || steps_.size() >= most_steps_; }

  void spend(std::uint64_t work) { work_ -= std::min(work_, work); }

  /// The classes, the greatest number first.
  std::vector<NumberClass> number_classes() {
    std::map<std::int64_t, std::uint32_t, std::greater<>> known;
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      if (operations_[place].is_open() && numbers_[place] > 0) {
        known.emplace(numbers_[place], 0);
      }
    }
    std::vector<NumberClass> classes;
    for (auto& [number, place] : known) {
      place = static_cast<std::uint32_t>(classes.size());
      classes.push_back({number, {}});
    }
    class_of_ = {known.begin(), known.end()};
    return classes;
  }

  [[nodiscard]] std::size_t counted_classes() const {
    return counts_uses(choices_) ? classes_.size() : 0;
  }

  /// The order of open adds: the greatest number first, and then the first to return.
  [[nodiscard]] auto goes_first() const {
    return [this](std::size_t a, std::size_t b) {
      const std::int64_t x = numbers_[slots_[a]];
      const std::int64_t y = numbers_[slots_[b]];
      return x != y ? x > y : returned(a) < returned(b);
    };
  }

  void invoke(std::uint32_t place) {
    if (operations_[place].is_open()) {
      if (numbers_[place] > 0) {
        classes_[class_of_.at(numbers_[place])].invoked.push_back(place);
        if (!counts_uses(choices_)) {
          possible_.add(numbers_[place]);
        }
      }
      return;
    }
    const auto free = std::ranges::find(slots_, kNothingThere);
    *free = place;
    const auto slot = static_cast<std::size_t>(free - slots_.begin());
    if (!shows_sum(operations_[place])) {
      by_number_.insert(std::ranges::upper_bound(by_number_, slot, goes_first()), slot);
      return;
    }
    open_reads_.insert(std::ranges::upper_bound(open_reads_, slot), slot);
    for (std::size_t i = 0; i < now_.size(); ++i) {
      read_what_is_possible(now_.at(i));
    }
  }

  void let_return(std::uint32_t place) {
    slot_ = static_cast<std::size_t>(std::ranges::find(slots_, place) - slots_.begin());
    const bool is_add = !shows_sum(operations_[place]);
    seen_.clear();
    after_.clear();
    for (std::size_t i = 0; i < now_.size(); ++i) {
      row_.assign(now_.at(i).begin(), now_.at(i).end());
      keep();
    }
    for_each_sum(seen_, [&](std::size_t i) {
      if (is_add) {
        row_.assign(seen_.at(i).begin(), seen_.at(i).end());
        use(slot_);
        reach(sum_of(row_) + numbers_[place], steps_.size() - 1);
      }
      serve_next_read(i);
    });
    returned_ += is_add ? numbers_[place] : 0;
    std::erase(is_add ? by_number_ : open_reads_, slot_);
    slots_[slot_] = kNothingThere;
    now_.clear();
    for_each_sum(after_, [&](std::size_t i) { now_.insert(after_.at(i)); });
  }

  /// Calls `visit` with the kept possibilities of each sum, the least sum first. `visit` may add
  /// some of greater sums.
  template <class Visit>
  void for_each_sum(Configurations& all, const Visit& visit) {
    waiting_.clear();
    std::uint32_t known = 0;
    while (!is_spent()) {
      for (; known < all.size(); ++known) {
        waiting_.emplace_back(sum_of(all.at(known)), known);
        std::ranges::push_heap(waiting_, std::greater());
      }
      if (waiting_.empty()) {
        return;
      }
      take_least_sum();
      spend(1 + group_.size() / 8);
      if (choices_ == Choices::kFewOfBest && group_.size() > retreat_.width()) {
        is_cut_ = true;
        keep_least_strained(all, group_);
      }
      std::ranges::for_each(group_, visit);
    }
  }

  /// Moves those of the least sum from waiting_ to group_.
  void take_least_sum() {
    group_.clear();
    const std::int64_t least = waiting_.front().first;
    while (!waiting_.empty() && waiting_.front().first == least) {
      group_.push_back(waiting_.front().second);
      std::ranges::pop_heap(waiting_, std::greater());
      waiting_.pop_back();
    }
  }

  /// Keeps the first of equal ones, so that every sort gives the same result.
  void keep_least_strained(Configurations& all, std::vector<std::uint32_t>& group) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> strained;
    for (const std::uint32_t i : group) {
      strained.emplace_back(strain(all.at(i)), i);
    }
    std::ranges::sort(strained);
    strained.resize(retreat_.width());
    group.resize(strained.size());
    std::ranges::transform(strained, group.begin(), [](const auto& one) { return one.second; });
  }

  /// How many of the adds that never returned are used. Many of one number weigh more.
  [[nodiscard]] std::uint64_t strain(std::span<const std::uint32_t> row) const {
    std::uint64_t strain = 0;
    for (std::size_t number = 0; number < classes_.size(); ++number) {
      const std::uint64_t used = row[1 + kDoneWords + number];
      strain += used == 0 ? 0 : 256 * used * used / classes_[number].invoked.size();
    }
    return strain;
  }

  /// Adds row_ to the possibilities after the return, or to those from which others follow. Whether
  /// it is new.
  bool keep() {
    spend(1);
    const std::int64_t sum = sum_of(row_);
    const bool is_too_great = sum > least_later() || sum > least_open_read(row_);
    if (is_too_great) {
      return false;
    }
    if (!is_done(row_, slot_)) {
      return insert(seen_);
    }
    row_[1 + slot_ / 32] &= ~(1U << slot_ % 32);
    return insert(after_);
  }

  bool insert(Configurations& to) {
    if (choices_ == Choices::kAmount && is_dominated_in(to)) {
      return false;
    }
    if (is_of_few(choices_) && to.count_alike(row_, alike_) == alike_) {
      is_cut_ = true;
      return false;
    }
    return to.insert(row_);
  }

  /// Whether a possibility of the same sum has no more to do than row_.
  bool is_dominated_in(Configurations& others) {
    const std::uint64_t done = done_of(row_);
    spend(others.size() / 8);
    for (std::size_t i = 0; i < others.size() && !is_spent(); ++i) {
      const std::span<const std::uint32_t> other = others.at(i);
      if (other[0] != row_[0]) {
        continue;
      }
      spend(1 + by_number_.size());
      if (has_no_more_to_do(done_of(other), done)) {
        return true;
      }
    }
    return false;
  }

  /// Whether each add that only `a` has to do has a partner among those that only `b` has to do.
  /// The partner has no smaller number and returns no later. The greatest adds choose first. Each
  /// takes the last to return of those that return early enough.
  [[nodiscard]] bool has_no_more_to_do(std::uint64_t a, std::uint64_t b) const {
    std::uint64_t of_b = a & ~b;
    for (const std::size_t slot : by_number_) {
      if ((b & ~a & std::uint64_t{1} << slot) == 0) {
        continue;
      }
      std::size_t best = kSlots;
      for (const std::size_t other : by_number_) {
        const bool is_fit = (of_b & std::uint64_t{1} << other) != 0 &&
                            numbers_[slots_[other]] >= numbers_[slots_[slot]] &&
                            returned(other) <= returned(slot);
        best = is_fit && (best == kSlots || returned(other) > returned(best)) ? other : best;
      }
      if (best == kSlots) {
        return false;
      }
      of_b &= ~(std::uint64_t{1} << best);
    }
    return true;
  }

  [[nodiscard]] std::uint32_t returned(std::size_t slot) const {
    return operations_[slots_[slot]].returned;
  }

  static std::uint64_t done_of(std::span<const std::uint32_t> row) {
    return row[1] | std::uint64_t{row[2]} << 32;
  }

  /// The least sum that open reads show which have not happened.
  [[nodiscard]] std::int64_t least_open_read(std::span<const std::uint32_t> row) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t slot : open_reads_) {
      if (!is_done(row, slot)) {
        least = std::min(least, numbers_[slots_[slot]]);
      }
    }
    return least;
  }

  /// Serves the next read: makes all possibilities with its sum that follow from this one.
  void serve_next_read(std::size_t i) {
    row_.assign(seen_.at(i).begin(), seen_.at(i).end());
    target_ = least_open_read(row_);
    if (target_ > least_later() || target_ == std::numeric_limits<std::int64_t>::max()) {
      return;
    }
    adds_.clear();
    std::ranges::copy_if(by_number_, std::back_inserter(adds_), [&](std::size_t slot) {
      return !is_done(row_, slot) && numbers_[slots_[slot]] > 0;
    });
    choose_adds(0, target_ - sum_of(row_));
  }

  /// Of adds of one number, takes those that return first. This is enough: two adds may be
  /// exchanged in an order. Depth: the open adds.
  void choose_adds(std::size_t next, std::int64_t left) {
    spend(1);
    if (left < 0 || is_spent()) {
      return;
    }
    if (next == adds_.size()) {
      choices_made_ = 0;
      choose_others(0, left);
      return;
    }
    const SavedRow row(*this);
    const std::size_t steps = steps_.size();
    const std::int64_t number = numbers_[slots_[adds_[next]]];
    use(adds_[next]);
    choose_adds(next + 1, left - number);
    row.restore();
    if (steps_.size() == steps + 1) {
      steps_.resize(steps);  // led to nothing
    }
    while (next < adds_.size() && numbers_[slots_[adds_[next]]] == number) {
      ++next;
    }
    choose_adds(next, left);
  }

  /// Chooses among the adds that never returned. Depth: their classes.
  void choose_others(std::size_t number, std::int64_t left) {
    if (choices_ == Choices::kAmount) {
      if (possible_.may_be_amount(target_ - returned_ - sum_of_done(row_))) {
        reach(target_, steps_.size());
      }
      return;
    }
    if (choices_ == Choices::kAny) {
      if (possible_.may_be(left) && possible_.may_be(target_ - returned_ - sum_of_done(row_))) {
        reach(target_, steps_.size());
      }
      return;
    }
    spend(1);
    if (left == 0) {
      ++choices_made_;
      reach(target_, steps_.size());
      return;
    }
    while (number < classes_.size() && (classes_[number].number > left || is_twin(number))) {
      ++number;
    }
    if (number == classes_.size() || is_spent()) {
      return;
    }
    const SavedRow row(*this);
    const std::size_t steps = steps_.size();
    const NumberClass& of = classes_[number];
    const std::uint32_t used = row_[1 + kDoneWords + number];
    const auto most = static_cast<std::uint32_t>(std::min<std::int64_t>(
        static_cast<std::int64_t>(of.invoked.size()) - used, left / of.number));
    const bool is_last = number + 1 == classes_.size();
    if (is_last && most * of.number != left) {
      return;
    }
    for (std::uint32_t n = most + 1; n-- > (is_last ? most : 0) && !is_spent();) {
      spend(n);
      row.restore();
      for (std::uint32_t k = 0; k < n; ++k) {
        add_step(row_, of.invoked[used + k]);
      }
      row_[1 + kDoneWords + number] += n;
      choose_others(number + 1, left - n * of.number);
      if (steps_.size() == steps + n) {
        steps_.resize(steps);
      }
      if (is_of_few(choices_) && choices_made_ == alike_) {
        is_cut_ = true;
        break;
      }
    }
  }

  /// Whether an open add that is not done has the number of the class.
  [[nodiscard]] bool is_twin(std::size_t number) const {
    return std::ranges::any_of(adds_, [&](std::size_t slot) {
      return numbers_[slots_[slot]] == classes_[number].number && !is_done(row_, slot);
    });
  }

  /// row_ has come to this sum. If that is not new, drops the steps beyond `steps`.
  void reach(std::int64_t sum, std::size_t steps) {
    const SavedRow row(*this);
    row_[0] = number_of(sum);
    read_what_is_possible(row_);
    if (!keep()) {
      steps_.resize(steps);
    }
  }

  void use(std::size_t slot) {
    row_[1 + slot / 32] |= 1U << slot % 32;
    add_step(row_, slots_[slot]);
  }

  void read_what_is_possible(std::span<std::uint32_t> row) {
    const std::int64_t sum = sum_of(row);
    for (const std::size_t slot : open_reads_) {
      if (!is_done(row, slot) && numbers_[slots_[slot]] == sum) {
        row[1 + slot / 32] |= 1U << slot % 32;
        add_step(row, slots_[slot]);
      }
    }
  }

  /// The sum of the open adds that have happened.
  [[nodiscard]] std::int64_t sum_of_done(std::span<const std::uint32_t> row) const {
    std::int64_t sum = 0;
    for (const std::size_t slot : by_number_) {
      sum += is_done(row, slot) ? numbers_[slots_[slot]] : 0;
    }
    return sum;
  }

  static bool is_done(std::span<const std::uint32_t> row, std::size_t slot) {
    return (row[1 + slot / 32] >> slot % 32 & 1U) != 0;
  }

  std::uint32_t number_of(std::int64_t sum) {
    const auto fresh = static_cast<std::uint32_t>(sums_.size());
    const std::uint32_t number = numbers_of_sums_.find_or_add(sum, fresh);
    if (number == fresh) {
      sums_.push_back(sum);
    }
    return number;
  }

  [[nodiscard]] std::int64_t sum_of(std::span<const std::uint32_t> row) const {
    return sums_[row[0]];
  }

  struct Step {
    std::uint32_t before;
    std::uint32_t place;
  };

  void add_step(std::span<std::uint32_t> row, std::uint32_t place) {
    steps_.push_back({row.back(), place});
    row.back() = static_cast<std::uint32_t>(steps_.size() - 1);
  }

  [[nodiscard]] std::vector<std::uint32_t> order_to(std::uint32_t step) const {
    std::vector<std::uint32_t> order;
    for (; step != kNothingThere; step = steps_[step].before) {
      order.push_back(steps_[step].place);
    }
    std::ranges::reverse(order);
    return order;
  }

  const Operations& operations_;
  const std::vector<std::int64_t>& numbers_;
  const std::vector<std::int64_t>& least_later_of_;
  Choices choices_;
  Retreat<Checkpoint> retreat_;
  std::size_t alike_;
  std::size_t most_steps_;
  std::uint64_t& work_;
  bool is_cut_ = false;
  std::size_t followed_ = 0;
  std::map<std::int64_t, std::uint32_t> class_of_;  // by number
  std::vector<NumberClass> classes_;
  PossibleSums possible_;  // of the adds that never return, so far
  Configurations now_;     // before the return
  Configurations seen_;
  Configurations after_;
  std::vector<std::uint32_t> slots_;     // the operation of each, or kNothingThere
  std::size_t slot_ = 0;                 // of the operation that returns
  std::int64_t returned_ = 0;            // of the adds that have returned
  std::vector<std::size_t> by_number_;   // slots of open adds, see goes_first()
  std::vector<std::size_t> open_reads_;  // their slots, sorted
  std::uint32_t invoked_ = 0;            // operations so far
  std::int64_t target_ = 0;
  std::vector<std::size_t> adds_;  // slots of those that may be chosen
  std::size_t choices_made_ = 0;   // of adds that never returned, for one choice of the others
  std::vector<std::uint32_t> row_;
  std::vector<std::uint32_t> saved_;                             // rows, see SavedRow
  std::vector<std::pair<std::int64_t, std::uint32_t>> waiting_;  // a heap: the least sum first
  std::vector<std::uint32_t> group_;                             // those of one sum
  std::vector<std::int64_t> sums_;
  IntMap numbers_of_sums_;
  std::vector<Step> steps_;
};

}  // namespace

bool can_be_followed(const Operations& operations, const std::vector<OperationEvent>& events,
                     const std::vector<std::int64_t>& numbers) {
  std::set<std::int64_t> never_returned;
  std::size_t open = 0;
  for (const OperationEvent& event : events) {
    if (operations[event.place].is_open()) {
      never_returned.insert(numbers[event.place]);
    } else {
      open += event.is_return ? std::size_t{0} - 1 : 1;
    }
    if (open > kSlots || never_returned.size() > kMostClasses) {
      return false;
    }
  }
  return true;
}

Judgement judge_growing_counter(const Operations& operations,
                                const std::vector<OperationEvent>& events,
                                const std::vector<std::int64_t>& numbers, std::uint64_t& work) {
  const std::vector<std::int64_t> least_later = least_sums_later(operations, numbers);
  std::uint32_t place = 0;
  std::size_t furthest = 0;
  for (const Keeps& keeps : {Keeps{Choices::kFewOfBest, 1, 1}, Keeps{Choices::kAmount, 1, 1},
                             Keeps{Choices::kFewOfBest, 16, 4}, Keeps{Choices::kAny, 0, 0},
                             Keeps{Choices::kFew, 16, 16}, Keeps{Choices::kAll, 0, 0}}) {
    if (work == 0) {
      break;
    }
    const std::uint64_t given = keeps.choices == Choices::kFewOfBest ? (work + 1) / 2 : work;
    std::uint64_t left = given;
    CounterPass pass(operations, numbers, least_later, keeps, left);
    Judgement judgement = pass.run(events);
    work -= given - left;
    const bool is_bound = !counts_uses(keeps.choices);
    const bool decides =
        judgement.answer == Answer::kLinearizable
            ? !is_bound
            : judgement.answer == Answer::kNotLinearizable && (is_bound || !pass.is_cut());
    if (decides) {
      return judgement;
    }
    if (!is_bound && pass.followed() >= furthest) {  // bounds may follow what is no order
      furthest = pass.followed();
      place = judgement.places.front();
    }
  }
  return undecided(place);
}

}  // namespace elapid::linearize
