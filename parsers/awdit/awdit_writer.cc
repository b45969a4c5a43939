#include "parsers/awdit/awdit_format.h"

#include <string_view>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

Status write_awdit(const Plan& plan, OutputFile& out) {
  std::vector<PlannedOp> ops;
  std::string_view separator;
  for (const PlannedSession& session : plan.sessions()) {
    for (const PlannedTxn& txn : session.txns) {
      out << separator;
      separator = "-\n";
      plan.ops(txn, ops);
      for (const PlannedOp& op : ops) {
        out << (op.kind == OpKind::kRead ? "r " : "w ") << op.key_number << ' ' << op.value_number
            << '\n';
      }
    }
    separator = "=\n";
  }
  return {};
}

}  // namespace elapid
