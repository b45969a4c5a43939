#include "parsers/jepsen/edn_format.h"

#include <string>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/mops_text.h"
#include "parsers/convert/plan.h"
#include "parsers/convert/planned_singles.h"

namespace elapid {

namespace {

void append(const History& history, const PlannedOp& op, std::string& out) {
  append_edn(history, op.is_initial ? ValueId::nil() : op.value, out);
}

/// Appends the value. The result of a read is known once it succeeds, other values from the
/// beginning.
void append_value(const History& history, const PlannedSingle& op, EventType type,
                  std::string& out) {
  switch (op.kind) {
    case PlannedSingle::Kind::kRead:
      type == EventType::kOk ? append(history, op.read, out) : void(out += "nil");
      break;
    case PlannedSingle::Kind::kWrite:
      append(history, op.write, out);
      break;
    case PlannedSingle::Kind::kCas:
      out += '[';
      append(history, op.read, out);
      out += ' ';
      append(history, op.write, out);
      out += ']';
  }
}

}  // namespace

Status write_knossos(const Plan& plan, OutputFile& out) {
  PlannedSingles singles(plan);
  std::string value;
  for (const PlannedEvent& event : plan_events(plan)) {
    const PlannedTxn& txn = plan.txns()[event.txn];
    ELAPID_ASSIGN_OR_RETURN(const PlannedSingle op, singles.of(txn));
    ELAPID_ASSIGN_OR_RETURN(const EventDetails details, event_details(plan, event));
    out << "{:process " << txn.session << ", :type :" << name(event.type) << ", :f "
        << function(op.kind) << ", :value ";
    value.clear();
    append_value(plan.history(), op, event.type, value);
    out << value << ", :index " << event.index;
    if (event.time) {
      out << ", :time " << *event.time;
    }
    for (const auto& [key, form] : details.extras) {
      out << ", " << key << ' ' << form;
    }
    out << "}\n";
  }
  return {};
}

}  // namespace elapid
