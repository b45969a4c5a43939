#include "engine/linearize/types/plain_search.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/linearize/types/numbers.h"

namespace elapid::linearize {
namespace {

/// The uses of operations that never return, by configuration: a bit for each open operation, then
/// the numbers of the state. No use in a list covers another.
using Possibilities = std::unordered_map<Numbers, std::vector<Numbers>, NumbersHash>;

class PlainSearch {
 public:
  PlainSearch(const Operations& operations, const Model& model, Supply supply, std::uint64_t& work)
      : operations_(operations), model_(model), supply_(supply), work_(work) {
    number_classes();
  }

  PlainAnswer run() {
    add(Numbers(words_), model_.initial(), Numbers(examples_.size()), now_);
    for (const auto& [instant, is_return, place] : events()) {
      if (is_return) {
        let_return(place);
      } else {
        invoke(place);
      }
      if (work_ == 0) {
        return PlainAnswer::kSpent;
      }
      if (now_.empty()) {
        return PlainAnswer::kNoOrder;
      }
    }
    return PlainAnswer::kOrder;
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffU;

  /// Numbers the classes of operations that never return, and counts the bits for those that do.
  void number_classes() {
    std::map<std::tuple<std::uint8_t, std::uint32_t, std::uint32_t>, std::uint32_t> known;
    std::size_t open = 0;
    for (const auto& [instant, is_return, place] : events()) {
      const Operation& op = operations_[place];
      if (!op.is_open()) {
        open = is_return ? open - 1 : open + 1;
        slots_.resize(std::max(slots_.size(), open), kFree);
      } else if (known.try_emplace({op.f, op.argument.bits(), op.result.bits()}, known.size())
                     .second) {
        examples_.push_back(place);
      }
    }
    for (const Operation& op : operations_) {
      class_of_.push_back(op.is_open() ? known.at({op.f, op.argument.bits(), op.result.bits()})
                                       : kFree);
    }
    supplied_.assign(examples_.size(), 0);
    words_ = (slots_.size() + 31) / 32;
  }

  /// Instants, whether it is a return, and the operation.
  [[nodiscard]] std::vector<std::tuple<std::uint32_t, bool, std::uint32_t>> events() const {
    std::vector<std::tuple<std::uint32_t, bool, std::uint32_t>> events;
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      events.emplace_back(operations_[place].invoked, false, place);
      if (!operations_[place].is_open()) {
        events.emplace_back(operations_[place].returned, true, place);
      }
    }
    std::ranges::sort(events);
    return events;
  }

  void invoke(std::uint32_t place) {
    if (operations_[place].is_open()) {
      ++supplied_[class_of_[place]];
      return;
    }
    *std::ranges::find(slots_, kFree) = place;
    if (model_.is_read(operations_[place])) {
      Possibilities before = std::exchange(now_, {});
      for (const auto& [key, uses] : before) {
        for (const Numbers& used : uses) {
          add(done_of(key), state_of(key), used, now_);
        }
      }
    }
  }

  /// Leaves the possibilities in which the operation has taken effect.
  void let_return(std::uint32_t place) {
    const auto slot = static_cast<std::size_t>(std::ranges::find(slots_, place) - slots_.begin());
    Possibilities seen;
    Possibilities after;
    for (const auto& [key, uses] : now_) {
      for (const Numbers& used : uses) {
        sort_in(key, used, slot, seen, after);
      }
    }
    while (!pending_.empty() && work_ > 0) {
      const auto [key, used] = std::move(pending_.back());
      pending_.pop_back();
      go_on(key, used, slot, seen, after);
    }
    pending_.clear();
    slots_[slot] = kFree;
    now_ = std::move(after);
  }

  /// Adds the configuration to those in which the operation at `slot` is done, or to those from
  /// which others follow.
  void sort_in(Numbers key, const Numbers& used, std::size_t slot, Possibilities& seen,
               Possibilities& after) {
    if (is_done(key, slot)) {
      key[slot / 32] &= ~(1U << slot % 32);
      insert(std::move(key), used, after);
    } else if (insert(key, used, seen)) {
      pending_.emplace_back(std::move(key), used);
    }
  }

  void go_on(const Numbers& key, const Numbers& used, std::size_t slot, Possibilities& seen,
             Possibilities& after) {
    for (std::size_t other = 0; other < slots_.size(); ++other) {
      if (slots_[other] != kFree && !is_done(key, other)) {
        Numbers done = done_of(key);
        done[other / 32] |= 1U << other % 32;
        step(key, operations_[slots_[other]], done, used, slot, seen, after);
      }
    }
    for (std::size_t number = 0; number < examples_.size(); ++number) {
      const bool is_unlimited = supply_ == Supply::kUnlimited;
      if (is_unlimited ? supplied_[number] > 0 : used[number] < supplied_[number]) {
        Numbers more = used;
        more[number] += is_unlimited ? 0 : 1;
        step(key, operations_[examples_[number]], done_of(key), more, slot, seen, after);
      }
    }
  }

  void step(const Numbers& key, const Operation& op, const Numbers& done, const Numbers& used,
            std::size_t slot, Possibilities& seen, Possibilities& after) {
    std::vector<State> next;
    const State state = state_of(key);
    model_.step(state, op, next);
    work_ -= std::min<std::uint64_t>(work_, 1 + state.size() / 8);
    for (const State& reached : next) {
      sort_in(with_reads(done, reached), used, slot, seen, after);
    }
  }

  void add(const Numbers& done, const State& state, const Numbers& used, Possibilities& to) {
    insert(with_reads(done, state), used, to);
  }

  /// Marks all open reads that are possible as done.
  [[nodiscard]] Numbers with_reads(Numbers done, const State& state) const {
    std::vector<State> next;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] != kFree && model_.is_read(operations_[slots_[slot]])) {
        next.clear();
        model_.step(state, operations_[slots_[slot]], next);
        done[slot / 32] |= next.empty() ? 0U : 1U << slot % 32;
      }
    }
    done.insert(done.end(), state.begin(), state.end());
    return done;
  }

  /// Whether the use was not covered.
  static bool insert(Numbers key, const Numbers& used, Possibilities& to) {
    std::vector<Numbers>& uses = to[std::move(key)];
    const auto covers = [](const Numbers& fewer, const Numbers& more) {
      return std::ranges::equal(fewer, more, std::ranges::less_equal());
    };
    if (std::ranges::any_of(uses, [&](const Numbers& other) { return covers(other, used); })) {
      return false;
    }
    std::erase_if(uses, [&](const Numbers& other) { return covers(used, other); });
    uses.push_back(used);
    return true;
  }

  [[nodiscard]] static bool is_done(const Numbers& key, std::size_t slot) {
    return (key[slot / 32] >> slot % 32 & 1U) != 0;
  }

  [[nodiscard]] Numbers done_of(const Numbers& key) const {
    return {key.begin(), key.begin() + static_cast<std::ptrdiff_t>(words_)};
  }

  [[nodiscard]] State state_of(const Numbers& key) const {
    return {key.begin() + static_cast<std::ptrdiff_t>(words_), key.end()};
  }

  const Operations& operations_;
  const Model& model_;
  Supply supply_;
  std::uint64_t& work_;
  std::vector<std::uint32_t> class_of_;  // of those that never return
  std::vector<std::uint32_t> examples_;  // by class
  Numbers supplied_;                     // by class: invoked so far
  std::vector<std::uint32_t> slots_;     // the open operations that return, or kFree
  std::size_t words_ = 0;
  Possibilities now_;
  std::vector<std::pair<Numbers, Numbers>> pending_;
};

}  // namespace

PlainAnswer search_plainly(const Operations& operations, const Model& model, Supply supply,
                           std::uint64_t& work) {
  return PlainSearch(operations, model, supply, work).run();
}

}  // namespace elapid::linearize
