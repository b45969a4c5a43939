#include "engine/workloads/kafka/sequence_errors.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid::kafka {

namespace {

// What is known of some keys for the moment, forgotten all at once in constant time.
//
//   process 0 polls x up to 3, is assigned to y alone, and polls x again: the 3 is forgotten

/// One value a key. Setting and finding are O(1).
template <class T>
class KeyMemory {
 public:
  explicit KeyMemory(std::size_t key_count) : values_(key_count), epochs_(key_count, 0) {}

  void forget_all() { ++epoch_; }

  /// Forgets all but these keys.
  void keep_only(std::span<const KeyId> keys) {
    ++epoch_;
    for (const KeyId key : keys) {
      std::uint32_t& epoch = epochs_[key.index()];
      epoch = epoch + 1 == epoch_ ? epoch_ : epoch;
    }
  }

  void set(KeyId key, T value) {
    values_[key.index()] = std::move(value);
    epochs_[key.index()] = epoch_;
  }

  /// Null if nothing is known.
  [[nodiscard]] T* find(KeyId key) {
    return epochs_[key.index()] == epoch_ ? &values_[key.index()] : nullptr;
  }

 private:
  std::vector<T> values_;
  std::vector<std::uint32_t> epochs_;
  std::uint32_t epoch_ = 1;
};

/// The message of a key that an operation ended with; none() if it found nothing.
struct LastSight {
  MessageId message;
  TxnId txn;
};

/// Adds what the step from one message to the next comes to, if it is not to the next in order.
void judge_step(const VersionOrders& orders, LogErrors& errors, LogError step,
                std::optional<ErrorType> skip, ErrorType back) {
  step.delta = orders.distance(step.message, step.next);
  if (step.delta < 1) {
    step.type = back;
    add_error(errors, step);
  } else if (step.delta > 1 && skip) {
    step.type = *skip;
    add_error(errors, step);
  }
}

class Steps {
 public:
  Steps(const Messages& messages, const VersionOrders& orders, LogErrors& errors)
      : messages_(messages),
        orders_(orders),
        errors_(errors),
        polled_(messages.history().key_count()),
        sent_(messages.history().key_count()),
        seen_polled_(messages.history().key_count()),
        seen_sent_(messages.history().key_count()) {}

  /// Compares successive messages within the operation.
  void judge_within(TxnId txn) {
    const std::vector<KeyId> rebalanced = messages_.rebalanced(txn);
    polled_.forget_all();
    sent_.forget_all();
    messages_.each(txn, [&](const Sight& sight) {
      KeyMemory<LastSight>& memory = sight.is_send ? sent_ : polled_;
      const bool counts =
          sight.is_send || std::ranges::find(rebalanced, sight.key) == rebalanced.end();
      if (const LastSight* last = memory.find(sight.key); last != nullptr && counts) {
        const LogError step = {
            .key = sight.key, .message = last->message, .next = sight.message, .txn = txn};
        judge_step(
            orders_, errors_, step,
            sight.is_send ? ErrorType::kIntSendSkip : ErrorType::kIntPollSkip,
            sight.is_send ? ErrorType::kIntNonmonotonicSend : ErrorType::kIntNonmonotonicPoll);
      }
      memory.set(sight.key, {sight.message, txn});
    });
  }

  /// Compares the operations of a session with one another.
  void judge_session(std::span<const TxnId> txns) {
    polled_.forget_all();
    sent_.forget_all();
    for (const TxnId txn : txns) {
      const Function function = messages_.function(txn);
      const bool has_failed = messages_.history().status(txn) == TxnStatus::kAborted;
      if (function == Function::kAssign || function == Function::kSubscribe) {
        if (!has_failed) {
          const std::vector<KeyId> keys = messages_.assigned(txn);
          polled_.keep_only(keys);
          sent_.keep_only(keys);
        }
        continue;
      }
      judge_against_last(txn, has_failed);
      if (messages_.history().committed(txn)) {
        remember_empty(txn);
      }
    }
  }

 private:
  /// Compares the first message of each key with the last one before the operation. What an
  /// operation that failed sent counts for nothing; what one that did not succeed polled is
  /// compared, and forgotten.
  void judge_against_last(TxnId txn, bool has_failed) {
    seen_polled_.forget_all();
    seen_sent_.forget_all();
    messages_.each(txn, [&](const Sight& sight) {
      if (sight.is_send && has_failed) {
        return;
      }
      KeyMemory<LastSight>& memory = sight.is_send ? sent_ : polled_;
      KeyMemory<char>& seen = sight.is_send ? seen_sent_ : seen_polled_;
      const LastSight* last = memory.find(sight.key);
      if (last != nullptr && seen.find(sight.key) == nullptr) {
        const LogError step = {.key = sight.key,
                               .message = last->message,
                               .next = sight.message,
                               .txn = txn,
                               .other = last->txn};
        judge_step(orders_, errors_, step,
                   sight.is_send ? std::nullopt : std::optional(ErrorType::kPollSkip),
                   sight.is_send ? ErrorType::kNonmonotonicSend : ErrorType::kNonmonotonicPoll);
      }
      seen.set(sight.key, true);
      if (sight.is_send || messages_.history().committed(txn)) {
        memory.set(sight.key, {sight.message, txn});
      }
    });
  }

  /// The keys of which the operation that was judged last polled nothing.
  void remember_empty(TxnId txn) {
    for (const KeyId key : messages_.found_empty(txn)) {
      if (seen_polled_.find(key) == nullptr) {
        polled_.set(key, {MessageId::none(), txn});
      }
    }
  }

  const Messages& messages_;
  const VersionOrders& orders_;
  LogErrors& errors_;
  KeyMemory<LastSight> polled_;
  KeyMemory<LastSight> sent_;
  KeyMemory<char> seen_polled_;
  KeyMemory<char> seen_sent_;
};

}  // namespace

void find_internal_errors(const Messages& messages, const VersionOrders& orders,
                          LogErrors& errors) {
  Steps steps(messages, orders, errors);
  for (TxnId txn{0}; txn.index() < messages.history().txn_count(); ++txn.value) {
    steps.judge_within(txn);
  }
}

void find_external_errors(const Messages& messages, const VersionOrders& orders,
                          LogErrors& errors) {
  Steps steps(messages, orders, errors);
  for (SessionId session{0}; session.index() < messages.history().session_count();
       ++session.value) {
    steps.judge_session(messages.history().session_txns(session));
  }
}

}  // namespace elapid::kafka
