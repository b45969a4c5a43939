#include "parsers/viper/viper_format.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"
#include "parsers/viper/viper_row_lines.h"

namespace elapid {

namespace {

void write_json_txn(const Plan& plan, const PlannedTxn& txn, OutputFile& out) {
  std::vector<PlannedOp> ops;
  plan.ops(txn, ops);
  out << "{\"value\": [";
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool is_read = ops[i].kind == OpKind::kRead;
    out << (i == 0 ? "" : ", ") << (is_read ? "[\"r\", " : "[\"w\", ") << ops[i].key_number << ", "
        << ops[i].value_number << (is_read ? ", false]" : ", true]");
  }
  out << "]}\n";
}

void write_list(const Plan& plan, std::span<const ValueId> elements, OutputFile& out) {
  out << '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    out << (i == 0 ? "" : " ") << plan.value_number(elements[i]);
  }
  out << ']';
}

void write_edn_op(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  switch (op.kind) {
    case OpKind::kAppend:
      out << "[:append " << op.key_number << ' ' << op.value_number << ']';
      break;
    case OpKind::kReadList:
      out << "[:r " << op.key_number << ' ';
      write_list(plan, op.elements, out);
      out << ']';
      break;
    case OpKind::kWrite:
      out << "[:w " << op.key_number << ' ' << op.value_number << " nil]";
      break;
    default:
      out << "[:r " << op.key_number << ' ';
      op.is_initial ? out << "nil" : out << op.value_number;
      out << " false]";
  }
}

void write_edn_txn(const Plan& plan, const PlannedTxn& txn, OutputFile& out) {
  std::vector<PlannedOp> ops;
  plan.ops(txn, ops);
  out << "{:type :ok, :f :txn, :value [";
  for (std::size_t i = 0; i < ops.size(); ++i) {
    out << (i == 0 ? "" : " ");
    write_edn_op(plan, ops[i], out);
  }
  out << "], :process " << txn.session << "}\n";
}

/// Writes a file for each session. Its name begins with `begin`.
template <class WriteTxn>
Status write_logs(const Plan& plan, std::string_view begin, OutputDirectory& out,
                  WriteTxn write_txn) {
  for (const PlannedSession& session : plan.sessions()) {
    if (std::ranges::all_of(session.txns,
                            [&](const PlannedTxn& txn) { return plan.is_contents(txn.txn); })) {
      continue;
    }
    ELAPID_ASSIGN_OR_RETURN(OutputFile log,
                            out.file(std::string(begin) + std::to_string(session.name) + ".log"));
    for (const PlannedTxn& txn : session.txns) {
      write_txn(plan, txn, log);
    }
    ELAPID_RETURN_IF_ERROR(log.commit());
  }
  return {};
}

}  // namespace

namespace {

/// Writes the initial contents to a file of their own, whose name has no session's number.
Status write_contents(const PlannedTxn& txn, ViperRowLines& lines, OutputDirectory& out) {
  std::string line;
  ELAPID_RETURN_IF_ERROR(lines.append(txn, line));
  ELAPID_ASSIGN_OR_RETURN(OutputFile log, out.file("Jinitial.log"));
  log << line;
  return log.commit();
}

Status write_rows(const Plan& plan, OutputDirectory& out) {
  ViperRowLines lines(plan);
  for (const PlannedTxn& txn : plan.txns()) {
    if (plan.is_contents(txn.txn)) {
      ELAPID_RETURN_IF_ERROR(write_contents(txn, lines, out));
    }
  }
  Status status;
  const auto write_line = [&](const Plan&, const PlannedTxn& txn, OutputFile& log) {
    std::string line;
    if (!plan.is_contents(txn.txn) && status.ok()) {
      status = lines.append(txn, line);
      log << line;
    }
  };
  Status written = write_logs(plan, "J", out, write_line);
  return status.ok() ? written : status;
}

}  // namespace

Status write_viper_json(const Plan& plan, OutputDirectory& out) {
  if (plan.workload() == Workload::kRows) {
    return write_rows(plan, out);
  }
  return write_logs(plan, "J", out, write_json_txn);
}

Status write_viper_edn(const Plan& plan, OutputDirectory& out) {
  return write_logs(plan, "Jep", out, write_edn_txn);
}

}  // namespace elapid
