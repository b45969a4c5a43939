// `elapid generate --inject`: puts anomalies into the history of the simulated database, or faults
// into that of the simulated object, and lists them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/generate/objects/object_simulation.h"
#include "harness/generate/presets.h"
#include "harness/inject/injector.h"

namespace elapid {

/// Puts what `wanted` names (injectable.h) among the events of `source`. Error: kUsage for a name
/// that is none, for a workload without levels, and for violations of timestamps where none are
/// written or clocks differ.
[[nodiscard]] Result<std::unique_ptr<Injector>> make_injector(EventSource& source,
                                                              const std::string& wanted,
                                                              const Recipe& recipe,
                                                              bool timestamps);

/// The faults that were told to the clients of an object, as a list of the same form.
[[nodiscard]] std::vector<Injected> injected_faults(const std::vector<ToldFault>& told);

/// The list, as `OUT.injected.json` beside the output; on standard error if that is standard
/// output. Error: kUnreadable if it cannot be written.
[[nodiscard]] Status write_injected(const std::string& out, const std::vector<Injected>& injected);

}  // namespace elapid
