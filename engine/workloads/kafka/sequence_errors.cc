#include "engine/workloads/kafka/sequence_errors.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/workloads/kafka/by_session_and_key.h"

namespace elapid::kafka {

namespace {

// What each session currently knows of some keys. A session forgets all of it in constant time.
//
//   process 0 polls x up to 3, is assigned only y, and polls x again: it has forgotten the 3

/// The last message of a key in an operation; none() if it found nothing.
struct LastSight {
  MessageId message;
  TxnId txn;   ///< none() if nothing is known
  TxnId seen;  ///< the last operation with the key, of any outcome
};

/// One LastSight for each session and key.
class KeyMemory {
 public:
  explicit KeyMemory(const History& history)
      : known_(history), epochs_(history.session_count(), 1) {}

  /// Forgets all but these keys.
  void keep_only(SessionId session, std::span<const KeyId> keys) {
    const std::uint32_t old = epochs_[session.index()]++;
    for (const KeyId key : keys) {
      if (Known& known = known_.of(session, key); known.epoch == old) {
        ++known.epoch;
      }
    }
  }

  /// What is known, valid until the next call; a new one if that is nothing.
  [[nodiscard]] LastSight& of(SessionId session, KeyId key) {
    Known& known = known_.of(session, key);
    if (known.epoch != epochs_[session.index()]) {
      known = {{}, epochs_[session.index()]};
    }
    return known.value;
  }

 private:
  struct Known {
    LastSight value;
    std::uint32_t epoch = 0;
  };

  BySessionAndKey<Known> known_;
  std::vector<std::uint32_t> epochs_;  // by session
};

class Steps {
 public:
  Steps(const Messages& messages, const Fates& fates, const VersionOrders& orders,
        LogErrors& errors)
      : messages_(messages),
        fates_(fates),
        orders_(orders),
        errors_(errors),
        polled_(messages.history()),
        sent_(messages.history()),
        last_polled_(messages.history().key_count()),
        last_sent_(messages.history().key_count()) {}

  /// Compares successive messages within the operation.
  void judge_within(TxnId txn) {
    const std::vector<KeyId> rebalanced = messages_.rebalanced(txn);
    messages_.each_run(txn, [&](const Run& run) {
      LastSight& before = (run.is_send ? last_sent_ : last_polled_)[run.key.index()];
      const bool counts = run.is_send || std::ranges::find(rebalanced, run.key) == rebalanced.end();
      const bool is_first = before.txn != txn;
      MessageId last = is_first ? run.messages.front() : before.message;
      for (std::size_t i = is_first ? 1 : 0; counts && i < run.messages.size(); ++i) {
        if (orders_.distance(last, run.messages[i]) != 1) {
          judge_step(
              {.key = run.key, .message = last, .next = run.messages[i], .txn = txn}, run.is_send,
              run.is_send ? ErrorType::kIntSendSkip : ErrorType::kIntPollSkip,
              run.is_send ? ErrorType::kIntNonmonotonicSend : ErrorType::kIntNonmonotonicPoll);
        }
        last = run.messages[i];
      }
      before = {run.messages.back(), txn, txn};
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
  /// Adds an error for a step that does not lead to the next message in the order. A message that
  /// was also sent otherwise has the place of one of its sends, and nothing tells of which.
  void judge_step(LogError step, bool is_send, std::optional<ErrorType> skip, ErrorType back) {
    step.delta = orders_.distance(step.message, step.next);
    const bool is_open =
        is_send && (fates_.is_sent_again(step.message) || fates_.is_sent_again(step.next));
    if (!is_open && (step.delta < 1 || skip)) {
      step.type = step.delta < 1 ? back : *skip;
      add_error(errors_, step);
    }
  }

  /// Compares the first message of each key with the last one before the operation. Sends of a
  /// failed operation do not count. Polls of an operation that did not succeed are compared, but
  /// not remembered.
  void judge_against_last(TxnId txn, bool has_failed) {
    const SessionId session = messages_.history().session(txn);
    messages_.each_run(txn, [&](const Run& run) {
      if (run.is_send && has_failed) {
        return;
      }
      LastSight& last = (run.is_send ? sent_ : polled_).of(session, run.key);
      if (!last.txn.is_none() && last.seen != txn &&
          orders_.distance(last.message, run.messages.front()) != 1) {
        judge_step({.key = run.key,
                    .message = last.message,
                    .next = run.messages.front(),
                    .txn = txn,
                    .other = last.txn},
                   run.is_send, run.is_send ? std::nullopt : std::optional(ErrorType::kPollSkip),
                   run.is_send ? ErrorType::kNonmonotonicSend : ErrorType::kNonmonotonicPoll);
      }
      last.seen = txn;
      if (run.is_send || messages_.history().committed(txn)) {
        last = {run.messages.back(), txn, txn};
      }
    });
  }

  /// Remembers the keys for which the last operation polled nothing.
  void remember_empty(TxnId txn) {
    const SessionId session = messages_.history().session(txn);
    for (const KeyId key : messages_.found_empty(txn)) {
      if (LastSight& last = polled_.of(session, key); last.seen != txn) {
        last = {MessageId::none(), txn, {}};
      }
    }
  }

  const Messages& messages_;
  const Fates& fates_;
  const VersionOrders& orders_;
  LogErrors& errors_;
  KeyMemory polled_;
  KeyMemory sent_;
  std::vector<LastSight> last_polled_;  // by key, for judge_within()
  std::vector<LastSight> last_sent_;
};

}  // namespace

void find_sequence_errors(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                          LogErrors& errors) {
  Steps steps(messages, fates, orders, errors);
  const History& history = messages.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    steps.judge_within(txn);
    steps.judge_after_others(txn);
  }
  for (const ErrorType type :
       {ErrorType::kPollSkip, ErrorType::kNonmonotonicPoll, ErrorType::kNonmonotonicSend}) {
    std::ranges::stable_sort(errors.at(static_cast<std::size_t>(type)), {},
                             [&](const LogError& error) { return history.session(error.txn); });
  }
}

}  // namespace elapid::kafka
