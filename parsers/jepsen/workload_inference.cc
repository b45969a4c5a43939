#include "parsers/jepsen/workload_inference.h"

#include <algorithm>

#include "engine/workloads/table.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/row_events.h"

namespace elapid {

bool WorkloadInference::look_at(const OpMap& op) {
  if (!is_client(op) && !functions_.is_orphan(op)) {
    return false;
  }
  if (!op.begins_mops && functions_.is_named(op.f)) {
    look_at_single(op);
  }
  for (const MopInput& mop : op.mops) {
    clues_.has_append |= mop.kind == OpKind::kAppend;
    clues_.has_write |= mop.kind == OpKind::kWrite;
    clues_.has_list |= mop.kind == OpKind::kReadList;
    clues_.has_read |= mop.kind == OpKind::kRead;
    clues_.has_other |= mop.kind == OpKind::kOther;
    if (mop.kind == OpKind::kOther) {
      const std::string name = values_.text(mop.value);
      clues_.has_row |= is_row_operation(name);
      clues_.has_log |= name == ":send" || name == ":poll";
    }
  }
  return std::ranges::any_of(
      workload_rows(), [&](const WorkloadRow& row) { return !row.recognise(clues_).empty(); });
}

void WorkloadInference::look_at_single(const OpMap& op) {
  const std::string f = values_.text(op.f);
  CallClue& clue = clues_.calls[f.starts_with(':') ? f.substr(1) : f];
  const bool is_collection = op.whole.is_collection || !op.not_mops;  // an empty vector has no mops
  clue.has_nil |= !op.has_value;
  clue.has_collection |= op.has_value && is_collection;
  clue.shown += op.type == EventType::kOk && op.has_value && is_collection ? 1U : 0U;
  clue.has_map |= op.has_value && op.whole.text.starts_with('{');
  clue.has_scalar |= op.has_value && !is_collection;
  if (op.type == EventType::kOk || op.type == EventType::kFail) {
    clue.ends_empty =
        op.type == EventType::kFail || !op.has_value || !op.not_mops || op.whole.text == ":empty";
  }
  const std::string_view text = op.whole.text;
  clue.has_timed_row |= text.starts_with('{') && text.find(":sts ") != std::string_view::npos &&
                        text.find(":val ") != std::string_view::npos;
}

std::pair<Workload, std::string_view> WorkloadInference::answer() const {
  Clues clues = clues_;
  clues.is_whole = true;
  for (const WorkloadRow& row : workload_rows()) {
    if (const std::string_view reason = row.recognise(clues); !reason.empty()) {
      return {row.workload, reason};
    }
  }
  return {Workload::kOther, "nothing tells what its operations mean"};
}

std::string WorkloadInference::sentence() const {
  const auto [workload, reason] = answer();
  return "The workload is " + std::string(workload.name()) + ": " + std::string(reason) + ".";
}

}  // namespace elapid
