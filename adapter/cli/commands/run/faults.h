// The faults of a run's own server that `--faults` names.
//
//   kill      kill -9 of all its processes, and a start with the data that they left
//   pause     SIGSTOP, and SIGCONT later
//   restart   an orderly end and a start, in one go
#pragma once

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/nemesis.h"
#include "harness/servers/private_server.h"

namespace elapid {

/// The names of a comma-separated list, each once. Error kUsage: an unknown fault.
[[nodiscard]] Result<std::vector<std::string>> parse_faults(const std::string& list);

/// The actions on `server` that these names mean. `server` must outlive them.
[[nodiscard]] std::vector<FaultKind> faults_of(const std::vector<std::string>& names,
                                               PrivateServer& server);

/// `2 kills, 1 pause`.
[[nodiscard]] std::string faults_text(const FaultInjector& nemesis);

}  // namespace elapid
