// Carries out all transactions in a given order, and lists the operations whose results differ from
// the recorded ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "engine/argue/argue.h"
#include "engine/argue/first_contents.h"
#include "engine/argue/outcomes.h"
#include "engine/argue/row_parts.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// What a column of a row in an open universe may have held at the beginning without a difference.
struct Alike {
  KeyId row;
  std::uint32_t part = 0;
  std::vector<ValueId> values = {};  ///< ascending
};

/// A part of a row that a transaction might have written, and did not.
struct Miss {
  TxnId txn;
  KeyId row;
  std::uint32_t part = 0;
  friend auto operator<=>(const Miss&, const Miss&) = default;
};

/// Of an operation that was not sure to write a row: whether it did.
struct Decision {
  TakenRow of;
  bool is_taken = false;
  friend auto operator<=>(const Decision&, const Decision&) = default;
};

/// A version that a row had, which an operation with a predicate cannot have concerned.
struct FormerVersion {
  TxnId writer;  ///< none(): the one that an open universe began with
  /// What the writer did not write itself: who did.
  std::vector<LastWriter> causes = {};
  std::vector<Miss> misses = {};
  std::vector<Decision> decisions = {};
  std::vector<Alike> alike = {};
};

/// An operation that did not find what it did, because these were the last to write these parts;
/// two transactions that overlap and write a row; an operation with a predicate that can have
/// concerned none of the versions that a row had before; or one that did not find as many rows.
struct Failure {
  enum class Kind : std::uint8_t { kFound, kOverlap, kVersions, kCount };
  Kind kind = Kind::kFound;
  TxnId txn;
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  /// Who might have written what, and did not, as the causes tell; ascending.
  std::vector<Miss> misses = {};
  /// What operations did that were not sure to write, as the causes take it.
  std::vector<Decision> decisions = {};
  /// For each cause without a writer.
  std::vector<Alike> alike = {};
  TxnId other = TxnId::none();  ///< kOverlap
  /// kOverlap, kVersions; of other kinds with `as`.
  KeyId row = KeyId::none();
  /// Had the operation found the row so: a choice where it is not kAsRecorded.
  std::uint32_t as = kAsRecorded;
  std::vector<FormerVersion> versions = {};
  Miscount count = {};  ///< kCount
};

/// How operations find rows where that is a choice that was made.
class FoundChoices {
 public:
  void set(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as, bool holds) {
    choices_[{txn, mop, row, as}] = holds;
  }

  /// Nothing: that is open.
  [[nodiscard]] std::optional<bool> get(TxnId txn, std::uint32_t mop, KeyId row,
                                        std::uint32_t as) const;

  /// Calls `visit(row, holds)` for the rows that the operation is chosen to have found or not.
  template <class Visit>
  void each(TxnId txn, std::uint32_t mop, Visit visit) const {
    for (auto at = choices_.lower_bound({txn, mop, KeyId{0}, 0});
         at != choices_.end() && std::get<0>(at->first) == txn && std::get<1>(at->first) == mop;
         ++at) {
      if (std::get<3>(at->first) == kAsFound) {
        visit(std::get<2>(at->first), at->second);
      }
    }
  }

 private:
  std::map<std::tuple<TxnId, std::uint32_t, KeyId, std::uint32_t>, bool> choices_;
};

struct TrialOptions {
  bool has_two_events = false;
  /// What each row of an open universe held at the beginning, by KeyId; else empty.
  std::span<const replay::RowState> beginning = {};
  const FirstContents* contents = nullptr;  ///< of an open universe
  OldVersions old_versions = OldVersions::kOfNone;
  const FoundChoices* choices = nullptr;  ///< with old versions
  std::size_t most = 1;                   ///< failures
  std::size_t most_causes = 1000;         ///< of one
  /// RowWrites::looked() at which the trial is given up.
  std::uint64_t most_looked = std::numeric_limits<std::uint64_t>::max();
};

struct TrialResult {
  std::vector<Failure> failures = {};
  bool is_too_long = false;       ///< some failure has more causes than can be told, or given up
  std::uint64_t looked = 0;       ///< with old versions: at how many rows and former versions
  std::set<TakenRow> taken = {};  ///< with old versions: by operations that were not sure to
};

/// The first failures. `order` holds the events of all that take effect; of a
/// transaction with two events both. Linear in the operations and what they match, and in the
/// causes of failures.
[[nodiscard]] TrialResult try_order(const History& history, const RowWrites& writes,
                                    std::span<const OrderEvent> order, TrialOptions options);

}  // namespace elapid::argue
