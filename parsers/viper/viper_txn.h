// One transaction of a Viper log.
#ifndef ELAPID_PARSERS_VIPER_VIPER_TXN_H_
#define ELAPID_PARSERS_VIPER_VIPER_TXN_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"

namespace elapid {

/// Reused from transaction to transaction.
struct ViperTxn {
  SourcePosition position = {};
  std::optional<std::int64_t> session = {};  ///< absent: that of the file
  bool is_initial = false;
  GrowingVector<MopInput> mops = {};
  GrowingVector<ValueId> elements = {};  ///< what list reads refer to
  std::size_t failed_writes = 0;         ///< left out, since they say so
  std::size_t ranges = 0;                ///< range reads: only their rows were taken
  std::size_t deletes = 0;               ///< taken for writes of their tombstones

  /// Makes it as new, keeping the vectors' memory.
  void clear() {
    session.reset();
    is_initial = false;
    mops.clear();
    elements.clear();
    failed_writes = 0;
    ranges = 0;
    deletes = 0;
  }
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_VIPER_VIPER_TXN_H_
