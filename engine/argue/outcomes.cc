#include "engine/argue/outcomes.h"

#include <algorithm>
#include <utility>

#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::ShownRow;

std::vector<FoundKind> kinds_found(const rows::Rows& rows, const RowOp& op) {
  if (op.known != Known::kBag) {
    FoundKind found = {.outcome = {.as = kAsFound, .is_found = true}, .most = kAnyNumber};
    if (op.known == Known::kCount || op.known == Known::kAny) {
      const bool is_exact = op.known == Known::kCount && (op.first == 0 || op.count < op.first);
      found.least = op.count;
      found.most = is_exact ? op.count : kAnyNumber;
    }
    return {found};
  }
  const std::span<const ShownRow> shown = rows.shown(op);
  std::vector<FoundKind> kinds;
  for (std::uint32_t item = 0; item < shown.size(); ++item) {
    const auto same = std::ranges::find_if(kinds, [&](const FoundKind& kind) {
      return std::ranges::equal(rows.fields(*kind.outcome.shown), rows.fields(shown[item]));
    });
    if (same == kinds.end()) {
      kinds.push_back({.outcome = {.as = item, .is_found = true, .shown = &shown[item]},
                       .least = 1,
                       .most = 1});
    } else {
      ++same->least;
      ++same->most;
    }
  }
  return kinds;
}

namespace {

constexpr std::size_t kNone = kAnyNumber;

/// Gives each kind its least number of rows, by shortest augmenting paths.
class Demand {
 public:
  Demand(std::span<const FoundKind> kinds, std::span<const Chances> rows)
      : rows_(rows), kind_of_(rows.size(), kNone), is_seen_(kinds.size()), claims_(kinds.size()) {}

  /// One more row for the kind. False if there is none, even if other kinds give up rows for
  /// others.
  bool serve(std::size_t first) {
    is_seen_.assign(is_seen_.size(), false);
    is_seen_[first] = true;
    std::vector<std::size_t> queue = {first};
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::size_t kind = queue[at];
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (!rows_[row].may_be[kind]) {
          continue;
        }
        const std::size_t holder = kind_of_[row];
        if (holder == kNone) {
          pass_on(row, kind, first);
          return true;
        }
        if (!is_seen_[holder]) {
          is_seen_[holder] = true;
          claims_[holder] = {row, kind};
          queue.push_back(holder);
        }
      }
    }
    return false;
  }

  /// The kinds that the last search asked for rows.
  [[nodiscard]] const std::vector<bool>& seen() const { return is_seen_; }

 private:
  /// A row that a kind gives up, and the kind that gets it.
  struct Claim {
    std::size_t row = 0;
    std::size_t by = 0;
  };

  void pass_on(std::size_t row, std::size_t kind, std::size_t first) {
    kind_of_[row] = kind;
    while (kind != first) {
      const Claim claim = claims_[kind];
      kind_of_[claim.row] = claim.by;
      kind = claim.by;
    }
  }

  std::span<const Chances> rows_;
  std::vector<std::size_t> kind_of_;  // by row
  std::vector<bool> is_seen_;         // by kind
  std::vector<Claim> claims_;         // by kind that was seen
};

/// Finds a kind for each row that cannot have been missed, by shortest augmenting paths.
class Supply {
 public:
  Supply(std::span<const FoundKind> kinds, std::span<const Chances> rows)
      : kinds_(kinds),
        rows_(rows),
        kind_of_(rows.size(), kNone),
        held_(kinds.size()),
        is_seen_(kinds.size()),
        wanted_by_(kinds.size()) {}

  /// False if there is no kind for the row, even if other rows go to other kinds.
  bool place(std::size_t first) {
    is_seen_.assign(is_seen_.size(), false);
    std::vector<std::size_t> queue = {first};
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::size_t row = queue[at];
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        if (!rows_[row].may_be[kind] || is_seen_[kind]) {
          continue;
        }
        is_seen_[kind] = true;
        wanted_by_[kind] = row;
        if (held_[kind].size() < kinds_[kind].most) {
          move_up(kind);
          return true;
        }
        queue.insert(queue.end(), held_[kind].begin(), held_[kind].end());
      }
    }
    return false;
  }

  /// The kinds that the last search tried.
  [[nodiscard]] const std::vector<bool>& seen() const { return is_seen_; }

  [[nodiscard]] const std::vector<std::size_t>& held(std::size_t kind) const { return held_[kind]; }

 private:
  /// The row that wants the kind gets it, and its place in another kind goes to the row that wants
  /// that one.
  void move_up(std::size_t kind) {
    std::size_t row = wanted_by_[kind];
    held_[kind].push_back(row);
    std::size_t left = std::exchange(kind_of_[row], kind);
    while (left != kNone) {
      const std::size_t next = wanted_by_[left];
      std::ranges::replace(held_[left], row, next);
      row = next;
      left = std::exchange(kind_of_[row], left);
    }
  }

  std::span<const FoundKind> kinds_;
  std::span<const Chances> rows_;
  std::vector<std::size_t> kind_of_;            // by row
  std::vector<std::vector<std::size_t>> held_;  // by kind
  std::vector<bool> is_seen_;                   // by kind
  std::vector<std::size_t> wanted_by_;          // by kind that was seen
};

std::vector<std::size_t> numbers(const std::vector<bool>& chosen) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) {
      all.push_back(i);
    }
  }
  return all;
}

std::optional<Miscount> too_few(std::span<const FoundKind> kinds, std::span<const Chances> rows) {
  Demand demand(kinds, rows);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (std::size_t i = 0; i < kinds[kind].least; ++i) {
      if (demand.serve(kind)) {
        continue;
      }
      Miscount miscount = {.is_too_few = true, .kinds = numbers(demand.seen())};
      for (const Chances& row : rows) {
        if (std::ranges::none_of(miscount.kinds,
                                 [&](std::size_t one) { return row.may_be[one]; })) {
          miscount.rows.push_back(row.row);
        }
      }
      return miscount;
    }
  }
  return std::nullopt;
}

std::optional<Miscount> too_many(std::span<const FoundKind> kinds, std::span<const Chances> rows) {
  Supply supply(kinds, rows);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].may_be_missed || supply.place(row)) {
      continue;
    }
    Miscount miscount = {.kinds = numbers(supply.seen()), .rows = {rows[row].row}};
    for (const std::size_t kind : miscount.kinds) {
      for (const std::size_t other : supply.held(kind)) {
        miscount.rows.push_back(rows[other].row);
      }
    }
    return miscount;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Miscount> miscount(std::span<const FoundKind> kinds, std::span<const Chances> rows) {
  std::optional<Miscount> few = too_few(kinds, rows);
  return few ? few : too_many(kinds, rows);
}

}  // namespace elapid::argue
