// Reads of values that no transaction can have left behind, each with the reason as an anomaly: the
// writer aborted (G1a), overwrote the value itself (G1b), wrote it later (future-read), or does not
// exist (garbage-read).
#pragma once

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

/// Adds future-read, G1a, G1b or garbage-read for each read, in order. Returns false if some read
/// has none of these names: it shows a value of an indeterminate transaction that cannot have taken
/// effect, or the reader's own element twice. One pass over the history if there are any.
bool explain_bad_reads(const History& history, bool is_list, std::span<const BadRead> reads,
                       std::vector<Anomaly>& out);

/// A read by a transaction that did not abort.
struct ReadAt {
  TxnId reader;
  std::uint32_t mop = 0;  ///< index in ops(reader)
};

/// Among `reads`, whose results no other rule restricts: those that show a value, or an element of
/// a list, that no transaction can have left behind. It is not initial, the reader had not written
/// it before, and only aborted transactions wrote it, or none. Linear in the operations and the
/// elements read, if there are any such reads.
[[nodiscard]] std::vector<BadRead> impossible_reads(const History& history, bool is_list,
                                                    std::span<const ReadAt> reads);

}  // namespace elapid
