// The dependencies of the present transactions, once all writers of reads and all version orders
// are chosen.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/adya/cycle_problem.h"
#include "engine/adya/version_orders.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

struct Dependency {
  static constexpr std::uint32_t kNoRead = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kCommit = std::numeric_limits<std::uint32_t>::max();

  OrderEdge edge;
  std::uint32_t read = kNoRead;      ///< wr, rw: the place of the read among all
  std::uint32_t from_mop = kCommit;  ///< rw: the index of the read
  std::uint32_t to_mop = kCommit;    ///< wr: the index of the read; ww: of the last write

  [[nodiscard]] std::uint32_t from() const { return edge.from.value; }

  [[nodiscard]] std::uint32_t to() const { return edge.to.value; }

  [[nodiscard]] bool is_rw() const { return edge.relation == Relation::kRw; }
};

/// `second` overwrote what `first` wrote to the key.
[[nodiscard]] Dependency overwrites(const CycleProblem& problem, std::uint32_t first,
                                    std::uint32_t second, KeyId key);

/// The reader saw the write of a transaction; `read` is its place among all.
[[nodiscard]] Dependency read_from(const CycleProblem& problem, std::uint32_t reader,
                                   std::uint32_t read, const Seen& seen);

/// `writer` overwrote what the reader saw.
[[nodiscard]] Dependency missed(const CycleProblem& problem, std::uint32_t reader,
                                std::uint32_t read, const Seen& seen, std::uint32_t writer);

/// ww and rw lead to the next version only; what leads further follows. No rw leads from a
/// transaction to itself. Linear.
[[nodiscard]] std::vector<Dependency> dependencies(const CycleProblem& problem,
                                                   const VersionOrders& orders);

/// Calls `visit(reader, place of the read, seen)` for each read of a present transaction.
template <class Visit>
void each_read(const Observations& seen, Visit visit) {
  for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
    if (!seen.is_present(t)) {
      continue;
    }
    std::uint32_t place = seen.first_read(t);
    for (const Seen& read : seen.reads(t)) {
      visit(t, place++, read);
    }
  }
}

}  // namespace elapid
