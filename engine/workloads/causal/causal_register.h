// A register whose operations form one causal chain, and the results that each must have.
//
//   read-init 0, write 1, read 1, write 2, read 2   in order: each links to its predecessor
//   read-init 0, write 1, read 0                    the read misses a write that precedes it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "engine/ir/history.h"

namespace elapid::causal {

enum class CausalF : std::uint8_t { kReadInit, kRead, kWrite };

/// A successful operation. Absent values are nil.
struct CausalOp {
  CausalF f = CausalF::kRead;
  ValueId value = ValueId::nil();
  ValueId link = ValueId::nil();      ///< `:init`, or the position of its predecessor
  ValueId position = ValueId::nil();  ///< its position by the database
};

/// Why an operation cannot be the next one.
enum class CausalFault : std::uint8_t {
  kBrokenLink,       ///< it does not link to the last operation
  kUnexpectedWrite,  ///< the n-th write does not write n
  kBadInit,          ///< the first read does not show 0
  kBadRead,          ///< it does not show the last written value
};

class CausalRegister {
 public:
  /// Borrows `values`. `believes_all`: writes that failed or have an unknown outcome explain no
  /// read, as in Jepsen.
  CausalRegister(const ValuePool& values, bool believes_all)
      : values_(values), believes_all_(believes_all) {}

  /// Notes the invocation of a write with an unknown outcome: it may take effect once, later.
  void attempt(ValueId value) { pending_.insert(value); }

  /// Notes a write of this value that failed or may have: the numbers of later writes may count it.
  void skip(ValueId value) { skipped_.insert(value); }

  /// Tests the next successful operation. A fault leaves the state unchanged.
  [[nodiscard]] std::optional<CausalFault> step(const CausalOp& op);

  /// Jepsen's message for a fault of this operation.
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
  std::unordered_multiset<ValueId> pending_;  // once an attempt
  std::unordered_set<ValueId> skipped_;
};

}  // namespace elapid::causal
