#include "engine/workloads/queue/queue_operations.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/workloads/call_values.h"
#include "engine/workloads/clues.h"

namespace elapid::queue {

namespace {

constexpr std::string_view kDrainMark = ":drain";
constexpr std::string_view kUntoldDrainMark = ":drain-untold";
constexpr std::string_view kFetchMark = ":fetch";
constexpr std::string_view kFailureMark = ":failed";

void add_mark(std::string_view mark, DecodedCall& out) {
  out.mops.push_back({.kind = OpKind::kOther, .value = out.values.intern(mark)});
}

void add_reads(const std::vector<std::string_view>& values, DecodedCall& out) {
  for (const std::string_view value : values) {
    out.mops.push_back({.kind = OpKind::kRead, .value = out.values.intern(value)});
  }
}

void decode_dequeue(const Call& call, DecodedCall& out) {
  if (call.type == EventType::kFail && !tells_of_nothing(call.field(":error"))) {
    add_mark(kFailureMark, out);
    return;
  }
  const bool is_fetch = call.f == "fetch";
  if (is_fetch) {
    add_mark(kFetchMark, out);
  }
  const bool shows = call.type == EventType::kOk && call.value;
  const auto several = shows && is_fetch ? elements_of(*call.value) : std::nullopt;
  if (several && !several->empty()) {
    add_reads(*several, out);
    return;
  }
  const bool is_value = shows && !several;
  out.mops.push_back(
      {.kind = OpKind::kRead, .value = is_value ? out.values.intern(*call.value) : ValueId::nil()});
}

std::string decode_drain(const Call& call, DecodedCall& out) {
  const bool is_ok = call.type == EventType::kOk;
  add_mark(is_ok && !call.value ? kUntoldDrainMark : kDrainMark, out);
  if (!is_ok || !call.value) {
    return {};
  }
  const auto elements = elements_of(*call.value);
  if (!elements || call.value->starts_with('{')) {
    return "expected the elements that were in the queue as the :value of this :drain, found " +
           std::string(*call.value);
  }
  add_reads(*elements, out);
  return {};
}

}  // namespace

std::string decode(const Call& call, DecodedCall& out) {
  if (call.f == "enqueue" || call.f == "publish") {
    decode_change(call, OpKind::kAppend, out);
    add_attempt(call, out);
  } else if (call.f == "dequeue" || call.f == "fetch") {
    decode_dequeue(call, out);
  } else if (call.f == "drain") {
    return decode_drain(call, out);
  } else {
    decode_other(call, out);
  }
  return {};
}

Status refuse_foreign(const History& history) {
  std::array<ValueId, 4> marks;
  std::ranges::transform(std::array{kDrainMark, kUntoldDrainMark, kFetchMark, kFailureMark},
                         marks.begin(),
                         [&](std::string_view mark) { return history.values().find(mark); });
  for (const Op op : history.all_ops()) {
    if (op.kind() == OpKind::kOther && std::ranges::find(marks, op.value()) == marks.end()) {
      return Error{.kind = ErrorKind::kMalformed,
                   .message = "expected :enqueue, :dequeue and :drain, found " +
                              history.shown_text(op.value())};
    }
  }
  return {};
}

QueueOperations::QueueOperations(const History& history)
    : history_(history),
      drain_(history.values().find(kDrainMark)),
      untold_drain_(history.values().find(kUntoldDrainMark)),
      fetch_(history.values().find(kFetchMark)) {}

QueueOperation QueueOperations::of(TxnId txn) const {
  const std::span<const Op> ops = history_.ops(txn);
  QueueOperation operation = {.values = ops};
  if (!ops.empty() && ops.front().kind() == OpKind::kAppend) {
    operation.is_enqueue = true;
  } else if (!ops.empty() && ops.front().kind() == OpKind::kOther) {
    const ValueId mark = ops.front().value();
    operation.is_untold_drain = mark == untold_drain_;
    operation.is_drain = operation.is_untold_drain || mark == drain_;
    operation.is_fetch = mark == fetch_;
    operation.values = ops.subspan(1);
  }
  return operation;
}

}  // namespace elapid::queue
