// The order of a history of single operations that its report shows.
#pragma once

#include "adapter/report/order/order_picture.h"
#include "engine/check/check.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Of a linearizable history that of the verdict, of the object with the most operations. Of
/// another one that of the longest beginning that is found to have one: what precedes the return of
/// the last operation of the core, and again of what refutes that, as long as something does. Empty
/// for other histories, and where the verdict, or one on a beginning, is unknown.
[[nodiscard]] OrderFound order_found(const History& history, const Verdict& verdict,
                                     const CheckOptions& options);

}  // namespace elapid
