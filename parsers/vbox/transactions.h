// From Vbox's records to the operations of a history: of registers, or of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/int_map.h"
#include "engine/ir/result.h"
#include "engine/rows/rows_builder.h"
#include "parsers/traces/int_keys.h"
#include "parsers/vbox/records.h"
#include "parsers/vbox/versions.h"

namespace elapid::vbox {

/// The distance in records of the prefetching of versions.
inline constexpr std::size_t kRecordsAhead = 8;

/// Prefetches the version that a transaction's record names, if there is such a record. Inlining is
/// forced: see VersionTable::prefetch().
[[gnu::always_inline]] inline void prefetch_version(const VersionTable& versions,
                                                    const Transaction& txn, std::size_t at) {
  if (at < txn.records.size() && txn.records[at].type != 'P') {
    const Record& record = txn.records[at];
    versions.prefetch(record.key,
                      record.type == 'R' ? record.version : Version{txn.tid, record.oid});
  }
}

/// Prefetches the versions of the first records, before a conversion soon after.
[[gnu::always_inline]] inline void prefetch_versions(const VersionTable& versions,
                                                     const Transaction& txn) {
  for (std::size_t at = 0; at < kRecordsAhead; ++at) {
    prefetch_version(versions, txn, at);
  }
}

/// Operations of registers, whose values are versions. Predicates are left out.
class RegisterOperations {
 public:
  /// Borrows both arguments.
  RegisterOperations(HistoryBuilder& history, VersionTable& versions)
      : keys_(history), versions_(versions) {}

  void convert(const Transaction& txn, std::vector<MopInput>& mops);

 private:
  NaturalKeys keys_;
  VersionTable& versions_;
};

/// Operations on rows. The records of a statement belong together: its reads and matches come
/// before its writes.
class RowOperations {
 public:
  /// Borrows all arguments.
  RowOperations(HistoryBuilder& history, rows::RowsBuilder& rows, VersionTable& versions)
      : history_(history), rows_(rows), versions_(versions) {}

  /// Error kMalformed with a byte offset: a statement that read or wrote other rows than its
  /// predicate matched; and errors of RowsBuilder::add().
  Status convert(const Transaction& txn, std::vector<MopInput>& mops);

 private:
  Status add_statement(const Transaction& txn, std::span<const Record> records,
                       std::vector<MopInput>& mops);
  Status add_predicate(const Transaction& txn, const Record& predicate,
                       std::span<const Record> records, std::vector<MopInput>& mops);
  Status add_writes(const Transaction& txn, std::span<const Record> records,
                    std::vector<MopInput>& mops);
  Status add(const rows::RowOpInput& input, std::vector<MopInput>& mops);

  KeyId row(std::uint64_t key) { return rows_.row(history_.values().natural(key)); }

  rows::ColumnId column(std::uint64_t name);
  rows::ShownRowInput shown(const Record& read);
  [[nodiscard]] bool has_touched(std::span<const std::uint64_t> matched);

  HistoryBuilder& history_;
  rows::RowsBuilder& rows_;
  VersionTable& versions_;
  IntMap columns_;  // by the bits of their names
  // Scratch.
  GrowingVector<rows::ShownRowInput> shown_;
  std::vector<std::uint64_t> touched_;
  std::vector<std::uint64_t> matched_;
  std::vector<const Record*> writes_;
  std::vector<rows::Field> fields_;
};

}  // namespace elapid::vbox
