// External reads and writes of register transactions as Elle sees them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::elle {

/// What a transaction does with one key. A value that is the history's initial one is nil here.
struct RegisterOp {
  KeyId key;
  /// The value of the first operation on the key, if that is a read; else none(). Elle takes a key
  /// nil or false for one not touched before: there it is the value of the last read.
  ValueId read = ValueId::none();
  /// The value last written; none() if nothing was.
  ValueId write = ValueId::none();
};

/// Of every transaction that completed and was not aborted, one entry a key touched, in order of
/// first touch. Elle believes no read of :info: it has none here. Linear.
class RegisterOps {
 public:
  explicit RegisterOps(const History& history);

  [[nodiscard]] std::span<const RegisterOp> of(TxnId txn) const {
    return std::span(ops_).subspan(begin_[txn.index()],
                                   begin_[txn.index() + 1] - begin_[txn.index()]);
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<RegisterOp> ops_;
};

}  // namespace elapid::elle
