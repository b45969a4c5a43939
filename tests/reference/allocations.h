// Robustness of allocations by definition: every schedule of a few transactions, every allocation.
// Straight from docs/advise.md; no code of the engine.
//
//   const std::vector<PlainTransaction> write_skew = {{{.reads = 1}, {.reads = 2}, {.writes = 1}},
//                                                     {{.reads = 1}, {.reads = 2}, {.writes = 2}}};
//   is_robust(write_skew)[allocation_number({kPlainSi, kPlainSi})]      // false
//
// Between two commits the order of operations changes nothing: all that a schedule is made of is
// the order of commits and, of each operation, how many commits come before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace elapid::reference {

enum PlainAllocated : std::uint8_t { kPlainRc, kPlainSi, kPlainSsi };

/// Atomic; sets of items, a bit each.
struct PlainOperation {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
};

using PlainTransaction = std::vector<PlainOperation>;

/// Its place among all allocations, the first transaction's level changing fastest.
[[nodiscard]] std::size_t allocation_number(std::span<const PlainAllocated> levels);

/// By allocation_number(): whether each schedule that the allocation allows is serializable. At
/// most four transactions of at least one operation; none writes an item twice or reads
/// it after having written it.
[[nodiscard]] std::vector<bool> is_robust(std::span<const PlainTransaction> transactions);

/// One schedule: by transaction, how many commits come before each operation and before its own.
struct PlainSchedule {
  std::vector<std::vector<std::size_t>> gaps = {};
  std::vector<std::size_t> commits = {};
};

struct PlainJudgement {
  bool is_allowed = false;
  bool is_serializable = true;  ///< if it is allowed
};

/// At most 32 transactions.
[[nodiscard]] PlainJudgement judge(std::span<const PlainTransaction> transactions,
                                   const PlainSchedule& schedule,
                                   std::span<const PlainAllocated> levels);

}  // namespace elapid::reference
