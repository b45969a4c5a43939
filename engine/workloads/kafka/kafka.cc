// kafka: operations send messages to logs and poll them, as in Jepsen's tests of Kafka, Redpanda
// and Bufstream, and in Maelstrom's.
//
//   {:type :ok, :f :send, :value [[:send 1 [10 7]]]}
//   {:type :ok, :f :poll, :value [[:poll {1 [[10 7] [12 8]]}]]}
//   {:type :ok, :f :assign, :value [1 2]}
//
// The first sends message 7 of key 1, which got offset 10. The second polls 7, and 8 at offset 12.
// Messages of a key differ. Consumers poll the keys that are assigned to them, or that they
// subscribe to. No isolation level is claimed. log_error.h, analysis.h and log_cycles.h describe
// the errors. A history is valid if it has none, except for those that Kafka allows (is_allowed()
// in analysis.h).
//
// After jepsen.tests.kafka. The verdict has Jepsen's result.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "engine/workloads/conclude.h"
#include "engine/workloads/foreign_operation.h"
#include "engine/workloads/kafka/analysis.h"
#include "engine/workloads/kafka/decode.h"
#include "engine/workloads/kafka/describe_errors.h"
#include "engine/workloads/kafka/result_map.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/setting.h"

namespace elapid {

namespace {

using kafka::Analysis;
using kafka::Function;
using kafka::Messages;
using kafka::Rules;

constexpr std::array<std::string_view, 2> kKafkaFields = {":rebalance-log", ":error"};
constexpr WorkloadType kKafkaType = {
    .name = "kafka", .has_transactions = false, .has_own_values = true, .fields = kKafkaFields};

std::string_view recognise_kafka(const Clues& clues) {
  return clues.has_log ? "messages are sent to logs or polled" : "";
}

bool has_subscribed(const History& history) {
  const ValueId subscribe = history.values().find(":subscribe");
  return !subscribe.is_none() && std::ranges::any_of(history.all_ops(), [&](const Op& op) {
    return op.kind() == OpKind::kOther && op.value() == subscribe;
  });
}

bool is_crash(std::string_view function) {
  return function == ":crash" || function == ":debug-topic-partitions";
}

/// How consumers get their keys: from the request, or else from the operations.
Rules rules_of(const History& history, const JudgeRequest& request) {
  const std::vector<std::string>& sub_via = request.settings.sub_via;
  const bool subscribes = sub_via.empty()
                              ? has_subscribed(history)
                              : std::ranges::find(sub_via, "subscribe") != sub_via.end();
  return {.subscribes = subscribes,
          .has_ww = request.settings.ww_deps,
          .counts_open = !request.elle_compat,
          .has_retries = !request.elle_compat,
          .wants_graph = request.elle_compat};
}

ResultEntry settings_of(const Rules& rules, const WorkloadSettings& settings) {
  const bool is_told = !settings.sub_via.empty();
  return settings_entry(
      {{"sub-via", setting(ResultValue::keyword(rules.subscribes ? "subscribe" : "assign"),
                           settings.source_of("sub-via", is_told, "operations"))},
       {"ww-deps", setting(ResultValue::boolean(rules.has_ww),
                           settings.source_of("ww-deps", rules.has_ww, "default"))}});
}

/// A key that an acknowledged poll names although no polled message has a place in its log, because
/// the poll found nothing or told no offset. Jepsen's search for lost writes throws there.
std::optional<KeyId> polled_without_place(const Analysis& analysis) {
  const Messages& messages = analysis.messages;
  const History& history = messages.history();
  std::vector<bool> is_polled(history.key_count());
  std::vector<bool> has_place(history.key_count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const Function function = messages.function(txn);
    if (!history.committed(txn) || (function != Function::kPoll && function != Function::kTxn)) {
      continue;
    }
    for (const KeyId key : messages.found_empty(txn)) {
      is_polled[key.index()] = true;
    }
    messages.each_run(txn, [&](const kafka::Run& run) {
      for (const kafka::MessageId message : run.messages) {
        is_polled[run.key.index()] = is_polled[run.key.index()] || !run.is_send;
        has_place[run.key.index()] =
            has_place[run.key.index()] || (!run.is_send && analysis.orders.first_index(message) !=
                                                               kafka::VersionOrders::kUnknown);
      }
    });
  }
  for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
    if (is_polled[key.index()] && !has_place[key.index()]) {
      return key;
    }
  }
  return std::nullopt;
}

/// Why Jepsen's checker throws; empty if it does not.
std::string why_jepsen_throws(const Analysis& analysis) {
  const auto type = static_cast<std::size_t>(kafka::ErrorType::kNeverSent);
  const History& history = analysis.messages.history();
  if (!analysis.errors.at(type).empty()) {
    const kafka::LogError& error = analysis.errors.at(type).front();
    return "no operation sent " + history.shown_text(analysis.messages.value(error.message)) +
           " to key " + history.shown_key(error.key) + ", which was polled";
  }
  if (const std::optional<KeyId> key = polled_without_place(analysis)) {
    return "key " + history.shown_key(*key) + " was polled, and no polled message has an offset";
  }
  return "";
}

Verdict thrown(Verdict verdict, const std::string& why) {
  verdict.validity = Validity::kUnknown;
  verdict.unknown_because = "Jepsen's checker throws: " + why;
  verdict.entries = {{"error", *verdict.unknown_because}};
  return verdict;
}

/// Refuses a history that has only other operations. Jepsen's clients record some of them.
std::optional<Error> refuse_others(const Messages& messages) {
  const History& history = messages.history();
  TxnId other = TxnId::none();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (messages.function(txn) != Function::kOther) {
      return std::nullopt;
    }
    const bool is_known =
        history.ops(txn).empty() || is_crash(history.text(history.ops(txn).front().value()));
    other = other.is_none() && !is_known ? txn : other;
  }
  if (other.is_none()) {
    return std::nullopt;
  }
  return foreign_operation(history, other, history.ops(other).front(),
                           ":send, :poll, :txn, :assign or :subscribe");
}

/// Why no error is found; empty if there is none.
std::string why_open(const Analysis& analysis, const std::vector<std::string>& types,
                     const JudgeRequest& request) {
  const Messages& messages = analysis.messages;
  if (request.is_spent()) {
    return request.spent_budget;
  }
  if (std::ranges::find(types, "cycle-search-timeout") != types.end()) {
    return "the search for cycles took too long";
  }
  for (kafka::MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (analysis.fates.is_sent_again(m) && analysis.orders.offset_count(m) > 1) {
      return messages.history().shown_text(messages.value(m)) + " was sent to key " +
             messages.history().shown_key(messages.key(m)) +
             " again, and is at several offsets: nothing tells whose each of them is";
    }
  }
  return messages.count() == 0 ? "no message was sent or polled" : "";
}

Result<Verdict> judge_kafka(const History& history, const JudgeRequest& request) {
  Verdict verdict = {.engine = "kafka"};
  verdict.assumptions.elle_compat = request.elle_compat;
  const Rules rules = rules_of(history, request);
  const Analysis analysis = analyse(history, rules, request.has_budget);
  if (std::optional<Error> foreign = refuse_others(analysis.messages)) {
    return *std::move(foreign);
  }
  if (const std::string why = request.elle_compat ? why_jepsen_throws(analysis) : "";
      !why.empty()) {
    return thrown(std::move(verdict), why);
  }
  verdict.entries = result_entries(analysis, rules, request.elle_compat);
  if (!request.elle_compat) {
    verdict.entries.push_back(settings_of(rules, request.settings));
  }
  verdict.findings = describe_errors(analysis, rules);
  const std::vector<std::string> types = analysis.error_types();
  const bool is_bad =
      std::ranges::any_of(types, [&](const std::string& type) { return !is_allowed(type, rules); });
  const std::string why = is_bad || request.elle_compat ? "" : why_open(analysis, types, request);
  conclude(verdict, is_bad, !why.empty(), why);
  return verdict;
}

}  // namespace

/// The judgement is O(n log n) in messages and events, except for the search for cycles among
/// operations that are on one.
WorkloadRow kafka_row() {
  return {.workload = Workload(kKafkaType),
          .recognise = recognise_kafka,
          .decode = kafka::decode,
          .judge = judge_kafka};
}

}  // namespace elapid
