#include "parsers/jepsen/unclear_processes.h"

#include <string>
#include <utility>

namespace elapid {

namespace {

bool has_name(ValueId f) {
  return !f.is_nil() && !f.is_none();
}

/// Whether the value has micro-operations. A history of rows keeps it as text.
bool has_mops(const OpMap& op) {
  return op.begins_mops && (op.whole.text.empty() || op.whole.text.starts_with("[[:"));
}

Error unclear(const OpMap& op) {
  const std::string found = op.process_name.empty()
                                ? "something else"
                                : "`" + shortened_nemesis_text(op.process_name) + '`';
  return malformed_at(op.offset,
                      "expected an integer as the process of a client's operation, found " + found);
}

}  // namespace

/// Whether the workload has a single operation of this function and value. An operation that it
/// does not know is decoded to its name alone, see decode_other().
bool UnclearProcesses::is_of_workload(const OpMap& op) const {
  if (decode_ == nullptr) {
    return false;
  }
  const std::string f = values_.text(op.f);
  Call call = {.f = std::string_view(f).substr(1), .fields = op.fields};
  if (op.has_value && !op.whole.text.empty()) {
    call.value = op.whole.text;
  }
  GrowingVector<MopInput> mops;
  GrowingVector<ValueId> elements;
  ValuePool values;
  DecodedCall decoded = {.mops = mops, .elements = elements, .values = values};
  if (!decode_(call, decoded).empty()) {
    return false;
  }
  const bool is_foreign = mops.size() == 1 && mops.begin()->kind == OpKind::kOther &&
                          values.text(mops.begin()->value) == ':' + std::string(call.f);
  return !is_foreign;
}

std::optional<Error> UnclearProcesses::look_at(const OpMap& op) {
  if (op.process_kind == ProcessKind::kAbsent || is_nemesis(op)) {
    return std::nullopt;
  }
  if (op.process_kind == ProcessKind::kClient) {
    const bool is_new = op.f != last_f_ && has_name(op.f) && clients_.insert(op.f).second;
    last_f_ = op.f;
    const auto other = is_new ? others_.find(op.f) : others_.end();
    return other == others_.end() ? std::nullopt : std::optional(std::move(other->second));
  }
  if (has_mops(op)) {
    return unclear(op);
  }
  if (!has_name(op.f)) {
    return std::nullopt;
  }
  if (clients_.contains(op.f) || values_.text(op.f) == ":txn" || is_of_workload(op)) {
    return unclear(op);
  }
  others_.try_emplace(op.f, unclear(op));
  return std::nullopt;
}

}  // namespace elapid
