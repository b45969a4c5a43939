// The page order.html: the operations of an object as bars over time by process, each with its
// place in the order that was found, and where no order goes on, why.
//
// It is usable at 100,000 operations: a script draws what is in view. Without it the page has the
// last operations of the order as a table.
#pragma once

#include <string>

#include "adapter/report/order/order_picture.h"
#include "adapter/report/report_model.h"
#include "parsers/read.h"

namespace elapid {

/// `report`: of the same history. Empty where there is no order and none that ends. Reads from the
/// source what each operation is: O(operations shown), of which there are 200,000 at most.
[[nodiscard]] std::string order_page(LoadedHistory& loaded, const OrderFound& found,
                                     const ReportModel& report);

}  // namespace elapid
