// The reads of a history of long forks, grouped: the reads of a group have the same keys.
//
//   [[:r 1 1] [:r 2 nil]]   [[:r 2 1] [:r 1 1]]   one group, of keys 1 and 2
//   [[:r 3 nil] [:r 4 1]]                         another
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::long_fork {

/// The result of a read for one key; nil, also where it shows the initial value and no write of the
/// key wrote this: it saw no write of the key.
struct Shown {
  KeyId key;
  ValueId value;
};

/// The committed transactions without writes, each with its keys in order. A key that a transaction
/// reads twice counts once, with the last value, as in Jepsen. 8 bytes an operation.
class Reads {
 public:
  /// O(n log k) for n operations and k keys in a transaction.
  explicit Reads(const History& history);

  [[nodiscard]] std::size_t size() const { return txns_.size(); }

  [[nodiscard]] TxnId txn(std::uint32_t read) const { return txns_[read]; }

  [[nodiscard]] std::span<const Shown> shown(std::uint32_t read) const {
    return std::span(shown_).subspan(begin_[read], begin_[read + 1] - begin_[read]);
  }

  /// Whether a write wrote the initial value, so that a read of it may have seen the write or not.
  [[nodiscard]] bool is_initial_written(KeyId key) const { return writes_initial_[key.index()]; }

  /// The reads of each group, ascending. Groups are in the order of their first reads. O(n).
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups() const;

 private:
  std::vector<TxnId> txns_;
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<Shown> shown_;
  std::vector<bool> writes_initial_;  // by key; not where the initial value is nil
};

}  // namespace elapid::long_fork
