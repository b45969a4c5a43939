// What only the source of a history knows of an event.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// What an event says beyond what the History keeps, as printed EDN.
struct EventFields {
  std::string f = ":txn";
  std::string value = {};  ///< :value as the source has it; empty if it is not known
  std::string index = {};  ///< the number that a session trace gives the transaction, if any
  std::vector<std::pair<std::string, std::string>> extras = {};  ///< key and value, in source order
};

/// Fetches the fields of an event; may be empty, and then every event is a plain `:f :txn`.
using EventFieldsFn = std::function<EventFields(TxnId, EventKind)>;

}  // namespace elapid
