// A session under an online check: whether its transactions follow one another (SESSION).
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

// A part of a session's timeline: its transactions in their order.

/// Where a transaction stands in the order of its session; see OnlineSession.
struct SessionPlace {
  Moment at = {};              ///< decides first
  std::int64_t completed = 0;  ///< of numbered transactions
  Timestamp committed = {};    ///< of numbered transactions
  std::uint64_t arrival = 0;   ///< counted

  friend auto operator<=>(const SessionPlace&, const SessionPlace&) = default;
};

struct SessionEntry {
  SessionPlace place = {};
  Timestamp starts = {};
  Moment ends = {};  ///< the commit
  Atom txn = {};
  bool is_numbered = false;    ///< the stream says where it stands
  bool is_certain = true;      ///< false: indeterminate, so that nothing must follow it
  Atom missed = Atom::none();  ///< what came before it and had not ended
  Timestamp missed_end = {};   ///< when that one did

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

  /// Of the neighbours that `entry` has in its session, the one before has (not) ended in time:
  /// `entry.missed` has changed, and was `before`.
  virtual void on_session(Atom session, const SessionEntry& entry, Atom before) = 0;
};

/// Takes transactions in any order, and says at once what each changes: itself, and what comes
/// behind it up to the next one that certainly committed.
///
/// Their order is that of their numbers. Without numbers it is that in which they arrive, as in a
/// file; but a stream's transactions may be late, so that this is believed only where their starts
/// agree. Where reads are at the start, they stand in the order of their starts: two that overlap
/// violate the axiom in any order. Where reads are at the commit, they stand as they arrived, and
/// one that starts before its predecessor did is not judged.
class OnlineSession {
 public:
  OnlineSession(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kSession, name}, is_stored, paging) {}

  /// Adds the next transaction that arrived, the `arrival`th of all. False if its place in the
  /// session is in doubt: without a number it starts before one that came earlier, or some have
  /// numbers and others have none.
  bool add(const PlacedTxn& txn, std::uint64_t arrival, ReadPoint read_point, Paging& paging,
           SessionObserver& observer);

  /// A transaction's entry as it is by now.
  [[nodiscard]] SessionEntry entry(Moment at, Atom txn, Paging& paging);

  [[nodiscard]] PagedTimeline<SessionPage>& pages() { return pages_; }

 private:
  /// An entry and the page that it is in.
  using Place = std::pair<SessionPage*, std::size_t>;

  void insert(const SessionEntry& entry, Paging& paging);
  [[nodiscard]] Place find(const SessionPlace& place, Paging& paging);
  [[nodiscard]] const SessionEntry* certain_before(Place place, Paging& paging);
  bool step(Place& place, Paging& paging);

  Atom name_;
  PagedTimeline<SessionPage> pages_;
};

}  // namespace elapid
