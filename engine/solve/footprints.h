// The part of each transaction that others can see: its external reads and its final writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/txn_reader.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The operations of a transaction on one key. A list is named by its last element. The empty list
/// is named by nil and `is_unwritten`, since an element may be nil, too.
struct Touch {
  static constexpr std::uint32_t kNoMop = 0xffffffffU;

  KeyId key;
  std::uint32_t read_mop = kNoMop;    ///< place in History::ops() of the external read
  ValueId read = ValueId::none();     ///< what it returned; none() if nothing is known
  ValueId write = ValueId::none();    ///< the last written value; none() if there is none
  std::uint32_t external_length = 0;  ///< for a list read: the number of elements of others
  bool is_unwritten = false;          ///< the read saw the initial state, even if some transaction
                                      ///< wrote that value too: the empty list, or a register for
                                      ///< which other reads use the initial state's other name
};

/// The touches of all transactions except aborted ones. Linear in operations and elements of
/// literal lists.
class Footprints {
 public:
  explicit Footprints(const History& history);

  /// Only for these transactions, ascending; others get none.
  Footprints(const History& history, std::span<const TxnId> txns);

  /// One entry a key, in order of first touch; none for aborted transactions.
  [[nodiscard]] std::span<const Touch> of(TxnId txn) const {
    return std::span(touches_).subspan(begin_[txn.index()],
                                       begin_[txn.index() + 1] - begin_[txn.index()]);
  }

  /// Whether a read contradicts the transaction's own earlier operations.
  [[nodiscard]] bool contradicts_itself(TxnId txn) const { return contradictory_[txn.index()]; }

  /// Whether some read of a list returned no list: its meaning is unknown.
  [[nodiscard]] bool has_odd_reads() const { return has_odd_reads_; }

  /// Reads that contradict own operations, one for each transaction.
  [[nodiscard]] const std::vector<Anomaly>& internal() const { return internal_; }

 private:
  void read(TxnReader& reader, TxnId txn);

  std::vector<std::uint32_t> begin_ = {0};
  std::vector<Touch> touches_;
  std::vector<bool> contradictory_;
  bool has_odd_reads_ = false;
  std::vector<Anomaly> internal_;
};

}  // namespace elapid
