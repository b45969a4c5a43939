// The facts of a history that checks of evidence need, indexed once.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/certify/anomalies/list_versions.h"
#include "engine/certify/anomalies/register_versions.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/shown_elements.h"
#include "engine/certify/operations/writers.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// Refers to the history and the assumptions. For one thread: some parts are made on first use.
class Index {
 public:
  Index(const History& history, const Assumptions& assumptions, bool list_append);
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] bool list_append() const { return list_append_; }

  /// Whether evidence is re-checked by Elle's rules: lists keep the reader's own elements, and nil
  /// and the initial value are different states.
  [[nodiscard]] bool elle_compat() const { return elle_compat_; }

  /// Whether operations on a key are assumed to follow sessions or real time.
  [[nodiscard]] bool orders_keys() const { return orders_keys_; }

  /// Whether the history has this transaction.
  [[nodiscard]] bool has(TxnId txn) const { return txn.index() < history_.txn_count(); }

  [[nodiscard]] bool has(KeyId key) const { return key.index() < history_.key_count(); }

  [[nodiscard]] bool has_committed(TxnId txn) const { return has(txn) && history_.committed(txn); }

  /// Whether evidence may rely on the transaction having taken effect.
  [[nodiscard]] bool trusted(TxnId txn) const { return trusted_[txn.index()]; }

  [[nodiscard]] const Writers& writers() const { return writers_; }

  /// Whether a register with this value may be unwritten. Never with `elle_compat`: Elle believes
  /// that a read of a written value saw that write.
  [[nodiscard]] bool may_be_initial(ValueId value) const {
    return !list_append_ && !elle_compat_ && history_.is_initial(value);
  }

  /// Others' elements of lists in the reads of trusted transactions.
  [[nodiscard]] const ListVersions& lists() const { return lists_; }

  /// The same in the reads of all transactions, aborted ones included.
  [[nodiscard]] const ListVersions& all_lists() const;

  /// The first place of the element in the list of a kReadList; nothing if it is missing.
  [[nodiscard]] std::optional<std::size_t> place_in_list(Op read, ValueId element) const {
    return shown_elements_.place(read, element);
  }

  [[nodiscard]] const RegisterVersions& registers() const { return registers_; }

 private:
  const History& history_;
  bool list_append_;
  bool elle_compat_;
  bool orders_keys_;
  Writers writers_;
  std::vector<bool> trusted_;
  ListVersions lists_;
  mutable std::optional<ListVersions> all_lists_;
  mutable ShownElements shown_elements_;
  RegisterVersions registers_;
};

}  // namespace elapid::certify
