// Clauses about operations that may see old versions of rows, at repeatable read, read committed
// and read atomic.
//
//   kVersions   the operation saw the version of T1, or of T2, or the first one
//   kVersion    if it saw that of T1, then T3 came between (else it would have failed)
//   kAtLeast    it found 3 rows: one of rows 1, 4, 6, 7 in addition to two of them
//   kAtMost     it found no more
//   kFractured  where it saw a version of T1, it saw no version of row 7 that T1 overwrote
//   kWritten    it was shown age 15, which only operation 2 of T1 can have written
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "engine/argue/beginning.h"
#include "engine/argue/choices.h"
#include "engine/argue/doubts.h"
#include "engine/argue/fixed_order.h"
#include "engine/argue/origins.h"
#include "engine/argue/possible_versions.h"
#include "engine/argue/proof_log.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/ir/history.h"
#include "engine/rows/rows.h"

namespace elapid::argue {

/// Borrows all.
class VersionClauses {
 public:
  VersionClauses(const History& history, const RowWrites& writes, const FixedOrder& fixed,
                 const Origins& origins, VersionOptions options, Choices& choices,
                 Beginning& beginning, Doubts& doubts, ProofLog& log)
      : history_(history),
        writes_(writes),
        fixed_(fixed),
        origins_(origins),
        versions_(history, writes, fixed, options),
        choices_(choices),
        beginning_(beginning),
        doubts_(doubts),
        log_(log) {}

  /// The operation saw some version of the row, but none of those that it cannot have seen, in the
  /// way that these came about. `clause`: further literals.
  void add_versions(const Failure& failure, std::vector<Literal> clause);

  /// The operation found more rows than possible, or fewer than necessary: some row was different.
  /// `clause`: further literals.
  void add_count(const Failure& failure, std::vector<Literal> clause);

  /// What looks of one state the failure has: where the transaction saw the one version, it did not
  /// see the other, older one.
  void add_fracture(const Failure& failure, const Fracture& fracture);

  /// A value that an operation of the transaction was shown, and only one other can have written.
  void add_origins(TxnId txn, bool reads_old_versions);

  /// Of one state: if operations of the transaction were shown two versions of a row, which one
  /// transaction each left, the clauses of these. Whether there is such a row.
  bool add_torn_row(TxnId txn);

 private:
  /// A row that an operation was shown, and the only transaction that can have written what was
  /// shown.
  struct SeenRow {
    std::uint32_t mop = 0;
    rows::ShownRow row;
    TxnId writer;
  };

  void add_version(const Failure& failure, const FormerVersion& version);
  template <class Visit>
  void each_old_row(TxnId txn, bool reads_old_versions, Visit visit);
  [[nodiscard]] TxnId known_writer(TxnId txn, std::uint32_t mop, const rows::ShownRow& shown) const;
  void add_tear(TxnId txn, const std::array<SeenRow, 2>& torn);
  void add_origin(TxnId txn, std::uint32_t mop, const rows::ShownRow& shown);
  void add_written(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t part, ValueId value,
                   TxnId writer);
  [[nodiscard]] RowsProofStep step_about(RowsProofStep::Reason reason,
                                         const Failure& failure) const;

  const History& history_;
  const RowWrites& writes_;
  const FixedOrder& fixed_;
  const Origins& origins_;
  PossibleVersions versions_;
  Choices& choices_;
  Beginning& beginning_;
  Doubts& doubts_;
  ProofLog& log_;
  /// Reader, operation, row and way: clauses for all versions exist.
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> stated_;
  std::set<std::vector<std::uint32_t>> counted_;    // clauses about numbers of rows
  std::set<std::vector<std::uint32_t>> fractured_;  // clauses of add_fracture()
};

}  // namespace elapid::argue
