// What must be found out for the sake of what is demanded, and what is refused.
#ifndef ELAPID_ENGINE_CHECK_QUESTIONS_H_
#define ELAPID_ENGINE_CHECK_QUESTIONS_H_

#include <optional>

#include "engine/check/check.h"
#include "engine/infer/order.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"

namespace elapid {

/// The orders that prohibited cycles need.
[[nodiscard]] ExternalOrders orders_needed(const AnomalySet& prohibited);

/// Whether dependencies that can be inferred refute the model. Of prefix consistency and of what is
/// visible at the weak levels the inference knows nothing.
[[nodiscard]] bool is_inferred(Model model);

/// The refusal of an assumption about real time where there is none.
[[nodiscard]] Error needs_real_time(const CheckOptions& options);

/// Models that the check of nothing could refute are refused rather than called valid.
[[nodiscard]] std::optional<Error> refuse_unchecked(const CheckOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CHECK_QUESTIONS_H_
