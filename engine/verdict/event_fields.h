// Fields of an event that only the source of a history has.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// The fields of an event that the History does not keep, as printed EDN.
struct EventFields {
  std::string f = ":txn";
  std::string value = {};  ///< :value as in the source; empty if it is unknown
  std::string index = {};  ///< the number that a session trace gives the transaction, if any
  std::vector<std::pair<std::string, std::string>> extras = {};  ///< key and value, in source order
};

/// Fetches the fields of an event. May be empty: then every event is a plain `:f :txn`.
using EventFieldsFn = std::function<EventFields(TxnId, EventKind)>;

}  // namespace elapid
