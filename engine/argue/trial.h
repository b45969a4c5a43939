// All transactions carried out in an order, right or wrong, and what they do not find as they did.
#ifndef ELAPID_ENGINE_ARGUE_TRIAL_H_
#define ELAPID_ENGINE_ARGUE_TRIAL_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/argue/argue.h"
#include "engine/argue/first_contents.h"
#include "engine/argue/row_parts.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// What a column of a row in an open universe may have held at the beginning without a difference.
struct Alike {
  KeyId row;
  std::uint32_t part = 0;
  std::vector<ValueId> values = {};  ///< ascending
};

/// A version that a row had, which an operation with a predicate cannot have concerned.
struct FormerVersion {
  TxnId writer;  ///< none(): the one that an open universe began with
  /// What the writer did not write itself: who did.
  std::vector<LastWriter> causes = {};
  std::vector<Alike> alike = {};
};

/// A part of a row that a transaction might have written, and did not.
struct Miss {
  TxnId txn;
  KeyId row;
  std::uint32_t part = 0;
  friend bool operator==(const Miss&, const Miss&) = default;
};

/// An operation that did not find what it did, because these were the last to write these parts;
/// two transactions that overlap and write a row; or an operation with a predicate that can have
/// concerned none of the versions that a row had before.
struct Failure {
  enum class Kind : std::uint8_t { kFound, kOverlap, kVersions };
  Kind kind = Kind::kFound;
  TxnId txn;
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  /// Who might have written what, and did not, as the causes tell.
  std::vector<Miss> misses = {};
  /// Of causes that nobody wrote.
  std::vector<Alike> alike = {};
  TxnId other = TxnId::none();  ///< kOverlap
  KeyId row = KeyId::none();    ///< kOverlap, kVersions
  std::vector<FormerVersion> versions = {};
};

struct TrialOptions {
  bool has_two_events = false;
  /// What each row of an open universe held at the beginning, by KeyId; else empty.
  std::span<const replay::RowState> beginning = {};
  const FirstContents* contents = nullptr;  ///< of an open universe
  OldVersions old_versions = OldVersions::kOfNone;
  std::size_t most = 1;            ///< failures
  std::size_t most_causes = 1000;  ///< of one
};

struct TrialResult {
  std::vector<Failure> failures = {};
  bool is_too_long = false;  ///< some failure has more causes than can be told
};

/// The first failures. `order` holds the events of all that take effect; of a
/// transaction with two events both. Linear in the operations and what they match, and in the
/// causes of failures.
[[nodiscard]] TrialResult try_order(const History& history, const RowWrites& writes,
                                    std::span<const OrderEvent> order, TrialOptions options);

}  // namespace elapid::argue

#endif  // ELAPID_ENGINE_ARGUE_TRIAL_H_
