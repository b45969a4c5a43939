#include "engine/linearize/types/multi_register_dive.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "engine/linearize/types/configurations.h"
#include "engine/linearize/types/dive_slots.h"
#include "engine/linearize/types/dive_steps.h"
#include "engine/linearize/types/dive_supply.h"
#include "engine/linearize/types/events.h"
#include "engine/linearize/types/register_effect.h"
#include "engine/linearize/types/retreat.h"

namespace elapid::linearize {
namespace {

const std::uint32_t kAnyValue = ValueId::none().bits();

class Dive {
 public:
  Dive(const Operations& operations, const RegisterCalls& calls, const InitialValues& initial,
       std::uint64_t work)
      : operations_(operations),
        work_left_(work),
        events_(events_of(operations)),
        effects_(operations, calls, initial),
        supply_(operations, effects_),
        steps_(operations, effects_),
        slots_(initial.size(), most_open_at_once(operations, events_)),
        now_(slots_.no_rows()),
        seen_(slots_.no_rows()),
        after_(slots_.no_rows()),
        first_step_(operations.size()) {
    for (const auto& [key, value] : initial) {
      row_.push_back(value.bits());
    }
    row_.resize(now_.width(), 0);
    row_.back() = kNoStep;
    now_.insert(row_);
  }

  Judgement run() && {
    std::size_t at = 0;
    std::size_t furthest = 0;
    while (at < events_.size()) {
      if (Retreat<Checkpoint>::begins_at(at)) {
        retreat_.begin(at, {now_, slots_.places(), steps_.size()});
      }
      const OperationEvent& event = events_[at];
      if (!event.is_return) {
        invoke(event.place);
      } else if (!return_of(event.place)) {
        furthest = std::max(furthest, at);
        if (!go_back(at)) {
          return undecided(events_[furthest].place);
        }
        continue;
      }
      ++at;
    }
    return linearizable(steps_.order_to(now_.at(0).back()));
  }

 private:
  struct Checkpoint {
    Configurations now;
    DiveSlots::Places slots;
    std::size_t steps;
  };

  using Row = DiveSlots::Row;
  using ConstRow = DiveSlots::ConstRow;

  [[nodiscard]] const RegisterEffect& effect_in(std::uint32_t slot) const {
    return effects_.of(slots_.place(slot));
  }

  /// From a dead end to an earlier event. Whether that may help.
  bool go_back(std::size_t& at) {
    const std::optional<std::size_t> first = retreat_.go_back(at);
    if (!first || work_left_ == 0) {
      return false;
    }
    for (; at > *first; --at) {
      const OperationEvent& undone = events_[at - 1];
      if (!undone.is_return && operations_[undone.place].is_open()) {
        supply_.undo(undone.place);
      }
    }
    const Checkpoint& checkpoint = retreat_.checkpoint(at);
    now_ = checkpoint.now;
    slots_.restore(checkpoint.slots);
    steps_.resize(checkpoint.steps);
    return true;
  }

  void invoke(std::uint32_t place) {
    first_step_[place] = steps_.size();
    if (operations_[place].is_open()) {
      supply_.invoke(place);
      return;
    }
    slots_.enter(place);
    for (std::size_t i = 0; i < now_.size(); ++i) {
      read_all_possible(now_.at(i));
    }
  }

  /// Keeps some possibilities in which the transaction has taken effect. Whether there are any.
  bool return_of(std::uint32_t place) {
    returning_ = slots_.slot_of(place);
    seen_.clear();
    after_.clear();
    for (std::size_t i = 0; i < now_.size(); ++i) {
      row_.assign(now_.at(i).begin(), now_.at(i).end());
      keep();
    }
    for (std::size_t i = 0; i < seen_.size() && i < 8 * retreat_.width() && work_left_ > 0; ++i) {
      advance(i);
    }
    slots_.leave(returning_);
    narrow();
    return now_.size() > 0;
  }

  /// Fills now_ with the best of after_: those with few open transactions whose reads are not
  /// served, and few used ones that never return. After a dead end these have another price.
  void narrow() {
    std::vector<std::uint32_t> only_read((slots_.places().size() + 31) / 32);
    std::vector<std::uint32_t> needy;
    slots_.for_each([&](std::uint32_t slot) {
      if (effect_in(slot).writes.empty()) {
        only_read[slot / 32] |= 1U << slot % 32;
      }
      if (!effect_in(slot).reads.empty()) {
        needy.push_back(slot);
      }
    });
    const std::uint64_t price = retreat_.dead_ends() % 3;
    std::vector<std::pair<std::uint64_t, std::size_t>> ranks;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      const ConstRow row = after_.at(i);
      const auto unmet = static_cast<std::uint64_t>(std::ranges::count_if(
          needy, [&](std::uint32_t slot) { return !slots_.is_done(row, slot); }));
      ranks.emplace_back(price * after_.used(row) + unmet, i);
    }
    std::ranges::sort(ranks);
    now_.clear();
    for (const auto& [rank, i] : ranks) {
      const ConstRow row = after_.at(i);
      bool is_needless = now_.size() >= retreat_.width();
      for (std::size_t k = 0; k < now_.size() && !is_needless; ++k) {
        is_needless = slots_.is_as_good(now_.at(k), row, only_read);
      }
      if (!is_needless) {
        now_.insert(row);
      }
    }
  }

  /// Adds row_ to those that are to advance, or to those behind the return, or both. Whether it is
  /// new.
  bool keep() {
    const bool is_behind = slots_.is_done(row_, returning_);
    const bool is_unseen = !is_behind && slots_.is_hidden(row_, returning_);
    slots_.clear_marks(row_, returning_);
    bool is_new = !is_behind && seen_.insert_cheapest(row_);
    if (is_unseen) {
      const std::uint32_t next = steps_.hiding_step(row_.back(), effect_in(returning_));
      row_.back() = steps_.add(row_.back(), slots_.place(returning_), next);
    }
    if (is_behind || is_unseen) {
      is_new = after_.insert_cheapest(row_) || is_new;
    }
    return is_new;
  }

  /// Lets one transaction take effect: the one that returns, one that writes what it needs, or one
  /// that has to come before it; and so on for these.
  void advance(std::size_t i) {
    from_.assign(seen_.at(i).begin(), seen_.at(i).end());
    std::vector<std::uint32_t> wanted = {returning_};
    bool has_counted = false;
    const auto want = [&](std::uint32_t other) {
      if (std::ranges::find(wanted, other) == wanted.end()) {
        wanted.push_back(other);
      }
    };
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const std::uint32_t slot = wanted[k];
      const RegisterEffect& acting = effect_in(slot);
      if (is_enabled(acting)) {
        let_act(slots_.place(slot), [&] { slots_.mark_done(row_, slot); });
        slots_.for_undone(from_, [&](std::uint32_t other) {
          if (hinders(acting, effect_in(other))) {
            want(other);
          }
        });
      } else {
        if (!std::exchange(has_counted, true)) {
          supply_.count_uses(steps_, from_.back());
        }
        help(acting, want);
      }
    }
  }

  [[nodiscard]] bool is_enabled(const RegisterEffect& effect) const {
    return effect.is_possible && std::ranges::all_of(effect.reads, [&](const Cell& cell) {
             return from_[cell.first] == cell.second || from_[cell.first] == kAnyValue;
           });
  }

  /// Lets those act that never return and write what the needy one needs; wants the open ones that
  /// do.
  template <class Want>
  void help(const RegisterEffect& needy, const Want& want) {
    for (const Cell& cell : needy.reads) {
      const std::uint32_t held = from_[cell.first];
      if (held == cell.second || held == kAnyValue) {
        continue;
      }
      slots_.for_undone(from_, [&](std::uint32_t other) {
        if (std::ranges::binary_search(effect_in(other).writes, cell)) {
          want(other);
        }
      });
      std::uint64_t work = 0;
      for (const std::uint32_t place : supply_.best(from_, cell, needy, work)) {
        let_act(place, [&] { slots_.add_use(row_); });
        if (effects_.of(place).writes.size() > 1) {
          let_act_earlier(place, cell);
        }
      }
      spend(work);
    }
  }

  /// The transaction takes effect. `mark` notes that in row_.
  template <class Mark>
  void let_act(std::uint32_t place, const Mark& mark) {
    const std::size_t steps = steps_.size();
    const RegisterEffect& acting = effects_.of(place);
    row_ = from_;
    for (const auto* cells : {&acting.reads, &acting.writes}) {
      for (const auto& [number, value] : *cells) {
        row_[number] = value;
      }
    }
    mark();
    row_.back() = steps_.add(row_.back(), place);
    slots_.for_undone(row_, [&](std::uint32_t other) {
      if (hides(acting, effect_in(other))) {
        slots_.mark_hidden(row_, other);
      }
    });
    read_all_possible(row_);
    if (!keep()) {
      steps_.resize(steps);
    }
    spend(1);
  }

  /// One that never returns takes effect before steps that overwrote a part of what it writes. What
  /// it writes to the wanted cell is seen only now.
  void let_act_earlier(std::uint32_t place, const Cell& wanted) {
    const std::optional<DiveSteps::Unseen> unseen =
        steps_.unseen(from_.back(), first_step_[place], place);
    if (!unseen || std::ranges::find(unseen->visible, wanted) == unseen->visible.end()) {
      return;
    }
    row_ = from_;
    for (const auto& [number, value] : unseen->visible) {
      row_[number] = value;
    }
    slots_.add_use(row_);
    row_.back() = steps_.add(row_.back(), place, unseen->next);
    read_all_possible(row_);
    keep();
  }

  void read_all_possible(Row row) {
    slots_.for_undone(row, [&](std::uint32_t slot) {
      const RegisterEffect& reader = effect_in(slot);
      const bool is_sure = std::ranges::all_of(
          reader.reads, [&](const Cell& cell) { return row[cell.first] == cell.second; });
      if (reader.writes.empty() && reader.is_possible && is_sure) {
        slots_.mark_done(row, slot);
        row.back() = steps_.add(row.back(), slots_.place(slot));
      }
    });
  }

  void spend(std::uint64_t work) { work_left_ -= std::min(work_left_, work); }

  const Operations& operations_;
  std::uint64_t work_left_;
  std::vector<OperationEvent> events_;
  RegisterEffects effects_;
  DiveSupply supply_;
  Retreat<Checkpoint> retreat_{{.narrowest = 32, .widest = 2048}};
  DiveSteps steps_;
  DiveSlots slots_;
  Configurations now_;                   // before the return
  Configurations seen_;                  // to advance
  Configurations after_;                 // behind the return
  std::uint32_t returning_ = 0;          // the slot of the transaction that returns
  std::vector<std::size_t> first_step_;  // of each transaction, since its invocation
  std::vector<std::uint32_t> row_;
  std::vector<std::uint32_t> from_;  // the possibility that advances
};

}  // namespace

Judgement dive(const Operations& operations, const RegisterCalls& calls,
               const InitialValues& initial, std::uint64_t work) {
  return Dive(operations, calls, initial, work).run();
}

}  // namespace elapid::linearize
