#include "parsers/jepsen/edn_format.h"

#include <string>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/fast_text.h"
#include "parsers/convert/mops_text.h"
#include "parsers/convert/plan.h"
#include "parsers/jepsen/edn_event.h"

namespace elapid {

Status write_edn(const Plan& plan, OutputFile& out) {
  EventOps ops;
  std::string mops;
  FastText line;
  for (const PlannedEvent& event : plan_events(plan)) {
    ELAPID_ASSIGN_OR_RETURN(const EventDetails details, event_details(plan, event));
    line.clear();
    append_edn_head({.index = event.index,
                     .time = event.time,
                     .type = event.type,
                     .process = plan.txns()[event.txn].session,
                     .f = details.f},
                    line);
    if (plan.copies_values()) {
      line << (details.value.empty() ? "" : ", :value ") << details.value;
    } else {
      ops.assign(plan, event);
      mops.clear();
      append_edn_value(plan, plan.txns()[event.txn].txn, ops.ops, mops);
      line << ", :value " << mops;
    }
    for (const auto& [key, value] : details.extras) {
      line << ", " << key << ' ' << value;
    }
    out << line.view() << "}\n";
  }
  return {};
}

}  // namespace elapid
