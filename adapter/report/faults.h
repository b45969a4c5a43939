// Turns the events of a nemesis into faults, each with its beginning and its end.
//
// By Jepsen's custom an act of the nemesis has two events, of which the second says that it has
// acted, and faults that last are begun by one act and ended by another: `kill` by `start`, `pause`
// by `resume`, `start-partition` by `stop-partition`. The four events
//
//   12.0 s :kill   12.3 s :kill   20.0 s :start   22.0 s :start
//
// are one fault, `kill` from 12.0 to 22.0 s.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/nemesis.h"
#include "engine/ir/result.h"
#include "parsers/read.h"

namespace elapid {

/// When an event was, by its time and by its place in the input.
struct FaultMoment {
  std::optional<std::int64_t> time = {};  ///< ns
  std::uint64_t offset = 0;
};

struct ReportFault {
  std::string f = {};      ///< the act that began it: `kill`
  std::string value = {};  ///< of that act: what it was done to; may be empty
  FaultMoment begin = {};
  std::optional<FaultMoment> end = {};  ///< absent: nothing ended it
  bool lasts = false;                   ///< else it is an act that nothing takes back
};

/// In the order in which they began. As in jepsen.util/nemesis-intervals, the act that ends a fault
/// ends all that are open of its kind. Where nodes are killed, `start` starts them again; elsewhere
/// it begins a fault that `stop` ends. Linear, for the few that are open at a time.
[[nodiscard]] std::vector<ReportFault> faults_of(const NemesisLog& nemesis);

// How far the clocks of nodes were off, as a nemesis noted it beside its events.
//
//   {:type :info, :process :nemesis, :f :bump, :clock-offsets {"n1" -0.5, "n2" 12.1}, :time ...}

struct ClockOffset {
  FaultMoment moment = {};
  std::string node = {};  ///< canonical EDN: `"n1"`
  double seconds = 0;
};

/// In the order of the input. A history keeps them not, so that the nemesis' events are read again.
/// Error kUnreadable if the source cannot be.
[[nodiscard]] Result<std::vector<ClockOffset>> clock_offsets_of(LoadedHistory& loaded);

}  // namespace elapid
