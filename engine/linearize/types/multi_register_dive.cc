#include "engine/linearize/types/multi_register_dive.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "engine/linearize/types/configurations.h"
#include "engine/linearize/types/effect_classes.h"
#include "engine/linearize/types/events.h"

namespace elapid::linearize {
namespace {

constexpr std::uint32_t kNoStep = 0xffffffffU;
const std::uint32_t kAnyValue = ValueId::none().bits();

/// The transactions that never return which are tried where one needs a value.
constexpr std::size_t kMostHelpers = 4;

/// The steps behind which it may have taken effect unseen.
constexpr std::size_t kMostStepsBack = 50;

/// The possibilities that are kept, and the events of a segment.
constexpr std::size_t kBeam = 32;
constexpr std::size_t kWidestBeam = 2048;
constexpr std::size_t kSegment = 32;
constexpr std::size_t kMostDeadEnds = 9;  // in a segment

/// The number of a register, and a value.
using Cell = std::pair<std::uint32_t, std::uint32_t>;

/// What a transaction needs of the registers, and what it leaves in them; both by register.
struct Call {
  std::vector<Cell> reads;
  std::vector<Cell> writes;
  bool is_possible = true;
};

bool has(const std::vector<Cell>& cells, std::uint32_t slot) {
  return std::ranges::binary_search(cells, slot, {}, &Cell::first);
}

/// Whether the hidden one may take effect just before the call, unseen.
bool hides(const Call& call, const Call& hidden) {
  return hidden.is_possible && hidden.reads.empty() &&
         std::ranges::all_of(hidden.writes, [&](const Cell& cell) {
           return has(call.writes, cell.first) && !has(call.reads, cell.first);
         });
}

/// Whether the other one may have to take effect before the call, which changes what it needs, or
/// overwrites a part of what it writes.
bool hinders(const Call& call, const Call& other) {
  const auto is_written = [&](const Cell& cell) { return has(call.writes, cell.first); };
  return std::ranges::any_of(other.reads, is_written) ||
         (std::ranges::any_of(other.writes, is_written) && !hides(call, other));
}

Call call_of(std::span<const RegisterStep> steps,
             const std::map<std::uint32_t, std::uint32_t>& slot_of) {
  std::map<std::uint32_t, std::uint32_t> reads;
  std::map<std::uint32_t, std::uint32_t> writes;
  Call call;
  for (const RegisterStep& step : steps) {
    const std::uint32_t slot = slot_of.at(step.key.value);
    const std::uint32_t value = step.value.bits();
    if (step.is_write) {
      writes[slot] = value;
      continue;
    }
    const auto written = writes.find(slot);
    const std::uint32_t seen =
        written != writes.end() ? written->second : reads.try_emplace(slot, value).first->second;
    call.is_possible = call.is_possible && seen == value;
  }
  call.reads.assign(reads.begin(), reads.end());
  call.writes.assign(writes.begin(), writes.end());
  return call;
}

struct DiveStep {
  std::uint32_t before;
  std::uint32_t place;
  std::uint32_t next;  // it took effect just before this step, though found out later; or kNoStep
  std::uint32_t last_use;  // the last step so far of a transaction that never returned, or kNoStep
};

class Dive {
 public:
  Dive(const Operations& operations, const RegisterCalls& calls, const InitialValues& initial,
       std::uint64_t work)
      : operations_(operations),
        work_left_(work),
        classes_(effect_classes(operations)),
        events_(events_of(operations)),
        slots_(most_open_at_once(operations, events_), kNoStep),
        words_((slots_.size() + 31) / 32),
        registers_(initial.size()),
        crashed_of_effect_(classes_.example.size(), kNoStep),
        first_step_(operations.size()) {
    std::map<std::uint32_t, std::uint32_t> slot_of;
    for (const auto& [key, value] : initial) {
      slot_of.emplace(key, slot_of.size());
      row_.push_back(value.bits());
    }
    for (const std::uint32_t example : classes_.example) {
      calls_.push_back(call_of(calls.at(operations[example].argument), slot_of));
    }
    for (std::uint32_t place = 0; place < operations.size(); ++place) {
      std::uint32_t& number = crashed_of_effect_[classes_.of[place]];
      if (operations[place].is_open() && number == kNoStep) {
        number = static_cast<std::uint32_t>(crashed_.size());
        crashed_.push_back({classes_.of[place], {}});
        for (const Cell& cell : call(place).writes) {
          crashed_writers_[cell].push_back(number);
        }
      }
    }
  }

  Judgement run() && {
    const std::size_t words = registers_ - 1 + 2 * words_;
    now_ = seen_ = after_ = Configurations(words, 1);
    row_.resize(now_.width(), 0);
    row_.back() = kNoStep;
    now_.insert(row_);
    std::size_t at = 0;
    std::size_t furthest = 0;
    while (at < events_.size()) {
      if (at % kSegment == 0) {
        begin_segment(at / kSegment);
      }
      const OperationEvent& event = events_[at];
      if (event.is_return && !return_of(event.place)) {
        furthest = std::max(furthest, at);
        if (!go_back(at)) {
          return undecided(events_[furthest].place);
        }
        continue;
      }
      if (!event.is_return) {
        invoke(event.place);
      }
      ++at;
    }
    return linearizable(order_to(now_.at(0).back()));
  }

 private:
  /// What to go back to, and how often the search ended in the segment.
  struct Segment {
    Configurations now{0, 0};
    std::vector<std::uint32_t> slots;
    std::size_t steps = 0;
    std::size_t dead_ends = 0;
  };

  /// Equal transactions that never return.
  struct CrashedClass {
    std::uint32_t effect;
    std::vector<std::uint32_t> invoked;  ///< so far
  };

  using Row = std::span<std::uint32_t>;
  using ConstRow = std::span<const std::uint32_t>;

  [[nodiscard]] const Call& call(std::uint32_t place) const { return calls_[classes_.of[place]]; }

  void begin_segment(std::size_t number) {
    if (number == segments_.size()) {
      segments_.emplace_back();
    }
    Segment& segment = segments_[number];
    segment.now = now_;
    segment.slots = slots_;
    segment.steps = steps_.size();
    if (number >= widened_to_) {
      beam_ = kBeam;
      price_ = 0;
    }
  }

  /// From a dead end to an earlier segment, each time further, with a wider beam and another price
  /// of transactions that never return. Whether that may help.
  bool go_back(std::size_t& at) {
    const std::size_t number = at / kSegment;
    const std::size_t dead_ends = ++segments_[number].dead_ends;
    if (dead_ends > kMostDeadEnds || work_left_ == 0) {
      return false;
    }
    widened_to_ = std::max(widened_to_, number + 2);
    beam_ = std::min(kWidestBeam, std::max(beam_, kBeam << (dead_ends < 5 ? 2 * dead_ends : 4)));
    price_ = dead_ends % 3;
    const std::size_t steps = dead_ends < 5 ? dead_ends : std::size_t{1} << (dead_ends - 2);
    const std::size_t to = number - std::min(number, steps);
    const std::size_t first = to * kSegment;
    for (std::size_t undone = at; undone > first; --undone) {
      const auto& [instant, place, is_return] = events_[undone - 1];
      if (!is_return && operations_[place].is_open()) {
        crashed_[crashed_of_effect_[classes_.of[place]]].invoked.pop_back();
      }
    }
    now_ = segments_[to].now;
    slots_ = segments_[to].slots;
    steps_.resize(segments_[to].steps);
    at = first;
    return true;
  }

  void invoke(std::uint32_t place) {
    first_step_[place] = steps_.size();
    if (operations_[place].is_open()) {
      crashed_[crashed_of_effect_[classes_.of[place]]].invoked.push_back(place);
      return;
    }
    *std::ranges::find(slots_, kNoStep) = place;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      read_all_possible(now_.at(i));
    }
  }

  /// Keeps some possibilities in which the transaction has taken effect. Whether there are any.
  bool return_of(std::uint32_t place) {
    const auto slot = static_cast<std::uint32_t>(std::ranges::find(slots_, place) - slots_.begin());
    seen_.clear();
    after_.clear();
    for (std::size_t i = 0; i < now_.size(); ++i) {
      take(now_.at(i));
      keep(slot);
    }
    for (std::size_t i = 0; i < seen_.size() && i < 8 * beam_ && work_left_ > 0; ++i) {
      advance(i, slot);
    }
    slots_[slot] = kNoStep;
    narrow();
    return now_.size() > 0;
  }

  /// Fills now_ with the best of after_: those with few open transactions whose reads are not
  /// served, and few used ones that never return, by their price.
  void narrow() {
    std::vector<std::uint32_t> open_reads(words_);
    std::vector<std::uint32_t> needy;
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] == kNoStep) {
        continue;
      }
      if (call(slots_[slot]).writes.empty()) {
        open_reads[slot / 32] |= 1U << slot % 32;
      }
      if (!call(slots_[slot]).reads.empty()) {
        needy.push_back(slot);
      }
    }
    std::vector<std::pair<std::uint64_t, std::size_t>> ranks;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      const ConstRow row = after_.at(i);
      const auto unmet = static_cast<std::uint64_t>(
          std::ranges::count_if(needy, [&](std::uint32_t slot) { return !is_done(row, slot); }));
      const std::uint64_t used = after_.used(row);
      ranks.emplace_back(price_ * used + unmet, i);
    }
    std::ranges::sort(ranks);
    now_.clear();
    for (const auto& [rank, i] : ranks) {
      const ConstRow row = after_.at(i);
      bool is_needless = now_.size() >= beam_;
      for (std::size_t k = 0; k < now_.size() && !is_needless; ++k) {
        is_needless = is_as_good(now_.at(k), row, open_reads);
      }
      if (!is_needless) {
        now_.insert(row);
      }
    }
  }

  /// Whether all that is possible for a row is possible for the other one, but for what it used: a
  /// hidden transaction may count as done or not, and a read that is done hinders nothing.
  [[nodiscard]] bool is_as_good(ConstRow other, ConstRow row,
                                const std::vector<std::uint32_t>& open_reads) const {
    if (!std::ranges::equal(other.first(registers_), row.first(registers_))) {
      return false;
    }
    for (std::size_t k = 0; k < words_; ++k) {
      const std::uint32_t done = other[registers_ + k];
      const std::uint32_t hidden = other[registers_ + words_ + k];
      const std::uint32_t differs = (done ^ row[registers_ + k]) | row[registers_ + words_ + k];
      if ((differs & ~hidden & ~(done & open_reads[k])) != 0) {
        return false;
      }
    }
    return true;
  }

  void take(Row row) { row_.assign(row.begin(), row.end()); }

  /// Adds row_ to those that are to advance, or to those behind the return, or both.
  bool keep(std::uint32_t slot) {
    const bool is_behind = is_done(row_, slot);
    const bool is_unseen = !is_behind && is_hidden(row_, slot);
    clear_marks(slot);
    bool is_new = !is_behind && seen_.insert_cheapest(row_);
    if (is_unseen) {
      add_step(row_, slots_[slot], hiding_step(call(slots_[slot])));
    }
    if (is_behind || is_unseen) {
      is_new = after_.insert_cheapest(row_) || is_new;
    }
    return is_new;
  }

  /// Lets one transaction take effect: the one in the slot, one that writes what it needs, or one
  /// that has to come before it; and so on for these.
  void advance(std::size_t i, std::uint32_t slot) {
    from_.assign(seen_.at(i).begin(), seen_.at(i).end());
    std::vector<std::uint32_t> wanted = {slot};
    bool has_counted = false;
    const auto want = [&](std::uint32_t other) {
      if (std::ranges::find(wanted, other) == wanted.end()) {
        wanted.push_back(other);
      }
    };
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const Call& acting = call(slots_[wanted[k]]);
      if (is_enabled(from_, acting)) {
        let_act(slots_[wanted[k]], wanted[k], slot);
        for_open_ones(from_, [&](std::uint32_t other) {
          if (hinders(acting, call(slots_[other]))) {
            want(other);
          }
        });
      } else {
        if (!has_counted) {
          count_uses();
          has_counted = true;
        }
        help(acting, want, slot);
      }
    }
  }

  /// Lets those act that never return and write what the needy one needs; wants the open ones that
  /// do.
  template <class Want>
  void help(const Call& needy, const Want& want, std::uint32_t slot) {
    for (const Cell& cell : needy.reads) {
      const std::uint32_t held = from_[cell.first];
      if (held == cell.second || held == kAnyValue) {
        continue;
      }
      for_open_ones(from_, [&](std::uint32_t other) {
        if (std::ranges::binary_search(call(slots_[other]).writes, cell)) {
          want(other);
        }
      });
      for (const std::uint32_t number : best_crashed(from_, cell, needy)) {
        const CrashedClass& crashed = crashed_[number];
        const std::uint32_t place = crashed.invoked[used_[number]];
        let_act(place, kNoStep, slot);
        if (call(place).writes.size() > 1) {
          let_act_earlier(place, cell.first, slot);
        }
      }
    }
  }

  /// The best unused ones that never return and write the cell: those that write more of what the
  /// needy one needs, and less of something else.
  std::vector<std::uint32_t> best_crashed(ConstRow row, const Cell& cell, const Call& needy) {
    std::vector<std::pair<std::ptrdiff_t, std::uint32_t>> best;
    const auto writers = crashed_writers_.find(cell);
    if (writers != crashed_writers_.end()) {
      for (const std::uint32_t number : writers->second) {
        if (used_[number] < crashed_[number].invoked.size()) {
          best.emplace_back(harm(row, calls_[crashed_[number].effect], needy), number);
        }
      }
      work_left_ -= std::min<std::uint64_t>(work_left_, writers->second.size() / 8);
    }
    const std::size_t count = std::min(best.size(), kMostHelpers);
    std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::uint32_t> numbers;
    for (std::size_t k = 0; k < count; ++k) {
      numbers.push_back(best[k].second);
    }
    return numbers;
  }

  /// Less for each register that gets the value that the needy one needs, more for each other one
  /// that changes.
  static std::ptrdiff_t harm(ConstRow row, const Call& writer, const Call& needy) {
    std::ptrdiff_t harm = 0;
    for (const Cell& cell : writer.writes) {
      if (row[cell.first] != cell.second) {
        const bool is_needed = std::ranges::binary_search(needy.reads, cell);
        const bool is_wrong = !is_needed && has(needy.reads, cell.first);
        harm += is_needed ? -2 : is_wrong ? 3 : 1;
      }
    }
    return harm;
  }

  /// The transaction takes effect; `own` is its slot, if it returns.
  void let_act(std::uint32_t place, std::uint32_t own, std::uint32_t slot) {
    const std::size_t steps = steps_.size();
    row_ = from_;
    const Call& acting = call(place);
    for (const auto* cells : {&acting.reads, &acting.writes}) {
      for (const auto& [number, value] : *cells) {
        row_[number] = value;
      }
    }
    if (own == kNoStep) {
      ++row_[registers_ + 2 * words_];
    } else {
      mark_done(own);
    }
    add_step(row_, place, kNoStep);
    for_open_ones(row_, [&](std::uint32_t other) {
      if (hides(acting, call(slots_[other]))) {
        row_[registers_ + words_ + other / 32] |= 1U << other % 32;
      }
    });
    read_all_possible(row_);
    if (!keep(slot)) {
      steps_.resize(steps);
    }
    work_left_ -= std::min<std::uint64_t>(work_left_, 1);
  }

  /// One that never returns takes effect before steps that overwrote a part of what it writes. What
  /// it writes to the register is seen only now.
  void let_act_earlier(std::uint32_t place, std::uint32_t wanted, std::uint32_t slot) {
    enum class Access : std::uint8_t { kNone, kRead, kWrite };
    const Call& acting = call(place);
    std::vector<Access> next(acting.writes.size(), Access::kNone);
    const auto meet = [&](const Call& other) {
      for (std::size_t k = 0; k < next.size(); ++k) {
        const std::uint32_t number = acting.writes[k].first;
        next[k] = has(other.reads, number)    ? Access::kRead
                  : has(other.writes, number) ? Access::kWrite
                                              : next[k];
      }
    };
    std::vector<std::uint32_t> inserted;
    std::uint32_t step = from_.back();
    for (std::size_t k = 0; k < kMostStepsBack && step != kNoStep && step >= first_step_[place];
         ++k, step = steps_[step].before) {
      if (steps_[step].next != kNoStep) {
        inserted.push_back(step);
        continue;
      }
      meet(call(steps_[step].place));
      if (std::ranges::find(next, Access::kRead) == next.end() &&
          std::ranges::find(next, Access::kWrite) != next.end()) {
        row_ = from_;
        for (std::size_t w = 0; w < next.size(); ++w) {
          if (next[w] == Access::kNone) {
            row_[acting.writes[w].first] = acting.writes[w].second;
          }
        }
        if (row_[wanted] == from_[wanted]) {
          return;
        }
        ++row_[registers_ + 2 * words_];
        add_step(row_, place, step);
        read_all_possible(row_);
        keep(slot);
        return;
      }
      for (const std::uint32_t other : inserted) {
        if (steps_[other].next == step) {
          meet(call(steps_[other].place));
        }
      }
    }
  }

  void read_all_possible(Row row) {
    for_open_ones(row, [&](std::uint32_t slot) {
      const Call& reader = call(slots_[slot]);
      const bool is_sure = std::ranges::all_of(
          reader.reads, [&](const Cell& cell) { return row[cell.first] == cell.second; });
      if (reader.writes.empty() && reader.is_possible && is_sure) {
        row[registers_ + slot / 32] |= 1U << slot % 32;
        add_step(row, slots_[slot], kNoStep);
      }
    });
  }

  /// Calls `see` with the slot of each open transaction that is not done.
  template <class See>
  void for_open_ones(ConstRow row, const See& see) const {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] != kNoStep && !is_done(row, slot)) {
        see(slot);
      }
    }
  }

  static bool is_enabled(ConstRow row, const Call& call) {
    return call.is_possible && std::ranges::all_of(call.reads, [&](const Cell& cell) {
             return row[cell.first] == cell.second || row[cell.first] == kAnyValue;
           });
  }

  [[nodiscard]] bool is_done(ConstRow row, std::uint32_t slot) const {
    return (row[registers_ + slot / 32] >> slot % 32 & 1U) != 0;
  }

  [[nodiscard]] bool is_hidden(ConstRow row, std::uint32_t slot) const {
    return (row[registers_ + words_ + slot / 32] >> slot % 32 & 1U) != 0;
  }

  void mark_done(std::uint32_t slot) {
    clear_marks(slot);
    row_[registers_ + slot / 32] |= 1U << slot % 32;
  }

  void clear_marks(std::uint32_t slot) {
    row_[registers_ + slot / 32] &= ~(1U << slot % 32);
    row_[registers_ + words_ + slot / 32] &= ~(1U << slot % 32);
  }

  void add_step(Row row, std::uint32_t place, std::uint32_t next) {
    const auto fresh = static_cast<std::uint32_t>(steps_.size());
    const std::uint32_t last_use = operations_[place].is_open() ? fresh : last_use_of(row);
    steps_.push_back({row.back(), place, next, last_use});
    row.back() = fresh;
  }

  [[nodiscard]] std::uint32_t last_use_of(ConstRow row) const {
    return row.back() == kNoStep ? kNoStep : steps_[row.back()].last_use;
  }

  /// How many of each class from_ used.
  void count_uses() {
    used_.assign(crashed_.size(), 0);
    std::uint32_t step = last_use_of(from_);
    while (step != kNoStep) {
      ++used_[crashed_of_effect_[classes_.of[steps_[step].place]]];
      const std::uint32_t before = steps_[step].before;
      step = before == kNoStep ? kNoStep : steps_[before].last_use;
    }
  }

  /// The last step of row_ that hides the call.
  [[nodiscard]] std::uint32_t hiding_step(const Call& hidden) const {
    std::uint32_t step = row_.back();
    while (steps_[step].next != kNoStep || !hides(call(steps_[step].place), hidden)) {
      step = steps_[step].before;
    }
    return step;
  }

  std::vector<std::uint32_t> order_to(std::uint32_t last) const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> inserted;  // the latest first
    std::vector<std::uint32_t> order;
    for (std::uint32_t step = last; step != kNoStep; step = steps_[step].before) {
      const auto& [before, place, next, last_use] = steps_[step];
      if (next != kNoStep) {
        inserted[next].push_back(place);
        continue;
      }
      order.push_back(place);
      const std::vector<std::uint32_t>& others = inserted[step];
      order.insert(order.end(), others.begin(), others.end());
    }
    std::ranges::reverse(order);
    return order;
  }

  const Operations& operations_;
  std::uint64_t work_left_;
  std::size_t beam_ = kBeam;
  std::uint64_t price_ = 0;
  std::vector<Segment> segments_;
  std::size_t widened_to_ = 0;  // the segment with which the beam becomes narrow again
  EffectClasses classes_;
  std::vector<Call> calls_;  // by class
  std::vector<OperationEvent> events_;
  std::vector<std::uint32_t> slots_;  // the transaction of each, or kNoStep
  std::size_t words_;
  std::size_t registers_;
  std::vector<std::uint32_t> crashed_of_effect_;
  std::vector<CrashedClass> crashed_;
  std::map<Cell, std::vector<std::uint32_t>> crashed_writers_;
  std::vector<std::size_t> first_step_;  // since the invocation
  std::vector<DiveStep> steps_;
  // Rows: the values, bits of open ones that are done, bits of hidden ones, the used ones.
  Configurations now_{0, 0};
  Configurations seen_{0, 0};
  Configurations after_{0, 0};
  std::vector<std::uint32_t> row_;
  std::vector<std::uint32_t> used_;  // by it, of each class
  std::vector<std::uint32_t> from_;  // that which advances
};

}  // namespace

Judgement dive(const Operations& operations, const RegisterCalls& calls,
               const InitialValues& initial, std::uint64_t work) {
  return Dive(operations, calls, initial, work).run();
}

}  // namespace elapid::linearize
