// One pass of the configuration sweep of registers (sweep_register.h), and the rules that keep it
// small.
//
// 1. Reads at once. A read that must take effect does so as soon as the content fits: it changes
//    nothing. So does a failed cas, and a write of the content that is there already may.
// 2. Optional writes. When a write takes effect, each other open write could have come just before
//    it, unseen. It may count as done from then on, and may still take effect later.
// 3. Only what is wanted. At a return, effects before that of the operation that returns are a cas
//    that is possible here, since a later effect may take its chance; and a write or an open cas
//    whose content a read or cas waits for. Another effect can come later: nothing needs it yet.
//    A write of the content that is there, before a cas that ends it, is of use where it hides
//    writes that must take effect.
// 4. Earliest return first. Of open operations with the same effect the one that returns first
//    takes effect: in any order that uses the later one first, the two can change places.
// 5. Classes. Of operations that never return and have the same effect only their number counts.
//
// Configuration x dominates y, of the same content and open cas, if what must take effect in x must
// in y; if to the open writes of y belong as many of x with the same content, each returning no
// earlier; and if x used no more of any class. Then x can follow y step by step, with the write of
// x that belongs to one of y in its place: what y discharges by an effect, an effect of the same
// content discharges in x by rule 2.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/linearize/effect_trail.h"
#include "engine/linearize/register_configurations.h"
#include "engine/linearize/slot_mask.h"
#include "engine/linearize/sweep_plan.h"
#include "engine/linearize/use_counts.h"

namespace elapid::linearize {

/// How a pass counts operations without a return.
enum class Counting : std::uint8_t {
  /// Of configurations that differ only in uses, the one with the fewest uses is kept. Each is
  /// possible, so an order that is found is one; finding none proves nothing.
  kCheapest,
  /// Each class has any number of operations. Finding no order proves that there is none.
  kUnlimited,
  kExact,
};

/// The result of a pass.
struct PassResult {
  bool is_finished = false;  ///< false: the budget is spent
  bool is_possible = false;  ///< there is an order, with these effects
  std::vector<Effect> effects = {};
  std::uint32_t operation = 0;  ///< otherwise: the operation at whose return it ended
};

/// Calls `may_go_on(work)` with the work of each event.
template <unsigned Words>
class RegisterPass {
 public:
  using Item = RegisterConfiguration<Words>;
  using Mask = SlotMask<Words>;

  RegisterPass(const SweepPlan& plan, Counting counting,
               std::function<bool(std::uint64_t)> may_go_on)
      : plan_(plan),
        counting_(counting),
        may_go_on_(std::move(may_go_on)),
        reads_of_(plan.contents.size()),
        writes_of_(plan.contents.size()),
        supply_(plan.classes.size(), 0),
        stamps_(plan.contents.size(), 0),
        slot_of_(plan.operations.size()) {
    for (unsigned slot = Mask::kSlots; slot-- > 0;) {
      free_slots_.push_back(slot);
    }
  }

  PassResult run() {
    current_.clear();
    frontier_.clear();
    add(current_, {.content = plan_.initial, .trail = EffectTrail::kStart});
    for (const OperationEvent& event : plan_.events) {
      now_ = event.instant;
      const PlannedOperation& operation = plan_.operations[event.place];
      if (event.is_return) {
        complete(event.place);
      } else if (operation.returned == kNever) {
        ++supply_[operation.in_class];
      } else {
        invoke(event.place);
      }
      if (current_.is_empty()) {
        return ended(event.place, true);
      }
      if (work_ > 0 && !may_go_on_(std::exchange(work_, 0))) {
        return ended(event.place, false);
      }
      drop_garbage();
    }
    PassResult result = {.is_finished = true, .is_possible = true};
    std::uint32_t end = EffectTrail::kStart;
    current_.each([&](const Item& item) { end = item.trail; });
    result.effects = trail_.to(end);
    return result;
  }

 private:
  /// The facts about an open operation that returns.
  struct Slot {
    std::uint32_t operation = 0;
    PlannedOperation planned = {};
  };

  void add(RegisterConfigurations<Words>& to, const Item& item) {
    to.add(item, cas_, [this](const Item& x, const Item& y) { return dominates(x, y); });
  }

  // Invocations.

  void invoke(std::uint32_t operation) {
    const unsigned slot = free_slots_.back();
    free_slots_.pop_back();
    slot_of_[operation] = slot;
    const PlannedOperation& planned = plan_.operations[operation];
    slots_[slot] = {operation, planned};
    masks_with(planned, [slot](Mask& mask) { mask.add(slot); });
    current_.each([&](Item& item) {
      item.must.add(slot);
      settle(item);
    });
  }

  /// Calls `change(mask)` for each set of slots that contains the operation.
  template <class Change>
  void masks_with(const PlannedOperation& planned, Change change) {
    switch (planned.f) {
      case RegisterF::kRead:
        change(reads_of_[planned.sees]);
        break;
      case RegisterF::kWrite:
        change(writes_);
        change(writes_of_[planned.leaves]);
        break;
      case RegisterF::kCas:
        change(cas_);
        break;
      case RegisterF::kFailedCas:
        change(failed_);
        break;
    }
  }

  /// Rule 1.
  void settle(Item& item) const {
    item.must = item.must.without(reads_of_[item.content]);
    (item.must & failed_).each([&](unsigned slot) {
      if (slots_[slot].planned.sees != item.content) {
        item.must.remove(slot);
      }
    });
    make_optional(item, writes_of_[item.content]);
  }

  static void make_optional(Item& item, const Mask& writes) {
    const Mask optional = item.must & writes;
    item.must = item.must.without(optional);
    item.may = item.may | optional;
  }

  // Effects.

  void write(Item& item, Content content, std::uint32_t operation) {
    make_optional(item, writes_);
    item.content = content;
    item.trail = trail_.after(item.trail, {.operation = operation, .time = now_});
    settle(item);
  }

  void write(Item& item, unsigned slot) {
    item.must.remove(slot);
    item.may.remove(slot);
    write(item, slots_[slot].planned.leaves, slots_[slot].operation);
  }

  void compare_and_set(Item& item, Content content, std::uint32_t operation) {
    item.content = content;
    item.trail = trail_.after(item.trail, {.operation = operation, .time = now_});
    settle(item);
  }

  void compare_and_set(Item& item, unsigned slot) {
    item.must.remove(slot);
    compare_and_set(item, slots_[slot].planned.leaves, slots_[slot].operation);
  }

  [[nodiscard]] bool has_more(const Item& item, std::uint32_t in_class) const {
    return counting_ == Counting::kUnlimited
               ? supply_[in_class] > 0
               : counts_.used(item.uses, in_class) < supply_[in_class];
  }

  void use(Item& item, std::uint32_t in_class) {
    const OpenClass& used = plan_.classes[in_class];
    std::uint32_t member = 0;
    if (counting_ != Counting::kUnlimited) {
      member = counts_.used(item.uses, in_class);
      item.uses = counts_.with_one_more(item.uses, in_class, [this](std::uint32_t other) {
        return plan_.classes[other].wanted_until < now_;
      });
      ++item.use_count;
    }
    if (used.is_cas) {
      compare_and_set(item, used.leaves, used.members[member]);
    } else {
      write(item, used.leaves, used.members[member]);
    }
  }

  // Returns.

  void complete(std::uint32_t operation) {
    const unsigned slot = slot_of_[operation];
    bool is_open = false;
    current_.each([&](const Item& item) { is_open = is_open || !item.is_done(slot); });
    if (is_open) {
      expand_all(slot);
      std::swap(current_, next_);
    }
    masks_with(slots_[slot].planned, [slot](Mask& mask) { mask.remove(slot); });
    free_slots_.push_back(slot);
  }

  void expand_all(unsigned slot) {
    next_.clear();
    frontier_.clear();
    current_.each([&](const Item& item) {
      if (item.is_done(slot)) {
        add(next_, item);
      } else {
        add(frontier_, item);
      }
      if (item.may.has(slot)) {
        Item done = item;
        done.may.remove(slot);
        add(next_, done);
      }
    });
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      if (!frontier_.is_dead(i)) {
        const Item item = frontier_[i];
        expand(item, slot);
      }
    }
  }

  void take(const Item& item, unsigned returning) {
    if (item.is_done(returning)) {
      add(next_, item);
    } else {
      add(frontier_, item);
    }
  }

  /// Rules 3 and 4.
  void expand(const Item& item, unsigned returning) {
    ++work_;
    const PlannedOperation& planned = slots_[returning].planned;
    if (planned.f == RegisterF::kWrite) {
      Item after = item;
      write(after, returning);
      add(next_, after);
    }
    (item.must & cas_).each([&](unsigned slot) {
      if (slots_[slot].planned.sees == item.content && is_first_cas(item, slot)) {
        Item after = item;
        compare_and_set(after, slot);
        take(after, returning);
      }
    });
    find_wanted(item);
    const bool may_hide = !(item.must & writes_).is_empty();
    for (const Content wanted : wanted_) {
      if (wanted != item.content || may_hide) {
        reach(item, wanted, returning);
      }
    }
  }

  /// Whether no other cas with the same effect returns earlier.
  [[nodiscard]] bool is_first_cas(const Item& item, unsigned slot) const {
    const PlannedOperation& planned = slots_[slot].planned;
    bool is_first = true;
    (item.must & cas_).each([&](unsigned other) {
      const PlannedOperation& theirs = slots_[other].planned;
      is_first = is_first && !(theirs.sees == planned.sees && theirs.leaves == planned.leaves &&
                               theirs.returned < planned.returned);
    });
    return is_first;
  }

  /// Fills wanted_ with the contents that an open read or cas needs.
  void find_wanted(const Item& item) {
    wanted_.clear();
    ++stamp_;
    item.must.without(writes_).each([&](unsigned slot) {
      if (slots_[slot].planned.f != RegisterF::kFailedCas) {
        want(slots_[slot].planned.sees);
      }
    });
    if (!(item.must & failed_).is_empty()) {
      want_any(item);
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      for (const std::uint32_t in_class : plan_.cas_into[wanted_[i]]) {
        if (supply_[in_class] > 0 && has_more(item, in_class)) {
          want(plan_.classes[in_class].sees);
        }
      }
    }
  }

  void want(Content content) {
    if (stamps_[content] != stamp_) {
      stamps_[content] = stamp_;
      wanted_.push_back(content);
    }
  }

  void want_any(const Item& item) {
    ((item.must | item.may) & writes_).each([&](unsigned slot) {
      want(slots_[slot].planned.leaves);
    });
    for (std::size_t i = 0; i < supply_.size(); ++i) {
      if (supply_[i] > 0) {
        want(plan_.classes[i].leaves);
      }
    }
  }

  /// One step to a wanted content, by the operation that returns first.
  void reach(const Item& item, Content wanted, unsigned returning) {
    unsigned first = Mask::kSlots;
    ((item.must | item.may) & writes_of_[wanted]).each([&](unsigned slot) {
      const bool is_earlier =
          first == Mask::kSlots || slots_[slot].planned.returned < slots_[first].planned.returned;
      first = is_earlier ? slot : first;
    });
    const std::uint32_t write_class = plan_.writes_of[wanted];
    if (first != Mask::kSlots) {
      if (first != returning) {  // that one was tried already
        Item after = item;
        write(after, first);
        take(after, returning);
      }
    } else if (write_class != kNoContent && supply_[write_class] > 0 &&
               has_more(item, write_class)) {
      Item after = item;
      use(after, write_class);
      take(after, returning);
    }
    for (const std::uint32_t in_class : plan_.cas_into[wanted]) {
      if (plan_.classes[in_class].sees == item.content && supply_[in_class] > 0 &&
          has_more(item, in_class)) {
        Item after = item;
        use(after, in_class);
        take(after, returning);
      }
    }
  }

  // Dominance.

  [[nodiscard]] bool dominates(const Item& x, const Item& y) {
    ++work_;
    return x.must.is_within(y.must) && uses_no_more(x, y) && covers_writes(x, y);
  }

  [[nodiscard]] bool uses_no_more(const Item& x, const Item& y) const {
    switch (counting_) {
      case Counting::kCheapest:
        return x.use_count <= y.use_count;
      case Counting::kUnlimited:
        return true;
      case Counting::kExact:
        return counts_.are_within(x.uses, y.uses);
    }
    return false;
  }

  [[nodiscard]] bool covers_writes(const Item& x, const Item& y) const {
    const Mask of_x = (x.must | x.may) & writes_;
    const Mask of_y = (y.must | y.may) & writes_;
    const Mask missing = of_y.without(of_x);
    if (missing.is_empty()) {
      return true;
    }
    const Mask more = of_x.without(of_y);
    bool covers = true;
    missing.each([&](unsigned slot) { covers = covers && covers_write(slot, missing, more); });
    return covers;
  }

  /// Whether `more` has at least as many writes of the same content that return no earlier as
  /// `missing`.
  [[nodiscard]] bool covers_write(unsigned slot, const Mask& missing, const Mask& more) const {
    const PlannedOperation& planned = slots_[slot].planned;
    const std::uint32_t write_class = plan_.writes_of[planned.leaves];
    if (counting_ == Counting::kUnlimited && write_class != kNoContent &&
        supply_[write_class] > 0) {
      return true;
    }
    const auto count = [&](const Mask& writes) {
      std::int32_t later = 0;
      (writes & writes_of_[planned.leaves]).each([&](unsigned other) {
        later += slots_[other].planned.returned >= planned.returned ? 1 : 0;
      });
      return later;
    };
    return count(more) >= count(missing);
  }

  // Ends, and memory.

  PassResult ended(std::uint32_t operation, bool is_finished) {
    return {.is_finished = is_finished, .operation = operation};
  }

  void drop_garbage() {
    if (trail_.is_long()) {
      std::vector<std::uint32_t*> ends;
      current_.each([&](Item& item) { ends.push_back(&item.trail); });
      trail_.drop_others(ends);
    }
    if (counts_.size() > 2 * kept_counts_ + kCountsSlack) {
      std::vector<std::uint32_t> rows = {UseCounts::kNone};
      current_.each([&](const Item& item) { rows.push_back(item.uses); });
      std::ranges::sort(rows);
      rows.erase(std::ranges::unique(rows).begin(), rows.end());
      counts_.keep(rows);
      kept_counts_ = counts_.size();
      current_.each([&](Item& item) {
        item.uses =
            static_cast<std::uint32_t>(std::ranges::lower_bound(rows, item.uses) - rows.begin());
      });
    }
  }

  static constexpr std::size_t kCountsSlack = 1 << 16;

  const SweepPlan& plan_;
  Counting counting_;
  std::function<bool(std::uint64_t)> may_go_on_;

  std::uint32_t now_ = 0;
  std::array<Slot, Mask::kSlots> slots_ = {};
  std::vector<unsigned> free_slots_;
  Mask writes_;
  Mask cas_;
  Mask failed_;
  std::vector<Mask> reads_of_;         // by content
  std::vector<Mask> writes_of_;        // by content
  std::vector<std::uint32_t> supply_;  // invoked so far, by class

  RegisterConfigurations<Words> current_;
  RegisterConfigurations<Words> next_;
  RegisterConfigurations<Words> frontier_;  // the operation that returns has not taken effect
  EffectTrail trail_;
  UseCounts counts_;
  std::size_t kept_counts_ = 0;

  std::vector<Content> wanted_;
  std::vector<std::uint32_t> stamps_;  // by content: when it was last wanted
  std::uint32_t stamp_ = 0;
  std::vector<unsigned> slot_of_;  // by operation
  std::uint64_t work_ = 0;
};

}  // namespace elapid::linearize
