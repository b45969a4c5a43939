// The check of histories of rows and predicates (docs/predicates.md). An order of events alone
// decides each demanded level.
//
// Rows have a check of their own, since their levels imply one another differently. For items
// repeatable read equals serializability. With predicates it is weaker (Adya 1999, 4.2: PL-2.99 and
// PL-3).
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Error: kUsage for anomalies, assumptions, and engines that know no predicates. The answer would
/// be a guess.
[[nodiscard]] std::optional<Error> refuse_rows(const CheckOptions& options);

/// Decides serializability and snapshot isolation, plain, strong-session and strict, repeatable
/// read, read atomic and read committed, for options that refuse_rows() accepts. Error: kInternal
/// if an order fails certification.
Result<Verdict> check_rows(const History& history, const CheckOptions& options);

/// Whether check_rows() decides the level.
[[nodiscard]] bool is_decided_for_rows(Model model);

}  // namespace elapid
