// From a verdict's evidence to descriptions: the one door to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"
#include "engine/verdict/verdict.h"

namespace elapid {

class ShownOrders;

/// Describes one anomaly. Several of them share what was looked up in the history: see
/// ShownOrders.
[[nodiscard]] Description describe(const History& history, const Anomaly& anomaly,
                                   ShownOrders& orders);

/// What a verdict has found of one type of anomaly.
struct Finding {
  Description description;   ///< of the shortest of its cycles, or of the first of its others
  std::size_t count = 1;     ///< how many there are of the type
  bool is_doubtful = false;  ///< errors of the clocks explain all of them
  /// Types that the same transactions show: named after this one. Their claims speak of the actors
  /// of this description, and they have none of their own.
  std::vector<Finding> followers = {};
};

/// What the workload has described itself, and a finding for each type of anomaly, the simplest
/// first: that of the fewest transactions, and then of the fewest claims. Of anomalies of the same
/// transactions the simplest leads the others. Doubtful ones come last, and apart from others of
/// their type.
[[nodiscard]] std::vector<Finding> findings(const History& history, const Verdict& verdict);

/// The value that registers seem to hold before the first write, where the verdict does not know:
/// every read of an unwritten value shows it, and no read shows the initial value that was
/// assumed. One such read is enough where it shows 0, else there must be two.
[[nodiscard]] std::optional<ValueId> likely_initial(const History& history, const Verdict& verdict);

}  // namespace elapid
