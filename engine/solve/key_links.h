// What assumptions about the keys of registers add to the order of their versions.
#ifndef ELAPID_ENGINE_SOLVE_KEY_LINKS_H_
#define ELAPID_ENGINE_SOLVE_KEY_LINKS_H_

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/footprints.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Two operations on a key of which the first comes first in a session (--sequential-keys) or in
/// real time (--linearizable-keys): the version that it left behind, or read if it wrote none, is
/// the one that the second read or comes before it, and comes before the one that the second wrote.
///
/// | first | second | edge                                            |
/// |-------|--------|-------------------------------------------------|
/// | wrote | read   | its commit comes before the second's start      |
/// | wrote | wrote  | its commit comes before the second's            |
/// | read  | wrote  | its start comes before the second's commit      |
/// | read  | read   | whom it read commits before the second's start  |
struct KeyLink {
  std::uint32_t first = 0;  ///< transactions; the first committed
  std::uint32_t second = 0;
  KeyId key;
  bool is_session = true;  ///< else real time
  bool first_wrote = false;
  bool second_read = false;
  bool second_wrote = false;
};

/// Of operations on one key only direct successors. By first transaction. Near linear in the
/// operations and the concurrency on a key.
[[nodiscard]] std::vector<KeyLink> find_key_links(const History& history,
                                                  const Footprints& footprints,
                                                  const Assumptions& assumptions);

/// Committed writers of a key in the order that was given for all transactions.
struct KeySuccession {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  KeyId key;
};

[[nodiscard]] std::vector<KeySuccession> find_successions(const History& history,
                                                          const Footprints& footprints,
                                                          const Assumptions& assumptions);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_KEY_LINKS_H_
