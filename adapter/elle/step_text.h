// One edge of a cycle: Elle's map of it, and Elle's words for it.
#pragma once

#include <string>
#include <string_view>

#include "adapter/elle/document_writer.h"
#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// `{:type :ww, :key :x, :value 1, :value' 2, :a-mop-index 0, :b-mop-index 0}` or the like, with
/// Elle's keys and order for list-append or rw-register, by the step's operations.
void write_step(DocumentWriter& out, const History& history, const Step& step,
                const EventFieldsFn& fields);

/// Why `from` precedes `to`, as `T2 appended 2 after T1 appended 1 to :x`. `a` and `b` are the
/// names of the two.
[[nodiscard]] std::string step_reason(const History& history, const Step& step, std::string_view a,
                                      std::string_view b);

}  // namespace elapid
