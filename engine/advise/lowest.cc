#include "engine/advise/lowest.h"

#include <algorithm>
#include <cstddef>

namespace elapid::advise {
namespace {

/// The level that each program needs if all three levels are offered, and the T1 that forces its
/// partners to serializable.
class Needs {
 public:
  Needs(const Application& application, const std::function<bool()>& keep_going)
      : application_(application),
        keep_going_(keep_going),
        search_(application),
        levels_(application.programs.size()),
        forced_by_(application.programs.size()) {}

  /// False if it had to stop.
  bool find() {
    const std::vector<Level> all_lowest(levels_.size(), Level::kReadCommitted);
    const std::vector<Level> all_snapshot(levels_.size(), Level::kSnapshot);
    std::vector<bool> partners(levels_.size());
    for (const std::uint32_t t : application_.representatives()) {
      if (!keep_going_()) {
        return false;
      }
      const std::uint32_t program = application_.transactions[t].program;
      if (search_.find(t, all_snapshot)) {
        levels_[program] = Level::kSerializable;
        std::vector<bool> added(levels_.size());
        search_.add_partners(t, added);
        for (std::size_t p = 0; p < added.size(); ++p) {
          if (added[p] && !forced_by_[p]) {
            forced_by_[p] = t;
          }
        }
      } else if (search_.find(t, all_lowest)) {
        levels_[program] = Level::kSnapshot;
      }
    }
    return true;
  }

  /// What the program needs for itself.
  [[nodiscard]] Level own(std::size_t program) const { return levels_[program]; }

  /// What it needs for itself and others.
  [[nodiscard]] Level whole(std::size_t program) const {
    return forced_by_[program] ? Level::kSerializable : levels_[program];
  }

  /// A split that the allocation allows. Its T1 is the transaction, or else the one that forces its
  /// program.
  [[nodiscard]] std::optional<Split> split(std::uint32_t transaction,
                                           std::span<const Level> levels) {
    const std::uint32_t program = application_.transactions[transaction].program;
    std::optional<Split> found = search_.find(transaction, levels);
    return found || !forced_by_[program] ? found : search_.find(*forced_by_[program], levels);
  }

 private:
  const Application& application_;
  const std::function<bool()>& keep_going_;
  SplitSearch search_;
  std::vector<Level> levels_;                            // by program
  std::vector<std::optional<std::uint32_t>> forced_by_;  // by program: the first T1
};

LowestLevels rounded(const Needs& needs, std::size_t programs, const OfferedLevels& offered) {
  LowestLevels lowest;
  for (std::size_t p = 0; p < programs; ++p) {
    const auto level = std::ranges::lower_bound(offered, needs.whole(p));
    lowest.is_robust = lowest.is_robust && level != offered.end();
    lowest.levels.push_back(level == offered.end() ? offered.back() : *level);
  }
  if (!lowest.is_robust) {
    lowest.levels.assign(programs, offered.back());
  }
  return lowest;
}

}  // namespace

std::vector<Level> Advice::levels() const {
  std::vector<Level> levels;
  std::ranges::transform(programs, std::back_inserter(levels), &ProgramAdvice::level);
  return levels;
}

std::optional<LowestLevels> lowest_levels(const Application& application,
                                          const OfferedLevels& offered,
                                          const std::function<bool()>& keep_going) {
  Needs needs(application, keep_going);
  return needs.find() ? std::optional(rounded(needs, application.programs.size(), offered))
                      : std::nullopt;
}

std::optional<Advice> advise(const Application& application, const OfferedLevels& offered,
                             const std::function<bool()>& keep_going) {
  Needs needs(application, keep_going);
  if (!needs.find()) {
    return std::nullopt;
  }
  const LowestLevels lowest = rounded(needs, application.programs.size(), offered);
  Advice advice = {.is_robust = lowest.is_robust};
  for (const Level level : lowest.levels) {
    advice.programs.push_back({.level = level});
  }
  std::vector<Level> levels = lowest.levels;
  for (const std::uint32_t t : application.representatives()) {
    if (!keep_going()) {
      return std::nullopt;
    }
    const std::uint32_t program = application.transactions[t].program;
    const Level advised = lowest.levels[program];
    if (advice.is_robust && advised != offered.front()) {
      levels[program] = *(std::ranges::find(offered, advised) - 1);
    } else if (advice.is_robust || needs.own(program) <= offered.back()) {
      continue;
    }
    if (std::optional<Split> split = needs.split(t, levels)) {
      advice.programs[program].reason = {.split = *std::move(split), .levels = levels};
    }
    levels[program] = advised;
  }
  return advice;
}

std::optional<Split> find_split(const Application& application, std::span<const Level> levels) {
  SplitSearch search(application);
  for (const std::uint32_t t : application.representatives()) {
    if (std::optional<Split> split = search.find(t, levels)) {
      return split;
    }
  }
  return std::nullopt;
}

}  // namespace elapid::advise
