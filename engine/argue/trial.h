// Carries out all transactions in a given order, and lists the operations with results other than
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

/// Values of a column at the beginning, for a row of an open universe, that make no difference.
struct Alike {
  KeyId row;
  std::uint32_t part = 0;
  std::vector<ValueId> values = {};  ///< ascending
};

/// A part of a row that a transaction might have written, but did not.
struct Miss {
  TxnId txn;
  KeyId row;
  std::uint32_t part = 0;
  friend auto operator<=>(const Miss&, const Miss&) = default;
};

/// Whether an operation wrote a row that it may or may not write.
struct Decision {
  TakenRow of;
  bool is_taken = false;
  friend auto operator<=>(const Decision&, const Decision&) = default;
};

/// An earlier version of a row that an operation with a predicate cannot have concerned.
struct FormerVersion {
  TxnId writer;  ///< none(): the initial version of an open universe
  /// The writers of the parts that `writer` did not write itself.
  std::vector<LastWriter> causes = {};
  std::vector<Miss> misses = {};
  std::vector<Decision> decisions = {};
  std::vector<Alike> alike = {};
};

/// Of the looks of a transaction at rows, which see one state: where one saw what `newer` left, the
/// other did not see the row as `older` left it, which `newer` wrote later.
struct Fracture {
  std::size_t look = 0;  ///< at the older version
  TxnId older;           ///< none(): the version at the beginning
  std::size_t newer_look = 0;
  TxnId newer;
  std::vector<Decision> decisions = {};  ///< that `newer` wrote the row
};

/// One of five: an operation did not find its recorded result, because of the last writers of these
/// parts; two overlapping transactions write a row; an operation with a predicate cannot have
/// concerned any earlier version of a row; an operation did not find its recorded number of rows;
/// no one state has what the transaction's operations found.
struct Failure {
  enum class Kind : std::uint8_t { kFound, kOverlap, kVersions, kCount, kState };
  Kind kind = Kind::kFound;
  TxnId txn;
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  /// The possible writes that did not happen, by the causes; ascending.
  std::vector<Miss> misses = {};
  /// The decisions about writes that are not sure, by the causes.
  std::vector<Decision> decisions = {};
  /// For each cause without a writer.
  std::vector<Alike> alike = {};
  TxnId other = TxnId::none();  ///< kOverlap
  /// kOverlap, kVersions; of other kinds with `as`.
  KeyId row = KeyId::none();
  /// How the operation would have found the row: a choice, unless it is kAsRecorded.
  std::uint32_t as = kAsRecorded;
  std::vector<FormerVersion> versions = {};
  Miscount count = {};  ///< kCount
  /// kState: of kind kVersions, of which `versions` has those that the operation cannot have seen.
  std::vector<Failure> looks = {};
  std::vector<Fracture> fractures = {};  ///< kState
};

/// The decided choices of how operations find rows.
class FoundChoices {
 public:
  void set(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as, bool holds) {
    choices_[{txn, mop, row, as}] = holds;
  }

  /// Whether the operation found the row so; nothing if that is open.
  [[nodiscard]] std::optional<bool> get(TxnId txn, std::uint32_t mop, KeyId row,
                                        std::uint32_t as) const;

  /// Calls `visit(row, holds)` for each row with a decided choice for the operation.
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
  /// The contents of each row of an open universe at the beginning, by KeyId; else empty.
  std::span<const replay::RowState> beginning = {};
  const FirstContents* contents = nullptr;  ///< of an open universe
  OldVersions old_versions = OldVersions::kOfNone;
  const FoundChoices* choices = nullptr;  ///< with old versions
  std::size_t most = 1;                   ///< the most failures to list
  std::size_t most_causes = 1000;         ///< the most causes of one failure
  /// The value of RowWrites::looked() that ends the trial.
  std::uint64_t most_looked = std::numeric_limits<std::uint64_t>::max();
};

struct TrialResult {
  std::vector<Failure> failures = {};
  bool is_too_long = false;          ///< a failure has too many causes, or the trial was given up
  std::uint64_t looked = 0;          ///< with old versions: rows and former versions looked at
  std::set<TakenRow> taken = {};     ///< with old versions: rows written by unsure operations
  std::vector<ReadFrom> reads = {};  ///< of one state: Witness::reads
};

/// The first failures. `order` holds the events of all transactions that take effect; both events,
/// if a transaction has two. Linear in the operations, in the rows that they match, and in the
/// causes of failures.
[[nodiscard]] TrialResult try_order(const History& history, const RowWrites& writes,
                                    std::span<const OrderEvent> order, TrialOptions options);

}  // namespace elapid::argue
