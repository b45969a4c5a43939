// The answers to many models at once, for people and for programs.
#pragma once

#include <span>
#include <string>

#include "adapter/elle/document_writer.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The strongest models that hold and the weakest violated ones, each on a line, as `strongest
/// valid    serializable`; and the number of undecided models, if any.
[[nodiscard]] std::string ladder_summary(std::span<const Standing> ladder);

/// The summary, and a table of all models, weaker ones first. Ends with a newline; empty without a
/// ladder.
[[nodiscard]] std::string ladder_text(std::span<const Standing> ladder);

/// The keys `strongest-valid` and `weakest-invalid` with sets of models, and `ladder` with a map
/// for each model. All keys begin with `prefix`.
void write_ladder(DocumentWriter& out, const std::string& prefix, std::span<const Standing> ladder);

}  // namespace elapid
