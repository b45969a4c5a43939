// Decides whether a run could have shown a violation at all.
#pragma once

#include <optional>
#include <string>

#include "adapter/cli/options/check_request.h"
#include "engine/ir/history.h"
#include "harness/drive/drive.h"

namespace elapid {

/// Why a valid run proves nothing: its clients met less than `request` demands (why_vacuous()), or
/// most of its transactions failed for reasons other than conflicts. Empty if the run proves
/// something, or need not.
[[nodiscard]] std::string why_too_little(const CheckRequest& request, const History& history,
                                         const std::optional<DriveCounts>& counts);

}  // namespace elapid
