// Reads a history transaction by transaction: the reads of each from others, and the values that it
// left.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The demands of a level on the reads of one transaction.
struct ReadRules {
  /// Whether reads of a key before own writes, and others' elements in lists, must agree; only the
  /// first read counts. Else each of these reads counts.
  bool repeatable = false;
  /// The same for the keys that the transaction writes.
  bool repeatable_if_written = false;
  /// Whether reads after own writes must show these. If not, such reads mean nothing, as long as
  /// some transaction may have written their value.
  bool own_writes = true;
  friend bool operator==(ReadRules, ReadRules) = default;
};

/// The rules where all transactions have this level.
[[nodiscard]] constexpr ReadRules read_rules(OrderLevel level) {
  return {.repeatable = reads_one_state(level), .own_writes = reads_own_writes(level)};
}

/// A read of a version that others left behind: one with a known result before any own write. A
/// list is named by its last element that is not the reader's own; the empty list is none().
struct OthersRead {
  std::uint32_t mop = 0;  ///< in ops()
  KeyId key;
  ValueId value;
  bool is_unwritten = false;  ///< the initial state, by both of its names
  std::uint32_t length = 0;   ///< of a list, without own elements

  /// The value that others must have left for the read; none() for the initial state only.
  [[nodiscard]] ValueId wanted() const { return is_unwritten ? ValueId::none() : value; }
};

/// What a read of a list returned; nil is the empty list.
[[nodiscard]] inline std::span<const ValueId> shown_list(const History& history, Op read) {
  return read.kind() == OpKind::kReadList ? history.elements(read) : std::span<const ValueId>();
}

/// Reads one transaction at a time. 4 bytes a key of registers, 28 of lists.
class TxnReader {
 public:
  explicit TxnReader(const History& history);

  static constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();

  /// The transaction's operations on a key.
  struct Touched {
    KeyId key;
    ValueId write = ValueId::none();  ///< the last one; none() if there is none
    std::uint32_t read = kNothing;    ///< place in reads(): the only one, if reads must agree
    bool is_repeatable = false;       ///< whether its reads must agree
  };

  void read(TxnId txn, ReadRules rules);

  // The operations of the last transaction.
  [[nodiscard]] std::span<const OthersRead> reads() const { return reads_; }

  /// One entry a key.
  [[nodiscard]] std::span<const Touched> touched() const { return touched_; }

  /// The first read that contradicts own operations, if there is one.
  [[nodiscard]] const std::optional<InternalEvidence>& contradiction() const {
    return contradiction_;
  }

  /// Places of reads that contradict own writes, at a level that allows it.
  [[nodiscard]] std::span<const std::uint32_t> tolerated() const { return tolerated_; }

  /// Whether any transaction so far read a list as something that is no list.
  [[nodiscard]] bool has_odd_reads() const { return has_odd_reads_; }

 private:
  [[nodiscard]] Touched& touch(KeyId key);
  void read_register(std::uint32_t mop, Op op, Touched& touched);
  void read_list(std::uint32_t mop, Op op, Touched& touched);
  void contradict(std::uint32_t mop, ExpectedRead expected);
  /// A read that contradicts own writes.
  void differ_from_own(std::uint32_t mop, ExpectedRead expected);

  const History& history_;
  bool is_list_;
  bool has_odd_reads_ = false;
  std::vector<std::uint32_t> entry_of_;    // by key, a place in touched_ if that has the key
  std::vector<std::vector<ValueId>> own_;  // by key: the current transaction's appends
  TxnId txn_;                              // the current one
  ReadRules rules_;
  GrowingVector<OthersRead> reads_;
  GrowingVector<Touched> touched_;
  std::vector<std::uint32_t> tolerated_;
  std::optional<InternalEvidence> contradiction_;
};

}  // namespace elapid
