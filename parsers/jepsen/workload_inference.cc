#include "parsers/jepsen/workload_inference.h"

#include <string_view>

#include "parsers/jepsen/op_assembler.h"

namespace elapid {

bool WorkloadInference::look_at(const OpMap& op) {
  if (!is_client(op) && !functions_.is_orphan(op)) {
    return false;
  }
  const bool has_mops = op.begins_mops || !functions_.is_named(op.f);
  if (!has_mops) {
    look_at_single(op);
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
  return has_append_ || has_write_ || has_register_write_;
}

/// A register does not hold collections, unless it is written: what reads them is something else.
/// A write of nil says no more than a read.
void WorkloadInference::look_at_single(const OpMap& op) {
  const bool writes_nil = op.f == functions_.write && !op.has_value;
  if (writes_nil || (op.f == functions_.read && !op.whole.is_collection)) {
    has_register_read_ = true;
  } else if ((op.f == functions_.write || op.f == functions_.cas) && op.has_value) {
    has_register_write_ = true;
  } else {
    has_other_ = true;
  }
}

Workload WorkloadInference::workload() const {
  if (has_register_write_) {
    return Workload::kCasRegister;
  }
  if (has_append_ || (has_list_ && !has_write_)) {
    return Workload::kListAppend;
  }
  if (has_read_ || has_write_) {
    return Workload::kRwRegister;
  }
  if (has_other_) {
    return Workload::kOther;
  }
  return has_register_read_ ? Workload::kCasRegister : Workload::kRwRegister;
}

std::string WorkloadInference::sentence() const {
  std::string_view reason = "nothing is written, and no list is read";
  if (has_register_write_) {
    reason = "something is written by an operation :write or :cas";
  } else if (has_append_) {
    reason = "something is appended";
  } else if (has_write_) {
    reason = "something is written with :w";
  } else if (has_list_) {
    reason = "nothing is written, and a list is read";
  } else if (workload() == Workload::kOther) {
    reason = "no transaction reads, writes or appends, and there are other operations";
  } else if (workload() == Workload::kCasRegister) {
    reason = "nothing is written, and operations :read show single values";
  }
  return "The workload is " + std::string(name(workload())) + ": " + std::string(reason) + ".";
}

}  // namespace elapid
