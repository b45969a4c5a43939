#include "engine/infer/rw_register.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "engine/infer/lost_update.h"
#include "engine/infer/register_anomalies.h"
#include "engine/infer/register_edges.h"
#include "engine/infer/version_order.h"

namespace elapid {

namespace {

/// Elle refuses operations other than register reads and writes.
std::optional<std::string> foreign_operation(const History& history) {
  for (const Op op : history.all_ops()) {
    if (op.kind() == OpKind::kReadList) {
      return "expected a register's value in every read, found a list";
    }
    if (op.kind() == OpKind::kOther || op.kind() == OpKind::kAppend) {
      return "IllegalArgumentException: No matching clause: " +
             (op.kind() == OpKind::kAppend ? std::string(":append") : history.text(op.value()));
    }
  }
  return std::nullopt;
}

/// Elle refuses histories whose keys are of several types.
std::optional<std::string> mixed_keys(const History& history) {
  std::set<ValueClass> classes;
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    classes.insert(history.values().class_of(history.key_value({k})));
  }
  if (classes.size() <= 1) {
    return std::nullopt;
  }
  return "AssertionError: History includes a mix of different types for transaction keys";
}

/// Elle refuses a read of a value that several committed transactions wrote.
std::optional<std::string> several_writers(const History& history, const RegisterVersions& versions,
                                           bool elle_compat) {
  for (std::uint32_t v = 0; v < versions.count(); ++v) {
    const VersionId version{v};
    const bool several = elle_compat
                             ? versions.writers(version).size() > 1
                             : versions.ambiguous(versions.key(version), versions.value(version));
    if (several && !versions.readers(version).empty()) {
      return "IllegalArgumentException: Key " + history.key_text(versions.key(version)) +
             " had value " + history.text(versions.value(version)) + " written by more than one op";
    }
  }
  return std::nullopt;
}

std::optional<std::string> reason_to_refuse(const History& history, bool elle_compat) {
  auto reason = foreign_operation(history);
  return !reason && elle_compat ? mixed_keys(history) : reason;
}

}  // namespace

Inference infer_rw_register(const History& history, const Assumptions& assumptions) {
  const bool elle_compat = assumptions.elle_compat;
  Inference inference;
  inference.elle_error = reason_to_refuse(history, elle_compat);
  if (inference.elle_error) {
    inference.has_foreign_operations = true;
    return inference;
  }
  const auto versions = std::make_shared<const RegisterVersions>(history, elle_compat);
  inference.elle_error = several_writers(history, *versions, elle_compat);
  if (inference.elle_error && elle_compat) {
    return inference;
  }
  find_register_bad_reads(history, *versions, elle_compat, inference.anomalies);
  find_register_internal(history, inference.anomalies);
  std::vector<Anomaly> lost =
      lost_updates(history, {.elle_compat = elle_compat, .ambiguous = [&](Op read) {
                               return versions->ambiguous(read.key(), read.value());
                             }});
  std::move(lost.begin(), lost.end(), std::back_inserter(inference.anomalies));
  VersionOrder order = order_versions(history, *versions, assumptions);
  std::move(order.cyclic_versions.begin(), order.cyclic_versions.end(),
            std::back_inserter(inference.anomalies));
  add_register_edges(history, *versions, order.graph, inference);
  inference.believed = versions->all_believed();
  inference.wr_before_ww = true;
  inference.explainer = register_explainer(history, versions, std::move(order.graph));
  return inference;
}

}  // namespace elapid
