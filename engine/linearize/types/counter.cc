#include "engine/linearize/types/counter.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "engine/linearize/types/events.h"
#include "engine/linearize/types/growing_counter.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

__extension__ using Sum = __int128;

bool is_counter_read(const Operation& op) {
  return op.f == static_cast<std::uint8_t>(CounterF::kRead);
}

/// The delta of an add.
std::int64_t delta_of(const Operation& op, const ValuePool& pool) {
  return pool.as_integer(op.argument).value_or(0);
}

/// The sum that a read shows. Decoders refuse values that are no integers.
std::int64_t sum_of(const Operation& op, const ValuePool& pool) {
  return pool.as_integer(op.result).value_or(0);
}

/// All deltas but 0 are equal.
class EqualDeltas {
 public:
  EqualDeltas(const Operations& operations, const ValuePool& pool, std::int64_t delta)
      : operations_(operations), pool_(pool), delta_(delta) {}

  Judgement run() && {
    if (Judgement judgement = collect(); judgement.pattern != Pattern::kNone) {
      return judgement;
    }
    if (Judgement judgement = check_reads(); judgement.pattern != Pattern::kNone) {
      return judgement;
    }
    return give_adds();
  }

 private:
  struct Read {
    std::uint32_t count;  ///< the adds before it
    std::uint32_t place;
  };

  Judgement collect() {
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      const Operation& op = operations_[place];
      if (!is_counter_read(op)) {
        if (delta_of(op, pool_) != 0) {
          adds_.push_back(place);
        } else if (!op.is_open()) {
          order_.add(op.invoked, 0, place);
        }
      }
    }
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      if (is_counter_read(operations_[place])) {
        const std::optional<std::uint32_t> count = adds_before(operations_[place]);
        if (!count.has_value()) {
          return refuted(Pattern::kOutOfRange, {place});
        }
        reads_.push_back({*count, place});
      }
    }
    std::stable_sort(reads_.begin(), reads_.end(),
                     [](const Read& a, const Read& b) { return a.count < b.count; });
    return {};
  }

  /// None if no number of adds has this sum.
  [[nodiscard]] std::optional<std::uint32_t> adds_before(const Operation& read) const {
    const std::int64_t sum = sum_of(read, pool_);
    if (sum == 0) {
      return 0;
    }
    if (delta_ == 0 || Sum{sum} % delta_ != 0) {
      return std::nullopt;
    }
    const Sum count = Sum{sum} / delta_;
    return count > 0 && count <= Sum{adds_.size()}
               ? std::optional(static_cast<std::uint32_t>(count))
               : std::nullopt;
  }

  /// Checks that reads of less come before reads of more. Finds the bounds of each read.
  Judgement check_reads() {
    latest_before_.resize(reads_.size() + 1, kNone);
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      const bool is_later =
          latest_before_[i] == kNone || invoked(reads_[i].place) > invoked(latest_before_[i]);
      latest_before_[i + 1] = is_later ? reads_[i].place : latest_before_[i];
    }
    std::size_t group = 0;
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      group = i > 0 && reads_[i].count == reads_[i - 1].count ? group : i;
      const std::uint32_t latest = latest_before_[group];
      if (latest != kNone && invoked(latest) > operations_[reads_[i].place].returned) {
        return refuted(Pattern::kAgainstTime, {latest, reads_[i].place});
      }
    }
    first_return_.resize(reads_.size() + 1, kNone);
    for (std::size_t i = reads_.size(); i-- > 0;) {
      const std::uint32_t later = first_return_[i + 1];
      const std::uint32_t here = reads_[i].place;
      first_return_[i] =
          later == kNone || operations_[here].returned < operations_[later].returned ? here : later;
    }
    return {};
  }

  Judgement give_adds() {
    std::size_t read = 0;  // those before it show less than `count`
    std::uint32_t now = 0;
    const std::uint32_t most = reads_.empty() ? 0 : reads_.back().count;
    for (std::uint32_t count = 0; count <= most; ++count) {
      if (count > 0) {
        const Judgement judgement = give_one(count, read, now);
        if (judgement.pattern != Pattern::kNone) {
          return judgement;
        }
      }
      for (; read < reads_.size() && reads_[read].count == count; ++read) {
        const std::uint32_t place = reads_[read].place;
        order_.add(std::max(now, invoked(place)), 2 * count + 1, place);
      }
    }
    return give_rest(most, now);
  }

  Judgement give_one(std::uint32_t count, std::size_t read, std::uint32_t& now) {
    const std::uint32_t upper = first_return_[read];
    while (next_add_ < adds_.size() && invoked(adds_[next_add_]) < operations_[upper].returned) {
      open_.emplace(operations_[adds_[next_add_]].returned, adds_[next_add_]);
      ++next_add_;
    }
    if (open_.empty()) {
      return refuted(Pattern::kOutOfRange, {upper});
    }
    const std::uint32_t lower = latest_before_[read];
    const auto [returned, place] = open_.top();
    open_.pop();
    if (lower != kNone && returned < invoked(lower)) {
      return shows_too_little(lower);
    }
    now = std::max({now, invoked(place), lower == kNone ? 0 : invoked(lower)});
    order_.add(now, 2 * count, place);
    return {};
  }

  Judgement give_rest(std::uint32_t count, std::uint32_t now) {
    for (; next_add_ < adds_.size(); ++next_add_) {
      open_.emplace(operations_[adds_[next_add_]].returned, adds_[next_add_]);
    }
    const std::uint32_t lower = latest_before_.back();
    for (; !open_.empty() && open_.top().first != kNever; open_.pop()) {
      const auto [returned, place] = open_.top();
      if (lower != kNone && returned < invoked(lower)) {
        return shows_too_little(lower);
      }
      order_.add(std::max({now, invoked(place), lower == kNone ? 0 : invoked(lower)}),
                 2 * count + 2, place);
    }
    return linearizable(std::move(order_).sorted());
  }

  /// Of a read before which more adds have to come than it shows. It is out of range if more than
  /// that returned before it.
  [[nodiscard]] Judgement shows_too_little(std::uint32_t read) const {
    const auto before = std::ranges::count_if(
        adds_, [&](std::uint32_t add) { return operations_[add].returned < invoked(read); });
    const bool is_out_of_range = std::cmp_greater(before, *adds_before(operations_[read]));
    return refuted(is_out_of_range ? Pattern::kOutOfRange : Pattern::kNoOrder, {read});
  }

  [[nodiscard]] std::uint32_t invoked(std::uint32_t place) const {
    return operations_[place].invoked;
  }

  static constexpr std::uint32_t kNone = 0xffffffffU;
  using Ending = std::pair<std::uint32_t, std::uint32_t>;  // return and place

  const Operations& operations_;
  const ValuePool& pool_;
  std::int64_t delta_;
  std::vector<std::uint32_t> adds_;           // by invocation
  std::vector<Read> reads_;                   // by count
  std::vector<std::uint32_t> latest_before_;  // of the reads before each place, that invoked last
  std::vector<std::uint32_t> first_return_;   // of the reads from each place on
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> open_;
  std::size_t next_add_ = 0;
  TimedOrder order_;
};

/// A read that shows less or more than the adds before and beside it allow, if there is one.
std::optional<std::uint32_t> out_of_range(const Operations& operations,
                                          const std::vector<OperationEvent>& events,
                                          const ValuePool& pool) {
  // The bounds have two parts: what surely happened, and the extremes of what can have happened.
  Sum least = 0;
  Sum most = 0;
  Sum least_before = 0;  // what adds that returned change in `least` and `most` beyond that
  Sum most_before = 0;
  std::vector<std::pair<Sum, Sum>> at_invocation(operations.size());
  for (const OperationEvent& event : events) {
    const Operation& op = operations[event.place];
    if (is_counter_read(op)) {
      if (!event.is_return) {
        at_invocation[event.place] = {least_before, most_before};
        continue;
      }
      const auto [sure_more, sure_less] = at_invocation[event.place];
      const Sum sum = sum_of(op, pool);
      if (sum < least + sure_more || sum > most + sure_less) {
        return event.place;
      }
      continue;
    }
    const Sum delta = delta_of(op, pool);
    if (!event.is_return) {
      (delta < 0 ? least : most) += delta;
    } else {
      (delta < 0 ? most_before : least_before) += delta;
    }
  }
  return std::nullopt;
}

/// The numbers for judge_growing_counter(), none negative. A counter that only shrinks has its
/// signs changed. Empty if deltas have both signs.
std::vector<std::int64_t> growing_numbers(const Operations& operations, const ValuePool& pool) {
  Sum rise = 0;
  Sum fall = 0;
  for (const Operation& op : operations) {
    const std::int64_t delta = is_counter_read(op) ? 0 : delta_of(op, pool);
    (delta < 0 ? fall : rise) += delta;
  }
  constexpr Sum kMost = Sum{1} << 62;
  if ((rise != 0 && fall != 0) || rise >= kMost || -fall >= kMost) {
    return {};
  }
  std::vector<std::int64_t> numbers;
  for (const Operation& op : operations) {
    const std::int64_t number = is_counter_read(op) ? sum_of(op, pool) : delta_of(op, pool);
    numbers.push_back(fall != 0 ? -number : number);
  }
  return numbers;
}

}  // namespace

Judgement judge_counter(const Operations& operations, const ValuePool& pool, std::uint64_t work) {
  std::int64_t delta = 0;
  bool is_equal = true;
  for (const Operation& op : operations) {
    if (!is_counter_read(op) && delta_of(op, pool) != 0) {
      is_equal = is_equal && (delta == 0 || delta == delta_of(op, pool));
      delta = delta_of(op, pool);
    }
  }
  if (is_equal) {
    return EqualDeltas(operations, pool, delta).run();
  }
  const std::vector<OperationEvent> events = events_of(operations);
  if (const std::optional<std::uint32_t> place = out_of_range(operations, events, pool)) {
    return refuted(Pattern::kOutOfRange, {*place});
  }
  if (const std::vector<std::int64_t> numbers = growing_numbers(operations, pool);
      !numbers.empty() && can_be_followed(operations, events, numbers)) {
    // 2 to 3 s of CPU; 10,000 operations of 20 clients, 1 % never returned, take up to 75 % of it.
    constexpr std::uint64_t kWorkOfCounter = 100'000'000;
    const std::uint64_t more = std::max(kWorkOfCounter, 6 * kWorkOfEach * operations.size());
    std::uint64_t left = work < kDefaultWork ? work : std::max(work, more);
    return judge_growing_counter(operations, events, numbers, left);
  }
  return sweep(operations, CounterModel(operations, pool), work);
}

namespace {

/// A state has two words, or four where sums may exceed 64 bits.
Sum sum_in(const State& state) {
  Sum sum = static_cast<std::int32_t>(state.back());
  for (std::size_t word = state.size() - 1; word-- > 0;) {
    sum = sum * (Sum{1} << 32) + state[word];
  }
  return sum;
}

State state_of(Sum sum, std::size_t words) {
  State state;
  for (std::size_t word = 0; word < words; ++word) {
    state.push_back(static_cast<std::uint32_t>(sum >> (32 * word)));
  }
  return state;
}

}  // namespace

CounterModel::CounterModel(const Operations& operations, const ValuePool& pool) : pool_(pool) {
  Sum most = 0;  // that adds can come to, either way
  for (const Operation& op : operations) {
    if (!is_counter_read(op)) {
      const std::int64_t delta = delta_of(op, pool);
      only_grows_ = only_grows_ && delta >= 0;
      only_shrinks_ = only_shrinks_ && delta <= 0;
      most += delta < 0 ? -Sum{delta} : Sum{delta};
    }
  }
  words_ = most > std::numeric_limits<std::int64_t>::max() ? 4 : 2;
}

bool CounterModel::may_reach(const State& state, const Operation& read) const {
  const Sum sum = sum_in(state);
  return read.result.is_none() || ((!only_grows_ || sum <= sum_of(read, pool_)) &&
                                   (!only_shrinks_ || sum >= sum_of(read, pool_)));
}

void CounterModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  const Sum sum = sum_in(state);
  if (!is_read(op)) {
    next.push_back(state_of(sum + delta_of(op, pool_), words_));
  } else if (op.result.is_none() || sum == sum_of(op, pool_)) {
    next.push_back(state);
  }
}

}  // namespace elapid::linearize
