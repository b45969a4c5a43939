// The transactions that a prediction may keep, and the writer of each of their reads.
//
//   s1: r(x, nil) w(x, 1)      transaction 0: reads x from none, writes x
//   s2: r(x, 1) w(x, 2)        transaction 1: reads x from 0, writes x
//
// docs/predict.md, "What a prediction keeps", items 1, 7 and 8, straight from the operations.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/ir/history.h"

namespace elapid::certify {

/// As a writer: the initial state. As the transaction before: there is none.
inline constexpr std::uint32_t kNoTxn = std::numeric_limits<std::uint32_t>::max();

struct KeptEvent {
  KeyId key = {};
  bool is_write = false;
  std::uint32_t writer = kNoTxn;         ///< of a read: its writer in the history
  std::vector<std::uint32_t> list = {};  ///< of a list: all writers of its elements, in order
};

struct KeptTxn {
  TxnId txn = {};
  std::uint32_t before = kNoTxn;       ///< the previous transaction of its session
  std::vector<KeptEvent> events = {};  ///< in program order: last writes, and reads, of registers
                                       ///< only those before own writes

  [[nodiscard]] bool writes(KeyId key) const;
};

struct KeptSessions {
  bool has_lists = false;
  std::vector<KeptTxn> txns = {};                        ///< session by session
  std::vector<std::vector<std::uint32_t>> writers = {};  ///< by key

  /// Whether the first is before the second in its session.
  [[nodiscard]] bool in_session(std::uint32_t first, std::uint32_t second) const;
};

/// Why the history allows no predictions; nothing if it does: then `sessions` is what they keep.
[[nodiscard]] Flaw find_kept_sessions(const History& history, KeptSessions& sessions);

}  // namespace elapid::certify
