// The start and end of dependencies in the event graph; levels differ in nothing else. At the
// serializable levels a transaction is one event. At snapshot isolation it has two events, start
// and commit. Two transactions that miss each other's writes then form no cycle, since each edge
// leads from a start to a commit.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/levels/models.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Numbers the events of transactions. At the serializable levels start and commit are one event.
/// Levels may differ by transaction. Each end of an edge depends on its own transaction's level.
///
/// | edge          | from       | to               |
/// |---------------|------------|------------------|
/// | wr            | commit     | read_event       |
/// | ww            | commit     | barrier          |
/// | rw            | read_event | commit           |
/// | session, time | commit     | start            |
///
/// Example: T1 at snapshot isolation and T2, serializable, write x. If T2 is first, its one event
/// precedes T1's start: no other writer of x may commit while T1 is on its way. If T1 is first, its
/// commit precedes T2's event.
class EventMap {
 public:
  /// For levels that are not saturable.
  EventMap(std::uint32_t txn_count, const TxnLevels& levels)
      : txn_count_(txn_count), levels_(levels) {
    if (levels.common()) {
      second_ = levels.common()->visibility == Visibility::kSerial ? 0 : 1;
      excludes_overlap_ = levels.common()->visibility == Visibility::kSnapshot;
      count_ = txn_count << second_;
    } else {
      is_uniform_ = false;
      number_each();
    }
  }

  /// Whether all transactions have one level.
  [[nodiscard]] bool is_uniform() const { return is_uniform_; }

  /// Whether start and commit of the transaction are one.
  [[nodiscard]] bool is_merged(std::uint32_t txn) const {
    return is_uniform_ ? second_ == 0 : visibility(txn) == Visibility::kSerial;
  }

  /// Whether no other writer of its keys may commit between the transaction's start and its
  /// commit.
  [[nodiscard]] bool excludes_overlap(std::uint32_t txn) const {
    return is_uniform_ ? excludes_overlap_ : visibility(txn) == Visibility::kSnapshot;
  }

  /// Whether this holds for some transaction.
  [[nodiscard]] bool any_excludes_overlap() const { return excludes_overlap_; }

  /// The number of transactions' events. Other vertices are numbered from this number on.
  [[nodiscard]] std::uint32_t count() const { return count_; }

  [[nodiscard]] std::uint32_t start(std::uint32_t txn) const {
    return is_uniform_ ? txn << second_ : start_[txn];
  }

  [[nodiscard]] std::uint32_t commit(std::uint32_t txn) const {
    return is_uniform_ ? txn << second_ | second_ : start_[txn + 1] - 1;
  }

  /// The event of `txn` that the commits of earlier writers of the same key must precede. If a path
  /// leads from barrier(a) to commit(b), `b` cannot precede `a`.
  [[nodiscard]] std::uint32_t barrier(std::uint32_t txn) const {
    return excludes_overlap(txn) ? start(txn) : commit(txn);
  }

  [[nodiscard]] std::uint32_t read_event(const ExternalRead& read) const {
    return read.is_append ? barrier(read.txn) : start(read.txn);
  }

  /// For an event of a transaction.
  [[nodiscard]] bool is_commit(std::uint32_t event) const {
    return is_uniform_ ? (event & second_) == second_ : event == commit(txn_[event]);
  }

  [[nodiscard]] bool is_of_txn(std::uint32_t event) const { return event < count_; }

  /// For an event of a transaction.
  [[nodiscard]] std::uint32_t txn(std::uint32_t event) const {
    return is_uniform_ ? event >> second_ : txn_[event];
  }

 private:
  [[nodiscard]] Visibility visibility(std::uint32_t txn) const {
    return levels_.of({txn}).visibility;
  }

  void number_each() {
    for (std::uint32_t t = 0; t < txn_count_; ++t) {
      start_.push_back(count_);
      const std::uint32_t events = visibility(t) == Visibility::kSerial ? 1 : 2;
      txn_.insert(txn_.end(), events, t);
      count_ += events;
      excludes_overlap_ = excludes_overlap_ || visibility(t) == Visibility::kSnapshot;
    }
    start_.push_back(count_);
  }

  std::uint32_t txn_count_;
  TxnLevels levels_;
  std::uint32_t count_ = 0;
  bool excludes_overlap_ = false;  // for some transaction
  bool is_uniform_ = true;
  std::uint32_t second_ = 0;  // if uniform: 1 if transactions have a second event
  // If levels differ:
  std::vector<std::uint32_t> start_;  // by transaction, with an end entry
  std::vector<std::uint32_t> txn_;    // by event
};

}  // namespace elapid
