// Logs of messages, as Kafka's: operations send messages to keys, and poll the next ones.
//
//   send [[:send 1 7]] -> [[:send 1 [0 7]]]    poll [[:poll]] -> [[:poll {1 [[0 7]]}]]
//
// Each session polls all keys from the beginning, a few messages at a time. A transaction polls and
// then sends. A poll that crashes has no effect: its messages are polled again. At the end a
// visitor polls everything.
//
// Each fault has keys of its own, which only visitors use.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

/// A message at its offset.
struct Message {
  std::int64_t offset = 0;
  std::int64_t value = 0;
};

using Messages = std::vector<Message>;

PlainTree tree_of(const Message& message) {
  return PlainTree::vector({PlainTree::number(message.offset), PlainTree::number(message.value)});
}

PlainTree asked_send(std::int64_t key, std::int64_t value) {
  return PlainTree::vector(
      {PlainTree::keyword("send"), PlainTree::number(key), PlainTree::number(value)});
}

PlainTree done_send(std::int64_t key, const Message& message) {
  return PlainTree::vector({PlainTree::keyword("send"), PlainTree::number(key), tree_of(message)});
}

PlainTree asked_poll() {
  return PlainTree::vector({PlainTree::keyword("poll")});
}

/// The answer of a poll. `found` maps keys to their messages.
PlainTree done_poll(PlainTree found) {
  return PlainTree::vector({PlainTree::keyword("poll"), std::move(found)});
}

PlainTree found_of(std::int64_t key, const Messages& messages) {
  PlainTree list = PlainTree::vector();
  for (const Message& message : messages) {
    list.parts.push_back(tree_of(message));
  }
  return PlainTree::map({PlainTree::number(key), std::move(list)});
}

ObjectCall call_of(std::string_view function, std::vector<PlainTree> mops) {
  return {.function = function, .value = ObjectValue::of(PlainTree::vector(std::move(mops)))};
}

class MessageLogsModel : public ObjectModel {
 public:
  explicit MessageLogsModel(const WorkloadOptions& options)
      : reads_(options.reads),
        logs_(std::max<std::size_t>(options.keys, 1)),
        foreign_key_(static_cast<std::int64_t>(logs_.size())) {}

  ObjectCall next(Random& random, std::size_t session) override {
    if (!positions_.contains(session)) {
      positions_[session].assign(logs_.size(), 0);
      return assign();
    }
    if (random.per_million(reads_)) {
      return call_of("poll", {asked_poll()});
    }
    std::vector<PlainTree> mops;
    const bool is_txn = random.percent(30);
    if (is_txn) {
      mops.push_back(asked_poll());
    }
    for (std::size_t left = 1 + random.below(2); left > 0; --left) {
      mops.push_back(asked_send(static_cast<std::int64_t>(random.below(logs_.size())), ++values_));
    }
    return call_of(is_txn ? "txn" : "send", std::move(mops));
  }

  ObjectReply apply(const ObjectCall& call, std::size_t session) override {
    if (call.function == "assign") {
      return {.value = call.value};
    }
    PlainTree mops = call.value.tree;
    for (PlainTree& mop : mops.parts) {
      mop =
          mop.parts.size() == 1 ? poll(session) : send(mop.parts[1].integer, mop.parts[2].integer);
    }
    return {.value = ObjectValue::of(std::move(mops))};
  }

  [[nodiscard]] bool may_be_unheard(const ObjectCall& call) const override {
    return call.function == "send";
  }

  void finish(FaultScript& script) override {
    script.really(assign());
    positions_[kVisitor].assign(logs_.size(), 0);
    while (!script.really(call_of("poll", {asked_poll()})).tree.parts[0].parts[1].parts.empty()) {
    }
  }

  void tell_duplicate(FaultScript& script) {
    const auto [key, one] = one_sent(script);
    polled(script, 1, key, {one});
    polled(script, 2, key, {{one.offset + 1, one.value}});
  }

  void tell_inconsistent_offsets(FaultScript& script) {
    const auto [key, one] = one_sent(script);
    const Message other = {one.offset, ++values_};
    sent(script, 1, key, {other});
    polled(script, 2, key, {one});
    polled(script, 3, key, {other});
  }

  void tell_aborted_read(FaultScript& script) {
    const std::int64_t key = foreign_key_++;
    const Message one = {0, ++values_};
    script.refused(call_of("send", {asked_send(key, one.value)}));
    polled(script, 1, key, {one});
  }

  void tell_precommitted_read(FaultScript& script) {
    const std::int64_t key = foreign_key_++;
    const Message one = {0, ++values_};
    script.falsely(call_of("txn", {asked_send(key, one.value), asked_poll()}),
                   answered({done_send(key, one), done_poll(found_of(key, {one}))}));
  }

  void tell_lost_write(FaultScript& script) {
    const auto [key, three] = three_sent(script);
    polled(script, 1, key, {three[1], three[2]});
  }

  void tell_never_sent(FaultScript& script) { polled(script, 0, foreign_key_++, {{0, ++values_}}); }

  void tell_poll_skip(FaultScript& script) { tell_polls(script, {{0}, {2}}); }

  void tell_nonmonotonic_poll(FaultScript& script) { tell_polls(script, {{0, 1}, {1, 2}}); }

  void tell_int_poll_skip(FaultScript& script) { tell_polls(script, {{0, 2}}); }

  void tell_int_nonmonotonic_poll(FaultScript& script) { tell_polls(script, {{1, 0, 2}}); }

  void tell_nonmonotonic_send(FaultScript& script) {
    const std::int64_t key = foreign_key_++;
    const Message first = {1, ++values_};
    const Message second = {0, ++values_};
    sent(script, 0, key, {first});
    sent(script, 0, key, {second});
    polled(script, 1, key, {second, first});
  }

  void tell_int_nonmonotonic_send(FaultScript& script) {
    const std::int64_t key = foreign_key_++;
    const Message first = {1, ++values_};
    const Message second = {0, ++values_};
    sent(script, 0, key, {first, second});
    polled(script, 1, key, {second, first});
  }

  void tell_int_send_skip(FaultScript& script) {
    const std::int64_t key = foreign_key_++;
    const Messages three = next_three();
    sent(script, 0, key, {three[0], three[2]});
    sent(script, 1, key, {three[1]});
    polled(script, 2, key, three);
  }

  void tell_unseen(FaultScript& script) { one_sent(script); }

  /// Two operations each poll what the other one sends.
  void tell_information_cycle(FaultScript& script) {
    const std::array keys = two_keys();
    const std::array<Message, 2> messages = {{{0, ++values_}, {0, ++values_}}};
    tell_two(script, [&](std::size_t i) {
      const std::size_t other = 1 - i;
      return std::pair(call_of("txn", {asked_poll(), asked_send(keys[i], messages[i].value)}),
                       answered({done_poll(found_of(keys[other], {messages[other]})),
                                 done_send(keys[i], messages[i])}));
    });
  }

  /// Two operations send to two keys in opposite orders.
  void tell_write_cycle(FaultScript& script) {
    const std::array keys = two_keys();
    const std::array<Messages, 2> by_key = {next_three(), next_three()};
    tell_two(script, [&](std::size_t i) {
      const Message& first = by_key[0][i];
      const Message& second = by_key[1][1 - i];
      return std::pair(
          call_of("send", {asked_send(keys[0], first.value), asked_send(keys[1], second.value)}),
          answered({done_send(keys[0], first), done_send(keys[1], second)}));
    });
    for (std::size_t key = 0; key < 2; ++key) {
      polled(script, 2, keys[key], {by_key[key][0], by_key[key][1]});
    }
  }

 private:
  static constexpr std::size_t kMostPolled = 8;  // of a key at a time

  using Polls = std::initializer_list<std::initializer_list<std::size_t>>;

  [[nodiscard]] ObjectCall assign() const {
    std::vector<PlainTree> keys;
    for (std::size_t key = 0; key < logs_.size(); ++key) {
      keys.push_back(PlainTree::number(static_cast<std::int64_t>(key)));
    }
    return call_of("assign", std::move(keys));
  }

  PlainTree send(std::int64_t key, std::int64_t value) {
    Messages& log = logs_[static_cast<std::size_t>(key)];
    log.push_back({static_cast<std::int64_t>(log.size()), value});
    return done_send(key, log.back());
  }

  /// Polls the next messages of each key.
  PlainTree poll(std::size_t session) {
    PlainTree found = PlainTree::map();
    for (std::size_t key = 0; key < logs_.size(); ++key) {
      std::size_t& begin = positions_[session][key];
      const std::size_t end = std::min(logs_[key].size(), begin + kMostPolled);
      if (begin < end) {
        const auto at = logs_[key].begin();
        PlainTree one = found_of(static_cast<std::int64_t>(key),
                                 Messages(at + static_cast<std::ptrdiff_t>(begin),
                                          at + static_cast<std::ptrdiff_t>(end)));
        std::ranges::move(one.parts, std::back_inserter(found.parts));
        begin = end;
      }
    }
    return done_poll(std::move(found));
  }

  // Operations of visitors, on keys that sessions do not use.

  static ObjectValue answered(std::vector<PlainTree> mops) {
    return ObjectValue::of(PlainTree::vector(std::move(mops)));
  }

  static void sent(FaultScript& script, std::size_t visitor, std::int64_t key,
                   const Messages& messages) {
    std::vector<PlainTree> asked;
    std::vector<PlainTree> done;
    for (const Message& message : messages) {
      asked.push_back(asked_send(key, message.value));
      done.push_back(done_send(key, message));
    }
    const ObjectCall call = call_of("send", std::move(asked));
    script.invoke(visitor, call);
    script.complete(visitor, call, answered(std::move(done)));
  }

  static void polled(FaultScript& script, std::size_t visitor, std::int64_t key,
                     const Messages& messages) {
    const ObjectCall call = call_of("poll", {asked_poll()});
    script.invoke(visitor, call);
    script.complete(visitor, call, answered({done_poll(found_of(key, messages))}));
  }

  std::pair<std::int64_t, Message> one_sent(FaultScript& script) {
    const Message one = {0, ++values_};
    sent(script, 0, foreign_key_, {one});
    return {foreign_key_++, one};
  }

  Messages next_three() {
    const std::int64_t first = values_ + 1;
    values_ += 3;
    return {{0, first}, {1, first + 1}, {2, first + 2}};
  }

  std::pair<std::int64_t, Messages> three_sent(FaultScript& script) {
    const Messages three = next_three();
    sent(script, 0, foreign_key_, three);
    return {foreign_key_++, three};
  }

  /// Visitors poll some of three messages, by their places; the last visitor polls them all.
  void tell_polls(FaultScript& script, Polls polls) {
    const auto [key, three] = three_sent(script);
    for (const std::initializer_list<std::size_t> places : polls) {
      Messages some;
      for (const std::size_t place : places) {
        some.push_back(three[place]);
      }
      polled(script, 1, key, some);
    }
    polled(script, 2, key, three);
  }

  std::array<std::int64_t, 2> two_keys() {
    foreign_key_ += 2;
    return {foreign_key_ - 2, foreign_key_ - 1};
  }

  /// Two operations that overlap: `make(0)` and `make(1)`, each a call and its answer.
  template <class Make>
  static void tell_two(FaultScript& script, Make make) {
    for (std::size_t i = 0; i < 2; ++i) {
      script.invoke(i, make(i).first);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      auto [call, answer] = make(i);
      script.complete(i, call, std::move(answer));
    }
  }

  std::uint32_t reads_;
  std::vector<Messages> logs_;
  std::map<std::size_t, std::vector<std::size_t>> positions_ = {};  // by session and key
  std::int64_t values_ = 0;
  std::int64_t foreign_key_;
};

/// A fault that Jepsen's checker calls by this name.
template <void (MessageLogsModel::*kTell)(FaultScript&)>
constexpr ObjectFault log_fault(std::string_view name, std::string_view about) {
  return {name, about, told_by<kTell>, name};
}

/// A fault that Kafka allows.
constexpr ObjectFault allowed(ObjectFault fault, std::string_view only_with = {}) {
  fault.found_as = {};
  fault.only_with = only_with;
  fault.is_allowed = true;
  return fault;
}

using Logs = MessageLogsModel;

constexpr std::array kLogFaults = {
    log_fault<&Logs::tell_duplicate>("duplicate", "A message stands at two offsets"),
    log_fault<&Logs::tell_inconsistent_offsets>("inconsistent-offsets",
                                                "An offset has two messages"),
    log_fault<&Logs::tell_aborted_read>("G1a", "A message of a failed operation is polled"),
    log_fault<&Logs::tell_precommitted_read>("precommitted-read",
                                             "An operation polls what it sends itself"),
    log_fault<&Logs::tell_lost_write>("lost-write", "A message is not polled, but a later one is"),
    log_fault<&Logs::tell_never_sent>("never-sent", "A message is polled that no operation sent"),
    log_fault<&Logs::tell_poll_skip>("poll-skip", "A process polls on too far"),
    log_fault<&Logs::tell_nonmonotonic_poll>("nonmonotonic-poll",
                                             "A process polls again what it has polled"),
    log_fault<&Logs::tell_int_poll_skip>("int-poll-skip", "A poll leaves out a message"),
    log_fault<&Logs::tell_int_nonmonotonic_poll>("int-nonmonotonic-poll", "A poll goes back"),
    log_fault<&Logs::tell_nonmonotonic_send>(
        "nonmonotonic-send", "A later message of a process stands before an earlier one"),
    log_fault<&Logs::tell_int_nonmonotonic_send>("int-nonmonotonic-send",
                                                 "The same within an operation"),
    allowed(log_fault<&Logs::tell_int_send_skip>(
        "int-send-skip", "A message of another stands between two of an operation")),
    log_fault<&Logs::tell_unseen>("unseen", "An acknowledged message is never polled"),
    log_fault<&Logs::tell_information_cycle>("G1c", "Two operations poll what the other sends"),
    allowed(log_fault<&Logs::tell_write_cycle>("G0", "Two operations send before one another"),
            "ww-deps"),
};

}  // namespace

ObjectType kafka_type() {
  return {"kafka", make_model<MessageLogsModel>, kLogFaults};
}

}  // namespace elapid
