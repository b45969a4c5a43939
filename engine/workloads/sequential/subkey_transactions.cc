#include "engine/workloads/sequential/subkey_transactions.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/ir/history_builder.h"
#include "engine/workloads/sequential/subkeys.h"

namespace elapid {

namespace {

class SubkeyTransactions {
 public:
  explicit SubkeyTransactions(const History& history) : history_(history) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (shows_subkeys(txn)) {
        const std::span<const Op> ops = history.ops(txn);
        std::size_t& most = subkeys_of_[ops.front().value()];
        most = std::max(most, history.elements(ops.back()).size());
      }
    }
  }

  Result<History> make() && {
    for (std::uint32_t session = 0; session < history_.session_count(); ++session) {
      session_ = session;
      for (const TxnId txn : history_.session_txns(SessionId{session})) {
        ELAPID_RETURN_IF_ERROR(add(txn));
      }
    }
    return std::move(builder_).build({.workload = Workload::kRwRegister,
                                      .has_real_time = false,
                                      .has_process = history_.info().has_process,
                                      .is_session_trace = true});
  }

 private:
  [[nodiscard]] bool shows_subkeys(TxnId txn) const {
    const std::span<const Op> ops = history_.ops(txn);
    return history_.committed(txn) && ops.size() == 2 && ops.back().kind() == OpKind::kReadList;
  }

  Status add(TxnId txn) {
    const std::span<const Op> ops = history_.ops(txn);
    if (ops.empty() || subkeys_of(ops.front().value()) == 0) {
      return {};
    }
    if (ops.size() == 1) {
      return add_writes(txn, ops.front().value());
    }
    return ops.back().kind() == OpKind::kAppend ? add_addition(txn, ops)
           : shows_subkeys(txn)                 ? add_reads(ops)
                                                : Status();
  }

  /// The greatest number of the key's subkeys that a read shows.
  [[nodiscard]] std::size_t subkeys_of(ValueId key) const {
    const auto most = subkeys_of_.find(key);
    return most == subkeys_of_.end() ? 0 : most->second;
  }

  Status add_addition(TxnId txn, std::span<const Op> ops) {
    const ValueId key = ops.front().value();
    const std::optional<std::size_t> number = number_of(key, ops.back().value());
    if (!number) {
      return Error{.message = "the names of subkeys do not contain their numbers"};
    }
    return *number < subkeys_of(key) ? add_write(key, *number, history_.status(txn)) : Status();
  }

  /// The number in a subkey's name: 2 for "7_2" of key 7.
  [[nodiscard]] std::optional<std::size_t> number_of(ValueId key, ValueId subkey) const {
    const std::string text = history_.text(subkey);
    const std::size_t begin = text.rfind('_') + 1;
    std::size_t number = 0;
    const auto parsed = std::from_chars(text.data() + begin, text.data() + text.size(), number);
    const bool is_number = begin > 0 && parsed.ec == std::errc();
    return is_number && sequential::subkey_name(history_, key, number) == text
               ? std::optional(number)
               : std::nullopt;
  }

  Status add_writes(TxnId txn, ValueId key) {
    const TxnStatus status =
        history_.committed(txn) ? TxnStatus::kCommitted : TxnStatus::kIndeterminate;
    Status added;
    for (std::size_t number = 0; number < subkeys_of(key) && added.ok(); ++number) {
      added = add_write(key, number, status);
    }
    return added;
  }

  Status add_write(ValueId key, std::size_t number, TxnStatus status) {
    return add_transaction(
        status, {.kind = OpKind::kWrite, .key = subkey(key, number), .value = ValueId::integer(1)});
  }

  /// Adds a read of each subkey, newest first, as they are shown.
  Status add_reads(std::span<const Op> ops) {
    const std::span<const ValueId> shown = history_.elements(ops.back());
    Status added;
    for (std::size_t i = 0; i < shown.size() && added.ok(); ++i) {
      added = add_transaction(TxnStatus::kCommitted,
                              {.key = subkey(ops.front().value(), shown.size() - 1 - i),
                               .value = shown[i].is_nil() ? ValueId::nil() : ValueId::integer(1)});
    }
    return added;
  }

  Status add_transaction(TxnStatus status, MopInput mop) {
    return builder_.add_transaction({.session = session_, .status = status, .mops = {&mop, 1}});
  }

  KeyId subkey(ValueId key, std::size_t number) {
    const auto name = ValueId::integer(static_cast<std::int64_t>(keys_.size()));
    const auto [known, is_new] = keys_.try_emplace({key, number}, KeyId{});
    if (is_new) {
      known->second = builder_.key(name);
    }
    return known->second;
  }

  const History& history_;
  HistoryBuilder builder_;
  std::unordered_map<ValueId, std::size_t> subkeys_of_;
  std::map<std::pair<ValueId, std::size_t>, KeyId> keys_;
  std::int64_t session_ = 0;
};

}  // namespace

Result<History> transactions_of_subkeys(const History& history, const JudgeRequest& /*request*/) {
  return SubkeyTransactions(history).make();
}

}  // namespace elapid
