// The transactions that may come next, given sessions, real time and an initial transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"

namespace elapid::replay {

/// The three lines: committed transactions that only read, committed ones that write, and
/// indeterminate ones.
enum class Line : std::uint8_t { kReaders, kWriters, kOptional };

/// The transactions that still wait for their turn, in three lines, each by invocation.
class TurnTaking {
 public:
  /// Refers to the history.
  TurnTaking(const History& history, OrderLevel level);

  /// The first transaction of the line that waits, or none().
  [[nodiscard]] Line line(TxnId txn) const { return line_[txn.index()]; }

  [[nodiscard]] TxnId first(Line line) const { return next_[head(line)]; }

  /// The next waiting transaction after this one, which may wait no longer; or none().
  [[nodiscard]] TxnId after(TxnId txn) const { return next_[txn.index()]; }

  /// Whether the transaction may start now.
  [[nodiscard]] bool may_start(TxnId txn) const;

  /// Whether neither this transaction nor any behind it may start now.
  [[nodiscard]] bool is_beyond(TxnId txn) const;

  /// Whether all committed transactions are finished.
  [[nodiscard]] bool is_over() const { return unfinished_ == 0; }

  /// The transaction waits no longer.
  void take(TxnId txn);
  /// The transaction commits: its successors may start.
  void finish(TxnId txn);
  /// These undo the latest take() or finish().
  void give_back(TxnId txn);
  void unfinish(TxnId txn);

 private:
  [[nodiscard]] std::size_t head(Line line) const {
    return history_.txn_count() + static_cast<std::size_t>(line);
  }

  void link(Line line, std::vector<TxnId> txns);
  void link_sessions();
  [[nodiscard]] EventId first_completion() const;

  const History& history_;
  OrderLevel level_;
  bool has_real_time_ = false;
  std::vector<TxnId> next_;      // by transaction, then the heads of the lines
  std::vector<TxnId> previous_;  // by transaction; none(): the head
  std::vector<Line> line_;       // by transaction
  std::vector<bool> is_finished_;
  std::vector<TxnId> session_previous_;  // by transaction: the committed one before it, or none()
  std::vector<TxnId> by_completion_;     // committed ones
  std::vector<std::uint32_t> rank_;      // in by_completion_
  std::size_t first_unfinished_ = 0;     // in by_completion_
  std::size_t unfinished_ = 0;
};

}  // namespace elapid::replay
