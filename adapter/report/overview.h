// An overview of the whole history in time: the number of transactions, their durations, the
// faults, and the anomalies with their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "adapter/report/faults.h"
#include "adapter/report/key_tally.h"
#include "engine/evidence/describe.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A part of the axis; all parts are equally long.
struct OverviewPart {
  std::size_t committed = 0;
  std::size_t aborted = 0;
  std::size_t indeterminate = 0;
  std::size_t anomalies = 0;  ///< anomalies that were complete in this part
  /// Durations of committed transactions in ns: the median, the 95th and the 99th percentile, and
  /// the longest.
  std::optional<std::int64_t> median = {};
  std::optional<std::int64_t> slow = {};
  std::optional<std::int64_t> rare = {};
  std::optional<std::int64_t> longest = {};
};

/// The operations with one `:f`.
struct OverviewFunction {
  std::string name = {};                 ///< `read`
  std::vector<OverviewPart> parts = {};  ///< without anomalies
  OverviewPart all = {};
};

/// The error of a node's clock.
struct OverviewClock {
  std::string node = {};  ///< `"n1"`
  /// Changes in order: the place on the axis, from 0 to 1, and the offset in seconds from there on.
  std::vector<std::pair<double, double>> offsets = {};
};

struct OverviewFault {
  std::string label = {};  ///< `kill`
  std::string words = {};  ///< `kill #{"n1"}`
  bool lasts = false;
  double from = 0;  ///< along the axis, from 0 to 1
  double to = 0;
};

/// The place of a finding on the axis.
struct OverviewFinding {
  std::string anchor = {};  ///< `a1`
  std::string name = {};
  double at = 0;  ///< place on the axis, from 0 to 1, where it is complete
};

enum class OverviewAxis : std::uint8_t {
  kTime,          ///< ns since the first event
  kEvents,        ///< events, in the order of arrival
  kTransactions,  ///< transactions in the order of the input
};

struct ReportOverview {
  OverviewAxis axis = OverviewAxis::kTransactions;
  std::uint64_t part_length = 1;  ///< in units of the axis
  std::uint64_t length = 0;       ///< of all parts together
  std::vector<OverviewPart> parts = {};
  OverviewPart all = {};                         ///< of the whole history
  std::vector<OverviewFunction> functions = {};  ///< the most frequent ones, if there are several
  std::size_t functions_left_out = 0;
  std::vector<OverviewClock> clocks = {};
  std::size_t clocks_left_out = 0;
  std::vector<OverviewFault> faults = {};
  std::size_t faults_left_out = 0;
  std::vector<OverviewFinding> findings = {};
  std::size_t anomalies_left_out = 0;  ///< missing in the strip, which shows a sample of very many
  KeyTable keys = {};                  ///< of the same anomalies
};

/// Nothing for a history below a few dozen transactions: pictures of anomalies show it whole.
/// `findings`: the verdict's findings that the report shows, in order. O(n log n).
[[nodiscard]] std::optional<ReportOverview> overview_of(const History& history,
                                                        const Verdict& verdict,
                                                        std::span<const Finding> findings,
                                                        std::span<const ReportFault> faults,
                                                        std::span<const ClockOffset> offsets);

}  // namespace elapid
