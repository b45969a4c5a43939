// The lowest level of each program such that every interleaving is serializable.
//
//   PostgreSQL   Balance snapshot, Deposit read committed, WriteCheck serializable
//
// It is unique (Vandevoort, Ketsman, Neven, PODS 2023, who lower one transaction after the other).
// Here it is computed at once. A program that has a split at read committed (split_search.h) needs
// snapshot isolation, one that has a split even there must be serializable, whatever the others
// are. Only those must have serializable partners: T2 and Tm of each shortest cycle. A partner that
// has no split at snapshot isolation has none as a serializable T1 either. A level that is not
// offered is replaced by the next higher one: raising keeps an allocation robust.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/advise/application.h"
#include "engine/advise/split_search.h"

namespace elapid::advise {

/// The levels that a database offers: not empty, ascending.
using OfferedLevels = std::vector<Level>;

/// A schedule that is not serializable and allowed where one program is lower than advised.
struct Counterexample {
  Split split = {};
  std::vector<Level> levels = {};  ///< the allocation that allows it, by program
};

/// What is advised of a program.
struct ProgramAdvice {
  Level level = Level::kReadCommitted;
  /// Why it is not at the next lower level that is offered; none at the lowest. Where there is no
  /// robust allocation: why it is not serializable at the strongest level.
  std::optional<Counterexample> reason = {};
};

struct Advice {
  /// False: even with all at the strongest level some schedule is not serializable, as some reasons
  /// show. No allocation is robust then, and levels are the strongest.
  bool is_robust = true;
  std::vector<ProgramAdvice> programs = {};  ///< by program

  [[nodiscard]] std::vector<Level> levels() const;
};

/// O(number of representatives * their reads * operations of the application). `keep_going` is
/// asked at bounded intervals; nothing where it says no.
[[nodiscard]] std::optional<Advice> advise(const Application& application,
                                           const OfferedLevels& offered,
                                           const std::function<bool()>& keep_going);

/// The levels alone: half the work. The highest level for what needs more than is offered; then
/// `is_robust` is false.
struct LowestLevels {
  bool is_robust = true;
  std::vector<Level> levels = {};  ///< by program
};

[[nodiscard]] std::optional<LowestLevels> lowest_levels(const Application& application,
                                                        const OfferedLevels& offered,
                                                        const std::function<bool()>& keep_going);

/// A schedule that this allocation, a level for each program, allows and that is not serializable;
/// none: it is robust.
[[nodiscard]] std::optional<Split> find_split(const Application& application,
                                              std::span<const Level> levels);

}  // namespace elapid::advise
