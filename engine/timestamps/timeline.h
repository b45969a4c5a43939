// The times at which transactions read and write, by the database's timestamps.
//
// Ties: at one time, commits precede starts. So a snapshot contains the commits of its own time. A
// transaction that starts and commits at this time is between the two. Transactions with the same
// kind of event at one time have no order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/unset_vector.h"

namespace elapid {

/// The time of external reads.
enum class ReadPoint : std::uint8_t {
  kStart,   ///< snapshot isolation
  kCommit,  ///< serializability: a transaction is one event
};

/// The part of a transaction that has a time.
enum class Placement : std::uint8_t {
  kAbsent,   ///< it took no effect, or no effect that a read can see
  kPlaced,   ///< all of it
  kWrites,   ///< its writes; its reads, or its start, are unknown
  kUnknown,  ///< nothing: it may have taken effect at any time
};

/// An event of a transaction.
struct TimelineEvent {
  /// In the order of events at one time.
  enum class Kind : std::uint8_t {
    kCommit,   ///< the writes take effect
    kWhole,    ///< the reads, if they have a time, then the writes, at ReadPoint::kCommit
    kInstant,  ///< the same, for a transaction that starts and commits at one time
    kStart,    ///< the reads
  };
  std::int64_t time = 0;
  TxnId txn;
  Kind kind = Kind::kStart;
};

/// Committed transactions have places if they have timestamps. Writers need a commit timestamp and,
/// at ReadPoint::kStart, a start timestamp. A reader without writes is placed at its reads; if
/// these have no time, at any timestamp that it has, at ReadPoint::kCommit. Indeterminate
/// transactions with a commit timestamp wrote then. A recorded initial transaction without
/// timestamps comes first. A commit before its own start counts as both at the commit.
///
/// Refers to the history. Time and memory: O(transactions), 16 bytes an event. WorkThreads share
/// the work.
class Timeline {
 public:
  Timeline(const History& history, ReadPoint read_point);

  [[nodiscard]] ReadPoint read_point() const { return read_point_; }

  [[nodiscard]] Placement placement(TxnId txn) const { return placements_[txn.index()]; }

  /// By time and kind, then by completion in the history. Transactions without writes have no
  /// commit.
  [[nodiscard]] std::span<const TimelineEvent> events() const { return events_; }

  /// The time of a placed transaction's reads; never after commit().
  [[nodiscard]] std::int64_t reads_at(TxnId txn) const;

  [[nodiscard]] bool only_reads(TxnId txn) const { return only_reads_[txn.index()] != 0; }

  /// Whether a placed transaction starts and commits at one time, as far as is known.
  [[nodiscard]] bool is_instant(TxnId txn) const;

  /// The time of a placed transaction's writes, real or possible.
  [[nodiscard]] std::int64_t writes_at(TxnId txn) const;

 private:
  [[nodiscard]] Placement place(TxnId txn) const;
  template <class Visit>
  void each_event(TxnId txn, Visit visit) const;
  void make_events();

  const History& history_;
  ReadPoint read_point_;
  std::vector<Placement> placements_;
  std::vector<std::uint8_t> only_reads_;  // by transaction; bytes, so that threads may set them
  UnsetVector<TimelineEvent> events_;
};

/// Sorts by time; events at the same time keep their order. Linear in the events, once for each 11
/// bits of the range of times. WorkThreads share the work.
void sort_by_time(UnsetVector<TimelineEvent>& events);

}  // namespace elapid
