// The order of a register's versions that the assumptions give (docs/elle-rules.md).
//
// A read of a register shows one version, and not the versions before it. Assumptions order them:
//
// - the initial state comes first, if no transaction writes that value;
// - a transaction that reads one version and writes another puts them in order (wfr-keys);
// - each session (sequential-keys) or real time (linearizable-keys) sees versions in order;
// - the caller says in which order transactions took effect (transaction order).
//
// All pairs that an assumption orders count, not only neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/operations/writers.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// 12 bytes an external read or write if keys are sequential or linearizable, otherwise none. A
/// look-up costs O(log operations) and the transactions that show the two versions.
class RegisterVersions {
 public:
  RegisterVersions(const History& history, const Assumptions& assumptions, const Writers& writers,
                   const std::vector<bool>& trusted);

  [[nodiscard]] bool is_assumed(VersionSource source) const;

  /// Whether several versions may have this value: several transactions that did not abort wrote
  /// it, or one did and it is the initial value. Never by Elle's rules.
  [[nodiscard]] bool is_ambiguous(KeyId key, ValueId value) const;

  /// Whether an assumption puts `before` before `after`. An ambiguous value is before no version,
  /// and only after the initial state.
  [[nodiscard]] bool precedes(KeyId key, ValueId before, ValueId after) const;

  /// Whether the assumption of this source does.
  [[nodiscard]] bool precedes(KeyId key, ValueId before, ValueId after, VersionSource source) const;

 private:
  void index_transaction(TxnId txn, std::vector<TxnId>& last_reader,
                         std::vector<TxnId>& last_writer);
  [[nodiscard]] std::span<const Write> showing(KeyId key, ValueId value) const;
  [[nodiscard]] bool follows_read(KeyId key, ValueId before, ValueId after) const;
  [[nodiscard]] bool in_session_order(KeyId key, ValueId before, ValueId after) const;
  [[nodiscard]] bool in_real_time(KeyId key, ValueId before, ValueId after) const;
  [[nodiscard]] bool in_transaction_order(KeyId key, ValueId before, ValueId after) const;

  [[nodiscard]] ValueId initial(KeyId key) const;
  [[nodiscard]] ValueId version(KeyId key, ValueId value) const;

  const History& history_;
  const Assumptions& assumptions_;
  const Writers& writers_;
  const std::vector<bool>& trusted_;
  // The trusted transactions that show a version to others: they read it first or wrote it last.
  // Ordered by version, session and transaction.
  std::vector<Write> showings_;
  std::vector<std::pair<std::int64_t, std::int64_t>> places_;  // by index of the completion
};

}  // namespace elapid::certify
