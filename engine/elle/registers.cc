// The order in which Elle goes through an rw-register history, what it refuses, and the anomalies
// that need no cycle.
#include <iterator>
#include <set>
#include <utility>

#include "engine/elle/all_ops.h"
#include "engine/elle/analysis.h"
#include "engine/elle/lost_update.h"
#include "engine/elle/register_graph.h"
#include "engine/elle/version_graphs.h"
#include "engine/elle/writes.h"

namespace elapid::elle {

namespace {

std::optional<std::string> foreign_to_registers(const History& history) {
  std::optional<std::string> found;
  each_op(history, [&](Op op) {
    if (found) {
      return;
    }
    if (op.kind() == OpKind::kReadList) {
      found = "expected a register's value in every read, found a list";
    } else if (op.kind() == OpKind::kOther || op.kind() == OpKind::kAppend) {
      found = "IllegalArgumentException: No matching clause: " +
              (op.kind() == OpKind::kAppend ? std::string(":append") : history.text(op.value()));
    }
  });
  return found;
}

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

/// A read of a value that several committed transactions wrote.
std::optional<std::string> several_writers(const History& history,
                                           const RegisterVersions& versions) {
  for (std::uint32_t v = 0; v < versions.count(); ++v) {
    const VersionId version{v};
    if (versions.writers(version).size() > 1 && !versions.readers(version).empty()) {
      return "IllegalArgumentException: Key " + history.key_text(versions.key(version)) +
             " had value " + history.text(versions.value(version)) + " written by more than one op";
    }
  }
  return std::nullopt;
}

/// G1a: values of failed transactions. G1b: values that their writer overwrote.
void find_bad_reads(const History& history, std::vector<Anomaly>& out) {
  const Writes writes(history, OpKind::kWrite);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const Op op = ops[mop];
      const Write* write = op.kind() == OpKind::kRead ? writes.find(op.key(), op.value()) : nullptr;
      if (write == nullptr) {
        continue;
      }
      if (!write->failed.is_none()) {
        out.push_back(
            {AnomalyType::kG1a, ReadEvidence{{t}, mop, op.value(), EventRef{write->failed}}});
      }
      if (const auto writer = intermediate_writer(*write, {t})) {
        out.push_back({AnomalyType::kG1b, ReadEvidence{{t}, mop, op.value(), writer}});
      }
    }
  }
}

/// internal: the first read of each committed transaction that is not what it last read or wrote.
void find_internal(const History& history, std::vector<Anomaly>& out) {
  struct Known {
    TxnId txn;
    ValueId value;
  };

  std::vector<Known> known(history.key_count());  // by key, of the transaction at hand
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      Known& of_key = known[ops[mop].key().index()];
      if (of_key.txn == TxnId{t} && ops[mop].is_read() && ops[mop].value() != of_key.value) {
        out.push_back({AnomalyType::kInternal,
                       InternalEvidence{{t}, mop, ExpectedRead{.scalar = of_key.value}}});
        break;
      }
      of_key = {{t}, ops[mop].value()};
    }
  }
}

std::vector<bool> committed_transactions(const History& history) {
  std::vector<bool> committed(history.txn_count());
  for (std::uint32_t t = 0; t < committed.size(); ++t) {
    committed[t] = history.committed({t});
  }
  return committed;
}

}  // namespace

Analysis analyze_registers(const History& history, const Assumptions& assumptions) {
  Analysis analysis;
  for (const auto refuses : {foreign_to_registers, mixed_keys}) {
    if (auto exception = refuses(history)) {
      analysis.exception = std::move(exception);
      return analysis;
    }
  }
  const auto versions = std::make_shared<const RegisterVersions>(history);
  analysis.exception = several_writers(history, *versions);
  if (analysis.exception) {
    return analysis;
  }
  find_bad_reads(history, analysis.anomalies);
  find_internal(history, analysis.anomalies);
  find_lost_updates(history, analysis.anomalies);
  VersionGraphs order = version_graphs(history, *versions, assumptions);
  std::move(order.cyclic_versions.begin(), order.cyclic_versions.end(),
            std::back_inserter(analysis.anomalies));
  add_register_edges(*versions, order.graph, analysis);
  analysis.graph.believed = committed_transactions(history);
  analysis.explainer = register_explainer(history, versions, std::move(order.graph));
  analysis.priority = {Relation::kWr, Relation::kWw, Relation::kRw};
  return analysis;
}

}  // namespace elapid::elle
