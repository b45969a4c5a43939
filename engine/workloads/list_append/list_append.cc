// list-append: transactions append to lists and read whole lists. The inference from such a
// history, without search.
//
// A read of a list shows the order of all appends before it: from `[[:r :x [1 2]]]` follows that 1
// was appended to x before 2, so that the version order of x need not be guessed. After Elle
// (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", VLDB
// 2020, section 4). Sound where Elle guesses: see docs/elle.md.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <thread>
#include <utility>

#include "engine/infer/lost_update.h"
#include "engine/ir/share_work.h"
#include "engine/verdict/bound_versions.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/list_append/list_anomalies.h"
#include "engine/workloads/list_append/list_edges.h"
#include "engine/workloads/list_append/list_versions.h"

namespace elapid {

namespace {

/// Elle refuses histories with operations other than appends and reads.
std::optional<std::string> foreign_operation(const History& history) {
  for (const Op op : history.all_ops()) {
    if (op.kind() == OpKind::kRead && !op.value().is_nil()) {
      return "expected a list or nil in every read, found " + history.shown_text(op.value());
    }
    if (!op.is_read() && op.kind() != OpKind::kAppend) {
      return "unexpected-txn-micro-op-types: expected :append and :r only, found " +
             (op.kind() == OpKind::kOther ? history.shown_text(op.value()) : std::string(":w"));
    }
  }
  return std::nullopt;
}

/// If a value was appended twice to one key, reads do not tell which append they saw. Reports the
/// first such key, with its least value id.
std::optional<std::string> duplicate_append(const History& history, const ListVersions& versions,
                                            std::vector<KeyId>& open_keys) {
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    ValueId repeated = ValueId::none();
    for (const WriteEntry& entry : versions.writes().of({k})) {
      if (entry.repeated) {
        repeated = std::min(repeated, entry.value);
      }
    }
    if (!repeated.is_none()) {
      open_keys.push_back({k});
      return "duplicate-appends: value " + history.shown_text(repeated) + " appended to key " +
             history.shown_key({k}) + " multiple times";
    }
  }
  return std::nullopt;
}

/// The orders that longest lists show which differ.
std::vector<Inference::Tied> tied_keys(const History& history, const ListVersions& versions) {
  const std::map<KeyId, std::vector<std::vector<TxnId>>> orders = versions.tied_orders();
  std::map<KeyId, Inference::Tied> tied;
  for (const auto& [key, of_key] : orders) {
    tied[key].orders = of_key;
  }
  for (TxnId txn{0}; txn.index() < history.txn_count() && !tied.empty(); ++txn.value) {
    for (const Op op : versions.believed(txn) ? versions.lists().ops(txn) : std::span<const Op>()) {
      const auto of_key = op.kind() == OpKind::kAppend ? tied.find(op.key()) : tied.end();
      if (of_key != tied.end() && versions.unobserved(op)) {
        of_key->second.behind.push_back(txn);
      }
    }
  }
  std::vector<Inference::Tied> keys;
  for (auto& [key, of_key] : tied) {
    keys.push_back(std::move(of_key));
  }
  return keys;
}

/// A transaction that did not complete as committed, but did commit, may say what it read: its
/// reads make dependencies, but are not checked for internal, G1a and the like. The key of such a
/// read, or none().
KeyId key_read_unchecked(const History& history, const ListVersions& versions) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (!versions.believed({t}) || history.committed({t})) {
      continue;
    }
    for (const Op op : history.ops({t})) {
      if (op.kind() == OpKind::kReadList) {
        return op.key();
      }
    }
  }
  return KeyId::none();
}

void find_lost_updates(const ListContext& context, std::vector<Anomaly>& out) {
  std::ranges::move(lost_updates(context.history,
                                 [&](Op read) { return context.versions.ambiguous(read.key()); }),
                    std::back_inserter(out));
}

std::string_view recognise_list_append(const Clues& clues) {
  if (clues.has_append) {
    return "something is appended";
  }
  return clues.is_whole && clues.has_list && !clues.has_write
             ? "nothing is written, and a list is read"
             : "";
}

/// Runs on all cores. Only the calling thread calls `keep_going`. Returns false if it was stopped.
bool find_anomalies_and_edges(const ListContext& context, const std::function<bool()>& keep_going,
                              Inference& inference) {
  const std::array finders = {
      find_dirty_updates,      find_list_bad_reads,      find_list_internal, find_list_future_reads,
      find_duplicate_elements, find_incompatible_orders, find_lost_updates};
  std::array<std::vector<Anomaly>, finders.size()> found;
  // Edges take longest. On one core they come last, and are left out if it is stopped.
  const std::size_t edges = WorkThreads::of_thread() > 1 ? 0 : finders.size();
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> goes_on = true;
  share_work(finders.size() + 1, [&](std::size_t part) {
    if (std::this_thread::get_id() == caller && goes_on && !keep_going()) {
      goes_on = false;
    }
    if (goes_on && part == edges) {
      add_list_edges(context.history, context.versions, inference);
    } else if (goes_on) {
      const std::size_t finder = part < edges ? part : part - 1;
      finders[finder](context, found[finder]);
    }
  });
  for (std::vector<Anomaly>& anomalies : found) {
    std::ranges::move(anomalies, std::back_inserter(inference.anomalies));
  }
  return goes_on;
}

Inference infer(const History& history, const Assumptions& assumptions,
                const std::function<bool()>& keep_going) {
  Inference inference;
  inference.elle_error = foreign_operation(history);
  if (inference.elle_error) {
    inference.has_foreign_operations = true;
    return inference;
  }
  const auto versions = std::make_shared<const ListVersions>(history);
  std::vector<KeyId> open_keys;
  inference.elle_error = duplicate_append(history, *versions, open_keys);
  if (!find_anomalies_and_edges({history, *versions}, keep_going, inference)) {
    return inference;
  }
  if (const KeyId unchecked = key_read_unchecked(history, *versions); !unchecked.is_none()) {
    open_keys.push_back(unchecked);
  }
  if (const KeyId torn = versions->torn_key(); !torn.is_none()) {
    open_keys.push_back(torn);
  }
  inference.tells_write_orders = !inference.elle_error && versions->torn_key().is_none() &&
                                 !bind_versions(assumptions, history);
  if (!inference.elle_error && !bind_versions(assumptions, history)) {
    inference.tied = tied_keys(history, *versions);
  }
  const bool is_checked = open_keys.empty() && !bind_versions(assumptions, history);
  inference.version_orders_total = inference.version_orders_total && is_checked;
  inference.version_orders_serial = inference.version_orders_serial && is_checked;
  std::ranges::copy(open_keys, std::back_inserter(inference.open_keys));
  inference.believed = versions->all_believed();
  inference.explainer = list_explainer(history, versions);
  return inference;
}

}  // namespace

/// The inference is near linear in operations, elements of longest lists, and edges.
WorkloadRow list_append_row() {
  return {.workload = Workload::kListAppend, .recognise = recognise_list_append, .infer = infer};
}

}  // namespace elapid
