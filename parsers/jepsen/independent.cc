#include "parsers/jepsen/independent.h"

namespace elapid {

namespace {

/// Moves an operation's values to another pool. All pools share small integers.
void translate(OpMap& op, const ValuePool& from, ValuePool& to) {
  replace_values(op, [&](ValueId value) { return to.intern(from.text(value)); });
}

/// Removes a :value that is no tuple. Of nil it stays known that it was there.
void drop_value(OpMap& op) {
  op.whole.clear();
  op.not_mops = RareError();
  op.begins_mops = false;
  op.has_value = false;
}

}  // namespace

OpAssembler& IndependentAssembler::part_of(ValueId key) {
  const auto [number, is_new] = numbers_.try_emplace(key, parts_.size());
  if (is_new) {
    parts_.emplace_back(std::piecewise_construct, std::forward_as_tuple(key),
                        std::forward_as_tuple(options_, workload_));
  }
  return parts_[number->second].second;
}

Status IndependentAssembler::add(OpMap& op) {
  std::optional<Error> unclear =
      options_.elle_compat ? std::nullopt : unclear_processes_.look_at(op);
  if (unclear && !options_.for_lint) {
    return *std::move(unclear);
  }
  if (unclear) {
    remark(Remark::Kind::kOddProcess, *unclear->byte_offset, unclear->message);
  }
  if (op.process_kind == ProcessKind::kNamed) {
    if (!nemesis_) {
      nemesis_ = std::make_shared<NemesisLog>();
    }
    nemesis_->add(nemesis_event(op, values_));
    return {};
  }
  const bool is_client = op.process_kind == ProcessKind::kClient;
  return is_client || !op.tuple_key.is_none() ? add_client(op) : Status();
}

Status IndependentAssembler::add_client(OpMap& op) {
  const bool is_invocation = op.type == EventType::kInvoke;
  const auto open =
      op.process_kind == ProcessKind::kClient ? open_keys_.find(op.process) : open_keys_.end();
  const bool may_lack_tuple = !options_.elle_compat && (op.type != EventType::kOk || !op.has_value);
  if (op.tuple_key.is_none() && open != open_keys_.end() && !is_invocation && may_lack_tuple) {
    drop_value(op);
    op.tuple_key = open->second;
  }
  if (op.tuple_key.is_none()) {
    return op.not_mops ? *op.not_mops
                       : Error{.message = "expected a [key value] tuple as :value, found nil",
                               .byte_offset = op.offset};
  }
  if (is_invocation && op.process_kind == ProcessKind::kClient) {
    open_keys_.insert_or_assign(op.process, op.tuple_key);
  } else if (open != open_keys_.end()) {
    open_keys_.erase(open);
  }
  OpAssembler& part = part_of(op.tuple_key);
  translate(op, values_, part.values());
  return part.add(op);
}

void IndependentAssembler::remark(Remark::Kind kind, std::uint64_t offset,
                                  const std::string& message) {
  for (auto& [key, part] : parts_) {
    part.remark(kind, offset, message);
  }
}

Result<std::vector<IndependentHistory>> IndependentAssembler::finish(const HistoryInfo& info) && {
  if (parts_.empty()) {
    return Error{.message = "expected operations on [key value] tuples, found none",
                 .byte_offset = 0};
  }
  std::vector<IndependentHistory> histories;
  for (auto& [key, part] : parts_) {
    HistoryInfo of_part = info;
    of_part.nemesis = nemesis_;
    const std::string why = options_.tuples_because.empty()
                                ? std::string(options_.words.independent) + " says so"
                                : options_.tuples_because;
    of_part.assumptions.push_back("The operations are those of the independent key " +
                                  values_.text(key) + ", split by key because " + why + ".");
    ELAPID_ASSIGN_OR_RETURN(History history, std::move(part).finish(std::move(of_part)));
    histories.push_back({values_.text(key), std::move(history)});
  }
  return histories;
}

}  // namespace elapid
