#include "parsers/jepsen/single_op.h"

#include <utility>

namespace elapid {

bool SingleOps::adopt(OpMap& op) {
  if (!functions_.is_orphan(op)) {
    return false;
  }
  std::string name = std::to_string(op.f.bits());
  name += op.f == functions_.read ? "" : ' ' + op.whole.text;
  std::deque<std::int64_t>& open = adopted_[name];
  if (op.type == EventType::kInfo && open.empty()) {
    return false;
  }
  op.process_kind = ProcessKind::kClient;
  if (op.type == EventType::kInvoke || open.empty()) {
    op.process = next_adopted_--;
  } else {
    op.process = open.front();
    open.pop_front();
  }
  if (op.type == EventType::kInvoke) {
    open.push_back(op.process);
  }
  return true;
}

bool SingleOps::is_single(const OpMap& op) const {
  if (!functions_.is_named(op.f) || op.process_kind != ProcessKind::kClient) {
    return false;
  }
  if (op.not_mops) {
    return !op.begins_mops;
  }
  const bool has_singles = workload_ == Workload::kCasRegister || workload_ == Workload::kOther;
  return has_singles && op.mops.empty();
}

Status SingleOps::convert(OpMap& op) {
  op.mops.clear();
  op.elements.clear();
  if (workload_ == Workload::kCasRegister && functions_.is_register(op.f)) {
    if (Status status = convert_register(op); !status.ok()) {
      return status;
    }
  } else {
    op.mops.push_back({.kind = OpKind::kOther, .value = op.f});
  }
  op.keys.assign(op.mops.size(), ValueId::nil());
  return {};
}

Status SingleOps::convert_whole(OpMap& op) {
  const std::optional<EventType> type = std::exchange(op.type, EventType::kInvoke);
  Status invoked = convert(op);
  op.type = type;
  return invoked.ok() ? convert(op) : invoked;
}

Status SingleOps::convert_register(OpMap& op) {
  std::vector<MopInput>& invoked = invoked_[op.process];
  if (op.type == EventType::kInvoke || op.type == EventType::kOk) {
    Status status = read_mops(op);
    if (op.type == EventType::kInvoke) {
      invoked = op.mops;
    } else {
      invoked.clear();
    }
    return status;
  }
  op.mops.swap(invoked);
  invoked.clear();
  // If a compare-and-set took effect, it read what it was to compare with; if it failed, or a read
  // was never answered, nobody knows what was there.
  const bool knows_read = op.type == EventType::kInfo && op.f == functions_.cas;
  for (MopInput& mop : op.mops) {
    mop.value = mop.kind == OpKind::kRead && !knows_read ? ValueId::nil() : mop.value;
  }
  return {};
}

/// What the value says of an operation that was invoked or succeeded.
Status SingleOps::read_mops(OpMap& op) {
  if (op.whole.problem) {
    return *op.whole.problem;
  }
  if (op.f == functions_.cas) {
    return read_cas(op);
  }
  const OpKind kind = op.f == functions_.read ? OpKind::kRead : OpKind::kWrite;
  op.mops.push_back({.kind = kind, .value = value_of(op)});
  return {};
}

Status SingleOps::read_cas(OpMap& op) {
  const auto pair = op.whole.pair();
  if (!pair) {
    return malformed_at(op.offset,
                        "expected an old and a new value as the :value of this :cas, found " +
                            (op.has_value ? op.whole.text : std::string("nil")));
  }
  op.mops.push_back({.kind = OpKind::kRead, .value = values_.intern(pair->first)});
  op.mops.push_back({.kind = OpKind::kWrite, .value = values_.intern(pair->second)});
  return {};
}

ValueId SingleOps::value_of(const OpMap& op) {
  return op.has_value ? values_.intern(op.whole.text) : ValueId::nil();
}

}  // namespace elapid
