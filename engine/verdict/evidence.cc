#include "engine/verdict/evidence.h"

namespace elapid {

std::string_view name(VersionSource source) {
  switch (source) {
    case VersionSource::kInitialState:
      return "initial-state";
    case VersionSource::kTransactionOrder:
      return "transaction-order-keys";
    case VersionSource::kWfrKeys:
      return "wfr-keys";
    case VersionSource::kSequentialKeys:
      return "sequential-keys";
    case VersionSource::kLinearizableKeys:
      break;
  }
  return "linearizable-keys";
}

}  // namespace elapid
