// From a verdict's evidence to descriptions: the only entry to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"
#include "engine/verdict/verdict.h"

namespace elapid {

class ShownOrders;

/// Describes one anomaly. Descriptions of several anomalies share look-ups in the history: see
/// ShownOrders.
[[nodiscard]] Description describe(const History& history, const Anomaly& anomaly,
                                   ShownOrders& orders);

/// A verdict's findings of one type of anomaly.
struct Finding {
  Description description;   ///< of the shortest cycle; without cycles, of the first anomaly
  std::size_t count = 1;     ///< the number of anomalies of the type
  bool is_doubtful = false;  ///< errors of the clocks may explain all of them
  /// Types that the same transactions show, to be named after this one. Their claims are about the
  /// actors of this description, and they have no actors of their own.
  std::vector<Finding> followers = {};
};

/// The workload's own descriptions, and a finding for each type of anomaly, the simplest first: the
/// one with the fewest transactions, then with the fewest claims. Among anomalies of the same
/// transactions the simplest leads the others. Doubtful anomalies come last, apart from others of
/// their type.
[[nodiscard]] std::vector<Finding> findings(const History& history, const Verdict& verdict);

/// The probable value of registers before the first write, if the verdict does not know it: every
/// read of an unwritten value shows it, and no read shows the initial value that was assumed. One
/// such read is enough for 0; other values need two.
[[nodiscard]] std::optional<ValueId> likely_initial(const History& history, const Verdict& verdict);

}  // namespace elapid
