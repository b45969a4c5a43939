// rw-register: transactions write and read registers. The inference from such a history, without
// search.
//
// Registers show less than lists: `[[:r :x 2]]` shows the writer of the value read, but not the
// writes before it. Version orders come from the initial state, from a transaction's own reads
// and writes, and from assumptions that the user makes about keys. After Elle (namespace
// elle.rw-register), but sound where Elle guesses: see docs/elle.md.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "engine/infer/hidden_writes.h"
#include "engine/infer/lost_update.h"
#include "engine/ir/op_places.h"
#include "engine/verdict/verdict.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/rw_register/register_edges.h"
#include "engine/workloads/rw_register/register_versions.h"
#include "engine/workloads/rw_register/version_order.h"

namespace elapid {

namespace {

// The anomalies of rw-register histories that need no cycle.

class BadRegisterReads {
 public:
  BadRegisterReads(const History& history, const RegisterVersions& versions,
                   std::vector<Anomaly>& out)
      : history_(history), versions_(versions), places_(history), out_(out) {}

  void check(TxnId txn) {
    const std::span<const Op> ops = history_.ops(txn);
    for (const Op op : ops) {
      if (op.kind() == OpKind::kRead) {
        versions_.writes().prefetch(op.key(), op.value());
      }
    }
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kRead &&
          !versions_.ambiguous(ops[mop].key(), ops[mop].value())) {
        check_read(txn, mop, ops[mop]);
      }
    }
  }

 private:
  void check_read(TxnId txn, std::uint32_t mop, Op read) {
    const WriteEntry* entry = versions_.writes().find(read.key(), read.value());
    if (entry == nullptr) {
      if (!history_.is_initial(read.value())) {
        out_.push_back(
            {AnomalyType::kGarbageRead, ReadEvidence{txn, mop, read.value(), std::nullopt}});
      }
      return;
    }
    if (entry->writer == txn && entry->attempted.is_none()) {
      check_own(txn, mop, read);
    }
    if (const auto writer = aborted_writer(history_, *entry)) {
      out_.push_back({AnomalyType::kG1a, ReadEvidence{txn, mop, read.value(), writer}});
    }
    if (entry->intermediate) {
      check_intermediate(txn, mop, read, *entry);
    }
  }

  /// Only this transaction writes the value, so no read can have shown it before.
  void check_own(TxnId txn, std::uint32_t mop, Op read) {
    if (places_.first_write(txn, Op(OpKind::kWrite, read.key(), read.value())) > mop) {
      out_.push_back(
          {AnomalyType::kFutureRead, ReadEvidence{txn, mop, read.value(), EventRef{txn}}});
    }
  }

  void check_intermediate(TxnId txn, std::uint32_t mop, Op read, const WriteEntry& entry) {
    const auto writer = intermediate_writer(history_, entry, read.key(), OpKind::kWrite);
    if (writer && writer->txn != txn) {
      out_.push_back({AnomalyType::kG1b, ReadEvidence{txn, mop, read.value(), writer}});
    }
  }

  const History& history_;
  const RegisterVersions& versions_;
  OpPlaces places_;
  std::vector<Anomaly>& out_;
};

/// internal: reads that contradict the transaction's own earlier operations. Reports the first one
/// of each transaction.
void find_register_internal(const History& history, std::vector<Anomaly>& out) {
  struct Known {
    std::uint32_t txn = TxnId::none().value;
    ValueId value = ValueId::none();
    bool is_own = false;  // the transaction has written it
  };

  // nil and the initial value are two names of one state.
  const auto agree = [&](const Known& known, ValueId read) {
    return read == known.value ||
           (!known.is_own && history.is_initial(read) && history.is_initial(known.value));
  };

  std::vector<Known> known(history.key_count());  // by key, of the current transaction
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      Known& of_key = known[ops[mop].key().index()];
      if (of_key.txn == t && ops[mop].kind() == OpKind::kRead && !agree(of_key, ops[mop].value())) {
        out.push_back({AnomalyType::kInternal,
                       InternalEvidence{{t}, mop, ExpectedRead{.scalar = of_key.value}}});
        break;
      }
      const bool has_own = of_key.txn == t && of_key.is_own;
      of_key = {t, ops[mop].value(), has_own || ops[mop].is_write()};
    }
  }
}

/// G1a, G1b and garbage-read: values of aborted transactions, of intermediate states, or without a
/// writer.
void find_register_bad_reads(const History& history, const RegisterVersions& versions,
                             std::vector<Anomaly>& out) {
  BadRegisterReads reads(history, versions, out);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t})) {
      reads.check({t});
    }
  }
}

/// Elle refuses operations other than register reads and writes.
std::optional<std::string> foreign_register_operation(const History& history) {
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

std::string_view recognise_rw_register(const Clues& clues) {
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

Inference infer_registers(const History& history, const Assumptions& assumptions,
                          const std::function<bool()>& keep_going) {
  Inference inference;
  inference.elle_error = foreign_register_operation(history);
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
  inference.explainer = register_explainer(history, versions, std::move(order.graph));
  return inference;
}

}  // namespace

/// The inference is near linear in operations, versions and edges.
WorkloadRow rw_register_row() {
  return {.workload = Workload::kRwRegister,
          .recognise = recognise_rw_register,
          .infer = infer_registers};
}

}  // namespace elapid
