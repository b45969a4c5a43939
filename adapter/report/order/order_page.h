// The page order.html: the operations of an object as bars over time by process, each with its
// place in the order that was found. If no order goes on, the page says where and why.
//
// The page is usable at 100,000 operations: a script draws the visible part. Without the script the
// page has the last operations of the order as a table.
#pragma once

#include <string>

#include "adapter/report/order/order_picture.h"
#include "adapter/report/report_model.h"
#include "parsers/read.h"

namespace elapid {

/// `report`: of the same history. Empty if there is neither an order nor an end of one. Reads each
/// shown operation from the source: O(shown operations), at most 200,000.
[[nodiscard]] std::string order_page(LoadedHistory& loaded, const OrderFound& found,
                                     const ReportModel& report);

}  // namespace elapid
