#include "engine/adya/dependencies.h"

#include <span>

namespace elapid {

Dependency overwrites(const CycleProblem& problem, std::uint32_t first, std::uint32_t second,
                      KeyId key) {
  return {.edge = {{first}, {second}, Relation::kWw, key},
          .to_mop = problem.write_mop(problem.write_of(second, key))};
}

Dependency read_from(const CycleProblem& problem, std::uint32_t reader, std::uint32_t read,
                     const Seen& seen) {
  return {.edge = {{seen.writer}, {reader}, Relation::kWr, seen.key},
          .read = read,
          .to_mop = problem.read_mop(read)};
}

Dependency missed(const CycleProblem& problem, std::uint32_t reader, std::uint32_t read,
                  const Seen& seen, std::uint32_t writer) {
  const TxnId overwritten = seen.is_of_txn() ? TxnId{seen.writer} : TxnId::none();
  return {.edge = {{reader}, {writer}, Relation::kRw, seen.key, overwritten},
          .read = read,
          .from_mop = problem.read_mop(read)};
}

std::vector<Dependency> dependencies(const CycleProblem& problem, const VersionOrders& orders) {
  std::vector<Dependency> found;
  for (std::uint32_t key = 0; key < problem.history().key_count(); ++key) {
    const std::span<const std::uint32_t> writers = orders.of({key});
    for (std::size_t i = 1; i < writers.size(); ++i) {
      found.push_back(overwrites(problem, writers[i - 1], writers[i], {key}));
    }
  }
  each_read(problem.seen(), [&](std::uint32_t reader, std::uint32_t place, const Seen& seen) {
    if (seen.is_of_txn()) {
      found.push_back(read_from(problem, reader, place, seen));
    }
    const std::span<const std::uint32_t> later = orders.after(seen.writer, seen.key);
    if (!later.empty() && later.front() != reader) {
      found.push_back(missed(problem, reader, place, seen, later.front()));
    }
  });
  return found;
}

}  // namespace elapid
