// long-fork: transactions of one write, or of reads only; each key is written once.
//
//   {:type :ok, :f :write, :value [[:w 1 1]]}   {:type :ok, :f :write, :value [[:w 2 1]]}
//   {:type :ok, :f :read, :value [[:r 1 1] [:r 2 nil]]}
//   {:type :ok, :f :read, :value [[:r 1 nil] [:r 2 1]]}
//
// The reads show opposite orders of the writes: a long fork, which parallel snapshot isolation
// allows and snapshot isolation forbids. The history is valid if there is none (forks.h). It is
// unknown if nothing was read, or if a key was written twice, so that its reads show no order.
//
// After Jepsen (jepsen.tests.long-fork), whose keys the result has. Jepsen does not look for forks
// if some key is written twice, or if a read asks for more or fewer keys than the group size. This
// check looks for them among the other keys, and demands a size only if the request has one.
// Operations are those of rw-register. A history is recognised if it has the names and values of
// Jepsen's test (Clues::may_be_long_fork). Otherwise the user names this workload.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/workloads/conclude.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/long_fork/forks.h"
#include "engine/workloads/long_fork/reads.h"
#include "engine/workloads/setting.h"

namespace elapid {

namespace {

using long_fork::Fork;
using long_fork::Reads;
using long_fork::Shown;
using long_fork::TwoValues;

constexpr WorkloadType kLongForkType = {.name = "long-fork"};
constexpr Workload kLongFork(kLongForkType);

constexpr std::size_t kMostForks = 10'000;  // in the result

/// The first operation that is neither a read nor a write of a register.
std::optional<Error> refuse_others(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      if (op.kind() != OpKind::kRead && op.kind() != OpKind::kWrite) {
        return Error{.message = "expected :r and :w in the transactions of long-fork, found " +
                                (op.kind() == OpKind::kOther ? history.text(op.value())
                                                             : std::string(":append")) +
                                " (index " + std::to_string(history.representative(txn).index) +
                                ")"};
      }
    }
  }
  return std::nullopt;
}

/// The keys that transactions wrote twice, without aborted ones.
std::vector<bool> rewritten_keys(const History& history) {
  std::vector<bool> written(history.key_count());
  std::vector<bool> rewritten(history.key_count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      if (op.is_write() && history.status(txn) != TxnStatus::kAborted) {
        rewritten[op.key().index()] = written[op.key().index()];
        written[op.key().index()] = true;
      }
    }
  }
  return rewritten;
}

/// The key of the first single write, by invocation, whose key an earlier invocation wrote. Failed
/// writes count, as in Jepsen.
std::optional<KeyId> rewritten_for_jepsen(const History& history) {
  std::vector<std::pair<EventId, KeyId>> writes;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.differing_invocation(txn).value_or(history.ops(txn));
    if (history.has_invocation(txn) && ops.size() == 1 && ops.front().is_write()) {
      writes.emplace_back(history.invocation_id(txn), ops.front().key());
    }
  }
  std::ranges::sort(writes);
  std::vector<bool> written(history.key_count());
  for (const auto& [event, key] : writes) {
    if (written[key.index()]) {
      return key;
    }
    written[key.index()] = true;
  }
  return std::nullopt;
}

Description describe(const History& history, const Fork& fork) {
  Description description = {.name = "long-fork",
                             .gloss = "two reads show opposite orders of two writes"};
  for (const TxnId txn : {fork.first, fork.second}) {
    Actor actor = {.event = representative_ref(history, txn)};
    const std::span<const Op> ops = history.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].key() == fork.of_first || ops[mop].key() == fork.of_second) {
        actor.focus.push_back({.mop = mop});
      }
    }
    description.actors.push_back(std::move(actor));
  }
  const auto key = [&](KeyId id) { return ValuePart{history.key_value(id)}; };
  description.claims.push_back(
      {.says = phrase("{} saw the write of key {}, and not that of key {}.", ActorPart{0},
                      key(fork.of_first), key(fork.of_second))});
  description.claims.push_back(
      {.says = phrase("However, {} saw the write of key {}, and not that of key {}: a long fork!",
                      ActorPart{1}, key(fork.of_second), key(fork.of_first))});
  return description;
}

class LongForkJudge {
 public:
  LongForkJudge(const History& history, const JudgeRequest& request)
      : history_(history), request_(request), reads_(history) {
    verdict_.engine = "long-fork";
    verdict_.assumptions.elle_compat = request.elle_compat;
  }

  Verdict judge() && {
    count_reads();
    request_.elle_compat ? judge_as_jepsen_does() : judge_each_group();
    return std::move(verdict_);
  }

 private:
  void count_reads() {
    std::int64_t early = 0;
    std::int64_t late = 0;
    for (std::uint32_t read = 0; read < reads_.size(); ++read) {
      const auto is_seen = [&](Op op) { return history_.values().truthy(op.value()); };
      const std::span<const Op> ops = history_.ops(reads_.txn(read));
      early += std::ranges::none_of(ops, is_seen) ? 1 : 0;
      late += std::ranges::all_of(ops, is_seen) ? 1 : 0;
    }
    verdict_.entries = {{"reads-count", static_cast<std::int64_t>(reads_.size())},
                        {"early-read-count", early},
                        {"late-read-count", late}};
  }

  void judge_as_jepsen_does() {
    if (const std::optional<KeyId> key = rewritten_for_jepsen(history_)) {
      leave_open_because_rewritten(*key);
      conclude();
      return;
    }
    const std::vector<std::vector<std::uint32_t>> groups = reads_.groups();
    for (const std::vector<std::uint32_t>& group : groups) {
      if (!has_group_size(group)) {
        throw_as_jepsen_does(wrong_size(group));
        return;
      }
    }
    for (const std::vector<std::uint32_t>& group : groups) {
      const std::optional<TwoValues> two = two_values(reads_, group);
      if (!two) {
        find_forks(reads_, group, kMostForks, forks_);
        continue;
      }
      if (const auto fork = first_fork_before_two_values(reads_, group)) {
        forks_.push_back(*fork);
      }
      if (forks_.empty()) {
        throw_as_jepsen_does(two_values_of(two->key));
        return;
      }
      break;
    }
    conclude();
  }

  /// Judges each group by itself. A group that cannot be judged does not hide the forks of another
  /// one.
  void judge_each_group() {
    const std::vector<bool> rewritten = rewritten_keys(history_);
    bool is_read = false;
    for (const std::vector<std::uint32_t>& group : reads_.groups()) {
      const std::span<const Shown> keys = reads_.shown(group.front());
      is_read = is_read || !keys.empty();
      const auto twice = std::ranges::find_if(
          keys, [&](const Shown& shown) { return rewritten[shown.key.index()]; });
      if (!has_group_size(group)) {
        leave_open(wrong_size(group));
      } else if (twice != keys.end()) {
        leave_open_because_rewritten(twice->key);
      } else if (const std::optional<TwoValues> two = two_values(reads_, group)) {
        leave_open(two_values_of(two->key));
      } else if (const std::optional<KeyId> key = doubtful_key(reads_, group)) {
        leave_open("reads of key " + history_.shown_key(*key) +
                   " show nil, and its initial value, which is also written: whether they saw the "
                   "write is unknown");
      } else {
        find_forks(reads_, group, kMostForks, forks_);
      }
    }
    if (!is_read) {
      leave_open("no transaction read");
    }
    conclude();
  }

  [[nodiscard]] bool has_group_size(std::span<const std::uint32_t> group) const {
    const std::optional<std::int64_t> size = request_.settings.group_size;
    const std::size_t keys = reads_.shown(group.front()).size();
    return (!size && !request_.elle_compat) || keys == static_cast<std::size_t>(size.value_or(0));
  }

  [[nodiscard]] std::string wrong_size(std::span<const std::uint32_t> group) const {
    const std::size_t keys = reads_.shown(group.front()).size();
    const std::int64_t size = request_.settings.group_size.value_or(0);
    return "a read asks for " + std::to_string(keys) + (keys == 1 ? " key" : " keys") +
           " instead of " + std::to_string(size) + " (index " +
           std::to_string(history_.representative(reads_.txn(group.front())).index) + ")";
  }

  [[nodiscard]] std::string two_values_of(KeyId key) const {
    return "reads show two values of key " + history_.shown_key(key) +
           ", and the order of its writes is unknown";
  }

  /// The verdict becomes unknown unless a fork is found. The first reason counts.
  void leave_open(std::string reason) {
    if (!verdict_.unknown_because) {
      error_ = ResultValue::string(reason);
      verdict_.unknown_because = std::move(reason);
    }
    verdict_.validity = Validity::kUnknown;
  }

  void leave_open_because_rewritten(KeyId key) {
    if (!verdict_.unknown_because) {
      leave_open("key " + history_.shown_key(key) +
                 " is written more than once: its reads show no order of the writes");
      error_ = ResultValue::vector(
          {ResultValue::keyword("multiple-writes"), ResultValue::of(history_.key_value(key))});
    }
  }

  /// Jepsen's checker throws here, so its result has no counts.
  void throw_as_jepsen_does(std::string reason) {
    leave_open(std::move(reason));
    verdict_.entries = {{"error", error_}};
  }

  void conclude() {
    if (!forks_.empty()) {
      std::vector<ResultValue> forks;
      for (const Fork& fork : forks_) {
        forks.push_back(
            ResultValue::vector({ResultValue::event(representative_ref(history_, fork.first)),
                                 ResultValue::event(representative_ref(history_, fork.second))}));
        if (verdict_.findings.size() < kMostFindings) {
          verdict_.findings.push_back(describe(history_, fork));
        }
      }
      verdict_.entries.push_back({"forks", ResultValue::vector(std::move(forks))});
      verdict_.validity = Validity::kInvalid;
      verdict_.unknown_because.reset();
    } else if (verdict_.unknown_because) {
      verdict_.entries.push_back({"error", error_});
    }
    if (request_.settings.group_size && !request_.elle_compat) {
      verdict_.entries.push_back(settings_entry(
          {{"group-size", setting(*request_.settings.group_size,
                                  request_.settings.source_of("group-size", true, ""))}}));
    }
    verdict_.complete = verdict_.validity != Validity::kUnknown;
  }

  const History& history_;
  const JudgeRequest& request_;
  Reads reads_;
  std::vector<Fork> forks_;
  ResultValue error_;
  Verdict verdict_;
};

std::string_view recognise_long_fork(const Clues& clues) {
  return clues.is_whole && clues.may_be_long_fork()
             ? "registers get 1, each by a :write, and a :read shows several"
             : "";
}

Result<Verdict> judge_long_forks(const History& history, const JudgeRequest& request) {
  if (std::optional<Error> foreign = refuse_others(history)) {
    return *std::move(foreign);
  }
  return LongForkJudge(history, request).judge();
}

}  // namespace

/// The judgement is O(n log n) for n operations where there is no fork.
WorkloadRow long_fork_row() {
  return {.workload = kLongFork,
          .recognise = recognise_long_fork,
          .infer = rw_register_row().infer,
          .judge = judge_long_forks,
          .general = GeneralClaim{.model = Model::kPlSi}};
}

}  // namespace elapid
