#include "parsers/jepsen/op_assembler.h"

#include <cstddef>
#include <utility>

namespace elapid {

bool is_client(const OpMap& op) {
  const bool has_mops = op.has_value && !op.not_mops;
  return op.process_kind == ProcessKind::kClient ||
         (op.process_kind == ProcessKind::kAbsent && has_mops);
}

OpAssembler::OpAssembler(const ReadOptions& options)
    : builder_({.drop_processless = options.elle_compat,
                .tolerate_overlaps = options.for_lint || options.elle_compat,
                .believe_invocations = !options.elle_compat}) {}

void OpAssembler::remark(Remark::Kind kind, std::uint64_t offset, std::string message) {
  builder_.remark(kind, {.offset = offset}, std::move(message));
}

Status OpAssembler::add(OpMap& op) {
  is_empty_ = false;
  if (!op.type) {
    return Error{.message = op.has_validity ? "this is a results file, not a history"
                                            : "expected an operation, found one without :type",
                 .byte_offset = op.offset};
  }
  if (op.has_odd_time) {
    remark(Remark::Kind::kOther, op.offset, "a :time that is no integer is ignored");
  }
  if (op.twice) {
    remark(Remark::Kind::kOther, op.twice->byte_offset.value_or(op.offset), op.twice->message);
  }
  return is_client(op) ? add_client(op) : skip(op);
}

Status OpAssembler::add_client(OpMap& op) {
  if (op.not_mops) {
    return *op.not_mops;
  }
  if (op.not_list && op.type == EventType::kOk) {
    return *op.not_list;
  }
  f_ = op.f == f_.value_or(op.f) ? op.f : ValueId::none();
  for (std::size_t i = 0; i < op.mops.size(); ++i) {
    op.mops[i].key = builder_.key(op.keys[i]);
  }
  EventInput event{
      .type = *op.type, .index = op.index, .time = op.time, .position = {.offset = op.offset}};
  if (op.process_kind == ProcessKind::kClient) {
    event.process = op.process;
  }
  event.mops = op.mops;
  event.elements = op.elements;
  return builder_.add_event(event);
}

Status OpAssembler::skip(const OpMap& op) {
  if (op.process_kind == ProcessKind::kOdd) {
    remark(Remark::Kind::kOddProcess, op.offset,
           "a :process that is neither an integer nor a name is taken as not a client");
  } else if (op.process_kind == ProcessKind::kAbsent) {
    remark(Remark::Kind::kOther, op.offset,
           "an operation without :process and without micro-operations is ignored");
  }
  return builder_.skip_event(
      {.index = op.index, .time = op.time, .position = {.offset = op.offset}});
}

Result<History> OpAssembler::finish(HistoryInfo info) && {
  if (is_empty_) {
    return Error{.message = "expected operations, found none", .byte_offset = 0};
  }
  info.f = f_.value_or(ValueId::none());
  return std::move(builder_).build(std::move(info));
}

}  // namespace elapid
