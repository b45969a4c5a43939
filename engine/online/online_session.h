// A session in an online check: whether its transactions follow one another (SESSION).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/moment.h"
#include "engine/online/paged_timeline.h"
#include "engine/online/placed_txn.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

// A part of a session's timeline: its transactions in order.

/// The place of a transaction in its session; see OnlineSession.
struct SessionPlace {
  Moment at = {};              ///< compared first
  std::int64_t completed = 0;  ///< of numbered transactions
  Timestamp committed = {};    ///< of numbered transactions
  std::uint64_t arrival = 0;   ///< number of the arrival

  friend auto operator<=>(const SessionPlace&, const SessionPlace&) = default;
};

struct SessionEntry {
  SessionPlace place = {};
  Timestamp starts = {};
  Moment ends = {};  ///< the commit
  Atom txn = {};
  bool is_numbered = false;    ///< the stream gives its place
  bool is_certain = true;      ///< false: indeterminate, so no transaction need follow it
  Atom missed = Atom::none();  ///< its predecessor, which had not ended
  Timestamp missed_end = {};   ///< the end of that predecessor

  [[nodiscard]] Moment at() const { return place.at; }
};

struct SessionPage {
  Moment begin = Moment::first();
  bool is_dirty = true;
  std::vector<SessionEntry> entries = {};  ///< by place

  [[nodiscard]] std::size_t size() const { return entries.size(); }

  [[nodiscard]] std::size_t memory() const;
  [[nodiscard]] bool has_entries_before(Moment moment) const;
  [[nodiscard]] std::optional<Moment> cut(bool is_last) const;
  [[nodiscard]] SessionPage split(Moment from);
  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static SessionPage decode(Moment begin, std::string_view bytes);
};

class SessionObserver {
 public:
  virtual ~SessionObserver() = default;

  /// Called when `entry.missed` changed from `before`: whether the predecessor of `entry` in its
  /// session ended in time.
  virtual void on_session(Atom session, const SessionEntry& entry, Atom before) = 0;
};

/// Takes transactions in any order, and reports at once what each changes: its own entry, and later
/// entries up to the next certainly committed one.
///
/// The order is that of their numbers. Without numbers it is the order of arrival, as in a file; as
/// transactions may be late, this order counts only if the starts agree with it. If reads are at
/// the start, the order is that of the starts: two overlapping transactions violate the axiom in
/// any order. If reads are at the commit, the order is that of arrival, and a transaction that
/// starts before its predecessor's start is not judged.
class OnlineSession {
 public:
  OnlineSession(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kSession, name}, is_stored, paging) {}

  /// Adds the `arrival`-th transaction of the stream. False if its place in the session is in
  /// doubt: it has no number and starts before one that arrived earlier, or only some have
  /// numbers.
  bool add(const PlacedTxn& txn, std::uint64_t arrival, ReadPoint read_point, Paging& paging,
           SessionObserver& observer);

  /// The current entry of a transaction.
  [[nodiscard]] SessionEntry entry(Moment at, Atom txn, Paging& paging);

  [[nodiscard]] PagedTimeline<SessionPage>& pages() { return pages_; }

 private:
  /// A page and the index of an entry in it.
  using Place = std::pair<SessionPage*, std::size_t>;

  void insert(const SessionEntry& entry, Paging& paging);
  [[nodiscard]] Place find(const SessionPlace& place, Paging& paging);
  [[nodiscard]] const SessionEntry* certain_before(Place place, Paging& paging);
  bool step(Place& place, Paging& paging);

  Atom name_;
  PagedTimeline<SessionPage> pages_;
};

}  // namespace elapid
