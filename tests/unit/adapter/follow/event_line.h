// One line of a Jepsen history.
#pragma once

#include <string>

namespace elapid {

/// An event of a transaction, as EDN.
inline std::string op(const std::string& type, int process, const std::string& value) {
  return "{:type :" + type + ", :process " + std::to_string(process) + ", :f :txn, :value " +
         value + "}\n";
}

}  // namespace elapid
