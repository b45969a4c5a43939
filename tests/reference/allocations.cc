#include "tests/reference/allocations.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace elapid::reference {
namespace {

constexpr std::size_t kMostTransactions = 32;

/// What one transaction does in a schedule. Sets of transactions are bits.
struct Placed {
  std::vector<std::size_t> gaps = {};  ///< by operation: commits before it
  std::size_t commit = 0;              ///< commits before its own
  // By whether reads are of the state at the first operation:
  std::array<std::uint32_t, 2> read_from = {};       ///< whose writes it saw
  std::array<std::uint32_t, 2> overwritten_by = {};  ///< who wrote what it read, later
  std::uint32_t written_before = 0;  ///< who wrote the same items and committed before
  bool is_second_committer = false;  ///< one of those committed after its beginning
};

class Schedules {
 public:
  explicit Schedules(std::span<const PlainTransaction> transactions)
      : transactions_(transactions), placed_(transactions.size()) {}

  std::vector<bool> try_all() {
    std::size_t allocations = 1;
    for (std::size_t i = 0; i < transactions_.size(); ++i) {
      allocations *= 3;
    }
    is_robust_.assign(allocations, true);
    std::vector<std::size_t> order(transactions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      for (std::size_t i = 0; i < order.size(); ++i) {
        placed_[order[i]].commit = i;
      }
      place(0, 0, 0);
    } while (std::ranges::next_permutation(order).found);
    return std::move(is_robust_);
  }

  PlainJudgement judge_one(const PlainSchedule& schedule, std::span<const PlainAllocated> given) {
    Levels levels = {};
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      placed_[t].gaps = schedule.gaps[t];
      placed_[t].commit = schedule.commits[t];
      levels[t] = given[t];
    }
    if (!look_at_writes() || !is_in_order()) {
      return {};
    }
    look_at_reads();
    return is_allowed(levels) ? PlainJudgement{true, !has_cycle(levels)} : PlainJudgement{};
  }

 private:
  using Levels = std::array<PlainAllocated, kMostTransactions>;

  /// Each transaction does its operations in order, and then commits.
  [[nodiscard]] bool is_in_order() const {
    return std::ranges::all_of(placed_, [](const Placed& placed) {
      return std::ranges::is_sorted(placed.gaps) && placed.gaps.back() <= placed.commit;
    });
  }

  /// Every gap for this operation and those that follow, in their transaction's order.
  void place(std::size_t t, std::size_t operation, std::size_t least) {
    if (t == transactions_.size()) {
      judge();
      return;
    }
    if (operation == transactions_[t].size()) {
      place(t + 1, 0, 0);
      return;
    }
    placed_[t].gaps.resize(transactions_[t].size());
    for (std::size_t gap = least; gap <= placed_[t].commit; ++gap) {
      placed_[t].gaps[operation] = gap;
      place(t, operation + 1, gap);
    }
  }

  void judge() {
    if (!look_at_writes()) {
      return;
    }
    look_at_reads();
    Levels levels = {};
    for (std::size_t number = 0; number < is_robust_.size(); ++number) {
      std::size_t rest = number;
      for (std::size_t t = 0; t < transactions_.size(); ++t, rest /= 3) {
        levels[t] = static_cast<PlainAllocated>(rest % 3);
      }
      if (is_robust_[number] && is_allowed(levels) && has_cycle(levels)) {
        is_robust_[number] = false;
      }
    }
  }

  /// False for a write over an uncommitted one.
  bool look_at_writes() {
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      placed_[t].written_before = 0;
      placed_[t].is_second_committer = false;
      for (std::size_t other = 0; other < placed_.size(); ++other) {
        for (std::size_t i = 0; i < transactions_[t].size() && other != t; ++i) {
          for (std::size_t j = 0; j < transactions_[other].size(); ++j) {
            if ((transactions_[t][i].writes & transactions_[other][j].writes) == 0) {
              continue;
            }
            if (placed_[t].gaps[i] <= placed_[other].commit &&
                placed_[other].gaps[j] <= placed_[t].commit) {
              return false;
            }
            if (placed_[other].commit < placed_[t].commit) {
              placed_[t].written_before |= 1U << other;
              placed_[t].is_second_committer = placed_[t].is_second_committer ||
                                               placed_[t].gaps.front() <= placed_[other].commit;
            }
          }
        }
      }
    }
    return true;
  }

  void look_at_reads() {
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      placed_[t].read_from = {};
      placed_[t].overwritten_by = {};
      for (std::size_t other = 0; other < placed_.size(); ++other) {
        for (std::size_t i = 0; i < transactions_[t].size() && other != t; ++i) {
          for (const PlainOperation& operation : transactions_[other]) {
            if ((transactions_[t][i].reads & operation.writes) == 0) {
              continue;
            }
            for (const std::size_t at_first : {0U, 1U}) {
              const std::size_t seen = at_first == 1 ? placed_[t].gaps.front() : placed_[t].gaps[i];
              const bool is_seen = placed_[other].commit < seen;
              (is_seen ? placed_[t].read_from : placed_[t].overwritten_by)[at_first] |= 1U << other;
            }
          }
        }
      }
    }
  }

  [[nodiscard]] bool is_concurrent(std::size_t one, std::size_t other) const {
    return placed_[one].gaps.front() <= placed_[other].commit &&
           placed_[other].gaps.front() <= placed_[one].commit;
  }

  /// First committer wins, and no dangerous structure.
  [[nodiscard]] bool is_allowed(const Levels& levels) const {
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      if (levels[t] != kPlainRc && placed_[t].is_second_committer) {
        return false;
      }
    }
    const auto has_edge = [&](std::size_t from, std::size_t to) {
      return from != to && levels[from] == kPlainSsi && levels[to] == kPlainSsi &&
             (placed_[from].overwritten_by[1] >> to & 1U) != 0 && is_concurrent(from, to);
    };
    for (std::size_t one = 0; one < placed_.size(); ++one) {
      for (std::size_t two = 0; two < placed_.size(); ++two) {
        for (std::size_t three = 0; three < placed_.size() && has_edge(one, two); ++three) {
          if (has_edge(two, three) && placed_[three].commit <= placed_[one].commit &&
              placed_[three].commit < placed_[two].commit) {
            return false;
          }
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool has_cycle(const Levels& levels) const {
    std::array<std::uint32_t, kMostTransactions> after = {};
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      const std::size_t at_first = levels[t] == kPlainRc ? 0 : 1;
      after[t] |= placed_[t].overwritten_by[at_first];
      for (std::size_t other = 0; other < placed_.size(); ++other) {
        const std::uint32_t before = placed_[t].read_from[at_first] | placed_[t].written_before;
        after[other] |= (before >> other & 1U) << t;
      }
    }
    for (std::size_t over = 0; over < placed_.size(); ++over) {
      for (std::size_t t = 0; t < placed_.size(); ++t) {
        after[t] |= (after[t] >> over & 1U) != 0 ? after[over] : 0;
      }
    }
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      if ((after[t] >> t & 1U) != 0) {
        return true;
      }
    }
    return false;
  }

  std::span<const PlainTransaction> transactions_;
  std::vector<Placed> placed_;
  std::vector<bool> is_robust_ = {};
};

}  // namespace

std::size_t allocation_number(std::span<const PlainAllocated> levels) {
  std::size_t number = 0;
  for (std::size_t t = levels.size(); t-- > 0;) {
    number = 3 * number + levels[t];
  }
  return number;
}

std::vector<bool> is_robust(std::span<const PlainTransaction> transactions) {
  return Schedules(transactions).try_all();
}

PlainJudgement judge(std::span<const PlainTransaction> transactions, const PlainSchedule& schedule,
                     std::span<const PlainAllocated> levels) {
  return Schedules(transactions).judge_one(schedule, levels);
}

}  // namespace elapid::reference
