// The violations found so far: final ones, and ones that later arrivals may still change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/online_events.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The final violations, about 200 bytes each. Conflicts beyond kMostConflicts are announced and
/// counted, but not kept.
class ViolationLedger {
 public:
  static constexpr std::size_t kMostConflicts = 1'000'000;

  /// Adds or changes a violation. `is_late`: a late arrival caused this.
  void set(const ViolationName& name, ViolationFacts facts, bool is_late);

  /// Removes a violation that is no longer one.
  void remove(const ViolationName& name);

  [[nodiscard]] bool contains(const ViolationName& name) const { return all_.contains(name); }

  /// Adds an event without keeping a violation.
  void announce(OnlineEvent event) { events_.add(std::move(event)); }

  void announce(const PassingRead& read) { events_.add(read); }

  /// Wrong reads whose origin depends on the writers of a value. For registers: reads of that
  /// value. For lists: reads of any value.
  [[nodiscard]] std::set<ViolationName> showing(Atom key, Atom value) const;

  /// All wrong reads of a key. O(violations).
  [[nodiscard]] std::vector<ViolationName> reads_of(Atom key) const;

  /// The time of the violation's read.
  [[nodiscard]] Moment read_at(const ViolationName& name) const { return all_.at(name).read_at; }

  [[nodiscard]] const std::map<ViolationName, ViolationFacts>& all() const { return all_; }

  [[nodiscard]] TimestampCounts counts() const;

  /// The number of violations of all kinds.
  [[nodiscard]] std::uint64_t size() const { return all_.size() + unlisted_conflicts_; }

  /// Moves the events since the last call into `into`, and reuses its memory.
  void take_events(OnlineEvents& into) {
    into.clear();
    std::swap(events_, into);
  }

  /// The number of events that got a number.
  [[nodiscard]] std::uint64_t numbered() const { return numbered_; }

  [[nodiscard]] bool has_events() const { return !events_.empty(); }

  [[nodiscard]] std::size_t memory() const { return all_.size() * kNode; }

  [[nodiscard]] std::string encode() const;
  void restore(std::string_view bytes);

 private:
  static constexpr std::size_t kNode = 300;

  struct Shown {
    Atom key;
    Atom value;
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  struct HashShown {
    std::size_t operator()(const Shown& shown) const {
      return std::hash<Atom>()(shown.key) * 31 + std::hash<Atom>()(shown.value);
    }
  };

  static Shown shown_by(const ViolationName& name, const ViolationFacts& facts) {
    return {name.key, facts.is_list ? Atom::none() : facts.read};
  }

  std::map<ViolationName, ViolationFacts> all_;
  std::unordered_map<Shown, std::set<ViolationName>, HashShown> showing_;  // for kExt
  std::uint64_t unlisted_conflicts_ = 0;
  std::size_t conflicts_ = 0;  // listed conflicts
  std::uint64_t numbered_ = 0;
  OnlineEvents events_;
};

}  // namespace elapid
