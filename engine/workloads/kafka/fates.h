// The fate of messages: their writer, their readers, and whether they must be in the log.
//
//   {:type :info, :f :send, :value [[:send 1 7] [:send 1 8]]}
//   {:type :ok, :f :poll, :value [[:poll {1 [[0 8]]}]]}
//
// The outcome of the send is unknown. But 8 was polled, so it committed, and 7 is in the log too.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/workloads/kafka/messages.h"

namespace elapid::kafka {

class Fates {
 public:
  /// `has_retries`: a message that was sent again after a failure is not refused, and its writer
  /// did not fail. If several operations that did not fail sent it, nothing tells which of them
  /// put it into the log. Jepsen knows no such messages. Linear.
  Fates(const Messages& messages, bool has_retries);

  /// The last operation that sent the message, of those with the best outcome; none() if there is
  /// none.
  [[nodiscard]] TxnId writer(MessageId message) const { return writers_[message.index()]; }

  /// The first operation that polled the message, of any outcome; none() if there is none.
  [[nodiscard]] TxnId first_reader(MessageId message) const {
    return first_readers_[message.index()];
  }

  /// Whether a successful operation polled the message; whether one sent it; whether a failed one
  /// sent it, and it was not sent again.
  [[nodiscard]] bool is_polled(MessageId message) const { return has(message, kPolled); }

  [[nodiscard]] bool is_acknowledged(MessageId message) const {
    return has(message, kAcknowledged);
  }

  [[nodiscard]] bool is_refused(MessageId message) const { return has(message, kRefused); }

  /// Whether no operation sent it, or is_refused() holds.
  [[nodiscard]] bool is_unsent_or_refused(MessageId message) const {
    return (marks_[message.index()] & (kTried | kRefused)) != kTried;
  }

  /// Whether some operation, of any outcome, polled it at its own offset.
  [[nodiscard]] bool is_shown(MessageId message) const { return has(message, kShown); }

  /// Whether it was sent twice or more by operations that did not fail.
  [[nodiscard]] bool is_sent_again(MessageId message) const {
    return !message.is_none() && has(message, kSentAgain);
  }

  /// How often; 1 if it was not sent again.
  [[nodiscard]] std::uint32_t send_count(MessageId message) const {
    return is_sent_again(message) ? send_counts_.at(message) : 1;
  }

  /// Whether the operation succeeded; or did not fail, and a successful one polled one of its
  /// messages, which no other sent.
  [[nodiscard]] bool must_have_committed(TxnId txn) const { return has_committed_[txn.index()]; }

 private:
  static constexpr std::uint8_t kPolled = 1;
  static constexpr std::uint8_t kAcknowledged = 2;
  static constexpr std::uint8_t kRefused = 4;
  static constexpr std::uint8_t kSent = 8;  // by an operation that did not fail
  static constexpr std::uint8_t kSentAgain = 16;
  static constexpr std::uint8_t kTried = 32;  // by an operation of any outcome
  static constexpr std::uint8_t kShown = 64;

  [[nodiscard]] bool has(MessageId message, std::uint8_t mark) const {
    return (marks_[message.index()] & mark) != 0;
  }

  void send(const Run& run, TxnId txn, TxnStatus status, bool has_retries);
  void poll(const Run& run, TxnId txn, bool is_ok);

  std::vector<TxnId> writers_;
  std::vector<TxnId> first_readers_;
  std::vector<std::uint8_t> marks_;
  std::vector<bool> has_committed_;                           // by transaction
  std::unordered_map<MessageId, std::uint32_t> send_counts_;  // of messages that were sent again
};

}  // namespace elapid::kafka
