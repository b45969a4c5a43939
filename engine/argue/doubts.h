// The negation of a failure's causes, as literals of a clause: one of them was different.
//
//   T2 finds row 7 because T1, which may not have taken effect, was the last to write it: T1 did
//   not take effect, or T2 read before T1 committed, or T5, which writes row 7, came in between
#pragma once

#include <vector>

#include "engine/argue/beginning.h"
#include "engine/argue/choices.h"
#include "engine/argue/fixed_order.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/ir/history.h"
#include "engine/solve/sat_solver.h"

namespace elapid::argue {

/// Borrows all.
class Doubts {
 public:
  Doubts(const History& history, const RowWrites& writes, const FixedOrder& fixed, Choices& choices,
         Beginning& beginning)
      : history_(history),
        writes_(writes),
        fixed_(fixed),
        choices_(choices),
        beginning_(beginning) {}

  /// The literal that the transaction, if any, did not take effect; none if it certainly did.
  void add_fate(TxnId txn, std::vector<Literal>& clause) {
    if (!txn.is_none() && !history_.committed(txn)) {
      clause.push_back(~choices_.took_effect(txn));
    }
  }

  /// Literals that one of these decisions was different.
  void add_decisions(const std::vector<Decision>& decisions, std::vector<Literal>& clause) {
    for (const auto& [of, is_taken] : decisions) {
      const Literal literal = choices_.found(of.txn, of.mop, of.row, kAsFound, is_taken);
      clause.push_back(is_taken ? ~literal : literal);
    }
  }

  /// Literals that the cause is not the last to write its part before its reader reads: it comes
  /// later, or another writer that matters comes between.
  template <class Matters>
  void add_ways_out(const LastWriter& cause, const std::vector<Alike>& alike,
                    std::vector<Literal>& clause, Matters matters) {
    const TxnId reader = cause.reader;
    if (cause.writer.is_none()) {
      beginning_.doubt(alike, cause.row, cause.part, clause);
    }
    if (!cause.writer.is_none() && !fixed_.precedes(cause.writer, reader)) {
      clause.push_back(choices_.before(fixed_.start(reader), fixed_.commit(cause.writer)));
    }
    for (const TxnId other : writes_.writers(cause.row, cause.part)) {
      if (other == reader || other == cause.writer || fixed_.precedes(reader, other) ||
          (!cause.writer.is_none() && fixed_.precedes(other, cause.writer)) || !matters(other)) {
        continue;
      }
      if (const auto literal = choices_.between(cause.writer, other, reader)) {
        clause.push_back(*literal);
      }
    }
  }

 private:
  const History& history_;
  const RowWrites& writes_;
  const FixedOrder& fixed_;
  Choices& choices_;
  Beginning& beginning_;
};

}  // namespace elapid::argue
