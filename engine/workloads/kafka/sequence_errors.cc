#include "engine/workloads/kafka/sequence_errors.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/int_map.h"

namespace elapid::kafka {

namespace {

// What each session currently knows of some keys. A session forgets all of it in constant time.
//
//   process 0 polls x up to 3, is assigned only y, and polls x again: it has forgotten the 3

/// One value for each key and session. set() and find() are O(1).
template <class T>
class KeyMemory {
 public:
  explicit KeyMemory(std::size_t session_count) : epochs_(session_count, 1) {}

  void forget_all(SessionId session) { ++epochs_[session.index()]; }

  /// Forgets all but these keys.
  void keep_only(SessionId session, std::span<const KeyId> keys) {
    const std::uint32_t old = epochs_[session.index()]++;
    for (const KeyId key : keys) {
      const std::uint32_t at = places_.find(name(session, key));
      if (at != IntMap::kAbsent && known_[at].epoch == old) {
        ++known_[at].epoch;
      }
    }
  }

  void set(SessionId session, KeyId key, T value) {
    const auto fresh = static_cast<std::uint32_t>(known_.size());
    const std::uint32_t at = places_.find_or_add(name(session, key), fresh);
    if (at == fresh) {
      known_.emplace_back();
    }
    known_[at] = {std::move(value), epochs_[session.index()]};
  }

  /// Null if nothing is known.
  [[nodiscard]] T* find(SessionId session, KeyId key) {
    const std::uint32_t at = places_.find(name(session, key));
    const bool is_known = at != IntMap::kAbsent && known_[at].epoch == epochs_[session.index()];
    return is_known ? &known_[at].value : nullptr;
  }

 private:
  struct Known {
    T value;
    std::uint32_t epoch = 0;
  };

  static std::int64_t name(SessionId session, KeyId key) {
    return static_cast<std::int64_t>(std::uint64_t{session.value} << 32 | key.value);
  }

  IntMap places_;
  std::vector<Known> known_;
  std::vector<std::uint32_t> epochs_;  // by session
};

/// The last message of a key in an operation; none() if it found nothing.
struct LastSight {
  MessageId message;
  TxnId txn;
};

class Steps {
 public:
  Steps(const Messages& messages, const Fates& fates, const VersionOrders& orders,
        LogErrors& errors)
      : messages_(messages),
        fates_(fates),
        orders_(orders),
        errors_(errors),
        polled_(messages.history().session_count()),
        sent_(messages.history().session_count()),
        seen_polled_(messages.history().session_count()),
        seen_sent_(messages.history().session_count()) {}

  /// Compares successive messages within the operation.
  void judge_within(TxnId txn) {
    const std::vector<KeyId> rebalanced = messages_.rebalanced(txn);
    const SessionId session = messages_.history().session(txn);
    polled_.forget_all(session);
    sent_.forget_all(session);
    messages_.each_run(txn, [&](const Run& run) {
      KeyMemory<LastSight>& memory = run.is_send ? sent_ : polled_;
      const bool counts = run.is_send || std::ranges::find(rebalanced, run.key) == rebalanced.end();
      const LastSight* const before = memory.find(session, run.key);
      MessageId last = before == nullptr ? run.messages.front() : before->message;
      for (std::size_t i = before == nullptr ? 1 : 0; counts && i < run.messages.size(); ++i) {
        judge_step({.key = run.key, .message = last, .next = run.messages[i], .txn = txn},
                   run.is_send, run.is_send ? ErrorType::kIntSendSkip : ErrorType::kIntPollSkip,
                   run.is_send ? ErrorType::kIntNonmonotonicSend : ErrorType::kIntNonmonotonicPoll);
        last = run.messages[i];
      }
      memory.set(session, run.key, {run.messages.back(), txn});
    });
  }

  /// Compares the operation with earlier ones of its session.
  void judge_after_others(TxnId txn) {
    const Function function = messages_.function(txn);
    const bool has_failed = messages_.history().status(txn) == TxnStatus::kAborted;
    if (function == Function::kAssign || function == Function::kSubscribe) {
      if (!has_failed) {
        const std::vector<KeyId> keys = messages_.assigned(txn);
        polled_.keep_only(messages_.history().session(txn), keys);
        sent_.keep_only(messages_.history().session(txn), keys);
      }
      return;
    }
    judge_against_last(txn, has_failed);
    if (messages_.history().committed(txn)) {
      remember_empty(txn);
    }
  }

 private:
  /// Adds an error if the step does not lead to the next message in the order. A message that was
  /// also sent otherwise has the place of one of its sends, and nothing tells of which.
  void judge_step(const LogError& observed, bool is_send, std::optional<ErrorType> skip,
                  ErrorType back) {
    if (is_send &&
        (fates_.is_sent_again(observed.message) || fates_.is_sent_again(observed.next))) {
      return;
    }
    LogError step = observed;
    step.delta = orders_.distance(observed.message, observed.next);
    if (step.delta < 1) {
      step.type = back;
      add_error(errors_, step);
    } else if (step.delta > 1 && skip) {
      step.type = *skip;
      add_error(errors_, step);
    }
  }

  /// Compares the first message of each key with the last one before the operation. Sends of a
  /// failed operation do not count. Polls of an operation that did not succeed are compared, but
  /// not remembered.
  void judge_against_last(TxnId txn, bool has_failed) {
    const SessionId session = messages_.history().session(txn);
    seen_polled_.forget_all(session);
    seen_sent_.forget_all(session);
    messages_.each_run(txn, [&](const Run& run) {
      if (run.is_send && has_failed) {
        return;
      }
      KeyMemory<LastSight>& memory = run.is_send ? sent_ : polled_;
      KeyMemory<char>& seen = run.is_send ? seen_sent_ : seen_polled_;
      const LastSight* last = memory.find(session, run.key);
      if (last != nullptr && seen.find(session, run.key) == nullptr) {
        judge_step({.key = run.key,
                    .message = last->message,
                    .next = run.messages.front(),
                    .txn = txn,
                    .other = last->txn},
                   run.is_send, run.is_send ? std::nullopt : std::optional(ErrorType::kPollSkip),
                   run.is_send ? ErrorType::kNonmonotonicSend : ErrorType::kNonmonotonicPoll);
      }
      seen.set(session, run.key, true);
      if (run.is_send || messages_.history().committed(txn)) {
        memory.set(session, run.key, {run.messages.back(), txn});
      }
    });
  }

  /// Remembers the keys for which the last operation polled nothing.
  void remember_empty(TxnId txn) {
    const SessionId session = messages_.history().session(txn);
    for (const KeyId key : messages_.found_empty(txn)) {
      if (seen_polled_.find(session, key) == nullptr) {
        polled_.set(session, key, {MessageId::none(), txn});
      }
    }
  }

  const Messages& messages_;
  const Fates& fates_;
  const VersionOrders& orders_;
  LogErrors& errors_;
  KeyMemory<LastSight> polled_;
  KeyMemory<LastSight> sent_;
  KeyMemory<char> seen_polled_;
  KeyMemory<char> seen_sent_;
};

}  // namespace

void find_internal_errors(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                          LogErrors& errors) {
  Steps steps(messages, fates, orders, errors);
  for (TxnId txn{0}; txn.index() < messages.history().txn_count(); ++txn.value) {
    steps.judge_within(txn);
  }
}

void find_external_errors(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                          LogErrors& errors) {
  Steps steps(messages, fates, orders, errors);
  const History& history = messages.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    steps.judge_after_others(txn);
  }
  for (const ErrorType type :
       {ErrorType::kPollSkip, ErrorType::kNonmonotonicPoll, ErrorType::kNonmonotonicSend}) {
    std::ranges::stable_sort(errors.at(static_cast<std::size_t>(type)), {},
                             [&](const LogError& error) { return history.session(error.txn); });
  }
}

}  // namespace elapid::kafka
