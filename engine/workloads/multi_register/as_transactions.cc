// The transactions of multi-register as those of rw-register, for the engines that decide levels.
//
//   [[:read :x nil] [:read :y 0] [:write :z 1]], where nothing writes 0 to y before it
//     becomes   [[:r unread nil] [:r :y nil] [:w :z 1]]
//
// The numbers of transactions, sessions, keys, values and operations stay, so that evidence speaks
// of both histories. Operations of transactions that failed are left out. A read that shows nothing
// reads a key of its own, which nothing writes.
//
// What a register holds at first is known if it is given, or if a read shows a value that nothing
// can have written before. Else some read may show what was there at first or what another one
// wrote: one that no write of its register precedes in time. Without real time, any write can come
// before, and none precedes a read.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNever = 0xffffffffU;

/// The place of an invocation, counted from 1; 0 if it is missing.
std::uint32_t invoked(const History& history, TxnId txn) {
  return history.has_invocation(txn) ? history.invocation_id(txn).value + 1 : 0;
}

std::uint32_t returned(const History& history, TxnId txn) {
  return history.committed(txn) ? history.completion_id(txn).value + 1 : kNever;
}

/// Calls `see` with each read of a committed transaction that shows a value and does not follow a
/// write of its key in the transaction.
template <class See>
void for_external_reads(const History& history, TxnId txn, const See& see) {
  const std::span<const Op> ops = history.committed(txn) ? history.ops(txn) : std::span<const Op>();
  for (std::size_t mop = 0; mop < ops.size(); ++mop) {
    const auto writes_it = [&](const Op& op) {
      return op.is_write() && op.key() == ops[mop].key();
    };
    if (ops[mop].is_read() && !ops[mop].value().is_nil() &&
        std::ranges::none_of(ops.first(mop), writes_it)) {
      see(mop, ops[mop]);
    }
  }
}

/// When values can have been there, and what registers hold at first.
class FirstValues {
 public:
  FirstValues(const History& history, bool in_real_time)
      : history_(history),
        in_real_time_(in_real_time),
        first_return_(history.key_count(), kNever),
        known_(history.key_count(), history.info().initial) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (history.status(txn) != TxnStatus::kAborted) {
        note_writes(txn);
      }
    }
    if (history.info().initial.is_nil()) {
      std::ranges::fill(known_, ValueId::none());
      for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
        note_reads(txn);
      }
    }
  }

  /// What all registers hold at first of which it is known; nil if they differ, or none is.
  [[nodiscard]] ValueId common() const {
    ValueId common = ValueId::nil();
    for (const ValueId value : known_) {
      if (!value.is_none() && !common.is_nil() && value != common) {
        return ValueId::nil();
      }
      common = value.is_none() ? common : value;
    }
    return common;
  }

  [[nodiscard]] ValueId known(KeyId key) const { return known_[key.index()]; }

  /// Whether nothing can have written the value before the transaction returned.
  [[nodiscard]] bool is_unwritten(TxnId txn, const Op& read) const {
    const auto write = first_write_.find({read.key().value, read.value().bits()});
    return write == first_write_.end() ||
           (in_real_time_ && write->second > returned(history_, txn));
  }

  /// Whether no write of the register precedes the transaction.
  [[nodiscard]] bool is_early(TxnId txn, KeyId key) const {
    return !in_real_time_ || invoked(history_, txn) < first_return_[key.index()];
  }

 private:
  void note_writes(TxnId txn) {
    for (const Op& op : history_.ops(txn)) {
      if (op.is_write()) {
        std::uint32_t& first_return = first_return_[op.key().index()];
        first_return = std::min(first_return, returned(history_, txn));
        std::uint32_t& first =
            first_write_.try_emplace({op.key().value, op.value().bits()}, kNever).first->second;
        first = std::min(first, invoked(history_, txn));
      }
    }
  }

  void note_reads(TxnId txn) {
    for_external_reads(history_, txn, [&](std::size_t /*mop*/, const Op& read) {
      ValueId& known = known_[read.key().index()];
      if (known.is_none() && is_unwritten(txn, read)) {
        known = read.value();
      }
    });
  }

  const History& history_;
  bool in_real_time_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first_write_;  // key and value
  std::vector<std::uint32_t> first_return_;                                       // by key
  std::vector<ValueId> known_;                                                    // by key
};

class AsTransactions {
 public:
  AsTransactions(const History& history, bool in_real_time)
      : history_(history),
        in_real_time_(in_real_time),
        beginnings_(history, in_real_time),
        initial_(beginnings_.common()) {
    builder_.values() = history.values();
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      builder_.key(history.key_value(key));
    }
    std::string name = ":elapid/unread";
    do {
      unread_ = builder_.key(builder_.values().intern(name));
      name += '-';
    } while (unread_.index() < history.key_count());
  }

  /// `keeps_doubtful`: whether reads that may show what was there at first show what was written.
  Result<History> make(bool keeps_doubtful) && {
    for (const auto& [event, txn] : events()) {
      ELAPID_RETURN_IF_ERROR(add(event, txn, keeps_doubtful));
    }
    return std::move(builder_).build({.workload = Workload::kRwRegister, .initial = initial_});
  }

  [[nodiscard]] bool is_doubtful(TxnId txn, const Op& read) const {
    const ValueId known = beginnings_.known(read.key());
    const bool may_be_first = known.is_none() || (known != initial_ && known == read.value());
    return may_be_first && !beginnings_.is_unwritten(txn, read) &&
           beginnings_.is_early(txn, read.key());
  }

 private:
  [[nodiscard]] std::vector<std::pair<EventId, TxnId>> events() const {
    std::vector<std::pair<EventId, TxnId>> events;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.has_invocation(txn)) {
        events.emplace_back(history_.invocation_id(txn), txn);
      }
      if (history_.has_completion(txn)) {
        events.emplace_back(history_.completion_id(txn), txn);
      }
    }
    std::ranges::sort(events);
    return events;
  }

  Status add(EventId event, TxnId txn, bool keeps_doubtful) {
    const std::vector<MopInput> mops = mops_of(txn, keeps_doubtful);
    const bool is_invoked = history_.has_invocation(txn) && event == history_.invocation_id(txn);
    const bool is_nothing = mops.empty();
    const EventType end = is_nothing                ? EventType::kFail
                          : history_.committed(txn) ? EventType::kOk
                                                    : EventType::kInfo;
    return builder_.add_event(
        {.type = is_invoked ? EventType::kInvoke : end, .process = process_of(txn), .mops = mops});
  }

  /// In real time, one without an invocation may have begun before all others, also of its process.
  [[nodiscard]] std::int64_t process_of(TxnId txn) const {
    return !in_real_time_ || history_.has_invocation(txn)
               ? history_.session_name(history_.session(txn))
               : std::numeric_limits<std::int64_t>::min() + std::int64_t{txn.value};
  }

  /// None for a transaction that did nothing, or shows nothing.
  std::vector<MopInput> mops_of(TxnId txn, bool keeps_doubtful) const {
    std::vector<MopInput> mops;
    const std::span<const Op> ops = history_.ops(txn);
    const bool shows = history_.committed(txn);
    const auto tells = [&](const Op& op) {
      return op.is_write() || (shows && !op.value().is_nil());
    };
    if (history_.status(txn) == TxnStatus::kAborted || std::ranges::none_of(ops, tells)) {
      return mops;
    }
    for (const Op& op : ops) {
      mops.push_back(tells(op) ? MopInput{.kind = op.kind(), .key = op.key(), .value = op.value()}
                               : MopInput{.kind = OpKind::kRead, .key = unread_});
    }
    for_external_reads(history_, txn, [&](std::size_t mop, const Op& read) {
      const bool is_first =
          read.value() == beginnings_.known(read.key()) && beginnings_.is_unwritten(txn, read);
      if (is_first && read.value() != initial_) {
        mops[mop].value = ValueId::nil();
      } else if (!keeps_doubtful && is_doubtful(txn, read)) {
        mops[mop] = {.kind = OpKind::kRead, .key = unread_};
      }
    });
    return mops;
  }

  const History& history_;
  bool in_real_time_;
  FirstValues beginnings_;
  ValueId initial_;
  HistoryBuilder builder_;
  KeyId unread_;  // none of the history
};

bool have_equal_numbers(const History& one, const History& other, bool in_real_time) {
  if (one.txn_count() != other.txn_count()) {
    return false;
  }
  for (TxnId txn{0}; txn.index() < one.txn_count(); ++txn.value) {
    const auto name = [&](const History& history) {
      return history.session_name(history.session(txn));
    };
    const bool keeps_process = !in_real_time || one.has_invocation(txn);
    if ((keeps_process && name(one) != name(other)) ||
        one.has_invocation(txn) != other.has_invocation(txn) ||
        one.has_completion(txn) != other.has_completion(txn)) {
      return false;
    }
  }
  return true;
}

bool has_doubtful_read(const History& history, const AsTransactions& made) {
  bool has_one = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for_external_reads(history, txn, [&](std::size_t /*mop*/, const Op& read) {
      has_one = has_one || made.is_doubtful(txn, read);
    });
  }
  return has_one;
}

}  // namespace

Result<RegisterTransactions> transactions_of_multi_register(const History& history,
                                                            bool in_real_time) {
  if (std::ranges::any_of(history.all_ops(),
                          [](const Op& op) { return op.is_write() && op.value().is_nil(); })) {
    return Error{.message = "nil is written, and a read of it may show anything"};
  }
  AsTransactions made(history, in_real_time);
  const bool is_exact = !has_doubtful_read(history, made);
  ELAPID_ASSIGN_OR_RETURN(History necessary, std::move(made).make(false));
  if (!have_equal_numbers(history, necessary, in_real_time)) {
    return Error{.message = "its transactions have other numbers as those of rw-register"};
  }
  RegisterTransactions transactions = {.necessary = std::move(necessary)};
  if (!is_exact) {
    ELAPID_ASSIGN_OR_RETURN(transactions.sufficient,
                            AsTransactions(history, in_real_time).make(true));
  }
  return transactions;
}

}  // namespace elapid
