// External reads and writes of register transactions, by Elle's rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::elle {

/// A transaction's operations on one key. The history's initial value is nil here.
struct RegisterOp {
  KeyId key;
  /// The value of the first operation on the key, if it is a read; else none(). Elle treats the
  /// keys nil and false as untouched before: for them it is the value of the last read.
  ValueId read = ValueId::none();
  /// The last written value; none() if there is none.
  ValueId write = ValueId::none();
};

/// For every transaction that completed and did not abort: one entry a key, by first touch. Elle
/// believes no read of :info: :info entries have no reads. Linear.
class RegisterOps {
 public:
  explicit RegisterOps(const History& history);

  [[nodiscard]] std::span<const RegisterOp> of(TxnId txn) const {
    return std::span(ops_).subspan(begin_[txn.index()],
                                   begin_[txn.index() + 1] - begin_[txn.index()]);
  }

  /// The entry of the key; nullptr if there is none.
  [[nodiscard]] const RegisterOp* find(TxnId txn, KeyId key) const {
    const std::span<const RegisterOp> ops = of(txn);
    const auto found = std::ranges::find(ops, key, &RegisterOp::key);
    return found == ops.end() ? nullptr : &*found;
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<RegisterOp> ops_;
};

}  // namespace elapid::elle
