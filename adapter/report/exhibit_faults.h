// The faults that acted while the transactions of an exhibit ran.
#pragma once

#include <span>

#include "adapter/report/exhibit.h"
#include "adapter/report/faults.h"
#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// Adds them to the exhibit, whose axis and transactions are there already; `description` is what
/// it was made of. Where none was there, says what was before. Nothing for axes of other clocks.
void add_faults(const History& history, const Description& description,
                std::span<const ReportFault> faults, Exhibit& exhibit);

}  // namespace elapid
