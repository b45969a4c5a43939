// Places of transactions in a commit order, and the contents of lists after each transaction.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/external_reads.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// The transactions that session order binds at a saturable level.
enum class SessionBound : std::uint8_t {
  kAll,
  kWriters,   ///< transactions that write, among themselves
  kReadFrom,  ///< transactions that a session read from come before its later writers
  kNone,
};

[[nodiscard]] SessionBound session_bound(OrderLevel level);

/// Looks at each commit for a transaction that started earlier and was invoked later. The order has
/// no other starts if transactions start at their commits.
[[nodiscard]] Flaw check_real_time(const History& history, std::span<const OrderEvent> order,
                                   bool starts_at_commit);

class CommitPlaces {
 public:
  /// Checks that the order has all committed transactions once, and no aborted ones; that a
  /// recorded initial transaction is first; and session order and real time.
  [[nodiscard]] Flaw read(const History& history, OrderLevel level,
                          std::span<const OrderEvent> order);

  /// Whether the transaction exists and is in the order.
  [[nodiscard]] bool has(TxnId txn) const {
    return txn.index() < place_.size() && place_[txn.index()] != kNowhere;
  }

  /// Requires has(txn).
  [[nodiscard]] std::uint32_t of(TxnId txn) const { return place_[txn.index()]; }

  [[nodiscard]] std::span<const OrderEvent> order() const { return order_; }

  /// Whether the session order of all transactions leads forward.
  [[nodiscard]] bool keeps_sessions(const History& history) const {
    return bound_ == SessionBound::kAll || !check_sessions(history, SessionBound::kAll);
  }

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] Flaw check_presence(const History& history) const;
  [[nodiscard]] Flaw check_sessions(const History& history, SessionBound bound) const;

  std::span<const OrderEvent> order_;
  std::vector<std::uint32_t> place_;
  SessionBound bound_ = SessionBound::kNone;  // what read() has found to be kept
};

/// The versions of lists that a commit order makes. Empty for registers.
class ListVersionsInOrder {
 public:
  ListVersionsInOrder(const History& history, const CommitPlaces& places);

  /// Whether the read shows the list as `writer`, which must write the key, left it. Linear over
  /// all reads while lists are prefixes of one another.
  [[nodiscard]] bool agrees(const KeyRead& read, TxnId writer) const;

 private:
  struct Append {
    KeyId key;
    std::uint32_t place = 0;  ///< of the transaction in the order
    ValueId element;
  };

  const History& history_;
  const CommitPlaces& places_;
  bool is_list_;
  std::vector<Append> appends_;              // by key, then in order
  std::vector<std::uint32_t> begin_;         // by key
  std::vector<std::uint32_t> trunk_agrees_;  // by key: how many elements equal the trunk's
};

}  // namespace elapid::certify
