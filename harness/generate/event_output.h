// Writes a stream of events to a file in some format. If the format can write an event without
// later ones, events are written as they come, in constant memory. Else the whole history is made
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

/// The properties of the coming events that matter to formats.
struct EventOutline {
  Workload workload = Workload::kRwRegister;
  bool repeats = false;        ///< values are written to a key more than once
  bool indeterminate = false;  ///< some transactions are indeterminate
  bool one_key = false;        ///< all operations are on one key
  bool timestamps = false;     ///< timestamps are wanted, if optional in the format
};

struct EventOutput {
  const Target* target = nullptr;
  std::string path = {};  ///< a file, `-`, or a directory for formats with several files
  EventOutline outline = {};
  /// Called now and then with the number of events so far.
  std::function<void(std::uint64_t events)> progress = {};
};

/// The result of writing.
struct WrittenEvents {
  std::uint64_t events = 0;
  std::vector<Loss> losses = {};  ///< what the file does not have as it came
  std::string map = {};           ///< file of renamed keys and values, if there is one
};

/// Whether the format can hold the workload. Error: kUsage.
[[nodiscard]] Status check_format(const Target& target, const EventOutline& outline);

/// Whether events are written as they come.
[[nodiscard]] bool is_streamed(const Target& target, const EventOutline& outline);

/// Writes all events. The file appears when it is complete, or never. Errors: of check_format();
/// kUsage if the format cannot hold some value; kUnreadable if the file cannot be written.
[[nodiscard]] Result<WrittenEvents> write_events(EventSource& source, const EventOutput& output);

}  // namespace elapid
