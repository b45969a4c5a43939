// The events of an online check: violations found, and violations withdrawn.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/origin_search.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The identity of a violation, as the offline check counts violations.
struct ViolationName {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  Atom txn = {};                ///< the reader; or the later one of two transactions
  Atom key = Atom::none();      ///< kInt, kExt, kNoConflict
  std::uint32_t mop = 0;        ///< kInt, kExt
  Atom earlier = Atom::none();  ///< kNoConflict: the other transaction

  friend auto operator<=>(const ViolationName&, const ViolationName&) = default;
};

/// The facts about a violation.
struct ViolationFacts {
  Atom session = Atom::none();   ///< kSession
  Atom other = Atom::none();     ///< as TimestampEvidence::other
  Atom read = Atom::none();      ///< kInt, kExt of a register
  Atom expected = Atom::none();  ///< likewise
  bool is_list = false;          ///< kInt, kExt of a list
  /// kInt: the list read should only have ended with the expected elements.
  bool is_suffix = false;
  std::vector<Atom> list_read = {};      ///< for kExt without own appends
  std::vector<Atom> list_expected = {};  ///< likewise
  Atom expected_writer = Atom::none();   ///< kExt
  Moment read_at = {};                   ///< kExt: the moment of the read
  ReadOrigin origin = ReadOrigin::kNowhere;
  bool depends = false;            ///< as TimestampViolationKind::depends
  bool within_clock_skew = false;  ///< as TimestampEvidence::within_clock_skew

  friend bool operator==(const ViolationFacts&, const ViolationFacts&) = default;
};

struct OnlineEvent {
  enum class Kind : std::uint8_t {
    kProvisional,  ///< wrong so far
    kRetracted,    ///< was wrong, and is right after all
    kFinal,        ///< finally wrong
    kLate,         ///< a final judgement changed, by a late arrival
  };
  Kind kind = Kind::kProvisional;
  bool stands = true;        ///< kLate: whether it is (still) a violation
  std::uint64_t number = 0;  ///< kFinal, kLate: from 1; a replay gives the same numbers
  ViolationName name = {};
  ViolationFacts facts = {};
};

/// A read of a register that is wrong so far, or right after all (EXT). Nearly all events are of
/// this kind (several for each late transaction), so they are small.
struct PassingRead {
  Atom reader = {};
  Atom key = {};
  Atom shown = {};
  Atom expected = {};
  Atom expected_writer = Atom::none();
  std::uint32_t mop = 0;
  bool is_right = false;  ///< right after all
};

/// Events in order.
class OnlineEvents {
 public:
  void add(OnlineEvent event) { others_.push_back({passing_.size(), std::move(event)}); }

  void add(const PassingRead& read) { passing_.push_back(read); }

  [[nodiscard]] bool empty() const { return passing_.empty() && others_.empty(); }

  /// Keeps the memory for reuse.
  void clear() {
    passing_.clear();
    others_.clear();
  }

  /// Calls `visit` with each event, as an OnlineEvent that is valid until `visit` returns.
  template <class Visit>
  void each(Visit visit) const {
    OnlineEvent passing = {.name = {.axiom = TimestampAxiom::kExt}};
    auto other = others_.begin();
    for (std::size_t i = 0; i <= passing_.size(); ++i) {
      for (; other != others_.end() && other->place == i; ++other) {
        visit(other->event);
      }
      if (i < passing_.size()) {
        set(passing, passing_[i]);
        visit(std::as_const(passing));
      }
    }
  }

 private:
  struct Other {
    std::size_t place = 0;  // number of passing reads before it
    OnlineEvent event = {};
  };

  static void set(OnlineEvent& event, const PassingRead& read) {
    event.kind = read.is_right ? OnlineEvent::Kind::kRetracted : OnlineEvent::Kind::kProvisional;
    event.name.txn = read.reader;
    event.name.key = read.key;
    event.name.mop = read.mop;
    event.facts.read = read.shown;
    event.facts.expected = read.expected;
    event.facts.expected_writer = read.expected_writer;
  }

  std::vector<PassingRead> passing_;
  std::vector<Other> others_;
};

}  // namespace elapid
