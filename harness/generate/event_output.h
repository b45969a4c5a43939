// A stream of events into a file of some format: as they come, in memory that does not grow, where
// the format lets an event be written without knowing what follows; else the whole history is made
// first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "engine/ir/workload.h"
#include "harness/generate/event_source.h"
#include "parsers/convert/plan.h"
#include "parsers/convert/target.h"

namespace elapid {

/// What will come, as far as it matters to formats.
struct EventOutline {
  Workload workload = Workload::kRwRegister;
  bool repeats = false;        ///< values are written to a key more than once
  bool indeterminate = false;  ///< some transactions are
  bool one_key = false;        ///< all operations are on one key
  bool timestamps = false;     ///< are wanted where the format has them as an option
};

struct EventOutput {
  const Target* target = nullptr;
  std::string path = {};  ///< a file, `-`, or a directory for formats that are one
  EventOutline outline = {};
  /// Told now and then how many events there have been.
  std::function<void(std::uint64_t events)> progress = {};
};

/// What was written.
struct WrittenEvents {
  std::uint64_t events = 0;
  std::vector<Loss> losses = {};  ///< of what was not written as it came
  std::string map = {};           ///< name of the file of renamed keys and values, if there is one
};

/// Whether the format can hold the workload. Error: kUsage.
[[nodiscard]] Status check_format(const Target& target, const EventOutline& outline);

/// Whether events are written as they come.
[[nodiscard]] bool is_streamed(const Target& target, const EventOutline& outline);

/// Writes all events. The file is there when it is whole, or not at all. Errors: of check_format(),
/// kUsage where the values that came cannot be held, kUnreadable where the file cannot be written.
[[nodiscard]] Result<WrittenEvents> write_events(EventSource& source, const EventOutput& output);

}  // namespace elapid
