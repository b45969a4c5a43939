// Transactions as single operations on one register, which is all that some formats have.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/convert/plan.h"

namespace elapid {

struct PlannedSingle {
  enum class Kind : std::uint8_t { kRead, kWrite, kCas };
  Kind kind = Kind::kRead;
  PlannedOp read = {};   ///< of a kRead what it saw, of a kCas what it expected
  PlannedOp write = {};  ///< not of a kRead
};

/// `:read`, `:write` or `:cas`.
[[nodiscard]] std::string_view function(PlannedSingle::Kind kind);

/// Makes single operations of a plan's transactions: a read or a write alone, or a read before a
/// write, which is a cas. Where it is unknown what was read, a cas becomes the write alone, which
/// says the same of what it did or might have done.
class PlannedSingles {
 public:
  /// Borrows the plan.
  explicit PlannedSingles(const Plan& plan) : plan_(plan) {}

  /// Error kUsage for a transaction that is more than one operation, and for one on another key
  /// than those before it.
  [[nodiscard]] Result<PlannedSingle> of(const PlannedTxn& txn);

 private:
  [[nodiscard]] Status check_key(KeyId key);

  const Plan& plan_;
  KeyId key_ = {};
  std::vector<PlannedOp> ops_ = {};
};

}  // namespace elapid
