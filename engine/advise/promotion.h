// What it saves to promote a read: to let it write the row as well, unchanged, so that it is a U.
//
//   WriteCheck: R savings(c) as U  ->  Balance snapshot instead of serializable, ...
//
// Vandevoort, Fekete, Ketsman, Neven, Vansummeren, PVLDB 18(9), 2025. `SELECT ... FOR UPDATE` locks
// the row until the commit as an update does, but PostgreSQL makes no new version of it: where the
// first committer wins, or SSI looks for writers, only a version counts. It is as good as an update
// where the transaction writes the row later itself, or where all that write it are at read
// committed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/advise/application.h"
#include "engine/advise/lowest.h"

namespace elapid::advise {

/// A read: of this program the operation of this number.
struct PromotedRead {
  std::uint32_t program = 0;
  std::uint32_t operation = 0;
  friend bool operator==(const PromotedRead&, const PromotedRead&) = default;
};

struct Promotion {
  std::vector<PromotedRead> reads = {};
  std::vector<bool> needs_update = {};  ///< by read: SELECT ... FOR UPDATE is not enough
  std::vector<Level> levels = {};       ///< the lowest allocation with it, by program
};

/// Reads that could be promoted: those that write nothing.
[[nodiscard]] std::vector<PromotedRead> promotable(const Application& application);

/// The application with this read promoted. What the transaction does with the item later is then
/// done with its own version, and is left out.
[[nodiscard]] Application promoted(const Application& application, const PromotedRead& read);

/// Each promotion of one read that lowers a program and raises none, or makes an allocation robust
/// at all. Then, if there is any, that which begins with the one that lowers most, and adds a read
/// as long as one lowers more, where that are several. One lowest_levels() for each read tried;
/// nothing where `keep_going` says no.
[[nodiscard]] std::optional<std::vector<Promotion>> promotions(
    const Application& application, const OfferedLevels& offered,
    const std::function<bool()>& keep_going);

}  // namespace elapid::advise
