// Registers with single operations :read, :write and :cas, as in Knossos and many of Jepsen's
// tests.
//
// Each operation becomes a transaction on one key. A :cas is a read of the old value and a write of
// the new one:
//
//   {:type :ok, :f :cas, :value [1 2]}   becomes   [[:r nil 1] [:w nil 2]]
//
// The result of an operation without :ok is unknown; its transaction is the invoked one, whatever
// its value is. An indeterminate :cas that took effect read the value that it expected. A failed
// :cas keeps its expected value. The format (HistoryInfo::failed_cas_shows) or the user says
// whether the failure shows that the value was different. Where the invocation is missing, the
// value of the completion is what was invoked, as far as it can be.

#include "engine/workloads/call_values.h"
#include "engine/workloads/cas_register/judge.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

bool has_value(CallClue clue) {
  return clue.has_scalar || clue.has_collection;
}

/// Whether all operations read or write a register. A register holds no collections, unless they
/// are written: a read of a collection belongs to another workload. One that began as 0 and was
/// never written may be a counter.
bool only_reads_a_register(const Clues& clues) {
  const CallClue read = clues.call("read");
  const bool may_be_counter = read.has_scalar && !read.has_nonzero;
  return clues.is_whole && clues.has_only({"read", "write"}) && !clues.calls.empty() &&
         !read.has_collection && (!may_be_counter || clues.has_call("write"));
}

/// Whether a register is written. Sets and rows are written, too, but reads show all of them at
/// once. Other elements are written, too, but a strong read shows them in the end, and a read asks
/// for an element.
bool writes_a_register(const Clues& clues) {
  const CallClue write = clues.call("write");
  const CallClue read = clues.call("read");
  return has_value(clues.call("cas")) || write.has_collection ||
         (write.has_scalar && read.has_scalar && read.asks_nil) ||
         (write.has_scalar && clues.is_whole && !read.has_subkeys &&
          !clues.reads_collections_of_writes() && !clues.has_call("strong-read"));
}

std::string_view recognise_cas_register(const Clues& clues) {
  if (writes_a_register(clues)) {
    return "something is written by an operation :write or :cas";
  }
  return only_reads_a_register(clues)
             ? "nothing is written, and operations :read show single values"
             : "";
}

std::string decode_cas(const Call& call, DecodedCall& out) {
  const auto pair = pair_of(call.value);
  if (!pair) {
    return "expected an old and a new value as the :value of this :cas, found " +
           std::string(call.value.value_or("nil"));
  }
  out.mops.push_back(
      {.kind = OpKind::kRead, .value = out.values.intern(pair->front()), .is_condition = true});
  out.mops.push_back({.kind = OpKind::kWrite, .value = out.values.intern(pair->back())});
  return {};
}

std::string decode_cas_register(const Call& call, DecodedCall& out) {
  if (call.f != "read" && call.f != "write" && call.f != "cas") {
    decode_other(call, out);
    return {};
  }
  const bool is_read = call.f == "read";
  if (!is_read && call.repeats_invocation()) {
    out.mops.assign(call.invoked);
    return {};
  }
  const bool is_answered = call.type == EventType::kInvoke || call.type == EventType::kOk;
  if (call.f == "cas") {
    std::string error = decode_cas(call, out);
    return is_answered ? error : "";
  }
  const bool has_value = call.value && (is_answered || !is_read);
  if (has_value || is_answered || is_read) {
    out.mops.push_back({.kind = is_read ? OpKind::kRead : OpKind::kWrite,
                        .value = has_value ? out.values.intern(*call.value) : ValueId::nil()});
  }
  return {};
}

}  // namespace

WorkloadRow cas_register_row() {
  WorkloadRow row = object_row<judge_registers>(Workload::kCasRegister, recognise_cas_register,
                                                decode_cas_register);
  row.infer = rw_register_row().infer;
  return row;
}

}  // namespace elapid
