// Makes a History of Viper's transactions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/options.h"
#include "parsers/traces/int_keys.h"
#include "parsers/viper/viper_txn.h"

namespace elapid {

/// Holds all transactions until the end, because only then the values without a writer are known.
/// As in Viper, a read of such a value saw the initial state.
class ViperHistory {
 public:
  ViperHistory() : keys_(builder_) {}

  [[nodiscard]] HistoryBuilder& builder() { return builder_; }

  [[nodiscard]] ValuePool& values() { return builder_.values(); }

  KeyId key(std::int64_t name) { return counted(keys_.key(name)); }

  KeyId key(ValueId name) { return counted(builder_.key(name)); }

  /// Adds a transaction of this session, or the initial one, and may move its operations away.
  /// Error kMalformed for a second initial transaction.
  Status add(ViperTxn& txn, std::int64_t session);

  /// The number of transactions added.
  [[nodiscard]] std::size_t size() const { return txns_.size() + (has_initial_ ? 1 : 0); }

  /// The history; `info` must be complete except for the facts from the transactions. Error: the
  /// builder's, or that of ReadOptions::initial.
  Result<History> finish(const ReadOptions& options, HistoryInfo info) &&;

 private:
  struct Stored {
    std::int64_t session = 0;
    SourcePosition position = {};
    std::size_t first_mop = 0;
    std::size_t mop_count = 0;
  };

  void keep(ViperTxn& txn);
  [[nodiscard]] Workload workload(const ReadOptions& options) const;
  void read_as_lists();
  void read_as_registers();
  std::size_t find_initial_reads();
  Status hand_over_initial();
  Status hand_over_others();
  void describe(HistoryInfo& info) const;

  KeyId counted(KeyId key) {
    first_values_.resize(std::max(first_values_.size(), key.index() + 1));
    return key;
  }

  static std::uint64_t pack(KeyId key, ValueId value) {
    return (std::uint64_t{key.value} << 32) | value.bits();
  }

  HistoryBuilder builder_;
  IntKeys keys_;
  std::vector<Stored> txns_;
  GrowingVector<MopInput> mops_;
  GrowingVector<ValueId> elements_;
  bool has_initial_ = false;
  SourcePosition initial_position_;
  std::vector<ValueId> first_values_;  // of the initial transaction, by key; or none()
  ValueId initial_ = ValueId::nil();
  std::size_t failed_writes_ = 0;
  std::size_t ranges_ = 0;
  std::size_t deletes_ = 0;
};

}  // namespace elapid
