// Transactions as single operations on one register, for formats that have only these.
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
  PlannedOp read = {};   ///< of a kRead its result, of a kCas the expected value
  PlannedOp write = {};  ///< not of a kRead
};

/// `:read`, `:write` or `:cas`.
[[nodiscard]] std::string_view function(PlannedSingle::Kind kind);

/// Makes single operations of a plan's transactions: of a read or a write alone, or of a read
/// before a write, which is a cas. If the read's result is unknown, a cas becomes the write alone,
/// which has the same certain or possible effect.
class PlannedSingles {
 public:
  /// Borrows the plan.
  explicit PlannedSingles(const Plan& plan) : plan_(plan) {}

  /// Error kUsage for a transaction that is more than one operation, and for a key other than that
  /// of earlier transactions.
  [[nodiscard]] Result<PlannedSingle> of(const PlannedTxn& txn);

 private:
  [[nodiscard]] Status check_key(KeyId key);

  const Plan& plan_;
  KeyId key_ = {};
  std::vector<PlannedOp> ops_ = {};
};

}  // namespace elapid
