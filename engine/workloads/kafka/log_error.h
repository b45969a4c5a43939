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
  kDuplicate,            ///< a message stands at two offsets
  kInconsistentOffsets,  ///< an offset has two messages
  kG1a,                  ///< a message of a failed operation is polled
  kPrecommittedRead,     ///< an operation polls what it sends
  kLostWrite,            ///< a message is not polled, but a later one of its key is
  kNeverSent,            ///< a message is polled that no operation sent
  kPollSkip,             ///< a process skips messages after its last poll
  kNonmonotonicPoll,     ///< a process polls the same message again, or an earlier one
  kIntPollSkip,          ///< the same two errors within an operation
  kIntNonmonotonicPoll,
  kNonmonotonicSend,  ///< a process sends a message that precedes its earlier message
  kIntSendSkip,       ///< within an operation, with other messages in between
  kIntNonmonotonicSend,
};

inline constexpr std::size_t kErrorTypeCount = 13;

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
[[nodiscard]] std::string_view name(ErrorType type);

inline void add_error(LogErrors& errors, const LogError& error) {
  errors.at(static_cast<std::size_t>(error.type)).push_back(error);
}

}  // namespace elapid::kafka
