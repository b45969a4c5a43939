// Checks the axioms of the saturable levels (models.h) on a commit order, given the writer of
// each read: no other writer of the key that is visible to the read comes after the read's
// writer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/patience.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

/// The writer of each external read, by reader, in the order of operations. Refers to the claims in
/// the witness.
struct SeenWrites {
  std::span<const ReadFrom> reads;
  std::vector<std::uint32_t> begin = {};  ///< one more than transactions

  [[nodiscard]] std::span<const ReadFrom> of(TxnId reader) const {
    return reads.subspan(begin[reader.index()], begin[reader.index() + 1] - begin[reader.index()]);
  }
};

/// `last_visible`: for the writers of the key that are visible to the read, the last one's place
/// plus one; 0 if there is none.
[[nodiscard]] Flaw compare_with_visible(const History& history, const CommitPlaces& places,
                                        TxnId reader, const ReadFrom& read,
                                        std::uint32_t last_visible);

/// Near linear, except for causal consistency (causal_writes.h).
[[nodiscard]] Flaw check_visible_writes(const History& history, OrderLevel level,
                                        const CommitPlaces& places, const SeenWrites& seen,
                                        Patience& patience);

}  // namespace elapid::certify
