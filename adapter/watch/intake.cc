#include "adapter/watch/intake.h"

#include <cstdint>
#include <utility>

namespace elapid {

namespace {

Timestamp timestamp(const TimekillerClock& clock) {
  return {clock.physical, static_cast<std::uint32_t>(clock.logical)};
}

/// The place of a transaction in its session: the number in the input, else its invocation. Of
/// equal invocations the completion decides.
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

/// The header's workload, if streams support it.
std::optional<Workload> workload_of(const RecorderHeader& header) {
  const bool is_known =
      header.workload == Workload::kListAppend || header.workload == Workload::kRwRegister;
  return is_known ? header.workload : std::nullopt;
}

/// The workload that the operations show; nothing for reads of nil only, which fit both.
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

}  // namespace

Status Intake::take(const RecorderHeader& header) {
  const std::optional<Workload> workload =
      demanded_workload_ ? demanded_workload_ : workload_of(header);
  if (has_begun_) {
    const bool is_another_initial =
        !demanded_initial_ && header.initial && header.initial != declared_initial_.value_or("nil");
    const bool is_another_workload = workload && workload_ && workload != workload_;
    if (is_another_initial || is_another_workload) {
      return Error{.message =
                       "expected one header before the transactions, found another one that "
                       "contradicts what came before"};
    }
  } else {
    has_begun_ = true;
    declared_initial_ = header.initial;
  }
  if (workload && !workload_) {
    begin(*workload);
  }
  return {};
}

void Intake::begin(Workload workload) {
  workload_ = workload;
  const std::optional<std::string>& initial =
      demanded_initial_ ? demanded_initial_ : declared_initial_;
  initial_ = initial ? edn(*initial) : Atom::nil();
}

void Intake::restore(Workload workload, std::optional<std::string> declared) {
  has_begun_ = true;
  declared_initial_ = std::move(declared);
  begin(workload);
}

Status Intake::check(const StreamTxn& txn) const {
  for (const TimekillerOp& op : txn.txn.ops) {
    ELAPID_RETURN_IF_ERROR(check(op, txn.status == TxnStatus::kCommitted));
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

Status Intake::take(const StreamTxn& txn, OnlineTxn& taken) {
  has_begun_ = true;
  if (!workload_) {
    const auto shown = demanded_workload_ ? demanded_workload_ : workload_of(txn);
    if (shown) {
      begin(*shown);
    }
  }
  ELAPID_RETURN_IF_ERROR(check(txn));
  taken.id = name(txn.txn, txn.txn.id);
  taken.session = name(txn.txn, txn.txn.session);
  taken.sequence = sequence(txn);
  taken.status = txn.status;
  taken.start = txn.has_start ? std::optional(timestamp(txn.txn.start)) : std::nullopt;
  taken.commit = txn.has_commit ? std::optional(timestamp(txn.txn.commit)) : std::nullopt;
  taken.ops.clear();
  taken.elements.clear();
  for (const TimekillerOp& op : txn.txn.ops) {
    take_op(txn.txn, op, taken);
  }
  return {};
}

void Intake::take_op(const TimekillerTxn& txn, const TimekillerOp& op, OnlineTxn& into) {
  OnlineOp taken = {.kind = op.kind, .key = value(txn, op.key)};
  if (op.kind == OpKind::kRead && workload_ == Workload::kListAppend) {
    taken.kind = OpKind::kReadList;
  }
  if (op.value_kind == TimekillerValue::kScalar) {
    taken.value = value(txn, op.value);
  } else if (op.value_kind == TimekillerValue::kList) {
    taken.list_begin = static_cast<std::uint32_t>(into.elements.size());
    taken.list_length = op.list_length;
    for (std::uint32_t i = 0; i < op.list_length; ++i) {
      into.elements.push_back(value(txn, txn.elements[op.list_begin + i]));
    }
  }
  into.ops.push_back(taken);
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
