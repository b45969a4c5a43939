#include "engine/workloads/causal/causal_register.h"

#include <algorithm>

namespace elapid::causal {

std::optional<CausalFault> CausalRegister::step(const CausalOp& op) {
  const std::string link = values_.text(op.link);
  const bool is_first = link == ":init" || link == R"("init")";  // as JSON has it
  const bool is_linked = is_first || op.link == last_position_;
  if (!is_linked) {
    return CausalFault::kBrokenLink;
  }
  const std::optional<CausalFault> fault = op.f == CausalF::kWrite ? write(op.value) : read(op);
  if (!fault) {
    last_position_ = op.position;
  }
  return fault;
}

/// Accepts a number if the writes between the last one and this one were attempted.
std::optional<CausalFault> CausalRegister::write(ValueId value) {
  const std::optional<std::int64_t> number = values_.as_integer(value);
  std::int64_t next = counter_ + 1;
  while (!believes_all_ && number && next < *number && ValueId::fits_inline(next) &&
         skipped_.contains(ValueId::integer(next))) {
    ++next;
  }
  if (number != next) {
    return CausalFault::kUnexpectedWrite;
  }
  counter_ = next;
  value_ = value;
  return std::nullopt;
}

std::optional<CausalFault> CausalRegister::read(const CausalOp& op) {
  const bool is_first = op.f == CausalF::kReadInit && counter_ == 0;
  if (is_first && op.value != ValueId::integer(0)) {
    return takes_effect_now(op.value) ? std::nullopt : std::optional(CausalFault::kBadInit);
  }
  const bool fits = op.value.is_nil() || op.value == value_ || takes_effect_now(op.value);
  return fits ? std::nullopt : std::optional(CausalFault::kBadRead);
}

/// Whether a write of unknown fate explains this value of a read. Then the write took effect.
bool CausalRegister::takes_effect_now(ValueId value) {
  const auto write = pending_.find(value);
  if (believes_all_ || write == pending_.end()) {
    return false;
  }
  pending_.erase(write);
  value_ = value;
  counter_ = std::max(counter_, values_.as_integer(value).value_or(counter_));
  return true;
}

/// The text that Clojure's `str` prints.
std::string CausalRegister::text(ValueId value) const {
  if (value.is_nil()) {
    return {};
  }
  std::string text = values_.shown_text(value);
  const bool is_string = text.size() >= 2 && text.starts_with('"') && text.ends_with('"');
  return is_string ? text.substr(1, text.size() - 2) : text;
}

std::string CausalRegister::message(CausalFault fault, const CausalOp& op) const {
  switch (fault) {
    case CausalFault::kBrokenLink:
      return "Cannot link " + text(op.link) + " to last-seen position " + text(last_position_);
    case CausalFault::kUnexpectedWrite:
      return "expected value " + std::to_string(counter_ + 1) + " attempting to write " +
             text(op.value) + " instead";
    case CausalFault::kBadInit:
      return "expected init value 0, read " + text(op.value);
    case CausalFault::kBadRead:
      break;
  }
  return "can't read " + text(op.value) + " from register " + text(value_);
}

}  // namespace elapid::causal
