#include "engine/workloads/counter/final_sum.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/workloads/conclude.h"

namespace elapid {

namespace {

/// Integers from `first` to `second`, both included.
using Interval = std::pair<std::int64_t, std::int64_t>;

constexpr std::size_t kMostIntervals = std::size_t{1} << 16;

bool is_final_read(std::span<const Op> ops) {
  return ops.size() == 2 && ops[0].kind() == OpKind::kRead && ops[1].kind() == OpKind::kOther;
}

/// The intervals moved by a number. Nothing if an end needs more than 64 bits.
std::optional<std::vector<Interval>> moved(std::vector<Interval> intervals, std::int64_t number) {
  for (auto& [first, last] : intervals) {
    if (__builtin_add_overflow(first, number, &first) ||
        __builtin_add_overflow(last, number, &last)) {
      return std::nullopt;
    }
  }
  return intervals;
}

/// The union, as disjoint intervals.
std::vector<Interval> joined(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  std::vector<Interval> all(a.size() + b.size());
  std::ranges::merge(a, b, all.begin());
  std::vector<Interval> disjoint;
  for (const Interval& next : all) {
    if (!disjoint.empty() &&
        (next.first <= disjoint.back().second || next.first - 1 == disjoint.back().second)) {
      disjoint.back().second = std::max(disjoint.back().second, next.second);
    } else {
      disjoint.push_back(next);
    }
  }
  return disjoint;
}

/// `sum` plus the sum of any of `numbers`, as disjoint, sorted intervals that do not touch. Nothing
/// if there are more than kMostIntervals, if sums exceed 64 bits, or if `keep_going`, asked for
/// each number, returns false. O(kMostIntervals) for each number.
std::vector<Interval> possible_sums(std::int64_t sum, std::span<const std::int64_t> numbers,
                                    const std::function<bool()>& keep_going) {
  std::vector<Interval> sums = {{sum, sum}};
  for (const std::int64_t number : numbers) {
    if (number == 0) {
      continue;
    }
    const auto others = moved(sums, number);
    if (!others || !keep_going()) {
      return {};
    }
    sums = joined(sums, *others);
    if (sums.size() > kMostIntervals) {
      return {};
    }
  }
  return sums;
}

/// The adds to one counter.
struct Adds {
  std::int64_t sum = 0;                   // of adds that succeeded
  std::vector<std::int64_t> unsure = {};  // adds of unknown fate
  std::vector<Interval> possible = {};    // possible sums; empty: unknown
};

class FinalSum {
 public:
  FinalSum(const History& history, const JudgeRequest& request)
      : history_(history),
        request_(request),
        adds_(std::max<std::size_t>(1, history.key_count())) {}

  Verdict judge() {
    add_up();
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.committed(txn) && is_final_read(history_.ops(txn)) &&
          !history_.ops(txn).front().value().is_nil()) {
        look_at(txn);
      }
    }
    Verdict verdict = {.engine = "counter"};
    conclude(verdict, !errors_.empty(), errors_.empty() && (reads_.empty() || is_open_),
             !is_open_   ? "no final :read shows a number"
             : is_spent_ ? request_.spent_budget
                         : "too many sums are possible");
    verdict.entries = {{"errors", list_or_nil(std::move(errors_))},
                       {"final-reads", ResultValue::vector(std::move(reads_))},
                       {"acceptable", acceptable()}};
    verdict.findings = std::move(findings_);
    return verdict;
  }

 private:
  [[nodiscard]] std::int64_t number_of(TxnId txn) const {
    return history_.values().as_integer(history_.ops(txn).front().value()).value_or(0);
  }

  Adds& adds_of(TxnId txn) { return adds_[history_.ops(txn).front().key().index()]; }

  void add_up() {
    bool is_beyond = false;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history_.ops(txn);
      if (ops.empty() || ops.front().kind() != OpKind::kAppend) {
        continue;
      }
      Adds& adds = adds_of(txn);
      if (history_.committed(txn)) {
        is_beyond = __builtin_add_overflow(adds.sum, number_of(txn), &adds.sum) || is_beyond;
      } else if (history_.status(txn) == TxnStatus::kIndeterminate) {
        adds.unsure.push_back(number_of(txn));
      }
    }
    for (Adds& adds : adds_) {
      if (!is_beyond) {
        adds.possible = possible_sums(adds.sum, adds.unsure, [this] {
          is_spent_ = is_spent_ || request_.is_spent();
          return !is_spent_;
        });
      }
    }
  }

  void look_at(TxnId read) {
    const std::int64_t shown = number_of(read);
    reads_.emplace_back(shown);
    const Adds& adds = adds_of(read);
    if (adds.possible.empty()) {
      is_open_ = true;
      return;
    }
    const auto holds = [&](const Interval& sums) {
      return sums.first <= shown && shown <= sums.second;
    };
    if (std::ranges::none_of(adds.possible, holds)) {
      errors_.push_back(ResultValue::event({.txn = read}));
      if (findings_.size() < kMostFindings) {
        findings_.push_back(tell(read, adds));
      }
    }
  }

  [[nodiscard]] Description tell(TxnId read, const Adds& adds) const {
    Description description = {.name = "final-sum",
                               .gloss = "a final read does not show the sum of the adds",
                               .actors = {{.event = representative_ref(history_, read)}}};
    const std::string sum = std::to_string(adds.sum);
    const std::size_t unsure = adds.unsure.size();
    const std::string others = unsure == 1 ? "one more add" : std::to_string(unsure) + " more adds";
    description.claims.push_back(
        {.says = unsure == 0
                     ? phrase("All adds that may have happened come to {}.", sum)
                     : phrase("The adds that succeeded come to {}, and {} may have happened.", sum,
                              others)});
    description.claims.push_back(
        {.says = phrase("However, {}, a final read, shows {}: a wrong sum!", ActorPart{0},
                        std::to_string(number_of(read)))});
    return description;
  }

  /// Clojure's seq gives nil for an empty list.
  static ResultValue list_or_nil(std::vector<ResultValue> items) {
    return items.empty() ? ResultValue()
                         : ResultValue::of_items(ResultValue::Kind::kList, std::move(items));
  }

  /// The possible sums of all keys. Most histories have one key.
  [[nodiscard]] ResultValue acceptable() const {
    std::vector<ResultValue> items;
    for (const Adds& adds : adds_) {
      for (const auto& [first, last] : adds.possible) {
        items.push_back(ResultValue::vector({first, last}));
      }
    }
    return ResultValue::vector(std::move(items));
  }

  const History& history_;
  const JudgeRequest& request_;
  std::vector<Adds> adds_;  // by key
  std::vector<ResultValue> reads_;
  std::vector<ResultValue> errors_;
  std::vector<Description> findings_;
  bool is_open_ = false;
  bool is_spent_ = false;
};

}  // namespace

bool has_final_reads(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (is_final_read(history.ops(txn))) {
      return true;
    }
  }
  return false;
}

Verdict judge_final_sum(const History& history, const JudgeRequest& request) {
  return FinalSum(history, request).judge();
}

}  // namespace elapid
