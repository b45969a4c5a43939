// From Vbox's records to the operations of a history: of registers, or of rows.
#ifndef ELAPID_PARSERS_VBOX_TRANSACTIONS_H_
#define ELAPID_PARSERS_VBOX_TRANSACTIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/rows_builder.h"
#include "parsers/traces/int_keys.h"
#include "parsers/vbox/records.h"

namespace elapid::vbox {

/// A version as one number.
[[nodiscard]] inline std::int64_t version_number(Version version) {
  return static_cast<std::int64_t>(std::uint64_t{version.tid} << 32 | version.oid);
}

/// Operations of registers, whose values are versions. Predicates are left out.
class RegisterOperations {
 public:
  /// Borrows the builder.
  explicit RegisterOperations(HistoryBuilder& history) : history_(history), keys_(history) {}

  void convert(const Transaction& txn, std::vector<MopInput>& mops);

 private:
  HistoryBuilder& history_;
  NaturalKeys keys_;
};

/// Operations on rows. The records of a statement belong together: what it read or matched comes
/// before what it wrote.
class RowOperations {
 public:
  /// Borrows both; `file` is that of the positions.
  RowOperations(HistoryBuilder& history, rows::RowsBuilder& rows)
      : history_(history), rows_(rows) {}

  /// Error kMalformed with a byte offset: a statement that read or wrote other rows than its
  /// predicate matched; and those of RowsBuilder::add().
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

  ValueId version(Version version);

  HistoryBuilder& history_;
  rows::RowsBuilder& rows_;
  std::vector<rows::ShownRowInput> shown_;
  std::vector<rows::Field> fields_;
};

}  // namespace elapid::vbox

#endif  // ELAPID_PARSERS_VBOX_TRANSACTIONS_H_
