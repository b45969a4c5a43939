// The order of sessions whose transactions are numbered (`seq`) and come in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// First hears of all transactions, then tells them to wait until their turn. 16 bytes for each
/// that has a number.
class SessionSequence {
 public:
  /// First round: notes the next transaction of the input.
  void note(const TimekillerTxn& txn, std::int64_t session);

  /// To be called between the rounds.
  void sort();

  /// Second round, which goes through the same transactions: adds this one by `add(txn)`, which
  /// returns a Status, and then those of its session that waited for it; or keeps a copy until its
  /// turn comes. Without numbers the order is that of the input. Error kMalformed: a number that is
  /// missing or that the session has twice; those of `add`.
  template <class Add>
  Status take(const TimekillerTxn& txn, std::int64_t session, Add add) {
    Session& own = sessions_[session];
    ELAPID_RETURN_IF_ERROR(check(own, txn));
    if (txn.sequence && txn.sequence != own.turn()) {
      own.waiting.emplace(*txn.sequence, txn);
      return {};
    }
    Status status = add(txn);
    while (status.ok() && own.pass()) {
      status = add(own.waiting.begin()->second);
      own.waiting.erase(own.waiting.begin());
    }
    return status;
  }

  /// After a break in the input: adds what still waits for transactions behind it, session by
  /// session.
  template <class Add>
  Status take_waiting(Add add) {
    for (auto& [session, own] : sessions_) {
      for (const auto& [number, txn] : own.waiting) {
        ELAPID_RETURN_IF_ERROR(add(txn, session));
      }
      own.waiting.clear();
    }
    return {};
  }

 private:
  struct Session {
    std::vector<std::int64_t> numbers = {};  // ascending after sort()
    std::size_t next = 0;                    // in numbers
    std::map<std::int64_t, TimekillerTxn> waiting = {};

    [[nodiscard]] std::optional<std::int64_t> turn() const {
      return next < numbers.size() ? std::optional(numbers[next]) : std::nullopt;
    }

    bool pass();
  };

  static Status check(const Session& session, const TimekillerTxn& txn);

  std::map<std::int64_t, Session> sessions_;
};

}  // namespace elapid
