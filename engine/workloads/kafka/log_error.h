// The errors of histories of logs, one small record for each case.
//
//   {:type :ok, :f :poll, :value [[:poll {x [[0 a] [2 c]]}]]}   while b is known to be at offset 1
//
// is an int-poll-skip: key x, messages a and c, distance 2, in this operation.
//
// After jepsen.tests.kafka, with its names. Only never-sent is new: Jepsen's checker throws for a
// message that was polled and never sent.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/workloads/kafka/messages.h"

namespace elapid::kafka {

enum class ErrorType : std::uint8_t {
  kDuplicate,
  kInconsistentOffsets,
  kG1a,
  kPrecommittedRead,
  kLostWrite,
  kNeverSent,
  kPollSkip,
  kNonmonotonicPoll,
  kIntPollSkip,
  kIntNonmonotonicPoll,
  kNonmonotonicSend,
  kIntSendSkip,
  kIntNonmonotonicSend,
};

inline constexpr std::size_t kErrorTypeCount = 13;

/// What is told of a type of error.
struct ErrorFacts {
  std::string_view name;
  std::string_view gloss;
  std::size_t most = 0;     ///< cases that Jepsen lists, those with the least delta; 0: all
  bool takes_last = false;  ///< the last ones, not the first ones
};

inline constexpr std::array<ErrorFacts, kErrorTypeCount> kErrorFacts = {{
    {"duplicate", "a message stands at several offsets", 32},
    {"inconsistent-offsets", "an offset has several messages", 32},
    {"G1a", "a message of an operation that failed was polled"},
    {"precommitted-read", "an operation polled what it sent"},
    {"lost-write", "a message was never polled, but a later one was"},
    {"never-sent", "a message was polled that no operation sent"},
    {"poll-skip", "a process skipped messages between two polls", 8, true},
    {"nonmonotonic-poll", "a process went back between two polls", 8},
    {"int-poll-skip", "an operation skipped messages", 8, true},
    {"int-nonmonotonic-poll", "the polls of an operation went back", 8},
    {"nonmonotonic-send", "a later message of a process stands before an earlier one", 8},
    {"int-send-skip", "messages of others stand between those of an operation", 8, true},
    {"int-nonmonotonic-send", "a later message of an operation stands before an earlier one", 8},
}};

[[nodiscard]] constexpr const ErrorFacts& facts_of(ErrorType type) {
  return kErrorFacts.at(static_cast<std::size_t>(type));
}

struct LogError {
  ErrorType type = ErrorType::kDuplicate;
  KeyId key;
  MessageId message;                ///< the message; of two, the one polled or sent earlier
  MessageId next = {};              ///< the other of two
  TxnId txn = {};                   ///< the operation; of two, the later one; of G1a, the reader
  TxnId other = {};                 ///< the writer, or the earlier operation
  std::int64_t delta = 0;           ///< the distance of two messages in the version order
  std::int64_t offset = 0;          ///< of inconsistent-offsets
  std::int32_t index = 0;           ///< of inconsistent-offsets and lost-write
  std::int32_t max_read_index = 0;  ///< of lost-write
};

/// By type, in the order in which they are found.
using LogErrors = std::array<std::vector<LogError>, kErrorTypeCount>;

/// As `int-poll-skip`.
[[nodiscard]] constexpr std::string_view name(ErrorType type) {
  return facts_of(type).name;
}

inline void add_error(LogErrors& errors, const LogError& error) {
  errors.at(static_cast<std::size_t>(error.type)).push_back(error);
}

}  // namespace elapid::kafka
