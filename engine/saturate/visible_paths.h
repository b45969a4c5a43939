// Why a transaction is visible to a read: the reads and sessions that lead from one to the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

using EdgePath = std::vector<OrderEdge>;

/// The edges (kWr and kProcess) from `writer` to `reader` that make the writer visible to the
/// reader's read number `read` at this level; nothing if it is not visible. Not for causal
/// consistency, where any path will do. Linear in the sessions of the two.
[[nodiscard]] std::optional<EdgePath> visible_path(const Observations& seen, OrderLevel level,
                                                   std::uint32_t writer, std::uint32_t reader,
                                                   std::size_t read);

/// The transactions that session order leads to directly: the next committed one, and indeterminate
/// ones before it.
[[nodiscard]] std::vector<std::uint32_t> next_in_session(const Observations& seen,
                                                         std::uint32_t txn);

/// The read-from edge from `writer` to `reader`, if it read from it among its first `limit` reads.
[[nodiscard]] std::optional<OrderEdge> read_from_edge(const Observations& seen,
                                                      std::uint32_t writer, std::uint32_t reader,
                                                      std::size_t limit);

/// The edges from `writer` by way of a session that read from it to `after`, at the end of that
/// session or in its course.
[[nodiscard]] std::optional<EdgePath> path_by_session_read(const Observations& seen,
                                                           std::uint32_t writer,
                                                           std::uint32_t after);

}  // namespace elapid
