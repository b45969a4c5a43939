#include "parsers/jepsen/trace_form.h"

namespace elapid {

namespace {

/// Why the operation is not a whole transaction; null if it is.
const char* problem_of(const OpMap& op) {
  if (op.type == EventType::kInvoke) {
    return "expected a transaction that is ok, fail or info, found an invocation";
  }
  if (op.process_kind != ProcessKind::kClient) {
    return "expected an integer as the process of a transaction, found none";
  }
  if (!op.invoked) {
    return "expected the time when the transaction was invoked, found none";
  }
  if (!op.completed && op.type != EventType::kInfo) {
    return "expected the time when the transaction completed, found none";
  }
  return op.completed && *op.completed < *op.invoked
             ? "expected a transaction that completed after it was invoked, found one that "
               "completed before"
             : nullptr;
}

}  // namespace

Status TraceForm::check(const OpMap& op) {
  const bool is_whole = op.invoked || op.completed;
  if (is_whole == is_trace_.value_or(is_whole)) {
    is_trace_ = is_whole;
    return {};
  }
  return malformed_at(op.offset,
                      is_whole ? "expected an event, as the operations before are, found a whole "
                                 "transaction with the times when it was invoked and completed"
                               : "expected a whole transaction with the times when it was invoked "
                                 "and completed, as the operations before are, found an event");
}

Result<TxnInput> TraceForm::transaction(const OpMap& op) {
  if (const char* problem = problem_of(op)) {
    return malformed_at(op.offset, problem);
  }
  return TxnInput{.session = op.process,
                  .status = status_of(*op.type),
                  .invocation_time = op.invoked,
                  .completion_time = op.completed.value_or(*op.invoked),
                  .start_timestamp = op.start_timestamp,
                  .commit_timestamp = op.commit_timestamp,
                  .position = {.offset = op.offset},
                  .mops = op.mops,
                  .elements = op.elements};
}

}  // namespace elapid
