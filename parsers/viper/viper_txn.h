// One transaction of a Viper log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"

namespace elapid {

/// The content that was seen in a row: a value, or the tombstone of a delete.
struct ViperCell {
  ValueId value = ValueId::nil();
  bool is_dead = false;
  friend bool operator==(const ViperCell&, const ViperCell&) = default;
};

/// A row that a range returned.
struct ViperRow {
  ValueId key;
  ViperCell cell;
};

/// An operation with all its elements in the log.
struct ViperOp {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kReadAndWrite,  ///< a delete, or an insert after nothing or a tombstone
    kRange,
  };

  Kind kind = Kind::kRead;
  ValueId key = {};
  ViperCell seen = {};     ///< nil: no value, see ViperRows
  ViperCell written = {};  ///< of a delete: its tombstone
  /// The bounds of a range, both included.
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  bool has_bounds = false;
  std::size_t row_begin = 0;  ///< its result: a range of ViperTxn::rows
  std::size_t row_count = 0;
  std::uint64_t offset = 0;  ///< in the input
};

/// Reused from transaction to transaction. Readers fill `mops`, or else `ops` and `rows`.
struct ViperTxn {
  bool is_of_rows = false;  ///< which of the two: set by the caller, kept by clear()
  SourcePosition position = {};
  std::optional<std::int64_t> session = {};  ///< absent: the file's
  bool is_initial = false;
  GrowingVector<MopInput> mops = {};
  GrowingVector<ValueId> elements = {};  ///< of list reads
  std::vector<ViperOp> ops = {};
  std::vector<ViperRow> rows = {};
  std::size_t failed_writes = 0;  ///< left out, because the log says that they failed
  // Facts of the log that `mops` lack: the rows of ranges, the mark of tombstones, and the results
  // of inserts and deletes.
  std::size_t ranges = 0;
  std::size_t inserts = 0;
  std::size_t deletes = 0;

  /// Whether the log has more than `mops` can hold.
  [[nodiscard]] bool has_row_operations() const { return ranges + inserts + deletes > 0; }

  /// Resets the transaction, and keeps the vectors' memory.
  void clear() {
    session.reset();
    is_initial = false;
    mops.clear();
    elements.clear();
    ops.clear();
    rows.clear();
    failed_writes = 0;
    ranges = 0;
    inserts = 0;
    deletes = 0;
  }
};

}  // namespace elapid
