#include "parsers/jepsen/workload_inference.h"

#include <string_view>

#include "parsers/jepsen/op_assembler.h"

namespace elapid {

bool WorkloadInference::look_at(const OpMap& op) {
  if (!is_client(op)) {
    return false;
  }
  for (const MopInput& mop : op.mops) {
    switch (mop.kind) {
      case OpKind::kAppend:
        has_append_ = true;
        break;
      case OpKind::kWrite:
        has_write_ = true;
        break;
      case OpKind::kReadList:
        has_list_ = true;
        break;
      case OpKind::kRead:
        has_read_ = true;
        break;
      case OpKind::kOther:
        has_other_ = true;
        break;
    }
  }
  return has_append_ || has_write_;
}

Workload WorkloadInference::workload() const {
  if (has_append_ || (has_list_ && !has_write_)) {
    return Workload::kListAppend;
  }
  const bool has_only_others = has_other_ && !has_read_ && !has_write_;
  return has_only_others ? Workload::kOther : Workload::kRwRegister;
}

std::string WorkloadInference::sentence() const {
  std::string_view reason = "nothing is written, and no list is read";
  if (has_append_) {
    reason = "something is appended";
  } else if (has_write_) {
    reason = "something is written with :w";
  } else if (has_list_) {
    reason = "nothing is written, and a list is read";
  } else if (workload() == Workload::kOther) {
    reason = "nothing is read, written or appended";
  }
  return "The workload is " + std::string(name(workload())) + ": " + std::string(reason) + ".";
}

}  // namespace elapid
