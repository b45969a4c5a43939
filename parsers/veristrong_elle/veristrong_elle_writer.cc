#include "parsers/veristrong_elle/veristrong_elle_format.h"

#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

void write_op(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  if (op.kind == OpKind::kAppend) {
    out << "A " << op.key_number << ' ' << op.value_number << '\n';
    return;
  }
  out << "R " << op.key_number << ' ' << op.elements.size();
  for (const ValueId element : op.elements) {
    out << ' ' << plan.value_number(element);
  }
  out << '\n';
}

std::size_t op_count(const Plan& plan) {
  std::vector<PlannedOp> ops;
  std::size_t count = 0;
  for (const PlannedTxn& txn : plan.txns()) {
    plan.ops(txn, ops);
    count += ops.size();
  }
  return count;
}

}  // namespace

Status write_veristrong_elle(const Plan& plan, OutputFile& out) {
  out << op_count(plan) << '\n';
  std::vector<PlannedOp> ops;
  std::int64_t id = 0;
  for (const PlannedTxn& txn : plan.txns()) {
    ++id;
    plan.ops(txn, ops);
    for (const PlannedOp& op : ops) {
      out << txn.session << ' ' << id << ' ';
      write_op(plan, op, out);
    }
  }
  return {};
}

}  // namespace elapid
