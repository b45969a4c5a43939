#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/workloads/call_values.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

constexpr WorkloadType kFaunaType = {.name = "monotonic-faunadb",
                                     .has_transactions = false,
                                     .has_objects = true,
                                     .has_own_values = true};

/// TiDB's :inc has a key in its invocation. FaunaDB's has nil there, if it is not split by key yet.
std::string_view recognise_fauna(const Clues& clues) {
  const CallClue inc = clues.call("inc");
  const bool is_asked = inc.asks_nil || clues.is_whole;
  return inc.has_collection && !inc.has_scalar && is_asked
             ? "operations :inc show a timestamp and a value"
             : "";
}

bool is_integer_text(std::string_view text) {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Decodes reads of the timestamp and the value. They are nil if an operation shows nothing, or
/// reads the past.
std::string decode_fauna(const Call& call, DecodedCall& out) {
  const bool is_now = call.f == "inc" || call.f == "read";
  if (!is_now && call.f != "read-at" && call.f != "events") {
    decode_other(call, out);
    return {};
  }
  if (!is_now || call.type != EventType::kOk || !call.value) {
    out.mops.push_back({.kind = OpKind::kRead});
    out.mops.push_back({.kind = OpKind::kRead});
    return {};
  }
  const auto pair = pair_of(call.value);
  const bool is_known =
      pair && (is_integer_text(pair->back()) || pair->back() == "nil") &&
      (is_integer_text(pair->front()) || pair->front().starts_with('"') || pair->front() == "nil");
  if (!is_known) {
    return "expected a timestamp and an integer, as [ts v], as the :value of this :" +
           std::string(call.f) + ", found " + std::string(*call.value);
  }
  for (const std::string_view part : *pair) {
    out.mops.push_back({.kind = OpKind::kRead, .value = out.values.intern(part)});
  }
  return {};
}

bool shows_something(const History& history, TxnId txn) {
  const std::span<const Op> ops = history.ops(txn);
  return history.committed(txn) && ops.size() == 2 &&
         !(ops[0].value().is_nil() && ops[1].value().is_nil());
}

/// What instants compare by as texts: 2018-12-05T22:15:09.14 of "2018-12-05T22:15:09.140Z". Empty
/// for a text of another form.
std::string comparable_instant(std::string text) {
  constexpr std::string_view kSeconds = "0000-00-00T00:00:00";
  std::erase(text, '"');
  if (text.ends_with('Z')) {
    text.pop_back();
  }
  std::string form = text;
  std::ranges::replace_if(
      form, [](char c) { return c >= '0' && c <= '9'; }, '0');
  if (form == kSeconds) {
    return text;
  }
  const bool has_fraction = form.size() > kSeconds.size() + 1 && form.starts_with(kSeconds) &&
                            form[kSeconds.size()] == '.' &&
                            form.find_first_not_of('0', kSeconds.size() + 1) == std::string::npos;
  if (!has_fraction) {
    return {};
  }
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

/// Whether b is less than a: numbers as numbers, timestamps in words as instants, or as texts as
/// Jepsen does. Nothing if they do not compare.
std::optional<bool> falls(const History& history, ValueId a, ValueId b, bool is_jepsen) {
  const auto first = history.values().as_integer(a);
  const auto second = history.values().as_integer(b);
  if (first && second) {
    return *second < *first;
  }
  if (is_jepsen || a == b) {
    return history.text(b) < history.text(a);
  }
  const std::string before = comparable_instant(history.text(a));
  const std::string after = comparable_instant(history.text(b));
  return before.empty() || after.empty() ? std::nullopt : std::optional(after < before);
}

struct Falls {
  std::vector<std::pair<TxnId, TxnId>> pairs = {};
  bool is_open = false;  // some pair does not compare
};

/// The pairs of successive operations of a process in which one part falls, in the order of
/// completions. Operations that do not show the part are skipped. For Jepsen, nil is less than all
/// other values, and is not compared with the next one.
Falls falling_pairs(const History& history, std::size_t part, bool elle_compat) {
  Falls all;
  std::unordered_map<std::uint32_t, TxnId> last;  // by session
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (!shows_something(history, txn)) {
      continue;
    }
    const ValueId shown = ops[part].value();
    if (shown.is_nil() && !elle_compat) {
      continue;
    }
    const auto [found, is_new] = last.try_emplace(history.session(txn).value, txn);
    if (is_new) {
      continue;
    }
    const ValueId before = history.ops(found->second)[part].value();
    if (!before.is_nil()) {
      const auto is_less =
          shown.is_nil() ? std::optional(true) : falls(history, before, shown, elle_compat);
      all.is_open = all.is_open || !is_less;
      if (is_less.value_or(false)) {
        all.pairs.emplace_back(found->second, txn);
      }
    }
    found->second = txn;
  }
  return all;
}

void report(const History& history, const std::vector<std::pair<TxnId, TxnId>>& pairs,
            const std::string& key, bool is_value, Verdict& verdict) {
  std::vector<ResultValue> items;
  for (const auto& [first, second] : pairs) {
    items.push_back(ResultValue::vector({ResultValue::event(representative_ref(history, first)),
                                         ResultValue::event(representative_ref(history, second))}));
    if (verdict.findings.size() == kMostFindings) {
      continue;
    }
    Description description = {.name = is_value ? "falling-value" : "falling-timestamp",
                               .gloss = is_value ? "a process sees the register fall"
                                                 : "a process sees time run backwards"};
    description.actors = {{.event = representative_ref(history, first)},
                          {.event = representative_ref(history, second)}};
    const std::size_t part = is_value ? 1 : 0;
    const auto shown = [&](TxnId txn) { return ValuePart{history.ops(txn)[part].value()}; };
    description.claims = {
        {.says = phrase("{} saw {}.", ActorPart{0}, shown(first))},
        {.says = phrase("However, {}, the next operation of this process, saw {}, which is less!",
                        ActorPart{1}, shown(second))}};
    verdict.findings.push_back(std::move(description));
  }
  verdict.entries.push_back({key, ResultValue::vector(std::move(items))});
}

Result<Verdict> judge_fauna(const History& history, const JudgeRequest& request) {
  if (auto error = refuse_foreign_operation(history, ":inc, :read, :read-at and :events")) {
    return *error;
  }
  Verdict verdict = {.engine = "monotonic-faunadb"};
  verdict.assumptions.elle_compat = request.elle_compat;
  bool shows_nothing = !request.elle_compat;
  for (TxnId txn{0}; txn.index() < history.txn_count() && shows_nothing; ++txn.value) {
    shows_nothing = !shows_something(history, txn);
  }
  const auto values = falling_pairs(history, 1, request.elle_compat);
  const auto timestamps = falling_pairs(history, 0, request.elle_compat);
  report(history, values.pairs, "value-errors", true, verdict);
  report(history, timestamps.pairs, "ts-errors", false, verdict);
  conclude(verdict, !verdict.findings.empty(),
           shows_nothing || values.is_open || timestamps.is_open,
           shows_nothing ? "no operation shows a timestamp and a value"
                         : "timestamps or values of a process cannot be compared: timestamps are "
                           "numbers, or texts such as 2018-12-05T22:15:09.143Z");
  return verdict;
}

}  // namespace

/// The judgement is O(n) in operations.
WorkloadRow monotonic_faunadb_row() {
  return {.workload = Workload(kFaunaType),
          .recognise = recognise_fauna,
          .decode = decode_fauna,
          .judge = judge_fauna,
          .claim_lasts = [](const History&) { return true; }};
}

}  // namespace elapid
