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

/// What a row was seen to hold: a value, or the tombstone that a delete has left there.
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

/// An operation with all that the log says of it.
struct ViperOp {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kReadAndWrite,  ///< an insert, which found nothing or a tombstone, or a delete
    kRange,
  };

  Kind kind = Kind::kRead;
  ValueId key = {};
  ViperCell seen = {};     ///< nil: nothing, see ViperRows
  ViperCell written = {};  ///< of a delete its tombstone
  /// Of a range: its bounds, both included.
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  bool has_bounds = false;
  std::size_t row_begin = 0;  ///< what it returned: of ViperTxn::rows
  std::size_t row_count = 0;
  std::uint64_t offset = 0;  ///< in the input
};

/// Reused from transaction to transaction. Readers fill `mops`, or else `ops` and `rows`.
struct ViperTxn {
  bool is_of_rows = false;  ///< which of them: set by the caller, kept by clear()
  SourcePosition position = {};
  std::optional<std::int64_t> session = {};  ///< absent: that of the file
  bool is_initial = false;
  GrowingVector<MopInput> mops = {};
  GrowingVector<ValueId> elements = {};  ///< what list reads refer to
  std::vector<ViperOp> ops = {};
  std::vector<ViperRow> rows = {};
  std::size_t failed_writes = 0;  ///< left out, since they say so
  // Of which `mops` hold less than the log: the rows of ranges, tombstones without the remark that
  // they are such, and not what inserts and deletes have seen.
  std::size_t ranges = 0;
  std::size_t inserts = 0;
  std::size_t deletes = 0;

  /// Whether there is more than `mops` can hold.
  [[nodiscard]] bool has_row_operations() const { return ranges + inserts + deletes > 0; }

  /// Makes it as new, keeping the vectors' memory.
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
