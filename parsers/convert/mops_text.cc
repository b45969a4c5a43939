#include "parsers/convert/mops_text.h"

#include "engine/rows/text.h"

namespace elapid {

std::string_view edn_function(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
      return ":w ";
    case OpKind::kAppend:
      return ":append ";
    default:
      return ":r ";
  }
}

namespace {

void append_list(const History& history, std::span<const ValueId> elements, std::string& out) {
  out += '[';
  for (const ValueId element : elements) {
    out += out.back() == '[' ? "" : " ";
    append_edn(history, element, out);
  }
  out += ']';
}

}  // namespace

void append_edn(const History& history, ValueId value, std::string& out) {
  history.values().append_text(value, out);
}

namespace {

void append_edn_mop(const History& history, const PlannedOp& op, std::string& out) {
  if (op.kind == OpKind::kRow) {
    const Op row_op(op.kind, op.key, op.value);
    out += op.is_asked ? rows::text_as_asked(history, row_op)
                       : rows::text_as_completed(history, row_op);
    return;
  }
  out += '[';
  out += edn_function(op.kind);
  append_edn(history, history.key_value(op.key), out);
  out += ' ';
  if (op.kind == OpKind::kReadList) {
    append_list(history, op.elements, out);
  } else {
    append_edn(history, op.is_initial ? ValueId::nil() : op.value, out);
  }
  out += ']';
}

}  // namespace

void append_edn_value(const Plan& plan, TxnId txn, std::span<const PlannedOp> ops,
                      std::string& out) {
  const History& history = plan.history();
  if (plan.is_contents(txn)) {
    out += rows::contents_text(history, history.ops(txn));
    return;
  }
  out += '[';
  for (const PlannedOp& op : ops) {
    out += out.back() == '[' ? "" : " ";
    append_edn_mop(history, op, out);
  }
  out += ']';
}

}  // namespace elapid
