// Turns the events of a nemesis into faults, each with its beginning and its end.
//
// By Jepsen's custom an act of the nemesis has two events; the second says that it has acted. A
// lasting fault is begun by one act and ended by another: `kill` by `start`, `pause` by `resume`,
// `start-partition` by `stop-partition`. The four events
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

/// The time of an event, and its place in the input.
struct FaultMoment {
  std::optional<std::int64_t> time = {};  ///< ns
  std::uint64_t offset = 0;
};

struct ReportFault {
  std::string f = {};      ///< the act that began the fault: `kill`
  std::string value = {};  ///< of that act: its target; may be empty
  FaultMoment begin = {};
  std::optional<FaultMoment> end = {};  ///< absent: nothing ended the fault
  bool lasts = false;                   ///< if not, no act can end it
};

/// The faults in the order in which they began. As in jepsen.util/nemesis-intervals, an act that
/// ends a fault ends all open faults of its kind. If nodes are killed, `start` starts them again;
/// otherwise `start` begins a fault that `stop` ends. Linear, if few faults are open at a time.
[[nodiscard]] std::vector<ReportFault> faults_of(const NemesisLog& nemesis);

// The error of the nodes' clocks, as a nemesis noted it beside its events.
//
//   {:type :info, :process :nemesis, :f :bump, :clock-offsets {"n1" -0.5, "n2" 12.1}, :time ...}

struct ClockOffset {
  FaultMoment moment = {};
  std::string node = {};  ///< canonical EDN: `"n1"`
  double seconds = 0;
};

/// The offsets in the order of the input. A history does not keep them, so the nemesis's events are
/// read again. Error kUnreadable if the source cannot be read.
[[nodiscard]] Result<std::vector<ClockOffset>> clock_offsets_of(LoadedHistory& loaded);

}  // namespace elapid
