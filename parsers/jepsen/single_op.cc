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
  if (has_own_values_) {
    return op.process_kind == ProcessKind::kClient;
  }
  if (!functions_.is_named(op.f) || op.process_kind != ProcessKind::kClient) {
    return false;
  }
  if (op.not_mops) {
    return !op.begins_mops;
  }
  return has_singles_ && op.mops.empty();
}

Status SingleOps::convert(OpMap& op) {
  op.mops.clear();
  op.elements.clear();
  ELAPID_RETURN_IF_ERROR(decode_ == nullptr ? name_only(op) : decode(op));
  for (MopInput& mop : op.mops) {
    if (mop.key.is_none()) {
      set_key_name(mop, ValueId::nil());
    }
  }
  return {};
}

Status SingleOps::convert_whole(OpMap& op) {
  const std::optional<EventType> type = std::exchange(op.type, EventType::kInvoke);
  Status invoked = convert(op);
  op.type = type;
  return invoked.ok() ? convert(op) : invoked;
}

Status SingleOps::name_only(OpMap& op) {
  op.mops.push_back({.kind = OpKind::kOther, .value = op.f});
  return {};
}

Status SingleOps::decode(OpMap& op) {
  if (op.whole.problem && (op.type == EventType::kInvoke || op.type == EventType::kOk)) {
    return *op.whole.problem;
  }
  const std::string f = values_.text(op.f);
  Call call = {.type = *op.type, .f = std::string_view(f).substr(f.starts_with(':') ? 1 : 0)};
  if (op.has_value) {
    call.value = op.whole.text.empty() ? "[]" : std::string_view(op.whole.text);
  }
  call.fields = op.fields;
  call.is_json = op.is_json;
  std::vector<MopInput>& invoked = invoked_[op.process];
  call.invoked = invoked;
  DecodedCall decoded = {.mops = op.mops, .elements = op.elements, .values = values_};
  std::string problem = decode_(call, decoded);
  if (!problem.empty()) {
    return malformed_at(op.offset, std::move(problem));
  }
  if (op.type == EventType::kInvoke) {
    invoked.assign(op.mops.begin(), op.mops.end());
  } else {
    invoked.clear();
  }
  return {};
}

}  // namespace elapid
