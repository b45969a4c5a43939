#include "engine/workloads/rw_register/register_anomalies.h"

#include <optional>

#include "engine/infer/hidden_writes.h"
#include "engine/ir/op_places.h"

namespace elapid {

namespace {

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
      const bool initial = read.value().is_nil() || read.value() == history_.info().initial;
      if (!initial) {
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

}  // namespace

void find_register_internal(const History& history, std::vector<Anomaly>& out) {
  struct Known {
    std::uint32_t txn = TxnId::none().value;
    ValueId value = ValueId::none();
    bool is_own = false;  // the transaction has written it
  };

  const auto is_initial = [&](ValueId value) {
    return value.is_nil() || value == history.info().initial;
  };
  // nil and the initial value are two names of one state.
  const auto agree = [&](const Known& known, ValueId read) {
    return read == known.value || (!known.is_own && is_initial(read) && is_initial(known.value));
  };

  std::vector<Known> known(history.key_count());  // by key, of the transaction at hand
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

void find_register_bad_reads(const History& history, const RegisterVersions& versions,
                             std::vector<Anomaly>& out) {
  BadRegisterReads reads(history, versions, out);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t})) {
      reads.check({t});
    }
  }
}

}  // namespace elapid
