// Why a row is in its current state when an operation looks at it: the last writers of its parts;
// and why unsure operations wrote the row or did not.
//
//   T3 finds row 7 with age 15: T1 wrote the age last, and the delete of T2 did not match the row,
//   since T1 had written its name
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/argue/first_contents.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/argue/trial_state.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/rows/rows.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::argue {

/// Numbers of parts of a row.
using Parts = std::vector<std::uint32_t>;

/// Borrows all.
class Explanation {
 public:
  /// Stops once there are more than `most` causes, or `writes` was looked at `most_looked`
  /// times.
  Explanation(const History& history, const RowWrites& writes, TrialState& state, std::size_t most,
              std::uint64_t most_looked)
      : history_(history),
        rows_(*history.info().rows),
        writes_(writes),
        state_(state),
        most_(most),
        most_looked_(most_looked) {}

  /// Explains these parts of the row, as the transaction saw them before its operation `mop`.
  void add(TxnId reader, std::uint32_t mop, KeyId row, const Parts& parts);

  /// Explains whether the operation's predicate matches the row.
  void add_match(TxnId reader, std::uint32_t mop, KeyId row) { look(reader, mop, row); }

  /// Explains why a column of the row differs from the shown value.
  void add_unlike(TxnId reader, std::uint32_t mop, KeyId row, std::uint32_t part, ValueId shown);

  /// Explains why the transaction writes the row at all.
  void add_write(TxnId txn, KeyId row);

  /// Explains why the transaction wrote the row itself before its operation `mop`.
  void add_own_write(TxnId txn, std::uint32_t mop, KeyId row);

  /// Moves everything to a failure.
  void move_to(Failure& failure, const FirstContents* contents);

  /// Moves the causes to a failure or a version.
  template <class Explained>
  void move_causes_to(Explained& explained) {
    explained.causes = std::move(causes_);
    for (const auto& [txn, row, part] : misses_) {
      explained.misses.push_back({txn, row, part});
    }
    explained.decisions.assign(decisions_.begin(), decisions_.end());
  }

  /// Whether the explanation was given up and is useless.
  [[nodiscard]] bool is_too_long() const {
    return causes_.size() > most_ || writes_.looked() > most_looked_;
  }

  /// Whether it uses a row that is missing but has columns: then another operation, which changed
  /// the row, failed for that reason.
  [[nodiscard]] bool is_confused() const { return is_confused_; }

  /// The parts that decide whether the operation's predicate matches the row.
  [[nodiscard]] Parts why(const rows::RowOp& op, KeyId row, const replay::RowState& state) const;

 private:
  /// A look of an operation at a row: whether it matched, or whether a column was as shown.
  struct Look {
    TxnId reader;
    std::uint32_t mop = 0;
    KeyId row;
    Parts parts;  ///< the parts that decided the result
    std::optional<ValueId> shown = {};
  };

  /// Notes a missing row with columns: an operation changed it although it was missing, and a
  /// delete that does not find it leaves its columns.
  void note_confused(const replay::RowState& state);

  /// The parts that decide whether the operation matches the row; notes the look.
  Parts noted_look(TxnId reader, std::uint32_t mop, KeyId row);

  void look(TxnId reader, std::uint32_t mop, KeyId row);

  /// For each column that no transaction wrote: the initial values with which all looks have the
  /// same result. The columns of one row may hold any combination of these values.
  [[nodiscard]] std::vector<Alike> all_alike(const FirstContents& contents);

  [[nodiscard]] ValueId held_at_first(KeyId row, std::uint32_t part) const;

  void widen(const FirstContents& contents, std::vector<Alike>& columns);

  /// Whether the looks have the same result with the value, for all values of the other columns.
  [[nodiscard]] bool is_alike(const std::vector<Alike>& columns, const Alike& of, ValueId value,
                              const std::vector<std::pair<const Look*, bool>>& looks);

  [[nodiscard]] bool outcome(const Look& look) const;

  /// Whether the same parts decide the look as before.
  [[nodiscard]] bool is_decided(const Look& look) const;

  struct Need {
    TxnId reader;
    std::uint32_t mop = 0;
    KeyId row;
    PartSet parts = 0;
  };

  [[nodiscard]] std::uint32_t count_of(TxnId txn) const {
    return static_cast<std::uint32_t>(history_.ops(txn).size());
  }

  template <class Visit>
  void each_own(TxnId txn, std::uint32_t count, KeyId row, Visit visit) const {
    writes_.each_write(txn, count, row, visit);
  }

  void queue(TxnId reader, std::uint32_t mop, KeyId row, const Parts& parts);

  void queue_look(TxnId reader, std::uint32_t mop, KeyId row);

  void settle(const Need& need);

  /// Whether the operation, which may or may not write the row, wrote it; notes the decision.
  bool noted_decision(TxnId txn, std::uint32_t mop, KeyId row);

  void add_cause(TxnId reader, KeyId row, std::uint32_t part);

  /// Collects parts that decide that the predicate is true, or false, of the record.
  void collect(const rows::Predicate& predicate, KeyId row, const rows::Record& record,
               bool is_true, Parts& parts) const;

  static void collect_all(const rows::Predicate& predicate, Parts& parts);

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  TrialState& state_;
  std::size_t most_;
  std::uint64_t most_looked_;
  std::vector<Look> looks_;
  bool is_confused_ = false;
  std::vector<Need> needs_;
  std::map<std::tuple<TxnId, std::uint32_t, KeyId>, PartSet> told_;
  std::set<std::tuple<TxnId, KeyId, std::uint32_t>> seen_;
  std::vector<LastWriter> causes_;
  std::set<std::tuple<TxnId, KeyId, std::uint32_t>> misses_;
  std::set<Decision> decisions_;
};

}  // namespace elapid::argue
