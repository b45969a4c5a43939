// One line of a Jepsen history.
#ifndef ELAPID_TESTS_UNIT_ADAPTER_FOLLOW_EVENT_LINE_H_
#define ELAPID_TESTS_UNIT_ADAPTER_FOLLOW_EVENT_LINE_H_

#include <string>

namespace elapid {

/// An event of a transaction, as EDN.
inline std::string op(const std::string& type, int process, const std::string& value) {
  return "{:type :" + type + ", :process " + std::to_string(process) + ", :f :txn, :value " +
         value + "}\n";
}

}  // namespace elapid

#endif  // ELAPID_TESTS_UNIT_ADAPTER_FOLLOW_EVENT_LINE_H_
