#include "parsers/convert/event_fields.h"

#include <string>
#include <utility>

namespace elapid {

std::string_view name(EventType type) {
  switch (type) {
    case EventType::kInvoke:
      return "invoke";
    case EventType::kOk:
      return "ok";
    case EventType::kFail:
      return "fail";
    case EventType::kInfo:
      break;
  }
  return "info";
}

Result<EventDetails> event_details(const Plan& plan, const PlannedEvent& event) {
  const bool has_source = plan.details() && event.position;
  Result<EventDetails> details =
      has_source ? plan.details()(*event.position) : Result<EventDetails>(EventDetails{});
  const bool is_transaction = plan.workload() != Workload::kCasRegister;
  if (details && (!is_transaction || details.value().f.empty())) {
    details.value().f = ":txn";  // what single operations have become
  }
  return details;
}

}  // namespace elapid
