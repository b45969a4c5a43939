// sequential: single operations :write (or :add) the subkeys of a key one after another, and :read
// them newest first.
//
//   {:type :ok, :f :write, :value 7}      adds "7_0", then "7_1", then "7_2"
//   {:type :ok, :f :add, :value [7 "7_0"]}   or each by an operation of its own
//   {:type :ok, :f :read, :value [7 ["7_2" nil "7_0"]]}
//
// A client adds the subkeys in order, so that a read that shows one shows all before it: the read
// above misses "7_1" behind "7_2", which sequential consistency forbids. The history is valid if no
// read has a nil behind a subkey, and unknown if nothing was read.
//
// After Jepsen (tests of CockroachDB, TiDB, Dgraph), whose keys the result has. If each subkey is
// added by an operation of its own, a nil is bad here only if its subkey was acknowledged to a
// session before this session added a subkey that the read shows. Jepsen asks for no such proof.
// `:all-count` needs the number of subkeys: the request's, or the length of the longest read.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/sequential/subkey_transactions.h"
#include "engine/workloads/sequential/subkeys.h"
#include "engine/workloads/setting.h"

namespace elapid {

namespace {

using sequential::Additions;
using sequential::Hole;

constexpr WorkloadType kSequentialType = {
    .name = "sequential", .has_transactions = false, .has_own_values = true};

constexpr std::int64_t kKeyCountOfElleCli = 4;

/// Sets have adds and reads, too, but no subkeys.
std::string_view recognise_sequential(const Clues& clues) {
  const bool is_made = clues.call("add").has_collection || clues.call("write").has_scalar;
  return clues.call("read").has_subkeys && is_made && clues.calls.size() == 2
             ? "a :read shows the subkeys of a key, newest first"
             : "";
}

/// Decodes the key as a read of it, and the subkeys as a list. Without a result, both are reads of
/// nil.
std::string decode_subkeys(const Call& call, DecodedCall& out) {
  if (call.type != EventType::kOk || !call.value) {
    out.mops.push_back({.kind = OpKind::kRead});
    out.mops.push_back({.kind = OpKind::kRead});
    return {};
  }
  const auto pair = pair_of(call.value);
  const auto subkeys = !pair                   ? std::nullopt
                       : pair->back() == "nil" ? std::optional(FormCursor(""))
                                               : inside(pair->back());
  if (!subkeys) {
    return "expected a key and its subkeys, as [key [subkey ...]], as the :value of this :read, "
           "found " +
           std::string(*call.value);
  }
  out.mops.push_back({.kind = OpKind::kRead, .value = out.values.intern(pair->front())});
  decode_elements(*subkeys, out);
  return {};
}

/// Decodes a write of a whole key as a write. An addition reads the key and appends the subkey.
std::string decode_sequential(const Call& call, DecodedCall& out) {
  if (call.f == "read") {
    return decode_subkeys(call, out);
  }
  if (call.f != "write" && call.f != "add") {
    decode_other(call, out);
    return {};
  }
  if (call.repeats_invocation()) {
    out.mops.assign(call.invoked);
  } else if (const auto pair = pair_of(call.value)) {
    out.mops.push_back({.kind = OpKind::kRead,
                        .value = out.values.intern(pair->front()),
                        .is_condition = true});  // known even without a completion
    out.mops.push_back({.kind = OpKind::kAppend, .value = out.values.intern(pair->back())});
  } else {
    decode_change(call, OpKind::kWrite, out);
  }
  return {};
}

struct SequentialCounts {
  std::int64_t all = 0;
  std::int64_t some = 0;
  std::int64_t none = 0;
  std::int64_t bad = 0;
  std::vector<ResultValue> bad_reads = {};
};

class SequentialJudge {
 public:
  SequentialJudge(const History& history, const JudgeRequest& request)
      : history_(history), request_(request), additions_(history) {
    verdict_.engine = "sequential";
    verdict_.assumptions.elle_compat = request.elle_compat;
  }

  Verdict judge() && {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.committed(txn) && is_read(txn)) {
        reads_.push_back(txn);
      }
    }
    const std::size_t key_count = subkey_count();
    for (const TxnId read : reads_) {
      see(read, key_count);
    }
    conclude(verdict_, counts_.bad > 0, reads_.empty() && !request_.elle_compat, "no key was read");
    verdict_.entries = {{"all-count", counts_.all},
                        {"some-count", counts_.some},
                        {"none-count", counts_.none},
                        {"bad-count", counts_.bad},
                        {"bad", ResultValue::vector(std::move(counts_.bad_reads))}};
    if (!request_.elle_compat) {
      const WorkloadSettings& settings = request_.settings;
      verdict_.entries.push_back(settings_entry(
          {{"key-count", setting(static_cast<std::int64_t>(key_count),
                                 settings.source_of("key-count", settings.key_count.has_value(),
                                                    "longest-read"))}}));
    }
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] bool is_read(TxnId txn) const {
    const std::span<const Op> ops = history_.ops(txn);
    return ops.size() == 2 && ops.back().is_read();
  }

  [[nodiscard]] std::span<const ValueId> shown(TxnId read) const {
    const Op list = history_.ops(read).back();
    return list.kind() == OpKind::kReadList ? history_.elements(list) : std::span<const ValueId>();
  }

  [[nodiscard]] std::size_t subkey_count() const {
    if (request_.settings.key_count || request_.elle_compat) {
      return static_cast<std::size_t>(request_.settings.key_count.value_or(kKeyCountOfElleCli));
    }
    std::size_t longest = 0;
    for (const TxnId read : reads_) {
      longest = std::max(longest, shown(read).size());
    }
    return longest;
  }

  void see(TxnId read, std::size_t key_count) {
    const std::span<const ValueId> subkeys = shown(read);
    const bool has_nil = std::ranges::any_of(subkeys, &ValueId::is_nil);
    counts_.none += std::ranges::all_of(subkeys, &ValueId::is_nil) ? 1 : 0;
    counts_.some += has_nil ? 1 : 0;
    counts_.all += !has_nil && shows_all(read, key_count) ? 1 : 0;
    const std::optional<Hole> hole =
        has_nil ? hole_of(history_, read, request_.elle_compat ? nullptr : &additions_)
                : std::nullopt;
    if (!hole) {
      return;
    }
    ++counts_.bad;
    std::vector<ResultValue> values;
    for (const ValueId subkey : subkeys) {
      values.push_back(ResultValue::of(subkey));
    }
    counts_.bad_reads.push_back(ResultValue::vector(
        {ResultValue::of(history_.ops(read).front().value()), ResultValue::vector(values)}));
    if (verdict_.findings.size() < kMostFindings) {
      verdict_.findings.push_back(describe(read, *hole));
    }
  }

  /// Whether the read shows exactly the subkeys 0 to `key_count` - 1, newest first.
  [[nodiscard]] bool shows_all(TxnId read, std::size_t key_count) const {
    const std::span<const ValueId> subkeys = shown(read);
    const ValueId key = history_.ops(read).front().value();
    for (std::size_t i = 0; i < subkeys.size() && subkeys.size() == key_count; ++i) {
      const std::string name = sequential::subkey_name(history_, key, subkeys.size() - 1 - i);
      if (history_.values().find(name) != subkeys[i]) {
        return false;
      }
    }
    return subkeys.size() == key_count;
  }

  [[nodiscard]] Description describe(TxnId read, const Hole& hole) const {
    Description description = {.name = "missing-subkey",
                               .gloss = "a read shows a subkey and misses an older one of its key",
                               .actors = {{.event = representative_ref(history_, read)}}};
    const std::span<const TxnId> added = additions_.of(hole.newer);
    const TxnId newer = added.empty() ? TxnId::none() : std::ranges::min(added);
    const TxnId older = hole.older.is_none() || newer.is_none()
                            ? TxnId::none()
                            : additions_.told_before(newer, hole.older);
    if (older.is_none()) {
      description.claims.push_back(
          {.says = phrase("{} shows {}, and a nil behind it: a subkey that was added before "
                          "is missing!",
                          ActorPart{0}, ValuePart{hole.newer})});
      return description;
    }
    description.actors.push_back({.event = {older, EventKind::kCompletion}});
    description.actors.push_back({.event = {newer, EventKind::kInvocation}});
    description.claims.push_back(
        {.says = phrase("{} was told that {} is added, before {} began to add {}.", ActorPart{1},
                        ValuePart{hole.older}, ActorPart{2}, ValuePart{hole.newer})});
    description.claims.push_back(
        {.says = phrase("However, {} shows {} and misses {}!", ActorPart{0}, ValuePart{hole.newer},
                        ValuePart{hole.older})});
    return description;
  }

  const History& history_;
  const JudgeRequest& request_;
  Additions additions_;
  std::vector<TxnId> reads_;
  SequentialCounts counts_;
  Verdict verdict_;
};

Result<Verdict> judge_sequential(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":write, :add and :read")) {
    return *error;
  }
  return SequentialJudge(history, request).judge();
}

}  // namespace

/// The judgement is O(n) in operations and subkeys read.
WorkloadRow sequential_row() {
  return {.workload = Workload(kSequentialType),
          .recognise = recognise_sequential,
          .decode = decode_sequential,
          .judge = judge_sequential,
          .reads_by_key = true,
          .general = GeneralClaim{.model = Model::kStrongSessionSerializable,
                                  .transactions = transactions_of_subkeys,
                                  .follows = true}};
}

}  // namespace elapid
