#include "engine/workloads/rw_register/rw_register.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/infer/lost_update.h"
#include "engine/workloads/rw_register/register_anomalies.h"
#include "engine/workloads/rw_register/register_edges.h"
#include "engine/workloads/rw_register/version_order.h"

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
             (op.kind() == OpKind::kAppend ? std::string(":append")
                                           : history.shown_text(op.value()));
    }
  }
  return std::nullopt;
}

/// Elle refuses a read of a value that several committed transactions wrote.
std::optional<std::string> several_writers(const History& history,
                                           const RegisterVersions& versions) {
  for (std::uint32_t v = 0; v < versions.count(); ++v) {
    const VersionId version{v};
    if (versions.ambiguous(version) && !versions.readers(version).empty()) {
      return "IllegalArgumentException: Key " + history.shown_key(versions.key(version)) +
             " had value " + history.shown_text(versions.value(version)) +
             " written by more than one op";
    }
  }
  return std::nullopt;
}

std::string_view recognise(const Clues& clues) {
  if (clues.may_be_long_fork()) {
    return "";
  }
  if (clues.has_write) {
    return "something is written with :w";
  }
  const bool is_empty = !clues.has_other && clues.calls.empty();
  return clues.is_whole && (clues.has_read || is_empty) ? "nothing is written, and no list is read"
                                                        : "";
}

Inference infer(const History& history, const Assumptions& assumptions,
                const std::function<bool()>& keep_going) {
  Inference inference;
  inference.elle_error = foreign_operation(history);
  if (inference.elle_error) {
    inference.has_foreign_operations = true;
    return inference;
  }
  const auto versions = std::make_shared<const RegisterVersions>(history);
  inference.elle_error = several_writers(history, *versions);
  if (!keep_going()) {
    return inference;
  }
  find_register_bad_reads(history, *versions, inference.anomalies);
  if (!keep_going()) {
    return inference;
  }
  find_register_internal(history, inference.anomalies);
  std::vector<Anomaly> lost =
      lost_updates(history, [&](Op read) { return versions->ambiguous(read.key(), read.value()); });
  std::move(lost.begin(), lost.end(), std::back_inserter(inference.anomalies));
  if (!keep_going()) {
    return inference;
  }
  VersionOrder order = order_versions(history, *versions, assumptions);
  std::move(order.cyclic_versions.begin(), order.cyclic_versions.end(),
            std::back_inserter(inference.anomalies));
  if (!keep_going()) {
    return inference;
  }
  add_register_edges(history, *versions, order.graph, inference);
  inference.believed = versions->all_believed();
  inference.wr_before_ww = true;
  inference.explainer = register_explainer(history, versions, std::move(order.graph));
  return inference;
}

}  // namespace

WorkloadRow rw_register_row() {
  return {.workload = Workload::kRwRegister, .recognise = recognise, .infer = infer};
}

}  // namespace elapid
