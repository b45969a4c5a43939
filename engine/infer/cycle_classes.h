// The classes of cycles, and the searches for them: Elle's tables (docs/elle-rules.md).
#pragma once

#include <span>
#include <vector>

#include "engine/graph/cycle_query.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The relation of the lowest of these labels; requires at least one.
[[nodiscard]] Relation relation_of(EdgeLabel label);

/// A class of cycles to search for.
struct CycleClass {
  AnomalyType type;
  CycleQuery query;
  /// Whether Elle keeps a found cycle only if its steps, once explained, belong to the class.
  bool explained_as_type = false;
};

/// All classes without predicates, in the order in which they are searched.
[[nodiscard]] std::span<const CycleClass> cycle_classes();

/// The same, together with the classes in which anti-dependencies of predicates count.
[[nodiscard]] std::span<const CycleClass> cycle_classes_with_predicates();

/// A model whose graph must have no cycle.
struct ForbiddenGraph {
  AnomalyType type;  ///< ...-cycle-exists
  Model model;
  EdgeLabel labels;     ///< of dependencies and orders
  bool rw_after_other;  ///< anti-dependencies count only after one of `labels`, as one edge with it
};

/// All such models, weaker ones first.
[[nodiscard]] std::span<const ForbiddenGraph> forbidden_graphs();

/// The class of a simple cycle, by its steps.
[[nodiscard]] AnomalyType classify(std::span<const Step> steps);

/// The class that covers all these cycles: the most anti-dependencies and the strongest order among
/// them. At least one of the cycles exists, and a model that proscribes the class proscribes each.
[[nodiscard]] AnomalyType classify_any(std::span<const std::vector<Step>> cycles);

/// The anomaly types that are cycles of dependencies.
[[nodiscard]] AnomalySet cycle_types();

}  // namespace elapid
