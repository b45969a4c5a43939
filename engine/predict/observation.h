// The input of a prediction: the committed transactions of a history, and the writer of each read.
//
//   s1: r(x, nil) w(x, 1)      transaction 1: reads x from 0, writes x
//   s2: r(x, 1) w(x, 2)        transaction 2: reads x from 1, writes x
//
// A read of a list also names the writers of the elements before the last one. Its own elements, at
// the list's end, do not count (docs/levels.md).
//
// Transaction 0 is the initial one: it writes every key. Geng, Blanas, Bond, Wang, "IsoPredict"
// (PLDI 2024), section 2.1: reads after own writes are no events, and of several writes of a key in
// a transaction the last is one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid::predict {

/// The number of the initial transaction.
inline constexpr std::uint32_t kInitial = 0;

struct ObservedEvent {
  KeyId key = {};
  bool is_write = false;
  std::uint32_t writer = kInitial;       ///< of a read: the number of the transaction it read from
  std::uint32_t op = 0;                  ///< its place among History::ops()
  std::vector<std::uint32_t> list = {};  ///< of a read list: the writers of its elements, in order
};

struct ObservedTxn {
  TxnId txn = {};
  SessionId session = {};
  std::uint32_t before = kInitial;         ///< the one before it in its session
  std::vector<ObservedEvent> events = {};  ///< in program order

  /// Whether it writes the key in its first `count` events.
  [[nodiscard]] bool writes(KeyId key, std::size_t count) const;
};

struct Observation {
  bool has_lists = false;
  std::vector<ObservedTxn> txns = {};  ///< by number; the first is the initial one
  std::vector<std::vector<std::uint32_t>> writers = {};   ///< by key, without the initial one
  std::vector<std::vector<std::uint32_t>> sessions = {};  ///< each session's transactions in order
  std::vector<TxnId> left_out = {};  ///< aborted, or of unknown fate and unread
  std::vector<TxnId> taken_in = {};  ///< of unknown fate, but one that takes part read from it
};

/// What a transaction writes to a key, in program order.
[[nodiscard]] std::vector<ValueId> written(const History& history, TxnId txn, KeyId key);

/// What a register holds before any write; none() where nothing is known of it.
[[nodiscard]] ValueId initial_value(const History& history, KeyId key);

/// `transaction 3 of session 0`.
[[nodiscard]] std::string place(const History& history, TxnId txn);

/// O(operations log operations), of lists also elements squared at worst. Error: kUsage, with the
/// reason, if a read has no certain writer, or if no execution of whole transactions explains it.
[[nodiscard]] Result<Observation> observe(const History& history);

}  // namespace elapid::predict
