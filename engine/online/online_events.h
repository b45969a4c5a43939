// The events of an online check: violations that are found, and ones that are taken back.
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

/// What makes two violations the same, as the offline check counts them.
struct ViolationName {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  Atom txn = {};                ///< the reader, or of two transactions the later one
  Atom key = Atom::none();      ///< kInt, kExt, kNoConflict
  std::uint32_t mop = 0;        ///< kInt, kExt
  Atom earlier = Atom::none();  ///< kNoConflict: the other one

  friend auto operator<=>(const ViolationName&, const ViolationName&) = default;
};

/// What a violation is about.
struct ViolationFacts {
  Atom session = Atom::none();   ///< kSession
  Atom other = Atom::none();     ///< as TimestampEvidence::other
  Atom read = Atom::none();      ///< kInt, kExt of a register
  Atom expected = Atom::none();  ///< likewise
  bool is_list = false;          ///< kInt, kExt of a list
  /// kInt: it should only have ended in what is expected.
  bool is_suffix = false;
  std::vector<Atom> list_read = {};      ///< for kExt without own appends
  std::vector<Atom> list_expected = {};  ///< likewise
  Atom expected_writer = Atom::none();   ///< kExt
  Moment read_at = {};                   ///< kExt: where the read takes place
  ReadOrigin origin = ReadOrigin::kNowhere;
  bool depends = false;            ///< as TimestampViolationKind::depends
  bool within_clock_skew = false;  ///< as TimestampEvidence::within_clock_skew

  friend bool operator==(const ViolationFacts&, const ViolationFacts&) = default;
};

struct OnlineEvent {
  enum class Kind : std::uint8_t {
    kProvisional,  ///< wrong as far as is known
    kRetracted,    ///< and then right after all
    kFinal,        ///< wrong for good
    kLate,         ///< something final has changed, because of what arrived late
  };
  Kind kind = Kind::kProvisional;
  bool stands = true;        ///< kLate: it is (still) a violation
  std::uint64_t number = 0;  ///< kFinal, kLate: counted from 1, the same whenever it is carried out
  ViolationName name = {};
  ViolationFacts facts = {};
};

/// A read of a register that is wrong as far as is known, or right after all (EXT). Nearly all
/// events are that: where transactions come late, several each. So they are kept short.
struct PassingRead {
  Atom reader = {};
  Atom key = {};
  Atom shown = {};
  Atom expected = {};
  Atom expected_writer = Atom::none();
  std::uint32_t mop = 0;
  bool is_right = false;  ///< after all
};

/// Events in their order.
class OnlineEvents {
 public:
  void add(OnlineEvent event) { others_.push_back({passing_.size(), std::move(event)}); }

  void add(const PassingRead& read) { passing_.push_back(read); }

  [[nodiscard]] bool empty() const { return passing_.empty() && others_.empty(); }

  /// Memory is used again.
  void clear() {
    passing_.clear();
    others_.clear();
  }

  /// Calls `visit` with each, as an OnlineEvent that holds until it returns.
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
    std::size_t place = 0;  // how many passing reads come before it
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
