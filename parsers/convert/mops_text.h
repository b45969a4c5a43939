// Micro-operations of planned transactions as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "parsers/convert/plan.h"

namespace elapid {

/// `:append `, `:w ` or `:r `.
[[nodiscard]] std::string_view edn_function(OpKind kind);

/// Appends a value as EDN.
void append_edn(const History& history, ValueId value, std::string& out);

/// Appends `[[:append :x 1] [:r :y [4 5]]]`, the :value of a transaction with these operations; or
/// `{7 {:age 15}}` for the transaction with the initial contents of rows.
void append_edn_value(const Plan& plan, TxnId txn, std::span<const PlannedOp> ops,
                      std::string& out);

}  // namespace elapid
