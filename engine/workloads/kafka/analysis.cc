#include "engine/workloads/kafka/analysis.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/ir/share_work.h"
#include "engine/workloads/kafka/sequence_errors.h"

namespace elapid::kafka {

namespace {

// Finds errors of single messages: duplicate, inconsistent-offsets, G1a, precommitted-read,
// lost-write, never-sent.
//
//   message 2 is acknowledged at offset 5, and polls show offsets 3, 4 and 6: it is lost

constexpr std::int32_t kNoIndex = VersionOrders::kUnknown;

/// Finds values with more offsets than sends, and offsets with two values. Linear in the slots.
void find_placement_errors(const Messages& messages, const Fates& fates,
                           const VersionOrders& orders, LogErrors& errors) {
  std::vector<bool> is_told(messages.count());
  for (KeyId key{0}; key.index() < messages.history().key_count(); ++key.value) {
    const std::span<const Slot> slots = orders.slots(key);
    std::int32_t index = kNoIndex;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const bool is_same_offset = i > 0 && slots[i].offset == slots[i - 1].offset;
      index += is_same_offset ? 0 : 1;
      if (is_same_offset && (i == 1 || slots[i - 2].offset != slots[i].offset)) {
        add_error(errors, {.type = ErrorType::kInconsistentOffsets,
                           .key = key,
                           .message = slots[i - 1].message,
                           .next = slots[i].message,
                           .offset = slots[i].offset,
                           .index = index});
      }
      const MessageId message = slots[i].message;
      if (orders.offset_count(message) > fates.send_count(message) && !is_told[message.index()]) {
        is_told[message.index()] = true;
        add_error(errors, {.type = ErrorType::kDuplicate, .key = key, .message = message});
      }
    }
  }
}

/// Adds an error if the operation polled what it sent. `sent_in`: by message, the last operation
/// that sent it.
void find_precommitted_read(const Messages& messages, const Fates& fates, TxnId txn,
                            std::vector<TxnId>& sent_in, LogErrors& errors) {
  messages.each_run(txn, [&](const Run& run) {
    for (std::size_t i = 0; run.is_send && i < run.messages.size(); ++i) {
      sent_in[run.messages[i].index()] = txn;
    }
  });
  bool is_found = false;
  messages.each_run(txn, [&](const Run& run) {
    for (std::size_t i = 0; !run.is_send && !is_found && i < run.messages.size(); ++i) {
      const MessageId message = run.messages[i];
      if (sent_in[message.index()] == txn && !fates.is_sent_again(message)) {
        is_found = true;
        add_error(errors, {.type = ErrorType::kPrecommittedRead,
                           .key = run.key,
                           .message = message,
                           .txn = txn,
                           .other = fates.writer(message)});
      }
    }
  });
}

/// Finds polls of messages that were not committed. Linear.
void find_read_errors(const Messages& messages, const Fates& fates, LogErrors& errors) {
  const History& history = messages.history();
  std::vector<TxnId> sent_in(messages.count());
  std::vector<bool> is_told(messages.count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    bool has_sent = false;
    bool has_polled = false;
    messages.each_run(txn, [&](const Run& run) {
      (run.is_send ? has_sent : has_polled) = true;
      for (std::size_t i = 0; !run.is_send && i < run.messages.size(); ++i) {
        const MessageId message = run.messages[i];
        if (!fates.is_unsent_or_refused(message)) {
          continue;  // the usual case
        }
        LogError error = {
            .key = run.key, .message = message, .txn = txn, .other = fates.writer(message)};
        if (fates.is_refused(message) && history.committed(txn)) {
          error.type = ErrorType::kG1a;
          add_error(errors, error);
        }
        if (error.other.is_none() && !is_told[message.index()]) {
          is_told[message.index()] = true;
          error.type = ErrorType::kNeverSent;
          add_error(errors, error);
        }
      }
    });
    if (has_sent && has_polled) {
      find_precommitted_read(messages, fates, txn, sent_in, errors);
    }
  }
}

/// A message is lost if an operation that must have committed sent it, no successful operation
/// polled it, and a message from its last offset on was polled. A polled message counts from its
/// first offset. Linear.
void find_lost_writes(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                      LogErrors& errors) {
  const std::size_t key_count = messages.history().key_count();
  std::vector<std::int32_t> bounds(key_count, kNoIndex);
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_polled(m)) {
      std::int32_t& bound = bounds[messages.key(m).index()];
      bound = std::max(bound, orders.first_index(m));
    }
  }
  std::vector<TxnId> max_reads(key_count);  // by key: a poll of the message last at the bound
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    const std::size_t key = messages.key(m).index();
    const bool is_at_bound = bounds[key] != kNoIndex && orders.last_index(m) == bounds[key];
    if (is_at_bound && max_reads[key].is_none()) {
      max_reads[key] = fates.first_reader(m);
    }
  }
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    const KeyId key = messages.key(m);
    const std::int32_t bound = bounds[key.index()];
    const TxnId writer = fates.writer(m);
    const bool must_be_read =
        orders.last_index(m) != kNoIndex && orders.last_index(m) <= bound && !fates.is_polled(m);
    if (must_be_read && !writer.is_none() && fates.must_have_committed(writer)) {
      add_error(errors, {.type = ErrorType::kLostWrite,
                         .key = key,
                         .message = m,
                         .txn = max_reads[key.index()],
                         .other = writer,
                         .index = orders.first_index(m),
                         .max_read_index = bound});
    }
  }
}

}  // namespace

UnseenMessages find_unseen(const Messages& messages, const Fates& fates) {
  UnseenMessages unseen;
  const History& history = messages.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn) && messages.is_txn(txn)) {
      unseen.last = txn;
    }
  }
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_acknowledged(m) && !fates.is_polled(m)) {
      unseen.messages.push_back(m);
    }
  }
  std::ranges::stable_sort(unseen.messages, {}, [&](MessageId m) { return messages.key(m); });
  return unseen;
}

namespace {

template <std::size_t kCount>
bool is_among(std::string_view type, const std::array<std::string_view, kCount>& types) {
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

std::vector<std::string> Analysis::error_types() const {
  std::set<std::string> types;
  for (std::size_t t = 0; t < errors.size(); ++t) {
    if (!errors.at(t).empty()) {
      types.emplace(name(static_cast<ErrorType>(t)));
    }
  }
  if (!unseen.messages.empty()) {
    types.insert("unseen");
  }
  if (lacks_graph) {
    types.emplace(name(AnomalyType::kEmptyTransactionGraph));
  }
  for (const Anomaly& anomaly : cycles.anomalies) {
    types.emplace(name(anomaly.type));
  }
  return {types.begin(), types.end()};
}

namespace {

/// Whether the history has operations, and at most one that sends or polls.
bool has_no_graph(const Messages& messages) {
  const std::size_t count = messages.history().txn_count();
  std::size_t txns = 0;
  for (TxnId txn{0}; txn.index() < count && txns < 2; ++txn.value) {
    txns += messages.is_txn(txn) ? 1U : 0U;
  }
  return count > 0 && txns < 2;
}

/// Finds all but cycles. Returns whether there may be some. WorkThreads share the steps: each finds
/// errors of types of its own.
bool find_errors(Analysis& all, const Rules& rules) {
  const Messages& messages = all.messages;
  const Fates& fates = all.fates;
  const VersionOrders& orders = all.orders;
  bool may_have_cycles = false;
  const std::array<std::function<void()>, 5> steps = {
      [&] { all.lag = worst_realtime_lag(messages); },
      [&] { find_sequence_errors(messages, fates, orders, all.errors); },
      [&] { may_have_cycles = !has_instants(messages, fates, orders, rules.has_ww); },
      [&] { find_read_errors(messages, fates, all.errors); },
      [&] {
        find_placement_errors(messages, fates, orders, all.errors);
        find_lost_writes(messages, fates, orders, all.errors);
        all.unseen = find_unseen(messages, fates);
      }};
  const std::size_t parts = std::min(steps.size(), parts_of_work(messages.history().op_count()));
  share_work(parts, [&](std::size_t part) {
    for (std::size_t i = part; i < steps.size(); i += parts) {
      steps.at(i)();
    }
  });
  return may_have_cycles;
}

}  // namespace

Analysis analyse(const History& history, const Rules& rules,
                 const std::function<bool()>& keep_going) {
  Messages messages(history, rules.counts_open);
  Fates fates(messages, rules.has_retries);
  VersionOrders orders(messages, fates);
  Analysis analysis = {
      .messages = std::move(messages), .fates = std::move(fates), .orders = std::move(orders)};
  const bool may_have_cycles = find_errors(analysis, rules);
  analysis.lacks_graph = rules.wants_graph && has_no_graph(analysis.messages);
  if (may_have_cycles && (!keep_going || keep_going())) {
    analysis.cycles = find_log_cycles(analysis.messages, analysis.fates, analysis.orders,
                                      rules.has_ww, keep_going);
  }
  return analysis;
}

bool is_allowed(std::string_view type, const Rules& rules) {
  constexpr std::array<std::string_view, 6> kAlways = {
      "int-send-skip",           "G0", "G0-process", "G0-realtime", "PL-1-cycle-exists",
      "strong-PL-1-cycle-exists"};
  constexpr std::array<std::string_view, 2> kSubscribed = {"poll-skip", "nonmonotonic-poll"};
  constexpr std::array<std::string_view, 5> kWithWw = {
      "G1c", "G1c-process", "G1c-realtime", "PL-2-cycle-exists", "strong-PL-2-cycle-exists"};
  return is_among(type, kAlways) || (rules.subscribes && is_among(type, kSubscribed)) ||
         (rules.has_ww && is_among(type, kWithWw)) || type == "cycle-search-timeout";
}

}  // namespace elapid::kafka
