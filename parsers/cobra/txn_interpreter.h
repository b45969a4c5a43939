// Turns records into operations of the history: resolves ids, and checks that all logs agree on
// each version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"
#include "engine/ir/result.h"
#include "parsers/cobra/log_record.h"
#include "parsers/cobra/version_table.h"
#include "parsers/traces/id_numbers.h"
#include "parsers/traces/int_keys.h"

namespace elapid::cobra {

/// A write that a read names and that no log has.
struct UnrecordedWrite {
  std::uint64_t writer = 0;
  std::uint64_t write = 0;
  KeyId key = {};
  ValueId value = ValueId::none();
  SourcePosition reader = {};  ///< the first transaction that read it
};

/// One object for all logs of a history.
class TxnInterpreter {
 public:
  struct Counts {
    std::uint64_t initial_writes = 0;  ///< left-out records of the initial state
    std::uint64_t deletes = 0;
  };

  /// Adds keys and values to the borrowed `builder`. `initial`: the value of reads of the initial
  /// state. `is_universal`: whether values alone tell writes apart; if absent, the first operation
  /// decides. Reserves room for `expected_versions`, at least about two a transaction.
  TxnInterpreter(HistoryBuilder& builder, ValueId initial, std::optional<bool> is_universal,
                 std::size_t expected_versions)
      : builder_(builder),
        initial_(initial),
        is_universal_(is_universal),
        keys_(builder),
        txn_ids_(expected_versions / 2),
        versions_(expected_versions) {}

  /// Begins a block, whose transactions are interpreted in order; borrowed until the next begin().
  void begin(const LogBlock& block, Layout layout);

  /// The operations of a transaction of the block, valid until the next call. Nothing if there is
  /// an error(): the transaction, or an operation of it, contradicts an earlier one. Then the
  /// transaction counts as not seen.
  std::optional<std::span<const MopInput>> interpret(const TxnRecord& txn);

  [[nodiscard]] const Error& error() const { return error_; }

  /// Whether a transaction of this id was interpreted.
  [[nodiscard]] bool has_seen(std::uint64_t txn) const {
    const auto id = static_cast<std::int64_t>(txn);
    return txn_ids_.find(id) != IntMap::kAbsent && taken_back_.find(id) == IntMap::kAbsent;
  }

  [[nodiscard]] std::optional<bool> is_universal() const { return is_universal_; }

  [[nodiscard]] const Counts& counts() const { return counts_; }

  /// Whether some read so far names a write that no log has.
  [[nodiscard]] bool misses_writes() const { return unrecorded_ > 0; }

  /// For a second pass, after all logs were read: adds those unrecorded writes that the current
  /// block is the first to name.
  void take_unrecorded(std::uint16_t file, std::vector<UnrecordedWrite>& out);

 private:
  enum class Meaning : std::uint8_t { kVersion, kValueHash, kInitial, kDelete, kContradiction };

  void prefetch_new_values();
  KeyId key(const OpRecord& op);
  Meaning meaning(const OpRecord& op);
  Meaning meaning_of_write(std::uint64_t write);
  bool add(std::size_t operation);
  ValueId value_of_version(const OpRecord& op, KeyId key);
  void take_back(const TxnRecord& txn, std::size_t operations);
  [[nodiscard]] std::uint64_t offset_of(const TxnRecord& txn, std::size_t operation) const;

  HistoryBuilder& builder_;
  ValueId initial_;
  std::optional<bool> is_universal_;
  const LogBlock* block_ = nullptr;
  Layout layout_;
  IntKeys keys_;
  IdNumbers txn_ids_;  // in the order of interpretation
  IntMap taken_back_;  // those that contradicted earlier ones
  VersionTable versions_;
  std::uint64_t unrecorded_ = 0;   // versions that only reads name
  std::vector<KeyId> block_keys_;  // of the block's operations
  std::vector<MopInput> mops_;     // of the current transaction, mop_count_ of them
  std::size_t mop_count_ = 0;
  std::string text_;  // of a key
  Counts counts_;
  std::string problem_;  // of the current operation
  Error error_;
};

}  // namespace elapid::cobra
