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

/// A write that a read names and no log has.
struct UnrecordedWrite {
  std::uint64_t writer = 0;
  std::uint64_t write = 0;
  KeyId key = {};
  ValueId value = ValueId::none();
  SourcePosition reader = {};  ///< the first transaction that read it
};

/// Of all logs of one history.
class TxnInterpreter {
 public:
  struct Counts {
    std::uint64_t initial_writes = 0;  ///< records of what was there before, left out
    std::uint64_t deletes = 0;
  };

  /// Adds keys and values to `builder`, which is borrowed. `initial` is what reads of the initial
  /// state see. `is_universal` is whether values alone tell writes apart; if absent, the first
  /// operation tells. Room is made for `expected_versions`, about two a transaction at least.
  TxnInterpreter(HistoryBuilder& builder, ValueId initial, std::optional<bool> is_universal,
                 std::size_t expected_versions)
      : builder_(builder),
        initial_(initial),
        is_universal_(is_universal),
        keys_(builder),
        txn_ids_(expected_versions / 2),
        versions_(expected_versions) {}

  /// The block whose transactions come next, to be interpreted in order; borrowed until the next.
  void begin(const LogBlock& block, Layout layout);

  /// The operations of a transaction of the block, valid until the next call; nothing if there is
  /// an error(): it, or an operation of it, contradicts what came before. Then the transaction
  /// counts as not seen.
  std::optional<std::span<const MopInput>> interpret(const TxnRecord& txn);

  [[nodiscard]] const Error& error() const { return error_; }

  /// Whether a transaction of this id was interpreted.
  [[nodiscard]] bool has_seen(std::uint64_t txn) const {
    const auto id = static_cast<std::int64_t>(txn);
    return txn_ids_.find(id) != IntMap::kAbsent && taken_back_.find(id) == IntMap::kAbsent;
  }

  [[nodiscard]] std::optional<bool> is_universal() const { return is_universal_; }

  [[nodiscard]] const Counts& counts() const { return counts_; }

  /// Whether some read names a write that no log has, as far as logs were read.
  [[nodiscard]] bool misses_writes() const { return unrecorded_ > 0; }

  /// When all logs were read and are passed over again: adds those writes that the block begun last
  /// is the first to name.
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
  IntMap taken_back_;  // those of them that contradicted what came before
  VersionTable versions_;
  std::uint64_t unrecorded_ = 0;   // versions that only reads name
  std::vector<KeyId> block_keys_;  // of the block's operations
  std::vector<MopInput> mops_;     // of the current transaction, as many as mop_count_
  std::size_t mop_count_ = 0;
  std::string text_;  // of a key
  Counts counts_;
  std::string problem_;  // of the current operation
  Error error_;
};

}  // namespace elapid::cobra
