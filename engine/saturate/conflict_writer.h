// Cycles of precedence as proofs: each edge of a cycle with the reads and orders that it depends
// on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/saturate/level_check.h"
#include "engine/saturate/precedence.h"

namespace elapid {

class ConflictWriter {
 public:
  ConflictWriter(const Observations& seen, OrderLevel level);

  /// A cycle of transactions; each must precede the next one.
  [[nodiscard]] Conflict of_cycle(std::span<const std::uint32_t> cycle);

  /// A read of the initial state, although `writer`'s write was visible to it.
  [[nodiscard]] Conflict of_stale_read(std::uint32_t writer);

 private:
  void add_edge(std::uint32_t from, std::uint32_t to);
  [[nodiscard]] bool add_known_edge(std::uint32_t from, std::uint32_t to);
  void add_forced_edge(std::uint32_t from, std::uint32_t to);
  [[nodiscard]] std::vector<OrderEdge> why(std::uint32_t visible, std::uint32_t writer);
  [[nodiscard]] std::vector<OrderEdge> why_causal(std::uint32_t visible, std::uint32_t writer);
  [[nodiscard]] OrderEdge overwriting(std::uint32_t reader, std::size_t read,
                                      std::uint32_t by) const;
  [[nodiscard]] std::optional<std::size_t> read_past(std::uint32_t reader, std::uint32_t visible,
                                                     std::uint32_t writer) const;
  [[nodiscard]] std::size_t read_of(const OrderEdge& edge, TxnId reader, TxnId writer) const;
  void use(const OrderEdge& edge, std::vector<Choice>& unless) const;
  void use_all(std::span<const OrderEdge> edges, std::vector<Choice>& unless) const;

  const Observations& seen_;
  OrderLevel level_;
  Adjacency readers_;            // by writer; those of the initial state last
  std::size_t passed_over_ = 0;  // the read that ignored a visible write in the last why()
  Conflict conflict_;
};

}  // namespace elapid
