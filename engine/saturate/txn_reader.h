// Reads a history transaction by transaction: the reads of each from others, and the values that it
// left.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The demands of a level on the reads of one transaction.
struct ReadRules {
  /// Whether reads of a key before own writes, and others' elements in lists, must agree; only the
  /// first read counts. Else each of these reads counts.
  bool repeatable = false;
  /// Whether reads after own writes must show these. If not, such reads mean nothing, as long as
  /// some transaction may have written their value.
  bool own_writes = true;
  friend bool operator==(ReadRules, ReadRules) = default;
};

/// Reads one transaction at a time. 24 bytes a key.
class TxnReader {
 public:
  TxnReader(const History& history, ReadRules rules);

  /// A read with a known result before any own write. A list is named by its last element that is
  /// not the reader's own; the empty list is none().
  struct Read {
    std::uint32_t mop = 0;
    KeyId key;
    ValueId value;
    bool is_unwritten = false;  ///< the initial state, by its other name
    std::uint32_t length = 0;   ///< of a list, without own elements

    /// The value that others must have left for the read; none() for the initial state only.
    [[nodiscard]] ValueId wanted() const { return is_unwritten ? ValueId::none() : value; }
  };

  /// The last write of a key.
  struct Write {
    KeyId key;
    ValueId value;
  };

  void read(TxnId txn);

  // The reads of the last transaction.
  [[nodiscard]] std::span<const Read> reads() const { return reads_; }

  [[nodiscard]] std::span<const Write> writes() const { return writes_; }

  /// The first read that contradicts own operations, if there is one.
  [[nodiscard]] const std::optional<InternalEvidence>& contradiction() const {
    return contradiction_;
  }

  /// Places of reads that contradict own writes, at a level that allows it.
  [[nodiscard]] std::span<const std::uint32_t> tolerated() const { return tolerated_; }

  /// Whether any transaction so far read a list as something that is no list.
  [[nodiscard]] bool has_odd_reads() const { return has_odd_reads_; }

 private:
  static constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();

  /// The operations of the current transaction on a key.
  struct KeyState {
    TxnId txn = TxnId::none();       ///< the current transaction, if it touched the key
    std::uint32_t write = kNothing;  ///< place in writes_
    std::uint32_t read = kNothing;   ///< place in reads_
  };

  [[nodiscard]] KeyState& state_of(TxnId txn, KeyId key);
  void write(Op op, KeyState& state);
  void read_register(TxnId txn, std::uint32_t mop, Op op, KeyState& state);
  void read_list(TxnId txn, std::uint32_t mop, Op op, KeyState& state);
  [[nodiscard]] std::span<const ValueId> list_before(TxnId txn, const KeyState& state) const;
  void contradict(TxnId txn, std::uint32_t mop, ExpectedRead expected);

  [[nodiscard]] bool is_initial(ValueId value) const {
    return value.is_nil() || value == history_.info().initial;
  }

  const History& history_;
  bool is_list_;
  ReadRules rules_;
  bool has_odd_reads_ = false;
  std::vector<KeyState> states_;           // by key
  std::vector<std::vector<ValueId>> own_;  // by key: the current transaction's appends
  std::vector<Read> reads_;
  std::vector<Write> writes_;
  std::vector<std::uint32_t> tolerated_;
  std::optional<InternalEvidence> contradiction_;
};

}  // namespace elapid
