// Reads of what nobody can have shown: why, as an anomaly.
#ifndef ELAPID_ENGINE_SOLVE_BAD_READS_H_
#define ELAPID_ENGINE_SOLVE_BAD_READS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A read of a value that no transaction left behind.
struct BadRead {
  TxnId reader;
  std::uint32_t mop = 0;
  KeyId key;
  ValueId value;
};

/// Adds future-read, G1a, G1b or garbage-read for each read, in their order. False if one shows
/// what an indeterminate transaction left behind that cannot have taken effect, or beside its own
/// element the same one again: for these there is no name. One pass over the history if there are
/// any.
bool explain_bad_reads(const History& history, bool is_list, std::span<const BadRead> reads,
                       std::vector<Anomaly>& out);

/// A read by a committed transaction.
struct ReadAt {
  TxnId reader;
  std::uint32_t mop = 0;  ///< index in ops(reader)
};

/// Of reads that need show nothing in particular, those that show what nobody may have: a value, or
/// an element of a list, that is not the initial one, that the reader had not written before, and
/// that no other transaction left behind, or appended, but aborted ones. Linear in the operations
/// and the elements read, if there are any such reads.
[[nodiscard]] std::vector<BadRead> impossible_reads(const History& history, bool is_list,
                                                    std::span<const ReadAt> reads);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_BAD_READS_H_
