// The edges that assumptions about keys of registers and lists add to the order of versions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/footprints.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Two operations on a key, in session order (--sequential-keys) or real-time order
/// (--linearizable-keys). The first one's version is the one that it wrote, or else read. The
/// second must not read an older version, and must write a later one.
///
/// | first | second | edge                                                        |
/// |-------|--------|-------------------------------------------------------------|
/// | wrote | read   | the first one's commit comes before the second one's start  |
/// | wrote | wrote  | the first one's commit comes before the second one's commit |
/// | read  | wrote  | the first one's start comes before the second one's commit  |
/// | read  | read   | the writer that the first saw commits before the second's start |
struct KeyLink {
  std::uint32_t first = 0;  ///< transactions; the first one committed
  std::uint32_t second = 0;
  KeyId key;
  bool is_session = true;  ///< else real time
  bool first_wrote = false;
  bool second_read = false;
  bool second_wrote = false;
};

/// The links of each key, between direct successors only, by first transaction. Near linear in the
/// operations and the concurrency on a key.
[[nodiscard]] std::vector<KeyLink> find_key_links(const History& history,
                                                  const Footprints& footprints,
                                                  const Assumptions& assumptions);

/// Two committed writers of a key, in the order that was given for all transactions.
struct KeySuccession {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  KeyId key;
};

[[nodiscard]] std::vector<KeySuccession> find_successions(const History& history,
                                                          const Footprints& footprints,
                                                          const Assumptions& assumptions);

}  // namespace elapid
