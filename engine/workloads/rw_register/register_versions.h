// Versions of registers: the writers and the readers of each value of each key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/infer/txn_rows.h"
#include "engine/infer/write_index.h"
#include "engine/ir/history.h"

namespace elapid {

// External reads and writes: those that others can see, or that depend on others.

/// A transaction's external operations on one key.
struct ExternalOp {
  KeyId key;
  /// The value of the first operation on the key, if it is a read; else none(). In an indeterminate
  /// transaction nil means unknown, hence none() too.
  ValueId read = ValueId::none();
  /// The last written value; none() if there is none.
  ValueId write = ValueId::none();
};

/// External operations of each transaction, one entry a key, by first touch. Linear.
class ExternalOps {
 public:
  explicit ExternalOps(const History& history);

  [[nodiscard]] std::span<const ExternalOp> of(TxnId txn) const {
    return std::span(ops_).subspan(begin_[txn.index()],
                                   begin_[txn.index() + 1] - begin_[txn.index()]);
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<ExternalOp> ops_;
};

/// A version: a value of a key. Numbered by first appearance in external operations.
using VersionId = Id<struct VersionTag>;

/// Versions with their external writers and readers. Only transactions that dependencies may
/// involve count: committed ones, and indeterminate ones that alone wrote a value that was read.
class RegisterVersions {
 public:
  explicit RegisterVersions(const History& history);

  [[nodiscard]] const ExternalOps& external() const { return external_; }

  [[nodiscard]] const WriteIndex& writes() const { return writes_; }

  [[nodiscard]] bool believed(TxnId txn) const { return believed_[txn.index()]; }

  [[nodiscard]] const std::vector<bool>& all_believed() const { return believed_; }

  [[nodiscard]] std::size_t count() const { return values_.size(); }

  /// The version; none() if no external operation of a committed or indeterminate transaction shows
  /// it.
  [[nodiscard]] VersionId find(KeyId key, ValueId value) const;

  [[nodiscard]] KeyId key(VersionId version) const { return keys_[version.index()]; }

  /// The version's value. Of the initial state: HistoryInfo::initial, also if reads show nil.
  [[nodiscard]] ValueId value(VersionId version) const { return values_[version.index()]; }

  [[nodiscard]] std::span<const TxnId> writers(VersionId version) const {
    return writers_.of(version);
  }

  [[nodiscard]] std::span<const TxnId> readers(VersionId version) const {
    return readers_.of(version);
  }

  /// The key's value before the first write: HistoryInfo::initial, or the value by the recorded
  /// initial transaction; none() if neither is known.
  [[nodiscard]] ValueId initial(KeyId key) const {
    return initial_values_.empty() ? history_.info().initial : initial_values_[key.index()];
  }

  /// Whether reads of this value do not determine their writer: it was written twice, or it was
  /// written and is also the initial value.
  [[nodiscard]] bool ambiguous(KeyId key, ValueId value) const;

  [[nodiscard]] bool ambiguous(VersionId version) const { return ambiguous_[version.index()]; }

 private:
  void find_initial();
  void find_believed();
  void number_versions();
  [[nodiscard]] VersionId number(KeyId key, ValueId value);
  [[nodiscard]] ValueId name(KeyId key, ValueId value) const;

  /// Prefetches the version's slot; inlined by force, as in WriteIndex.
  [[gnu::always_inline]] void prefetch(KeyId key, ValueId value) const {
    const std::size_t begin = table_begin_[key.index()];
    __builtin_prefetch(table_.data() + begin +
                       place_of_value(value, table_begin_[key.index() + 1] - begin));
  }

  void mark_ambiguous();
  [[nodiscard]] std::size_t slot_of(KeyId key, ValueId value) const;

  const History& history_;
  WriteIndex writes_;
  ExternalOps external_;
  std::vector<ValueId> initial_values_;  // by key; empty if no initial transaction wrote them
  std::vector<bool> believed_;
  std::vector<std::size_t> table_begin_;  // with an end entry; each table has a free slot
  std::vector<VersionId> table_;
  std::vector<KeyId> keys_;  // by version
  std::vector<ValueId> values_;
  std::vector<bool> ambiguous_;
  TxnRows<VersionId> writers_;
  TxnRows<VersionId> readers_;
};

}  // namespace elapid
