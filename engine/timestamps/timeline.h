// When the transactions of a history read and wrote, as the database's timestamps say.
//
// Ties: at one time, commits come before starts, so that a snapshot contains what was committed at
// its own time. A transaction that both starts and commits at that time comes between the two.
// Transactions that do the same at one time have no order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/unset_vector.h"

namespace elapid {

/// Where external reads take place.
enum class ReadPoint : std::uint8_t {
  kStart,   ///< snapshot isolation
  kCommit,  ///< serializability: a transaction is one event
};

/// How much of a transaction has its place.
enum class Placement : std::uint8_t {
  kAbsent,   ///< it took no effect, or none that a read could see
  kPlaced,   ///< all of it
  kWrites,   ///< its writes; what it read is unknown, or its start is
  kUnknown,  ///< nothing: it may have taken effect at any time
};

/// Something that happens at a time.
struct TimelineEvent {
  /// In the order of what happens at one time.
  enum class Kind : std::uint8_t {
    kCommit,   ///< the writes take effect
    kWhole,    ///< the reads, if they have a place, and then the writes, at ReadPoint::kCommit
    kInstant,  ///< the same, of a transaction that starts and commits at one time
    kStart,    ///< the reads
  };
  std::int64_t time = 0;
  TxnId txn;
  Kind kind = Kind::kStart;
};

/// Committed transactions have places where they have timestamps: writers need a commit timestamp
/// and, at ReadPoint::kStart, one of the start. What only reads is placed where it reads, or else
/// where it has a timestamp at all at ReadPoint::kCommit. Indeterminate transactions with a commit
/// timestamp wrote at that time. A recorded initial transaction comes first if it has none. What
/// commits before it starts counts as doing both when it commits.
///
/// Refers to the history. Time and memory: O(transactions), 16 bytes an event. WorkThreads share
/// the work.
class Timeline {
 public:
  Timeline(const History& history, ReadPoint read_point);

  [[nodiscard]] ReadPoint read_point() const { return read_point_; }

  [[nodiscard]] Placement placement(TxnId txn) const { return placements_[txn.index()]; }

  /// By time and kind, and then by completion in the history. Transactions without writes have no
  /// commit.
  [[nodiscard]] std::span<const TimelineEvent> events() const { return events_; }

  /// When a transaction with a place reads; never after commit().
  [[nodiscard]] std::int64_t reads_at(TxnId txn) const;

  [[nodiscard]] bool only_reads(TxnId txn) const { return only_reads_[txn.index()] != 0; }

  /// Whether a transaction with a place starts and commits at one time, as far as is known.
  [[nodiscard]] bool is_instant(TxnId txn) const;

  /// When one with a place writes, or would.
  [[nodiscard]] std::int64_t writes_at(TxnId txn) const;

 private:
  [[nodiscard]] Placement place(TxnId txn) const;
  template <class Visit>
  void each_event(TxnId txn, Visit visit) const;
  void make_events();

  const History& history_;
  ReadPoint read_point_;
  std::vector<Placement> placements_;
  std::vector<std::uint8_t> only_reads_;  // whether; bytes, so that threads may set them
  UnsetVector<TimelineEvent> events_;
};

/// Sorts by time, keeping the order of what happens at the same time. Linear in the events for each
/// 11 bits of the range of times. WorkThreads share the work.
void sort_by_time(UnsetVector<TimelineEvent>& events);

}  // namespace elapid
