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
  std::size_t anomalies = 0;  ///< that were complete here
  /// Of committed transactions, in ns: half of them took at most the first, 95 % the second, 99 %
  /// the third, all the last.
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

/// How far the clock of a node was off.
struct OverviewClock {
  std::string node = {};  ///< `"n1"`
  /// Along the axis, from 0 to 1, and seconds, from then on; in order.
  std::vector<std::pair<double, double>> offsets = {};
};

struct OverviewFault {
  std::string label = {};  ///< `kill`
  std::string words = {};  ///< `kill #{"n1"}`
  bool lasts = false;
  double from = 0;  ///< along the axis, from 0 to 1
  double to = 0;
};

/// Where a finding of the report is.
struct OverviewFinding {
  std::string anchor = {};  ///< `a1`
  std::string name = {};
  double at = 0;  ///< along the axis, from 0 to 1: when it was complete
};

enum class OverviewAxis : std::uint8_t {
  kTime,          ///< ns since the first event
  kEvents,        ///< events, in the order in which they came
  kTransactions,  ///< transactions as they stand in the input, which need not be their order
};

struct ReportOverview {
  OverviewAxis axis = OverviewAxis::kTransactions;
  std::uint64_t part_length = 1;  ///< in units of the axis
  std::uint64_t length = 0;       ///< of all parts together
  std::vector<OverviewPart> parts = {};
  OverviewPart all = {};                         ///< of the whole history
  std::vector<OverviewFunction> functions = {};  ///< where there are several; the most frequent
  std::size_t functions_left_out = 0;
  std::vector<OverviewClock> clocks = {};
  std::size_t clocks_left_out = 0;
  std::vector<OverviewFault> faults = {};
  std::size_t faults_left_out = 0;
  std::vector<OverviewFinding> findings = {};
  std::size_t anomalies_left_out = 0;  ///< of the strip: of very many, an even part is looked at
  KeyTable keys = {};                  ///< of the same anomalies
};

/// Of a history of a few dozen transactions at least; pictures of anomalies show smaller ones
/// whole. `findings` are those of the verdict which the report shows, in order. O(n log n).
[[nodiscard]] std::optional<ReportOverview> overview_of(const History& history,
                                                        const Verdict& verdict,
                                                        std::span<const Finding> findings,
                                                        std::span<const ReportFault> faults,
                                                        std::span<const ClockOffset> offsets);

}  // namespace elapid
