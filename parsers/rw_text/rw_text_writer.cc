#include "parsers/rw_text/rw_text_format.h"

#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

void write_elements(const Plan& plan, std::span<const ValueId> elements, OutputFile& out) {
  out << '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    out << (i == 0 ? "" : " ") << plan.value_number(elements[i]);
  }
  out << ']';
}

void write_elle_op(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  if (op.kind == OpKind::kAppend) {
    out << "[:append " << op.key_number << ' ' << op.value_number;
  } else {
    out << "[:r " << op.key_number << ' ';
    write_elements(plan, op.elements, out);
  }
  out << ']';
}

}  // namespace

Status write_rw_text(const Plan& plan, OutputFile& out) {
  std::vector<PlannedOp> ops;
  std::int64_t next = 0;
  for (const PlannedTxn& txn : plan.txns()) {
    const bool is_aborted = txn.status == TxnStatus::kAborted;
    const std::int64_t id = is_aborted ? -1 : next++;
    const std::int64_t session = is_aborted ? 0 : txn.session;
    plan.ops(txn, ops);
    for (const PlannedOp& op : ops) {
      out << (op.kind == OpKind::kRead ? "r(" : "w(") << op.key_number << ',' << op.value_number
          << ',' << session << ',' << id << ")\n";
    }
  }
  return {};
}

Status write_polysi_elle(const Plan& plan, OutputFile& out) {
  std::vector<PlannedOp> ops;
  std::int64_t index = 0;
  for (const PlannedTxn& txn : plan.txns()) {
    out << "{:type :ok, :f :txn, :value [";
    plan.ops(txn, ops);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      out << (i == 0 ? "" : " ");
      write_elle_op(plan, ops[i], out);
    }
    out << "], :process " << txn.session << ", :index " << index++ << "}\n";
  }
  return {};
}

}  // namespace elapid
