// What a check asks, made once from its options: which levels, which anomalies, which orders.
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/infer/order.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"

namespace elapid {

struct Question {
  /// The models whose standing the caller wants.
  ModelSet demanded = {};
  /// The models to find out about: the same, or others too, because they may settle those demanded.
  ModelSet asked = {};
  /// Each model asked is decided by itself, although others are violated.
  bool each_asked = false;
  /// The verdict tells of each model demanded where it stands (Verdict::ladder).
  bool wants_ladder = false;
  /// What Elle would answer, its quirks included.
  bool is_for_elle = false;
  /// What makes the history invalid.
  AnomalySet prohibited = {};
  /// The same, and what violates a model asked.
  AnomalySet searched = {};
  /// The orders that the cycles searched for need, as far as the history has them.
  ExternalOrders orders = {};
  /// Real time is needed, and the history has none.
  bool lacks_real_time = false;
  /// The engine asked for decides by an order of events, with or without the inference.
  bool wants_order_engine = false;
  /// What stays open may be asked again with all models in `asked` that may settle it. So a level
  /// has one answer, demanded alone or with all others.
  bool may_widen = false;

  /// Whether `is_such` holds for all models demanded.
  template <class Predicate>
  [[nodiscard]] bool demands_only(Predicate is_such) const {
    return demanded.filter(is_such) == demanded;
  }
};

[[nodiscard]] Question question_of(const History& history, const CheckOptions& options);

/// The question about all models that may settle those demanded: those that follow from them, those
/// that they follow from, and those whose refutation may refute one that follows and has no engine.
/// Example: snapshot isolation, whose proof may be a cycle that consistent view forbids, too, and
/// so refutes update serializability.
[[nodiscard]] Question widened(const History& history, const CheckOptions& options);

/// The orders that prohibited cycles need.
[[nodiscard]] ExternalOrders orders_needed(const AnomalySet& prohibited);

/// Whether an order of events or a shape of cycles defines the model, so that an engine decides it
/// by itself.
[[nodiscard]] bool has_engine(Model model);

/// Whether dependencies that can be inferred refute the model. Of prefix consistency and of what is
/// visible at the weak levels the inference knows nothing.
[[nodiscard]] bool is_inferred(Model model);

/// The models decided by what is visible alone, which say something of reads after own writes.
[[nodiscard]] ModelSet models_of_visibility();

/// Whether all operations are reads and writes of registers.
[[nodiscard]] bool has_only_registers(const History& history);

/// Whether saturation alone decides all that is demanded: registers at models_of_visibility().
[[nodiscard]] bool needs_no_inference(const History& history, const CheckOptions& options);

/// Of registers, the weakest model that saturation decides without any inference and that all that
/// is demanded follows from, if there is one. Where it holds, there is nothing else to ask.
/// Example: rc, where strong-session-read-committed is demanded.
[[nodiscard]] std::optional<Model> visible_model_above(const History& history,
                                                       const CheckOptions& options);

/// Whether an order in real time (realtime_order.h) would settle all that is demanded, and there is
/// nothing else to tell. Of a part of a history the inference tells more: what holds of the whole.
[[nodiscard]] bool real_time_may_settle(const History& history, const CheckOptions& options);

/// Why the question cannot be asked of the engine asked for: it does not check a model, and what it
/// cannot refute must not be called valid; or an assumption is about real time where there is none.
[[nodiscard]] std::optional<Error> refuse(const History& history, const CheckOptions& options);

}  // namespace elapid
