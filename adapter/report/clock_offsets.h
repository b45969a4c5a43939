// How far the clocks of nodes were off, as a nemesis noted it beside its events.
//
//   {:type :info, :process :nemesis, :f :bump, :clock-offsets {"n1" -0.5, "n2" 12.1}, :time ...}
#pragma once

#include <string>
#include <vector>

#include "adapter/report/faults.h"
#include "engine/ir/result.h"
#include "parsers/read.h"

namespace elapid {

struct ClockOffset {
  FaultMoment moment = {};
  std::string node = {};  ///< canonical EDN: `"n1"`
  double seconds = 0;
};

/// In the order of the input. A history keeps them not, so that the nemesis' events are read again.
/// Error kUnreadable if the source cannot be.
[[nodiscard]] Result<std::vector<ClockOffset>> clock_offsets_of(LoadedHistory& loaded);

}  // namespace elapid
