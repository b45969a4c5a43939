// A register whose operations come in one causal order, and what each of them must find.
//
//   read-init 0, write 1, read 1, write 2, read 2   in order: each links to the one before it
//   read-init 0, write 1, read 0                    the read misses a write that it must know
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "engine/ir/history.h"

namespace elapid::causal {

enum class CausalF : std::uint8_t { kReadInit, kRead, kWrite };

/// An operation that succeeded. Values that are absent are nil.
struct CausalOp {
  CausalF f = CausalF::kRead;
  ValueId value = ValueId::nil();
  ValueId link = ValueId::nil();      ///< `:init`, or the position of the operation before
  ValueId position = ValueId::nil();  ///< where the database says that it stands
};

/// Why an operation cannot have come next.
enum class CausalFault : std::uint8_t {
  kBrokenLink,       ///< it links to another operation than the last
  kUnexpectedWrite,  ///< the n-th write does not write n
  kBadInit,          ///< the first read shows something else than 0
  kBadRead,          ///< it shows something else than was written last
};

class CausalRegister {
 public:
  /// Borrows `values`. `believes_all`: writes that failed or whose fate is unknown explain nothing,
  /// as for Jepsen.
  CausalRegister(const ValuePool& values, bool believes_all)
      : values_(values), believes_all_(believes_all) {}

  /// A write was invoked whose fate is unknown: it may take effect once from now on.
  void attempt(ValueId value) { pending_.insert(value); }

  /// A write of this value failed, or may have: later writes may count it.
  void skip(ValueId value) { skipped_.insert(value); }

  /// Takes the next operation that succeeded. A fault changes nothing.
  [[nodiscard]] std::optional<CausalFault> step(const CausalOp& op);

  /// What Jepsen says of a fault of this operation.
  [[nodiscard]] std::string message(CausalFault fault, const CausalOp& op) const;

  [[nodiscard]] ValueId value() const { return value_; }

  [[nodiscard]] std::int64_t counter() const { return counter_; }

  [[nodiscard]] ValueId last_position() const { return last_position_; }

 private:
  [[nodiscard]] std::optional<CausalFault> write(ValueId value);
  [[nodiscard]] std::optional<CausalFault> read(const CausalOp& op);
  [[nodiscard]] bool takes_effect_now(ValueId value);
  [[nodiscard]] std::string text(ValueId value) const;

  const ValuePool& values_;
  bool believes_all_;
  ValueId value_ = ValueId::integer(0);
  std::int64_t counter_ = 0;
  ValueId last_position_ = ValueId::nil();
  std::unordered_set<ValueId> pending_;
  std::unordered_set<ValueId> skipped_;
};

}  // namespace elapid::causal
