// What `--faults` asks for: the faults of a run's own server, by name.
//
//   kill      kill -9 of all its processes, and a start on what they left behind
//   pause     SIGSTOP, and SIGCONT later
//   restart   an orderly end and a start, in one go
#pragma once

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/nemesis.h"
#include "harness/servers/private_server.h"

namespace elapid {

/// The names of a list with commas, each once. Error kUsage: there is no such fault.
[[nodiscard]] Result<std::vector<std::string>> parse_faults(const std::string& list);

/// Names of parse_faults() as what is done to `server`, which must outlive the last one.
[[nodiscard]] std::vector<FaultKind> faults_of(const std::vector<std::string>& names,
                                               PrivateServer& server);

/// `2 kills, 1 pause`.
[[nodiscard]] std::string faults_text(const FaultInjector& nemesis);

}  // namespace elapid
