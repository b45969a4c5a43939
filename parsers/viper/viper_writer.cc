#include "parsers/viper/viper_writer.h"

#include <string>
#include <vector>

namespace elapid {

namespace {

void write_txn(const std::vector<PlannedOp>& ops, OutputFile& out) {
  out << "{\"value\": [";
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool is_read = ops[i].kind == OpKind::kRead;
    out << (i == 0 ? "" : ", ") << (is_read ? "[\"r\", " : "[\"w\", ") << ops[i].key_number << ", "
        << ops[i].value_number << (is_read ? ", false]" : ", true]");
  }
  out << "]}\n";
}

}  // namespace

Status write_viper(const Plan& plan, OutputDirectory& out) {
  std::vector<PlannedOp> ops;
  for (const PlannedSession& session : plan.sessions()) {
    Result<OutputFile> log = out.file("J" + std::to_string(session.name) + ".log");
    if (!log) {
      return std::move(log.error());
    }
    for (const PlannedTxn& txn : session.txns) {
      plan.ops(txn, ops);
      write_txn(ops, log.value());
    }
    if (Status status = log.value().commit(); !status.ok()) {
      return status;
    }
  }
  return {};
}

}  // namespace elapid
