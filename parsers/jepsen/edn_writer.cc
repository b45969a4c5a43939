#include "parsers/jepsen/edn_format.h"

#include <string>
#include <utility>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/mops_text.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

void append_line(const Plan& plan, const PlannedEvent& event, const EventDetails& details,
                 const EventOps& ops, std::string& out) {
  out += "{:index " + std::to_string(event.index);
  if (event.time) {
    out += ", :time " + std::to_string(*event.time);
  }
  out += ", :type :";
  out += name(event.type);
  out += ", :process " + std::to_string(plan.txns()[event.txn].session) + ", :f " + details.f +
         ", :value ";
  append_edn_mops(plan.history(), ops.ops, out);
  for (const auto& [key, value] : details.extras) {
    out += ", " + key + ' ' + value;
  }
  out += "}\n";
}

}  // namespace

Status write_edn(const Plan& plan, OutputFile& out) {
  EventOps ops;
  std::string line;
  for (const PlannedEvent& event : plan_events(plan)) {
    Result<EventDetails> details = event_details(plan, event);
    if (!details) {
      return std::move(details.error());
    }
    ops.assign(plan, event);
    line.clear();
    append_line(plan, event, details.value(), ops, line);
    out << line;
  }
  return {};
}

}  // namespace elapid
