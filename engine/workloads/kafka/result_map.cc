#include "engine/workloads/kafka/result_map.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <unordered_set>
#include <utility>

#include "engine/workloads/value_order.h"

namespace elapid::kafka {

namespace {

constexpr std::size_t kMostOfAll = 256;  // up to so many cases of a type, Jepsen lists all

ResultValue keywords(const std::vector<std::string>& names) {
  std::vector<ResultValue> items;
  for (const std::string& each : names) {
    items.push_back(ResultValue::keyword(each));
  }
  return ResultValue::of_items(ResultValue::Kind::kList, std::move(items));
}

ResultValue values(const std::vector<ValueId>& ids) {
  std::vector<ResultValue> items;
  for (const ValueId id : ids) {
    items.push_back(ResultValue::of(id));
  }
  return ResultValue::vector(std::move(items));
}

/// Seconds as Clojure prints a double: `1.5`, `0.0`.
ResultValue seconds(std::int64_t ns) {
  std::array<char, 512> buffer{};
  const double number = static_cast<double>(ns) / 1e9;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed)
          .ptr;
  std::string text(buffer.data(), end);
  text += text.find('.') == std::string::npos ? ".0" : "";
  return ResultValue::form(std::move(text));
}

class ErrorText {
 public:
  explicit ErrorText(const Analysis& analysis) : analysis_(analysis) {}

  [[nodiscard]] ResultValue entry(const LogError& error) const {
    switch (error.type) {
      case ErrorType::kDuplicate:
        return duplicate(error);
      case ErrorType::kInconsistentOffsets:
        return inconsistent(error);
      case ErrorType::kG1a:
        return ResultValue::map({{"key", key(error)},
                                 {"value", value(error.message)},
                                 {"writer", event(error.other)},
                                 {"reader", event(error.txn)}});
      case ErrorType::kPrecommittedRead:
        return ResultValue::map(
            {{"op", event(error.txn)}, {"key", key(error)}, {"value", value(error.message)}});
      case ErrorType::kNeverSent:
        return ResultValue::map(
            {{"key", key(error)}, {"value", value(error.message)}, {"reader", event(error.txn)}});
      case ErrorType::kLostWrite:
        return ResultValue::map({{"key", key(error)},
                                 {"value", value(error.message)},
                                 {"index", error.index},
                                 {"max-read-index", error.max_read_index},
                                 {"writer", event(error.other)},
                                 {"max-read", event(error.txn)}});
      default:
        return step(error);
    }
  }

 private:
  [[nodiscard]] ResultValue value(MessageId message) const {
    return message.is_none() ? ResultValue() : ResultValue::of(analysis_.messages.value(message));
  }

  [[nodiscard]] ResultValue key(const LogError& error) const {
    return ResultValue::of(analysis_.messages.history().key_value(error.key));
  }

  [[nodiscard]] ResultValue event(TxnId txn) const {
    return txn.is_none()
               ? ResultValue()
               : ResultValue::event(representative_ref(analysis_.messages.history(), txn));
  }

  [[nodiscard]] ResultValue duplicate(const LogError& error) const {
    std::vector<ResultValue> offsets;
    for (const std::int64_t offset : offsets_of(analysis_, error.message)) {
      offsets.emplace_back(offset);
    }
    const auto count = static_cast<std::int64_t>(offsets.size());
    return ResultValue::map({{"key", key(error)},
                             {"value", value(error.message)},
                             {"count", count},
                             {"offsets", ResultValue::vector(std::move(offsets))}});
  }

  [[nodiscard]] ResultValue inconsistent(const LogError& error) const {
    std::vector<MessageId> messages = messages_at(analysis_, error.key, error.offset);
    sort_by_value(analysis_, messages);
    std::vector<ResultValue> items;
    for (const MessageId message : messages) {
      items.push_back(value(message));
    }
    return ResultValue::map(
        {{"key", key(error)},
         {"offset", error.offset},
         {"index", error.index},
         {"values", ResultValue::of_items(ResultValue::Kind::kSet, std::move(items))}});
  }

  /// The step between two messages, in one operation or in two.
  [[nodiscard]] ResultValue step(const LogError& error) const {
    ResultValue::Entries entries = {{"key", key(error)}};
    if (error.type != ErrorType::kPollSkip) {
      entries.emplace_back("values",
                           ResultValue::vector({value(error.message), value(error.next)}));
    }
    entries.emplace_back("delta", error.delta);
    if (error.delta > 1) {
      entries.emplace_back("skipped", values(skipped_between(analysis_, error)));
    }
    if (error.other.is_none()) {
      entries.emplace_back("op", event(error.txn));
    } else {
      entries.emplace_back("ops", ResultValue::vector({event(error.other), event(error.txn)}));
    }
    return ResultValue::map(std::move(entries));
  }

  const Analysis& analysis_;
};

ResultValue counted(std::size_t count, std::vector<ResultValue> cases) {
  return ResultValue::map({{"count", static_cast<std::int64_t>(count)},
                           {"errs", ResultValue::vector(std::move(cases))}});
}

ResultValue entry_of(const Analysis& analysis, ErrorType type, bool lists_all) {
  const ErrorText text(analysis);
  std::vector<ResultValue> cases;
  for (const LogError& error : listed_errors(analysis, type, lists_all)) {
    cases.push_back(text.entry(error));
  }
  return counted(analysis.errors.at(static_cast<std::size_t>(type)).size(), std::move(cases));
}

ResultValue unseen_entry(const Analysis& analysis) {
  constexpr std::size_t kMessagesOfKey = 32;
  const History& history = analysis.messages.history();
  std::map<KeyId, std::vector<MessageId>> by_key;
  for (const MessageId message : analysis.unseen.messages) {
    by_key[analysis.messages.key(message)].push_back(message);
  }
  ResultValue counts = ResultValue::map({});
  ResultValue messages = ResultValue::map({});
  for (auto& [key, unseen] : by_key) {
    const ResultValue name = ResultValue::of(history.key_value(key));
    counts.add(name, static_cast<std::int64_t>(unseen.size()));
    sort_by_value(analysis, unseen);
    std::vector<ResultValue> first;
    for (const MessageId message :
         std::span(unseen).first(std::min(unseen.size(), kMessagesOfKey))) {
      first.push_back(ResultValue::of(analysis.messages.value(message)));
    }
    messages.add(name, ResultValue::of_items(ResultValue::Kind::kList, std::move(first)));
  }
  const TxnId last = analysis.unseen.last;  // none in a part of a history without such operations
  const auto time =
      last.is_none() ? std::nullopt : history.event(last, EventKind::kCompletion).time;
  return ResultValue::map({{"time", time ? ResultValue(*time) : ResultValue()},
                           {"unseen", std::move(counts)},
                           {"messages", std::move(messages)}});
}

ResultValue step_entry(const History& history, const Step& step) {
  ResultValue::Entries entries = {
      {"type", ResultValue::keyword(std::string(relation_name(step.relation)))}};
  if (step.relation == Relation::kWr || step.relation == Relation::kWw) {
    entries.emplace_back("key", ResultValue::of(history.key_value(step.key)));
    entries.emplace_back("value", ResultValue::of(step.value));
  }
  if (step.relation == Relation::kWw) {
    entries.emplace_back("value'", ResultValue::of(step.value_after));
  }
  return ResultValue::map(std::move(entries));
}

ResultValue cycle_entry(const History& history, const Anomaly& anomaly) {
  ResultValue::Entries entries = {{"type", ResultValue::keyword(std::string(name(anomaly.type)))}};
  const auto event = [&](TxnId txn) {
    return ResultValue::event(representative_ref(history, txn));
  };
  if (const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence)) {
    entries.emplace_back("not", ResultValue::keyword(std::string(friendly_name(exists->model))));
    entries.emplace_back("scc-size", static_cast<std::int64_t>(exists->component.size()));
    return ResultValue::map(std::move(entries));
  }
  const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
  if (cycle == nullptr) {
    return ResultValue::map(std::move(entries));
  }
  std::vector<ResultValue> events;
  std::vector<ResultValue> steps;
  for (const Step& step : cycle->steps) {
    events.push_back(event(step.from));
    steps.push_back(step_entry(history, step));
  }
  events.push_back(event(cycle->steps.front().from));
  entries.emplace_back("cycle", ResultValue::vector(std::move(events)));
  entries.emplace_back("steps", ResultValue::vector(std::move(steps)));
  return ResultValue::map(std::move(entries));
}

/// The cycles of a type: the shortest ones of G0 and G1c, all of other types. They are sorted by
/// their steps.
ResultValue cycles_entry(const Analysis& analysis, std::string_view type, bool lists_all) {
  if (type == name(AnomalyType::kEmptyTransactionGraph)) {
    return ResultValue::map({{"count", std::int64_t{1}}, {"errs", ResultValue::boolean(true)}});
  }
  constexpr std::size_t kShortest = 8;
  const bool is_cut = type.starts_with("G0") || type.starts_with("G1c");
  const std::size_t most = is_cut ? kShortest : lists_all ? SIZE_MAX : kMostOfAll;
  std::vector<ResultValue> cases;
  std::size_t count = 0;
  for (const Anomaly& anomaly : analysis.cycles.anomalies) {
    if (name(anomaly.type) == type && count++ < most) {
      cases.push_back(cycle_entry(analysis.messages.history(), anomaly));
    }
  }
  return counted(count, std::move(cases));
}

/// The distinct causes, in the order of the history.
ResultValue causes_of_info(const Messages& messages) {
  const History& history = messages.history();
  std::vector<ValueId> causes;
  std::unordered_set<ValueId> known;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const bool is_info =
        history.status(txn) == TxnStatus::kIndeterminate && history.has_completion(txn);
    if (is_info && messages.is_txn(txn) && known.insert(messages.error(txn)).second) {
      causes.push_back(messages.error(txn));
    }
  }
  ResultValue list = values(causes);
  list.kind = ResultValue::Kind::kList;
  return list;
}

ResultValue lag_entry(const Analysis& analysis) {
  if (!analysis.lag) {
    return ResultValue::map({{"time", seconds(0)}, {"lag", seconds(0)}});
  }
  const History& history = analysis.messages.history();
  const Lag& lag = *analysis.lag;
  const auto begun = history.event(lag.txn, EventKind::kInvocation).time;
  return ResultValue::map({{"time", seconds(begun.value_or(0))},
                           {"process", history.session_name(history.session(lag.txn))},
                           {"key", ResultValue::of(history.key_value(lag.key))},
                           {"lag", seconds(lag.ns)}});
}

}  // namespace

std::vector<std::int64_t> offsets_of(const Analysis& analysis, MessageId message) {
  std::vector<std::int64_t> offsets;
  for (const Slot& slot : analysis.orders.slots(analysis.messages.key(message))) {
    if (slot.message == message) {
      offsets.push_back(slot.offset);
    }
  }
  return offsets;
}

std::vector<MessageId> messages_at(const Analysis& analysis, KeyId key, std::int64_t offset) {
  std::vector<MessageId> messages;
  for (const Slot& slot :
       std::ranges::equal_range(analysis.orders.slots(key), offset, {}, &Slot::offset)) {
    messages.push_back(slot.message);
  }
  return messages;
}

std::vector<ValueId> skipped_between(const Analysis& analysis, const LogError& error) {
  std::vector<ValueId> skipped;
  const std::span<const MessageId> order = analysis.orders.order(error.key);
  for (auto i = analysis.orders.index(error.message) + 1; i < analysis.orders.index(error.next);
       ++i) {
    skipped.push_back(analysis.messages.value(order[static_cast<std::size_t>(i)]));
  }
  return skipped;
}

void sort_by_value(const Analysis& analysis, std::vector<MessageId>& messages) {
  std::ranges::sort(messages, ValueOrder(analysis.messages.history()),
                    [&](MessageId message) { return analysis.messages.value(message); });
}

std::vector<LogError> listed_errors(const Analysis& analysis, ErrorType type, bool lists_all) {
  std::vector<LogError> errors = analysis.errors.at(static_cast<std::size_t>(type));
  const ErrorFacts& facts = facts_of(type);
  const bool is_jepsens = facts.most > 0;
  if (type == ErrorType::kDuplicate || type == ErrorType::kInconsistentOffsets) {
    for (LogError& error : errors) {
      error.delta = static_cast<std::int64_t>(
          type == ErrorType::kDuplicate ? analysis.orders.offset_count(error.message)
                                        : messages_at(analysis, error.key, error.offset).size());
    }
  }
  if (is_jepsens) {
    std::ranges::stable_sort(errors, {}, &LogError::delta);
  }
  const std::size_t most = is_jepsens ? facts.most : kMostOfAll;
  const bool is_whole = errors.size() <= most || (lists_all && !is_jepsens);
  if (!is_whole && facts.takes_last) {
    errors.erase(errors.begin(), errors.end() - static_cast<std::ptrdiff_t>(most));
  } else if (!is_whole) {
    errors.resize(most);
  }
  return errors;
}

std::vector<ResultEntry> result_entries(const Analysis& analysis, const Rules& rules,
                                        bool lists_all) {
  const std::vector<std::string> types = analysis.error_types();
  std::vector<std::string> bad;
  std::ranges::copy_if(types, std::back_inserter(bad),
                       [&](const std::string& type) { return !is_allowed(type, rules); });
  std::vector<ResultEntry> entries = {{"worst-realtime-lag", lag_entry(analysis)},
                                      {"bad-error-types", keywords(bad)},
                                      {"error-types", keywords(types)},
                                      {"info-txn-causes", causes_of_info(analysis.messages)}};
  for (const std::string& type : types) {
    std::optional<ResultValue> entry;
    for (std::size_t t = 0; t < kErrorTypeCount && !entry; ++t) {
      if (name(static_cast<ErrorType>(t)) == type) {
        entry = entry_of(analysis, static_cast<ErrorType>(t), lists_all);
      }
    }
    if (!entry) {
      entry = type == "unseen" ? unseen_entry(analysis) : cycles_entry(analysis, type, lists_all);
    }
    entries.push_back({type, *std::move(entry)});
  }
  return entries;
}

}  // namespace elapid::kafka
