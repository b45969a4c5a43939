#include "engine/linearize/types/model_sweep.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/configurations.h"
#include "engine/linearize/types/effect_classes.h"
#include "engine/linearize/types/events.h"
#include "engine/linearize/types/state_table.h"

namespace elapid::linearize {
namespace {

constexpr std::uint32_t kNothing = 0xffffffffU;

/// The limits of a pass that does not keep all configurations. It tries no more operations that
/// never return if it has kEnough configurations behind the return, or one after kEnoughTried
/// attempts.
constexpr std::size_t kEnough = 16;
constexpr std::size_t kEnoughTried = 64;

/// The steps from states. The model is asked for each once.
class Transitions {
 public:
  Transitions(const Model& model, const Operations& operations, const EffectClasses& classes)
      : model_(model), operations_(operations), classes_(classes) {}

  std::uint32_t initial() { return states_.intern(model_.initial()); }

  /// The states to which the class leads from a state, valid until the next call. Adds to `work`
  /// what it costs.
  std::span<const std::uint32_t> from(std::uint32_t state, std::uint32_t effect,
                                      std::uint64_t& work) {
    const auto fresh = static_cast<std::uint32_t>(begin_.size() - 1);
    const std::uint32_t known =
        known_.find_or_add(std::int64_t{state} << 32 | std::int64_t{effect}, fresh);
    if (known == fresh) {
      const std::span<const std::uint32_t> numbers = states_.at(state);
      state_.assign(numbers.begin(), numbers.end());
      next_.clear();
      model_.step(state_, operations_[classes_.example[effect]], next_);
      work += 1 + state_.size() / 4 * (1 + next_.size());
      for (const State& next : next_) {
        targets_.push_back(states_.intern(next));
      }
      begin_.push_back(targets_.size());
    }
    return std::span(targets_).subspan(begin_[known], begin_[known + 1] - begin_[known]);
  }

  /// Whether a read may still become possible.
  bool may_reach(std::uint32_t state, const Operation& read) {
    const std::span<const std::uint32_t> numbers = states_.at(state);
    state_.assign(numbers.begin(), numbers.end());
    return model_.may_reach(state_, read);
  }

 private:
  const Model& model_;
  const Operations& operations_;
  const EffectClasses& classes_;
  StateTable states_;
  IntMap known_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::size_t> begin_ = {0};
  State state_;
  std::vector<State> next_;
};

/// An operation that took effect after the steps up to `before`.
struct Step {
  std::uint32_t before;
  std::uint32_t place;
};

class Sweep {
 public:
  /// `keeps_all`: keeps all configurations; otherwise one of those that differ only in the
  /// operations that they used of those that never return.
  Sweep(const Operations& operations, const Model& model, bool keeps_all, std::uint64_t& work_left)
      : operations_(operations),
        model_(model),
        keeps_all_(keeps_all),
        work_left_(work_left),
        classes_(effect_classes(operations)),
        transitions_(model, operations, classes_),
        events_(events_of(operations)),
        slots_(most_open_at_once(operations, events_), kNothing),
        words_((slots_.size() + 31) / 32),
        crashed_of_effect_(classes_.example.size(), kNothing),
        crashed_(crashed_classes()),
        now_(words_, crashed_.size()),
        seen_(words_, crashed_.size()),
        after_(words_, crashed_.size()) {}

  Judgement run() && {
    row_.assign(now_.width(), 0);
    row_[0] = transitions_.initial();
    row_.back() = kNothing;
    now_.insert(row_);
    for (const OperationEvent& event : events_) {
      if (!event.is_return) {
        invoke(event.place);
        continue;
      }
      return_of(event.place);
      if (now_.size() == 0) {
        return is_spent_ || is_cut_ ? undecided(event.place)
                                    : refuted(Pattern::kNoOrder, {event.place});
      }
    }
    return linearizable(order_to(now_.at(0).back()));
  }

 private:
  /// Operations with one effect that never return.
  struct CrashedClass {
    std::uint32_t effect;
    std::vector<std::uint32_t> invoked;  ///< so far
  };

  /// Also numbers the classes in crashed_of_effect_.
  std::vector<CrashedClass> crashed_classes() {
    std::vector<CrashedClass> crashed;
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      std::uint32_t& number = crashed_of_effect_[classes_.of[place]];
      if (operations_[place].is_open() && number == kNothing &&
          !model_.is_read(operations_[place])) {
        number = static_cast<std::uint32_t>(crashed.size());
        crashed.push_back({classes_.of[place], {}});
      }
    }
    return crashed;
  }

  void invoke(std::uint32_t place) {
    if (operations_[place].is_open()) {
      if (const std::uint32_t number = crashed_of_effect_[classes_.of[place]]; number != kNothing) {
        crashed_[number].invoked.push_back(place);
      }
      return;
    }
    const auto free = std::find(slots_.begin(), slots_.end(), kNothing);
    *free = place;
    if (model_.is_read(operations_[place])) {
      const auto slot = static_cast<std::uint32_t>(free - slots_.begin());
      open_reads_.push_back(slot);
      for (std::size_t i = 0; i < now_.size(); ++i) {
        read_if_possible(now_.at(i), slot);
      }
    }
  }

  /// Keeps the configurations in which the operation has taken effect.
  void return_of(std::uint32_t place) {
    slot_ =
        static_cast<std::uint32_t>(std::find(slots_.begin(), slots_.end(), place) - slots_.begin());
    seen_.clear();
    after_.clear();
    for (std::size_t i = 0; i < now_.size(); ++i) {
      row_.assign(now_.at(i).begin(), now_.at(i).end());
      keep();
    }
    search();
    if (is_spent_) {
      after_.clear();
    }
    slots_[slot_] = kNothing;
    std::erase(open_reads_, slot_);
    std::swap(now_, after_);
  }

  /// Adds row_ to the configurations after the return, or to those that are searched further.
  bool keep() {
    if (is_hopeless(row_)) {
      return false;
    }
    if (!is_done(row_, slot_)) {
      return insert(seen_);
    }
    row_[1 + slot_ / 32] &= ~(1U << slot_ % 32);
    return insert(after_);
  }

  bool insert(Configurations& configurations) {
    if (keeps_all_) {
      return configurations.insert(row_);
    }
    is_cut_ = is_cut_ || configurations.alike(row_);
    return configurations.insert_cheapest(row_);
  }

  /// Whether an open read can never become possible.
  bool is_hopeless(std::span<const std::uint32_t> row) {
    return std::ranges::any_of(open_reads_, [&](std::uint32_t slot) {
      return !is_done(row, slot) && !transitions_.may_reach(row[0], operations_[slots_[slot]]);
    });
  }

  /// Configurations that used fewer operations that never return come first, since they make others
  /// needless.
  void search() {
    std::size_t looked_at = 0;
    std::size_t crashed_looked_at = 0;
    while (!is_spent_ && (looked_at < seen_.size() || crashed_looked_at < looked_at)) {
      if (looked_at < seen_.size()) {
        let_open_ones_act(looked_at++);
      } else if (!keeps_all_ && is_enough(crashed_looked_at)) {
        is_cut_ = true;
        return;
      } else {
        let_crashed_ones_act(crashed_looked_at++);
      }
    }
  }

  [[nodiscard]] bool is_enough(std::size_t tried) const {
    return after_.size() >= kEnough || (after_.size() > 0 && tried >= kEnoughTried);
  }

  void let_open_ones_act(std::size_t i) {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      const std::uint32_t place = slots_[slot];
      if (place == kNothing || is_done(seen_.at(i), slot) || is_later_twin(seen_.at(i), place)) {
        continue;
      }
      act(i, classes_.of[place], place, [&] { row_[1 + slot / 32] |= 1U << slot % 32; });
    }
  }

  void let_crashed_ones_act(std::size_t i) {
    for (std::uint32_t number = 0; number < crashed_.size(); ++number) {
      const std::uint32_t used = seen_.at(i)[1 + words_ + number];
      if (used < crashed_[number].invoked.size()) {
        act(i, crashed_[number].effect, crashed_[number].invoked[used],
            [&] { ++row_[1 + words_ + number]; });
      }
    }
  }

  /// Whether another operation of the same effect is not done and returns earlier.
  bool is_later_twin(std::span<const std::uint32_t> row, std::uint32_t place) const {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      const std::uint32_t other = slots_[slot];
      if (other != kNothing && classes_.of[other] == classes_.of[place] && !is_done(row, slot) &&
          operations_[other].returned < operations_[place].returned) {
        return true;
      }
    }
    return false;
  }

  template <class Mark>
  void act(std::size_t i, std::uint32_t effect, std::uint32_t place, Mark mark) {
    std::uint64_t work = 1 + seen_.width() / 16;
    const std::uint32_t state = seen_.at(i)[0];
    const std::size_t count = transitions_.from(state, effect, work).size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t next = transitions_.from(state, effect, work)[k];
      if (next == state && operations_[place].is_open()) {
        continue;  // it may as well not have happened
      }
      const std::size_t steps = steps_.size();
      row_.assign(seen_.at(i).begin(), seen_.at(i).end());
      row_[0] = next;
      mark();
      add_step(row_, place);
      if (next != state) {
        read_all_possible(row_);
      }
      if (!keep()) {
        steps_.resize(steps);
      }
    }
    is_spent_ = is_spent_ || work_left_ < work;
    work_left_ -= std::min(work, work_left_);
  }

  void read_all_possible(std::span<std::uint32_t> row) {
    for (const std::uint32_t slot : open_reads_) {
      if (!is_done(row, slot)) {
        read_if_possible(row, slot);
      }
    }
  }

  void read_if_possible(std::span<std::uint32_t> row, std::uint32_t slot) {
    std::uint64_t work = 0;
    if (!transitions_.from(row[0], classes_.of[slots_[slot]], work).empty()) {
      row[1 + slot / 32] |= 1U << slot % 32;
      add_step(row, slots_[slot]);
    }
  }

  void add_step(std::span<std::uint32_t> row, std::uint32_t place) {
    steps_.push_back({row.back(), place});
    row.back() = static_cast<std::uint32_t>(steps_.size() - 1);
  }

  static bool is_done(std::span<const std::uint32_t> row, std::uint32_t slot) {
    return (row[1 + slot / 32] >> slot % 32 & 1U) != 0;
  }

  std::vector<std::uint32_t> order_to(std::uint32_t step) const {
    std::vector<std::uint32_t> order;
    for (; step != kNothing; step = steps_[step].before) {
      order.push_back(steps_[step].place);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Operations& operations_;
  const Model& model_;
  bool keeps_all_;
  std::uint64_t& work_left_;
  bool is_spent_ = false;
  bool is_cut_ = false;  // some configurations were left out
  EffectClasses classes_;
  Transitions transitions_;
  std::vector<OperationEvent> events_;
  std::vector<std::uint32_t> slots_;       // the operation of each, or kNothing
  std::vector<std::uint32_t> open_reads_;  // their slots
  std::size_t words_;
  std::vector<std::uint32_t> crashed_of_effect_;
  std::vector<CrashedClass> crashed_;
  std::vector<Step> steps_;
  std::uint32_t slot_ = 0;  // of the operation that returns
  Configurations now_;      // before the return
  Configurations seen_;
  Configurations after_;
  std::vector<std::uint32_t> row_;
};

}  // namespace

Judgement sweep(const Operations& operations, const Model& model, std::uint64_t work) {
  const std::uint64_t more = kWorkOfEach * operations.size();
  std::uint64_t left = work < kDefaultWork ? work : std::max(work, more);
  Judgement judgement = Sweep(operations, model, false, left).run();
  left = std::min(left, work);
  const bool may_go_on = judgement.answer == Answer::kUnknown && left > 0;
  return may_go_on ? Sweep(operations, model, true, left).run() : judgement;
}

}  // namespace elapid::linearize
