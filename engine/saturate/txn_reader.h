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

/// What a level demands of the reads of one transaction.
struct ReadRules {
  /// Reads of a key before any own write, and the others' elements of lists, must agree, and only
  /// the first read counts. Else each of these reads counts.
  bool repeatable = false;
  /// Reads after own writes must show these. If not set, such reads say nothing, as long as some
  /// transaction may have written what they show.
  bool own_writes = true;
  friend bool operator==(ReadRules, ReadRules) = default;
};

/// Reads one transaction at a time. 24 bytes a key.
class TxnReader {
 public:
  TxnReader(const History& history, ReadRules rules);

  /// A read, before any own write, with a known result. A list is named by its last element that is
  /// not the reader's own, the empty one by none().
  struct Read {
    std::uint32_t mop = 0;
    KeyId key;
    ValueId value;
    bool is_unwritten = false;  ///< another read calls it by the initial state's other name
    std::uint32_t length = 0;   ///< of a list, without own elements

    /// What others must have left behind for it; none() for the initial state alone.
    [[nodiscard]] ValueId wanted() const { return is_unwritten ? ValueId::none() : value; }
  };

  /// The last write of a key.
  struct Write {
    KeyId key;
    ValueId value;
  };

  void read(TxnId txn);

  // Of the transaction read last.
  [[nodiscard]] std::span<const Read> reads() const { return reads_; }

  [[nodiscard]] std::span<const Write> writes() const { return writes_; }

  /// The first read that contradicts own operations, if there is one.
  [[nodiscard]] const std::optional<InternalEvidence>& contradiction() const {
    return contradiction_;
  }

  /// Places of the reads that contradict own writes where the level does not mind.
  [[nodiscard]] std::span<const std::uint32_t> tolerated() const { return tolerated_; }

  /// Whether any transaction so far read something of a list that is none.
  [[nodiscard]] bool has_odd_reads() const { return has_odd_reads_; }

 private:
  static constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();

  /// What the transaction at hand has done to a key.
  struct KeyState {
    TxnId txn = TxnId::none();       ///< the transaction at hand, if it touched the key
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
  std::vector<std::vector<ValueId>> own_;  // by key: what the transaction at hand has appended
  std::vector<Read> reads_;
  std::vector<Write> writes_;
  std::vector<std::uint32_t> tolerated_;
  std::optional<InternalEvidence> contradiction_;
};

}  // namespace elapid
