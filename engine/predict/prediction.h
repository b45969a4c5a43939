// An execution that keeps a prefix of each observed session (IsoPredict, section 4.5).
//
//   observed                            predicted, relaxed boundary
//   s1: r(x, nil) w(x, 1)               s1: r(x, nil) w(x, 1)
//   s2: r(x, 1) w(x, 2)  r(y, nil)      s2: r(x, nil) w(x, 2)   here s2 stops
//
// Each session keeps whole transactions. The last one may be a boundary transaction: some of its
// reads have other writers. Strict: it ends with the first such read. Relaxed: it is whole.
//
// The list that a boundary transaction reads shows the kept writers up to the one it reads from, in
// the order of versions.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/predict/observation.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::predict {

class HappensBefore;  // level_clauses.h

enum class PredictedPart : std::uint8_t { kCut, kWhole, kBoundary };

/// What a prediction keeps of a transaction.
struct PredictedTxn {
  PredictedPart part = PredictedPart::kCut;
  std::uint32_t events = 0;                 ///< so many first ones
  std::vector<std::uint32_t> writers = {};  ///< of each kept event: of reads, the writer
};

struct Prediction {
  std::vector<PredictedTxn> txns = {};  ///< by number, as in the observation
  /// Of lists, by key: the writers that are kept and no boundary transaction, in the order of
  /// versions.
  std::vector<std::vector<std::uint32_t>> versions = {};

  [[nodiscard]] bool keeps(std::uint32_t txn) const {
    return txns[txn].part != PredictedPart::kCut;
  }
};

/// The writers of the elements that a kept read of a list shows.
[[nodiscard]] std::vector<std::uint32_t> list_read(const Observation& observation,
                                                   const Prediction& prediction, std::uint32_t txn,
                                                   std::uint32_t event);

/// Whether a kept event is a read that shows something else than observed.
[[nodiscard]] bool is_changed(const Observation& observation, const Prediction& prediction,
                              std::uint32_t txn, std::uint32_t event);

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of kept writers of which a kept read of a list shows that the first comes before the
/// second; others follow from them.
[[nodiscard]] std::vector<Pair> shown_orders(const Observation& observation,
                                             const Prediction& prediction, std::uint32_t txn,
                                             std::uint32_t event);

/// Reads that show something else than observed.
[[nodiscard]] std::size_t changed_reads(const Observation& observation,
                                        const Prediction& prediction);

/// An order of events, as the place of each. Transaction t has the place places[t]; at levels with
/// starts and commits it has places[2 t] and places[2 t + 1].
struct EventOrder {
  std::vector<std::uint32_t> places = {};
};

/// The transactions in the order of their events: each once, or twice at levels with starts and
/// commits.
[[nodiscard]] std::vector<OrderEvent> events_in_order(const Observation& observation,
                                                      const EventOrder& order, Visibility level);

enum class Explained : std::uint8_t { kYes, kNo, kOutOfBudget };

/// What is asked of explain().
struct ExplainOptions {
  Visibility level = Visibility::kSerial;
  /// All transactions, in the order to try first. Those that are cut get places near it, too.
  std::vector<std::uint32_t> near = {};
  /// Asked now and then; returning false ends the search.
  std::function<bool()> keep_going = {};
};

/// Whether some order, with session order, explains all reads from kept writers at a level: then
/// `order` is it.
[[nodiscard]] Explained explain(const Observation& observation, const HappensBefore& happens_before,
                                const Prediction& prediction, const ExplainOptions& options,
                                EventOrder& order);

/// The observation, whole.
[[nodiscard]] Prediction unchanged(const Observation& observation);

/// The prediction as a history. Values are those observed; if several writes of a key have one, or
/// the initial state does, each write has a name of its own. `origins`: by transaction of the
/// result, its number in the observation.
[[nodiscard]] Result<History> history_of(const History& observed, const Observation& observation,
                                         const Prediction& prediction,
                                         std::vector<std::uint32_t>& origins);

}  // namespace elapid::predict
