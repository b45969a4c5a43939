#include "parsers/jepsen/single_op.h"

#include <utility>

namespace elapid {

SingleOps::Adoption SingleOps::adopt(OpMap& op) {
  oks_ += op.type == EventType::kOk ? 1U : 0U;
  if (!functions_.is_orphan(op)) {
    return {};
  }
  const std::string asked = std::to_string(op.f.bits()) + ' ';
  std::string name = asked + (op.f == functions_.read ? "" : op.whole.text);
  if (op.type != EventType::kInvoke) {
    const auto same = adopted_.find(name);
    if (same == adopted_.end() || same->second.empty()) {
      name = asked;
    }
  }
  std::deque<Adopted>& open = adopted_[name];
  if (op.type == EventType::kInfo && open.empty()) {
    return {};
  }
  Adoption adoption = {.is_adopted = true};
  op.process_kind = ProcessKind::kClient;
  if (op.type == EventType::kInvoke || open.empty()) {
    op.process = next_adopted_--;
  } else {
    adoption.is_unclear = open.front().oks != open.back().oks;
    op.process = open.front().process;
    open.pop_front();
  }
  if (op.type == EventType::kInvoke) {
    open.push_back({op.process, oks_});
  }
  return adoption;
}

bool SingleOps::is_single(const OpMap& op) const {
  if (has_own_values_) {
    return op.process_kind == ProcessKind::kClient;
  }
  if (!functions_.is_named(op.f) || op.process_kind != ProcessKind::kClient) {
    return false;
  }
  if (!op.is_mops()) {
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
  call.lacks_value = op.type == EventType::kOk && !op.has_value && !op.is_nil && !elle_compat_;
  call.is_for_jepsen = elle_compat_;
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
