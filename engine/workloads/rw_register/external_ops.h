// External reads and writes: what of a transaction the others can see or depend on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// A transaction's external operations on one key.
struct ExternalOp {
  KeyId key;
  /// The value of the first operation on the key, if that is a read; else none(). nil in an
  /// indeterminate transaction is unknown, hence none() too.
  ValueId read = ValueId::none();
  /// The value last written; none() if nothing was.
  ValueId write = ValueId::none();
};

/// Of every register transaction, one entry a key touched, in order of first touch. Linear.
class ExternalOps {
 public:
  explicit ExternalOps(const History& history);

  [[nodiscard]] std::span<const ExternalOp> of(TxnId txn) const {
    return std::span(ops_).subspan(begin_[txn.index()],
                                   begin_[txn.index() + 1] - begin_[txn.index()]);
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<ExternalOp> ops_;
};

}  // namespace elapid
