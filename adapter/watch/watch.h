// `elapid watch`: checks a stream of transactions by their timestamps while it goes on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"
#include "parsers/lines/line_source.h"

namespace elapid {

/// The caller's names of its options, for messages.
struct WatchWords {
  std::string_view initial = "the initial value";
  std::string_view follow = {};  ///< the way to read histories of events; empty if there is none
};

struct WatchOptions {
  std::string input = "-";  ///< see open_line_source()
  std::string level = {};   ///< its name, for the summary
  ReadPoint read_point = ReadPoint::kStart;
  bool sessions = false;
  std::optional<Workload> workload = {};    ///< absent: by the first operation that shows it
  std::optional<std::string> initial = {};  ///< of registers, as EDN
  std::uint64_t clock_skew = 0;             ///< in units of the timestamps' physical part
  std::chrono::milliseconds deadline = std::chrono::seconds(5);
  /// Instead of the deadline: the distance from the greatest commit beyond which a transaction is
  /// late, in units of the physical part.
  std::optional<std::int64_t> lag = {};
  bool wants_provisional = true;
  std::size_t memory = std::size_t{128} << 20;  ///< approximate bytes in memory
  std::size_t longest_line = LineSource::kLongestLine;
  std::optional<std::string> state = {};           ///< a directory
  std::size_t checkpoint = std::size_t{16} << 20;  ///< accepted bytes between two checkpoints
  std::chrono::milliseconds progress = std::chrono::seconds(1);  ///< 0: none
  /// Transactions arrive in the order of their starts, or for serializability of their commits.
  /// Only open ones and one version a key are kept. Instead of deadline, lag and state.
  bool is_sorted = false;
  bool to_end = false;          ///< end at the present end of a file, instead of waiting for more
  bool stops_on_error = false;  ///< at the first malformed line
  WatchWords words = {};
};

/// How a stream ended.
struct WatchOutcome {
  Validity validity = Validity::kUnknown;
  std::optional<Error> malformed = {};  ///< the line that stopped the check
};

/// Writes events to standard output (docs/timestamps.md) until the input ends or `is_stopped`,
/// which is called often, returns true. Error: kUnreadable for the input, the state or the output;
/// kUsage if the state belongs to another check.
Result<WatchOutcome> watch(const WatchOptions& options, const std::function<bool()>& is_stopped);

}  // namespace elapid
