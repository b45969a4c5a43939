#include "engine/workloads/kafka/describe_errors.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/workloads/kafka/result_map.h"

namespace elapid::kafka {

namespace {

constexpr std::size_t kMostOfType = 16;
constexpr std::size_t kMostValues = 32;

/// For each wanted message, the first operation that shows it at an offset.
class Sightings {
 public:
  Sightings(const Analysis& analysis, std::vector<MessageId> wanted) {
    std::ranges::sort(wanted);
    const History& history = analysis.messages.history();
    for (TxnId txn{0}; !wanted.empty() && txn.index() < history.txn_count(); ++txn.value) {
      analysis.messages.each_run(txn, [&](const Run& run) {
        const bool counts = !run.is_send || analysis.fates.must_have_committed(txn);
        for (std::size_t i = 0; counts && i < run.messages.size(); ++i) {
          const std::int64_t offset = analysis.messages.offset(run, i);
          if (offset != kNoOffset && std::ranges::binary_search(wanted, run.messages[i])) {
            first_.try_emplace({run.messages[i], offset}, txn);
          }
        }
      });
    }
  }

  [[nodiscard]] TxnId find(MessageId message, std::int64_t offset) const {
    return first_.at({message, offset});
  }

 private:
  std::map<std::pair<MessageId, std::int64_t>, TxnId> first_;
};

std::vector<MessageId> wanted_messages(const Analysis& analysis,
                                       const std::vector<LogError>& errors) {
  std::vector<MessageId> wanted;
  for (const LogError& error : errors) {
    if (error.type == ErrorType::kDuplicate) {
      wanted.push_back(error.message);
    } else if (error.type == ErrorType::kInconsistentOffsets) {
      std::ranges::copy(messages_at(analysis, error.key, error.offset), std::back_inserter(wanted));
    }
  }
  return wanted;
}

class Teller {
 public:
  Teller(const Analysis& analysis, const std::vector<LogError>& errors)
      : analysis_(analysis),
        history_(analysis.messages.history()),
        sightings_(analysis, wanted_messages(analysis, errors)) {}

  Description tell(const LogError& error) {
    told_ = {.name = std::string(name(error.type)),
             .gloss = std::string(facts_of(error.type).gloss)};
    tell_type(error);
    return std::move(told_);
  }

  Description tell_unseen() {
    told_ = {.name = "unseen", .gloss = "messages that were acknowledged and never polled"};
    const std::vector<MessageId>& unseen = analysis_.unseen.messages;
    const TxnId sender = analysis_.fates.writer(unseen.front());
    const KeyId key = analysis_.messages.key(unseen.front());
    const ActorPart actor = add_actor(sender);
    claim("{} sent {} to key {}, and was told that it had succeeded.", actor, value(unseen.front()),
          key_part(key));
    claim("However, no operation polled it: unseen!");
    if (unseen.size() > 1) {
      std::vector<Phrase> items;
      for (const MessageId message :
           std::span(unseen).first(std::min(unseen.size(), kMostValues))) {
        items.push_back(
            phrase("{} of key {}", value(message), key_part(analysis_.messages.key(message))));
      }
      const std::string more =
          unseen.size() > items.size()
              ? ", and " + std::to_string(unseen.size() - items.size()) + " more"
              : "";
      claim("Unseen are: {}{}.", SeriesPart{std::move(items)}, more);
    }
    return std::move(told_);
  }

  Description tell_cycle(const Anomaly& anomaly) {
    told_ = {.name = std::string(name(anomaly.type)),
             .gloss = "operations that depend on one another in a cycle"};
    const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
    const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence);
    tell_steps(cycle != nullptr ? cycle->steps : exists->walk);
    return std::move(told_);
  }

 private:
  template <class... Arguments>
  void claim(std::string_view pattern, Arguments&&... arguments) {
    told_.claims.push_back({.says = phrase(pattern, std::forward<Arguments>(arguments)...)});
  }

  ActorPart add_actor(TxnId txn) {
    const EventRef event = representative_ref(history_, txn);
    const auto known = std::ranges::find(told_.actors, event, &Actor::event);
    const auto place = static_cast<std::size_t>(known - told_.actors.begin());
    if (known == told_.actors.end()) {
      told_.actors.push_back({.event = event});
    }
    return {place};
  }

  [[nodiscard]] ValuePart value(MessageId message) const {
    return {analysis_.messages.value(message)};
  }

  [[nodiscard]] ValuePart key_part(KeyId key) const { return {history_.key_value(key)}; }

  void tell_type(const LogError& error) {
    switch (error.type) {
      case ErrorType::kDuplicate:
        return tell_duplicate(error);
      case ErrorType::kInconsistentOffsets:
        return tell_inconsistent(error);
      case ErrorType::kG1a:
        return tell_aborted(error);
      case ErrorType::kPrecommittedRead:
        claim("{} sent {} to key {}, and polled it before it had ended: a precommitted read!",
              add_actor(error.txn), value(error.message), key_part(error.key));
        return;
      case ErrorType::kLostWrite:
        return tell_lost(error);
      case ErrorType::kNeverSent:
        claim("{} polled {} of key {}.", add_actor(error.txn), value(error.message),
              key_part(error.key));
        claim("However, no operation sent it: a message out of nowhere!");
        return;
      default:
        return tell_step(error);
    }
  }

  void tell_duplicate(const LogError& error) {
    const std::vector<std::int64_t> offsets = offsets_of(analysis_, error.message);
    const std::size_t sends = analysis_.fates.send_count(error.message);
    const std::string sent =
        sends > 1 ? ", which operations that did not fail sent " + std::to_string(sends) + " times,"
                  : "";
    for (std::size_t i = 0; i < sends; ++i) {
      claim("{} shows {} of key {}{} at offset {}.",
            add_actor(sightings_.find(error.message, offsets[i])), value(error.message),
            key_part(error.key), sent, std::to_string(offsets[i]));
    }
    claim("However, {} shows it at offset {}: a duplicate!",
          add_actor(sightings_.find(error.message, offsets[sends])),
          std::to_string(offsets[sends]));
  }

  void tell_inconsistent(const LogError& error) {
    const std::vector<MessageId> messages = messages_at(analysis_, error.key, error.offset);
    const ActorPart first = add_actor(sightings_.find(messages[0], error.offset));
    const ActorPart second = add_actor(sightings_.find(messages[1], error.offset));
    claim("{} shows {} at offset {} of key {}.", first, value(messages[0]),
          std::to_string(error.offset), key_part(error.key));
    claim("However, {} shows {} there: inconsistent offsets!", second, value(messages[1]));
  }

  void tell_aborted(const LogError& error) {
    if (history_.status(error.other) == TxnStatus::kAborted) {
      claim("{} sent {} to key {}, and failed.", add_actor(error.other), value(error.message),
            key_part(error.key));
    } else {
      claim("An operation sent {} to key {}, and failed.", value(error.message),
            key_part(error.key));
    }
    claim("However, {} polled it: an aborted read!", add_actor(error.txn));
  }

  void tell_lost(const LogError& error) {
    claim("{} sent {} to key {}, where it is number {} of the messages.", add_actor(error.other),
          value(error.message), key_part(error.key), std::to_string(error.index + 1));
    if (error.txn.is_none()) {
      claim("Number {} was polled.", std::to_string(error.max_read_index + 1));
    } else {
      claim("{} polled number {}.", add_actor(error.txn), std::to_string(error.max_read_index + 1));
    }
    claim("However, no operation that succeeded polled {}: a lost write!", value(error.message));
  }

  void tell_step(const LogError& error) {
    const bool is_send = error.type == ErrorType::kNonmonotonicSend ||
                         error.type == ErrorType::kIntSendSkip ||
                         error.type == ErrorType::kIntNonmonotonicSend;
    const std::string verb = is_send ? "sent" : "polled";
    if (error.other.is_none()) {
      claim("{} " + verb + " {} of key {}, and then {}.", add_actor(error.txn),
            value(error.message), key_part(error.key), value(error.next));
    } else {
      const ActorPart first = add_actor(error.other);
      const ActorPart second = add_actor(error.txn);
      claim("{} " + verb + " {} of key {} last, and {}, of the same process, went on with {}.",
            first, value(error.message), key_part(error.key), second, value(error.next));
    }
    if (error.delta > 1) {
      tell_skipped(error);
    } else if (error.delta == 0) {
      claim("However, that is the same message: no progress!");
    } else {
      claim("However, in the order of offsets {} comes before {}: a step back!", value(error.next),
            value(error.message));
    }
  }

  void tell_skipped(const LogError& error) {
    const std::vector<ValueId> skipped = skipped_between(analysis_, error);
    std::vector<Phrase> items;
    for (const ValueId each : std::span(skipped).first(std::min(skipped.size(), kMostValues))) {
      items.push_back(as_phrase(ValuePart{each}));
    }
    const std::string more = skipped.size() > items.size()
                                 ? " and " + std::to_string(skipped.size() - items.size()) + " more"
                                 : "";
    claim("However, between them the log has {}{}: skipped!", SeriesPart{std::move(items)}, more);
  }

  void tell_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      add_actor(step.from);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const ActorPart from = add_actor(step.from);
      const ActorPart to = add_actor(step.to);
      const std::string_view pattern = i + 1 == steps.size()
                                           ? "However, {} < {}, because {}: a contradiction!"
                                           : "{} < {}, because {}.";
      Claim made = {.says = phrase(pattern, from, to, reason(step, from, to))};
      made.arrow = Arrow{.from = from.actor, .to = to.actor, .relation = step.relation};
      if (step.relation == Relation::kWr || step.relation == Relation::kWw) {
        made.arrow->key = history_.key_value(step.key);
      }
      told_.claims.push_back(std::move(made));
    }
  }

  [[nodiscard]] Phrase reason(const Step& step, ActorPart from, ActorPart to) const {
    if (step.relation == Relation::kWr) {
      return phrase("{} sent {} to key {}, which {} polled", from, ValuePart{step.value},
                    key_part(step.key), to);
    }
    if (step.relation == Relation::kWw) {
      return phrase("{} sent {} to key {}, and in the order of offsets {} of {} follows", from,
                    ValuePart{step.value}, key_part(step.key), ValuePart{step.value_after}, to);
    }
    return phrase("{} completed before {} was invoked", from, to);
  }

  const Analysis& analysis_;
  const History& history_;
  Sightings sightings_;
  Description told_;
};

/// The errors to describe: of each forbidden type, the first ones that the result lists.
std::vector<LogError> errors_to_tell(const Analysis& analysis, const Rules& rules) {
  std::vector<LogError> told;
  for (std::size_t t = 0; t < kErrorTypeCount; ++t) {
    const auto type = static_cast<ErrorType>(t);
    if (!analysis.errors.at(t).empty() && !is_allowed(name(type), rules)) {
      std::vector<LogError> listed = listed_errors(analysis, type, false);
      listed.resize(std::min(listed.size(), kMostOfType));
      std::ranges::copy(listed, std::back_inserter(told));
    }
  }
  return told;
}

/// Whether to describe the anomaly: only if it has steps, and its type is not allowed.
bool is_told(const Anomaly& anomaly, const Rules& rules) {
  const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence);
  const bool has_steps = std::holds_alternative<CycleEvidence>(anomaly.evidence) ||
                         (exists != nullptr && !exists->walk.empty());
  return has_steps && !is_allowed(name(anomaly.type), rules);
}

}  // namespace

namespace {

Description tell_no_graph() {
  return {.name = "empty-transaction-graph",
          .gloss = "nothing orders operations",
          .claims = {{.says = phrase("No two operations send or poll messages. For Elle this is an "
                                     "error: the test did nothing.")}}};
}

}  // namespace

std::vector<Description> describe_errors(const Analysis& analysis, const Rules& rules) {
  const std::vector<LogError> errors = errors_to_tell(analysis, rules);
  Teller teller(analysis, errors);
  std::vector<Description> told;
  for (const LogError& error : errors) {
    told.push_back(teller.tell(error));
  }
  if (!analysis.unseen.messages.empty()) {
    told.push_back(teller.tell_unseen());
  }
  if (analysis.lacks_graph) {
    told.push_back(tell_no_graph());
  }
  std::size_t cycles = 0;
  for (const Anomaly& anomaly : analysis.cycles.anomalies) {
    if (is_told(anomaly, rules) && cycles++ < kMostOfType) {
      told.push_back(teller.tell_cycle(anomaly));
    }
  }
  std::ranges::stable_sort(told, {}, &Description::name);
  return told;
}

}  // namespace elapid::kafka
