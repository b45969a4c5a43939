#include "parsers/porcupine/porcupine_format.h"

#include <string_view>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/plan.h"
#include "parsers/convert/planned_singles.h"

namespace elapid {

namespace {

constexpr std::string_view kTimedOut = ":timed-out";

/// Writes the value. A read shows its result once it has succeeded. An operation without an answer
/// says that it timed out.
void write_value(const PlannedSingle& op, EventType type, OutputFile& out) {
  if (type == EventType::kInfo) {
    out << kTimedOut;
  } else if (op.kind == PlannedSingle::Kind::kCas) {
    out << '[' << op.read.value_number << ' ' << op.write.value_number << ']';
  } else if (op.kind == PlannedSingle::Kind::kWrite) {
    out << op.write.value_number;
  } else if (type == EventType::kFail) {
    out << kTimedOut;
  } else if (type == EventType::kInvoke || op.read.is_initial) {
    out << "nil";
  } else {
    out << op.read.value_number;
  }
}

}  // namespace

Status write_etcd_log(const Plan& plan, OutputFile& out) {
  PlannedSingles singles(plan);
  for (const PlannedEvent& event : plan_events(plan)) {
    const PlannedTxn& txn = plan.txns()[event.txn];
    ELAPID_ASSIGN_OR_RETURN(const PlannedSingle op, singles.of(txn));
    if (op.kind == PlannedSingle::Kind::kCas && op.read.is_initial) {
      return usage_error("a compare-and-set of nil: porcupine:etcd has those of numbers only");
    }
    out << "INFO  jepsen.util - " << txn.session << "\t:" << name(event.type) << '\t'
        << function(op.kind) << '\t';
    write_value(op, event.type, out);
    out << '\n';
  }
  return {};
}

}  // namespace elapid
