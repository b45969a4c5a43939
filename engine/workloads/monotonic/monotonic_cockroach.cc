// Three tests of databases that are all called monotonic: values must grow as time passes.
//
// monotonic-cockroach: single operations :add a row with the next value and the database's
// timestamp to some table, and in the end :read all rows by timestamp.
//
//   {:type :ok, :f :add, :value {:val 1, :sts 100, :node 0, :process 0, :tb 1}}
//   {:type :ok, :f :read, :value [{:val 1, :sts 100, ...} {:val 2, :sts 120, ...}]}
//
// By the last read, no acknowledged row is lost, none is there twice, none of a failed addition is
// there (revived), timestamps do not fall, and values rise (rows.h). Unknown if nothing was read.
//
// monotonic-faunadb: :inc a register and :read it, each with a timestamp.
//
//   {:type :ok, :f :inc, :value ["2018-12-05T22:15:09.143" 3]}
//
// Neither the values nor the timestamps that a process sees fall, in the order of completions.
//
// monotonic-tidb: :inc a key, which shows its new value, and :read some keys.
//
//   {:type :ok, :f :inc, :value {0 4}}   {:type :ok, :f :read, :value {0 4, 1 7}}
//
// Keys only grow, so that of two operations the one with the smaller value of a key came first.
// That and real time have no cycle (increments.h).
//
// After Jepsen (tests of CockroachDB, FaunaDB and TiDB), whose keys the results have. All three can
// be tests of independent keys.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/monotonic/rows.h"
#include "engine/workloads/set/elements.h"

namespace elapid {

namespace {

using monotonic::Row;
using monotonic::RowPair;

constexpr WorkloadType kCockroachType = {.name = "monotonic-cockroach",
                                         .has_transactions = false,
                                         .has_objects = true,
                                         .has_own_values = true};

/// Sets have adds, too, but no rows with timestamps.
std::string_view recognise_cockroach(const Clues& clues) {
  if (clues.call("add").has_timed_row) {
    return "rows with :val and :sts are added";
  }
  return clues.has_only({"add", "read"}) && clues.call("read").has_timed_row
             ? "a :read shows rows with :val and :sts"
             : "";
}

/// Decodes an addition as two reads, of the value and of the timestamp of its row, each nil if it
/// is unknown: only the completion tells them. A read shows a list of rows.
std::string decode_cockroach(const Call& call, DecodedCall& out) {
  if (call.f == "add") {
    const auto row = map_of(call.value ? std::string_view(*call.value) : "");
    const auto part = [&](const char* key) {
      const std::string_view entry = entry_of(row, key);
      return entry.empty() ? ValueId::nil() : out.values.intern(entry);
    };
    const ValueId value = part(":val");
    if (call.type == EventType::kOk && !out.values.as_integer(value)) {
      return "expected a row with an integer :val as the :value of this :add, found " +
             std::string(call.value.value_or("nil"));
    }
    out.mops.push_back({.kind = OpKind::kRead, .value = value});
    out.mops.push_back({.kind = OpKind::kRead, .value = part(":sts")});
    return {};
  }
  const std::optional<std::string_view> answer = answer_of_read(call, out);
  if (!answer) {
    return {};
  }
  const auto rows = answer->starts_with('[') ? elements_of(*answer) : std::nullopt;
  if (!rows) {
    return "expected rows as the :value of this :read, found " + std::string(*answer);
  }
  out.mops.push_back({.kind = OpKind::kReadList,
                      .list_begin = static_cast<std::uint32_t>(out.elements.size()),
                      .list_length = static_cast<std::uint32_t>(rows->size())});
  for (const std::string_view row : *rows) {
    const std::vector<std::string_view> map = map_of(row);
    for (const char* key : {":val", ":node", ":tb", ":proc"}) {
      if (const std::string_view entry = entry_of(map, key); !entry.empty()) {
        out.values.intern(entry);
      }
    }
    out.elements.push_back(out.values.intern(row));
    if (!monotonic::row_of(row, out.values)) {
      return "expected a row with integers :val and :sts in the :value of this :read, found " +
             std::string(row);
    }
  }
  return {};
}

/// By value: the first transaction that added it.
using Added = std::unordered_map<ValueId, TxnId>;

class RowsJudge {
 public:
  RowsJudge(const History& history, const JudgeRequest& request)
      : history_(history), elle_compat_(request.elle_compat) {
    verdict_.engine = "monotonic-cockroach";
    verdict_.assumptions.elle_compat = elle_compat_;
  }

  Verdict judge() && {
    if (!find_last_read()) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = "Set was never read";
      verdict_.entries = {{"error", *verdict_.unknown_because}};
      return std::move(verdict_);
    }
    collect_additions();
    judge_elements();
    judge_order();
    verdict_.validity = is_invalid_ ? Validity::kInvalid : Validity::kValid;
    verdict_.complete = true;
    return std::move(verdict_);
  }

 private:
  /// Finds the last read that succeeded. Returns false if it shows no rows.
  bool find_last_read() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history_.ops(txn);
      if (history_.committed(txn) && ops.size() == 1 && ops.front().is_read()) {
        read_ = txn;  // transactions are in the order of completions
      }
    }
    if (read_.is_none() || history_.ops(read_).front().kind() != OpKind::kReadList) {
      return false;
    }
    for (const ValueId row : history_.elements(history_.ops(read_).front())) {
      rows_.push_back(*monotonic::row_of(history_.text(row), history_.values()));
    }
    if (!elle_compat_) {
      monotonic::sort_ties(rows_);
    }
    for (const Row& row : rows_) {
      shown_[row.val].push_back(&row);
    }
    return true;
  }

  void collect_additions() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history_.ops(txn);
      if (ops.size() != 2) {
        continue;
      }
      const TxnStatus status = history_.status(txn);
      if (status == TxnStatus::kCommitted) {
        (must_show(txn) ? added_ : added_late_).try_emplace(ops.front().value(), txn);
      } else if (status == TxnStatus::kAborted) {
        failed_.try_emplace(ops.front().value(), txn);
        if (may_show(txn)) {
          revived_.try_emplace(ops.front().value(), txn);
        }
      } else {
        has_untold_ = has_untold_ || ops.front().value().is_nil();
        if (history_.has_completion(txn)) {
          unsure_.try_emplace(ops.front().value(), txn);
        }
      }
    }
  }

  /// Whether a row that shows may be that of the failed addition: another one may add the value
  /// again, later. Jepsen does not look at the timestamp.
  [[nodiscard]] bool may_show(TxnId failed) const {
    const std::span<const Op> ops = history_.ops(failed);
    const auto rows = shown_.find(ops.front().value());
    const ValueId told = ops.back().value();
    const auto sts = told.is_nil() || elle_compat_
                         ? std::nullopt
                         : monotonic::BigInteger::parse(history_.text(told));
    return rows != shown_.end() && std::ranges::any_of(rows->second, [&](const Row* row) {
             return !sts || row->sts == *sts;
           });
  }

  /// Whether a row of the value may be that of another addition than those that failed.
  [[nodiscard]] bool is_explained(ValueId value) const {
    const bool tells_row = !history_.ops(revived_.at(value)).back().value().is_nil();
    return added_.contains(value) || added_late_.contains(value) || unsure_.contains(value) ||
           (has_untold_ && !tells_row);
  }

  /// Whether the addition ended before the read began. False if the read has no invocation. Jepsen
  /// assumes that it did.
  [[nodiscard]] bool must_show(TxnId add) const {
    return elle_compat_ || (history_.has_invocation(read_) &&
                            history_.completion_id(add) < history_.invocation_id(read_));
  }

  template <class Test>
  [[nodiscard]] std::vector<ValueId> those(const Added& added, Test test) const {
    std::vector<ValueId> values;
    for (const auto& [value, txn] : added) {
      if (test(value)) {
        values.push_back(value);
      }
    }
    std::ranges::sort(
        values, {}, [&](ValueId value) { return history_.values().as_integer(value).value_or(0); });
    return values;
  }

  void judge_elements() {
    const auto is_shown = [&](ValueId value) { return shown_.contains(value); };
    const std::vector<ValueId> revived =
        those(revived_, [&](ValueId value) { return elle_compat_ || !is_explained(value); });
    const std::vector<ValueId> recovered = those(unsure_, is_shown);
    const std::vector<ValueId> lost = those(added_, [&](ValueId v) { return !is_shown(v); });
    add_share("revived", revived, failed_.size());
    add_share("recovered", recovered, unsure_.size());
    add_share("lost", lost, added_.size());
    for (const ValueId value : lost) {
      find({"lost", "an acknowledged row is missing"}, added_.at(value),
           phrase("{} added {}, and was told that it had succeeded.", ActorPart{1},
                  ValuePart{value}),
           phrase("However, {}, the last read, does not show it: a lost row!", ActorPart{0}));
    }
    for (const ValueId value : revived) {
      find({"revived", "a read shows a row whose addition failed"}, revived_.at(value),
           phrase("{} added {}, and failed.", ActorPart{1}, ValuePart{value}),
           phrase("However, {}, the last read, shows it: a revived row!", ActorPart{0}));
    }
    add_duplicates();
  }

  void add_duplicates() {
    std::vector<ValueId> twice;
    for (const auto& [value, rows] : shown_) {
      if (rows.size() > 1) {
        twice.push_back(value);
      }
    }
    std::ranges::sort(
        twice, {}, [&](ValueId value) { return history_.values().as_integer(value).value_or(0); });
    std::vector<ResultValue> items;
    for (const ValueId value : twice) {
      items.push_back(ResultValue::of(value));
      find({"duplicate", "a read shows a value twice"}, TxnId::none(),
           phrase("{}, the last read, shows {} more than once: a duplicate!", ActorPart{0},
                  ValuePart{value}),
           {});
    }
    verdict_.entries.push_back(
        {"duplicates", ResultValue::of_items(ResultValue::Kind::kSet, std::move(items))});
  }

  void judge_order() {
    const std::vector<RowPair> timestamps = monotonic::falling_timestamps(rows_);
    const std::vector<RowPair> values = monotonic::falling_values(rows_);
    verdict_.entries.push_back({"order-by-errors", list_of(timestamps)});
    verdict_.entries.push_back({"value-reorders", list_of(values)});
    verdict_.entries.push_back({"value-reorders-per-process", map_by(&Row::proc)});
    verdict_.entries.push_back({"value-reorders-per-node", map_by(&Row::node)});
    verdict_.entries.push_back({"value-reorders-per-table", map_by(&Row::table)});
    for (const RowPair& pair : timestamps) {
      find({"order-by-error", "rows are not in the order of their timestamps"}, TxnId::none(),
           phrase("{} shows {} before {}, whose timestamp is smaller!", ActorPart{0},
                  ValuePart{pair.first}, ValuePart{pair.second}),
           {});
    }
    for (const RowPair& pair : values) {
      find({"value-reorder", "a later timestamp has a smaller value"}, TxnId::none(),
           phrase("{} shows {} before {}, whose value is not greater!", ActorPart{0},
                  ValuePart{pair.first}, ValuePart{pair.second}),
           {});
    }
  }

  void add_share(const std::string& key, const std::vector<ValueId>& values, std::size_t whole) {
    verdict_.entries.push_back({key, interval_text(history_, values)});
    verdict_.entries.push_back({key + "-frac", fraction(values.size(), whole)});
  }

  /// As Jepsen, gives 1 for a part of nothing.
  static ResultValue fraction(std::size_t part, std::size_t whole) {
    if (whole == 0 || part % whole == 0) {
      return ResultValue(static_cast<std::int64_t>(whole == 0 ? 1 : part / whole));
    }
    const std::size_t common = std::gcd(part, whole);
    return ResultValue::form(std::to_string(part / common) + '/' + std::to_string(whole / common));
  }

  static ResultValue list_of(const std::vector<RowPair>& pairs) {
    std::vector<ResultValue> items;
    for (const auto& [first, second] : pairs) {
      items.push_back(ResultValue::vector({ResultValue::of(first), ResultValue::of(second)}));
    }
    return ResultValue::of_items(ResultValue::Kind::kList, std::move(items));
  }

  [[nodiscard]] ResultValue map_by(ValueId Row::*group) const {
    ResultValue map = ResultValue::map({});
    for (const auto& [key, pairs] : monotonic::falling_values_by(rows_, group, history_.values())) {
      map.add(ResultValue::of(key), list_of(pairs));
    }
    return map;
  }

  struct RowWords {
    const char* name;
    const char* gloss;
  };

  void find(RowWords words, TxnId add, Phrase first, Phrase second) {
    is_invalid_ = true;
    if (verdict_.findings.size() == kMostFindings) {
      return;
    }
    Description description = {.name = words.name, .gloss = words.gloss};
    description.actors = {{.event = representative_ref(history_, read_)}};
    if (!add.is_none()) {
      description.actors.push_back({.event = representative_ref(history_, add)});
    }
    description.claims.push_back({.says = std::move(first)});
    if (!second.empty()) {
      description.claims.push_back({.says = std::move(second)});
    }
    verdict_.findings.push_back(std::move(description));
  }

  const History& history_;
  bool elle_compat_;
  bool is_invalid_ = false;
  TxnId read_ = TxnId::none();
  std::vector<Row> rows_;
  std::unordered_map<ValueId, std::vector<const Row*>> shown_;  // by value
  Added added_;
  Added added_late_;
  Added failed_;
  Added revived_;  // of the failed ones, those that may show
  Added unsure_;
  bool has_untold_ = false;  // an addition of unknown fate does not tell its value
  Verdict verdict_;
};

Result<Verdict> judge_cockroach(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":add and :read")) {
    return *error;
  }
  return RowsJudge(history, request).judge();
}

}  // namespace

/// The judgement is O(n log n) in operations and rows read.
WorkloadRow monotonic_cockroach_row() {
  return {.workload = Workload(kCockroachType),
          .recognise = recognise_cockroach,
          .decode = decode_cockroach,
          .judge = judge_cockroach};
}

}  // namespace elapid
