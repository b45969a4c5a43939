#include "tests/oracle/truth.h"

#include "tests/oracle/axioms.h"
#include "tests/oracle/oracle.h"

namespace elapid {

std::optional<bool> Truth::holds(OrderLevel level, const Assumptions& assumptions) {
  constexpr std::size_t kMaxTxns = 7;
  const bool is_weak = is_saturable(level.visibility);
  if (!is_weak && history_.txn_count() > kMaxTxns) {
    return std::nullopt;
  }
  if (!is_weak && assumptions.order_something()) {
    return elapid::holds(history_, level, assumptions);
  }
  const auto [known, is_new] =
      known_.try_emplace({level.visibility, level.sessions, level.real_time});
  if (is_new) {
    known->second =
        is_weak ? holds_by_axiom(history_, level) : std::optional(elapid::holds(history_, level));
  }
  return known->second;
}

std::optional<bool> Truth::holds(CycleLevel level) {
  const auto [entry, is_new] = known_of_shapes_.try_emplace(level.shape);
  if (is_new) {
    entry->second = holds_without_cycles(history_, level);
  }
  return entry->second;
}

}  // namespace elapid
