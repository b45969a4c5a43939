// Whether a history satisfies a level, by definition: all commit orders are tried.
//
// Shares nothing with the engines but the history. Exponential: for up to 7 transactions.
#ifndef ELAPID_TESTS_ORACLE_ORACLE_H_
#define ELAPID_TESTS_ORACLE_ORACLE_H_

#include <cstdint>

#include "engine/ir/history.h"

namespace elapid {

/// What every transaction reads from.
enum class OracleSnapshot : std::uint8_t {
  kLatest,  ///< all transactions before it in the commit order: serializability
  kAny,     ///< some first ones of these, of which it misses none that writes a key which it writes
            ///< too: snapshot isolation (Cerone, Bernardi and Gotsman, CONCUR 2015)
};

/// Which transactions the commit order must keep in their order, and each snapshot include.
enum class OracleOrder : std::uint8_t {
  kNone,
  kSession,   ///< committed ones earlier in the session
  kRealtime,  ///< committed ones that completed before the invocation
};

struct OracleLevel {
  OracleSnapshot snapshot = OracleSnapshot::kLatest;
  OracleOrder order = OracleOrder::kNone;
};

/// Whether there is a set of transactions that committed, with all committed ones, any of the
/// indeterminate ones, and no aborted one, and an order of their commits in which each read of each
/// of them returns what the level says. Reads of nil by indeterminate transactions are unknown. A
/// recorded initial transaction comes before all others at every level.
[[nodiscard]] bool holds(const History& history, OracleLevel level);

}  // namespace elapid

#endif  // ELAPID_TESTS_ORACLE_ORACLE_H_
