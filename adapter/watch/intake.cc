#include "adapter/watch/intake.h"

#include <cstdint>

namespace elapid {

namespace {

Timestamp timestamp(const TimekillerClock& clock) {
  return {clock.physical, static_cast<std::uint32_t>(clock.logical)};
}

/// A process asks for one thing after another; of what it asked for at one time, what completed
/// first comes first.
std::optional<SessionNumber> sequence(const StreamTxn& txn) {
  if (txn.txn.sequence) {
    return SessionNumber{.number = *txn.txn.sequence};
  }
  return txn.invoked
             ? std::optional(SessionNumber{*txn.invoked, txn.completed.value_or(*txn.invoked)})
             : std::nullopt;
}

Error wrong_model(const TimekillerOp& op, const char* expected) {
  return {.message = std::string("expected ") + expected, .byte_offset = op.offset};
}

}  // namespace

std::optional<Workload> workload_of(const StreamTxn& txn) {
  for (const TimekillerOp& op : txn.txn.ops) {
    if (op.kind == OpKind::kAppend || op.value_kind == TimekillerValue::kList) {
      return Workload::kListAppend;
    }
    if (op.kind == OpKind::kWrite || op.value_kind == TimekillerValue::kScalar) {
      return Workload::kRwRegister;
    }
  }
  return std::nullopt;
}

Status Intake::check(const StreamTxn& txn) const {
  for (const TimekillerOp& op : txn.txn.ops) {
    if (Status status = check(op, txn.status == TxnStatus::kCommitted); !status.ok()) {
      return status;
    }
  }
  return {};
}

Status Intake::check(const TimekillerOp& op, bool is_committed) const {
  const bool is_list_model = workload_ == Workload::kListAppend;
  if (op.kind != OpKind::kRead) {
    return is_list_model == (op.kind == OpKind::kAppend)
               ? Status()
               : wrong_model(op, is_list_model
                                     ? "appends, as elsewhere in the stream, found a write"
                                     : "writes, as elsewhere in the stream, found an append");
  }
  if (is_committed && is_list_model && op.value_kind == TimekillerValue::kScalar) {
    return wrong_model(op, "a list, as is read elsewhere in the stream, found one value");
  }
  if (is_committed && !is_list_model && op.value_kind == TimekillerValue::kList) {
    return wrong_model(op, "one value, as is read elsewhere in the stream, found a list");
  }
  return {};
}

const OnlineTxn& Intake::take(const StreamTxn& txn) {
  txn_.id = id(txn);
  txn_.session = name(txn.txn, txn.txn.session);
  txn_.sequence = sequence(txn);
  txn_.status = txn.status;
  txn_.start = txn.has_start ? std::optional(timestamp(txn.txn.start)) : std::nullopt;
  txn_.commit = txn.has_commit ? std::optional(timestamp(txn.txn.commit)) : std::nullopt;
  txn_.ops.clear();
  txn_.elements.clear();
  for (const TimekillerOp& op : txn.txn.ops) {
    take_op(txn.txn, op);
  }
  return txn_;
}

void Intake::take_op(const TimekillerTxn& txn, const TimekillerOp& op) {
  OnlineOp taken = {.kind = op.kind, .key = value(txn, op.key)};
  if (op.kind == OpKind::kRead && workload_ == Workload::kListAppend) {
    taken.kind = OpKind::kReadList;
  }
  if (op.value_kind == TimekillerValue::kScalar) {
    taken.value = value(txn, op.value);
  } else if (op.value_kind == TimekillerValue::kList) {
    taken.list_begin = static_cast<std::uint32_t>(txn_.elements.size());
    taken.list_length = op.list_length;
    for (std::uint32_t i = 0; i < op.list_length; ++i) {
      txn_.elements.push_back(value(txn, txn.elements[op.list_begin + i]));
    }
  }
  txn_.ops.push_back(taken);
}

Atom Intake::name(const TimekillerTxn& txn, const TimekillerScalar& scalar) {
  return scalar.is_number() ? atoms_.integer(scalar.number) : atoms_.text(txn.texts[scalar.text]);
}

Atom Intake::value(const TimekillerTxn& txn, const TimekillerScalar& scalar) {
  return scalar.is_number() ? atoms_.integer(scalar.number) : edn(txn.texts[scalar.text]);
}

Atom Intake::edn(std::string_view text) {
  if (text == "nil") {
    return Atom::nil();
  }
  const bool is_plain_string = text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
                               text.find('\\') == std::string_view::npos;
  return is_plain_string ? atoms_.text(text.substr(1, text.size() - 2)) : atoms_.literal(text);
}

}  // namespace elapid
