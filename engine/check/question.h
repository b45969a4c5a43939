// The question of a check, made once from its options: levels, anomalies and orders.
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/infer/order.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"

namespace elapid {

struct Question {
  /// The models about which the caller asks.
  ModelSet demanded = {};
  /// The models to decide: the demanded ones, and others whose answers may settle them.
  ModelSet asked = {};
  /// Whether each model in `asked` is decided by itself, also if others are violated.
  bool each_asked = false;
  /// Whether the verdict has an answer for each demanded model (Verdict::ladder).
  bool wants_ladder = false;
  /// Whether to answer as Elle does, with its quirks.
  bool is_for_elle = false;
  /// The anomalies that make the history invalid.
  AnomalySet prohibited = {};
  /// The prohibited anomalies, and those that violate a model in `asked`.
  AnomalySet searched = {};
  /// The orders that the searched cycles need, if the history has them.
  ExternalOrders orders = {};
  /// Whether real time is needed and the history has none.
  bool lacks_real_time = false;
  /// Whether the requested engine decides by an order of events, with or without the inference.
  bool wants_order_engine = false;
  /// Whether open levels may be asked again, with all models that may settle them in `asked`. Then
  /// a level has the same answer alone and with all others.
  bool may_widen = false;

  /// Whether `is_such` holds for all demanded models.
  template <class Predicate>
  [[nodiscard]] bool demands_only(Predicate is_such) const {
    return demanded.filter(is_such) == demanded;
  }
};

[[nodiscard]] Question question_of(const History& history, const CheckOptions& options);

/// The question about all models that may settle the demanded ones: their implications, the models
/// that imply them, and models whose refutation may refute an implication without an engine.
/// Example: a refutation of snapshot isolation may be a cycle that consistent view forbids too.
/// That cycle refutes update serializability.
[[nodiscard]] Question widened(const History& history, const CheckOptions& options);

/// The orders that prohibited cycles need.
[[nodiscard]] ExternalOrders orders_needed(const AnomalySet& prohibited);

/// Whether an engine decides the model by itself, since an order of events or a shape of cycles
/// defines it.
[[nodiscard]] bool has_engine(Model model);

/// Whether inferred dependencies can refute the model. They decide nothing about prefix
/// consistency, nor about visibility at the weak levels.
[[nodiscard]] bool is_inferred(Model model);

/// The models that visibility alone decides and in which a transaction reads its own writes.
[[nodiscard]] ModelSet models_of_visibility();

/// Whether any transaction committed.
[[nodiscard]] bool has_committed(const History& history);

/// Whether all operations are of the workload's data model: reads and appends of lists, or reads
/// and writes of registers.
[[nodiscard]] bool has_only_own_operations(const History& history);

/// Whether all operations are reads and writes of registers.
[[nodiscard]] bool has_only_registers(const History& history);

/// Whether saturation alone decides all demanded models: registers at models_of_visibility().
[[nodiscard]] bool needs_no_inference(const History& history, const CheckOptions& options);

/// For registers: the weakest model that saturation decides without inference and that implies all
/// demanded models, if there is one. If it holds, nothing else needs to be asked.
/// Example: rc, if strong-session-read-committed is demanded.
[[nodiscard]] std::optional<Model> visible_model_above(const History& history,
                                                       const CheckOptions& options);

/// Whether an order in real time (realtime_order.h) would settle all demanded models and the whole
/// verdict. False for a part of a history, where inference speaks of the whole.
[[nodiscard]] bool real_time_may_settle(const History& history, const CheckOptions& options);

/// Why the requested engine cannot be asked: it does not check a model, so a missing refutation
/// would not make the history valid; or an assumption needs real time, and the history has none.
[[nodiscard]] std::optional<Error> refuse(const History& history, const CheckOptions& options);

}  // namespace elapid
