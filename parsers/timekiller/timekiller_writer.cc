#include "parsers/timekiller/timekiller_format.h"

#include <string_view>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

/// The physical and the logical half of a clock.
void write_timestamp(std::int64_t timestamp, unsigned logical_bits, OutputFile& out) {
  const std::int64_t logical = timestamp & ((std::int64_t{1} << logical_bits) - 1);
  out << "{\"p\": " << (timestamp >> logical_bits) << ", \"l\": " << logical << '}';
}

std::string_view function(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
      return "w";
    case OpKind::kAppend:
      return "a";
    default:
      return "r";
  }
}

void write_mop(const Plan& plan, const PlannedOp& op, OutputFile& out) {
  out << "{\"t\": \"" << function(op.kind) << "\", \"k\": " << op.key_number << ", \"v\": ";
  if (op.kind == OpKind::kReadList) {
    out << '[';
    for (std::size_t i = 0; i < op.elements.size(); ++i) {
      out << (i == 0 ? "" : ", ") << plan.value_number(op.elements[i]);
    }
    out << "]}";
  } else if (op.is_initial) {
    out << "null}";
  } else {
    out << op.value_number << '}';
  }
}

}  // namespace

Status write_timekiller(const Plan& plan, OutputFile& out) {
  const unsigned logical_bits = plan.history().info().logical_bits;
  const std::vector<PlannedTimestamps> timestamps = plan_timestamps(plan);
  std::vector<PlannedOp> ops;
  out << '[';
  for (std::size_t place = 0; place < timestamps.size(); ++place) {
    const PlannedTxn& txn = plan.txns()[place];
    out << (place == 0 ? "" : ",\n ") << "{\"tid\": " << place + 1 << ", \"sid\": " << txn.session
        << ", \"sts\": ";
    write_timestamp(timestamps[place].start, logical_bits, out);
    out << ", \"cts\": ";
    write_timestamp(timestamps[place].commit, logical_bits, out);
    out << ", \"ops\": [";
    plan.ops(txn, ops);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      out << (i == 0 ? "" : ", ");
      write_mop(plan, ops[i], out);
    }
    out << "]}";
  }
  out << "]\n";
  return {};
}

}  // namespace elapid
