// What an answer consists of, for the record and the JSON of `elapid compare` alike.
#pragma once

#include <chrono>
#include <string>

#include "adapter/elle/document_writer.h"
#include "harness/compare/answer.h"

namespace elapid {

/// Seconds with six decimals: `0.001208`.
[[nodiscard]] std::string in_seconds(std::chrono::microseconds time);

/// Adds outcome, reason, costs, format and losses to an open map.
void write_answer(const CheckerAnswer& answer, DocumentWriter& out);

}  // namespace elapid
