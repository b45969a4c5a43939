// The faults during the transactions of an exhibit.
#pragma once

#include <span>

#include "adapter/report/exhibit.h"
#include "adapter/report/faults.h"
#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// Adds them to the exhibit, which has its axis and transactions and is made of `description`. If
/// there are none, tells the last fault before. Nothing for axes of other clocks.
void add_faults(const History& history, const Description& description,
                std::span<const ReportFault> faults, Exhibit& exhibit);

}  // namespace elapid
