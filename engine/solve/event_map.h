// Where dependencies begin and end in the graph of events: the whole difference between levels. At
// the serializable levels a transaction is one event. At snapshot isolation it has two, start and
// commit: two transactions that miss each other's writes then form no cycle, since each edge leads
// from a start to a commit.
#ifndef ELAPID_ENGINE_SOLVE_EVENT_MAP_H_
#define ELAPID_ENGINE_SOLVE_EVENT_MAP_H_

#include <cstdint>

#include "engine/levels/models.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Numbers the events of transactions. At the serializable levels start and commit are one.
///
/// | edge          | from       | to               |
/// |---------------|------------|------------------|
/// | wr            | commit     | read_event       |
/// | ww            | commit     | barrier          |
/// | rw            | read_event | commit           |
/// | session, time | commit     | start            |
class EventMap {
 public:
  EventMap(std::uint32_t txn_count, Visibility visibility)
      : txn_count_(txn_count), visibility_(visibility) {}

  [[nodiscard]] bool is_merged() const { return visibility_ == Visibility::kSerial; }

  /// Whether writers of one key must not overlap.
  [[nodiscard]] bool excludes_overlap() const { return visibility_ == Visibility::kSnapshot; }

  /// The number of transactions' events; further events may be numbered from here on.
  [[nodiscard]] std::uint32_t count() const { return is_merged() ? txn_count_ : 2 * txn_count_; }

  [[nodiscard]] std::uint32_t start(std::uint32_t txn) const { return is_merged() ? txn : 2 * txn; }

  [[nodiscard]] std::uint32_t commit(std::uint32_t txn) const {
    return is_merged() ? txn : 2 * txn + 1;
  }

  /// The event of `txn` that the commits of earlier writers of the same key must precede. If a path
  /// leads from barrier(a) to commit(b), `b` cannot come before `a`.
  [[nodiscard]] std::uint32_t barrier(std::uint32_t txn) const {
    return visibility_ == Visibility::kSnapshot ? start(txn) : commit(txn);
  }

  [[nodiscard]] std::uint32_t read_event(const ExternalRead& read) const {
    return read.is_append ? barrier(read.txn) : start(read.txn);
  }

  [[nodiscard]] bool is_commit(std::uint32_t event) const { return is_merged() || event % 2 == 1; }

  [[nodiscard]] bool is_of_txn(std::uint32_t event) const { return event < count(); }

  [[nodiscard]] std::uint32_t txn(std::uint32_t event) const {
    return is_merged() ? event : event / 2;
  }

 private:
  std::uint32_t txn_count_;
  Visibility visibility_;
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_EVENT_MAP_H_
