#include "engine/argue/outcomes.h"

#include <algorithm>

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

/// Gives each kind as many rows as it has at least.
class Demand {
 public:
  Demand(std::span<const FoundKind> kinds, std::span<const Chances> rows)
      : rows_(rows), kind_of_(rows.size(), kNone), is_seen_(kinds.size()) {}

  bool serve(std::size_t kind) {
    is_seen_.assign(is_seen_.size(), false);
    return find_row(kind);
  }

  /// Kinds among whom rows were passed on in vain.
  [[nodiscard]] const std::vector<bool>& seen() const { return is_seen_; }

 private:
  static constexpr std::size_t kNone = kAnyNumber;

  bool find_row(std::size_t kind) {
    is_seen_[kind] = true;
    for (const bool is_taken : {false, true}) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!rows_[i].may_be[kind] || (kind_of_[i] != kNone) != is_taken) {
          continue;
        }
        if (!is_taken || (!is_seen_[kind_of_[i]] && find_row(kind_of_[i]))) {
          kind_of_[i] = kind;
          return true;
        }
      }
    }
    return false;
  }

  std::span<const Chances> rows_;
  std::vector<std::size_t> kind_of_;
  std::vector<bool> is_seen_;
};

/// Finds a kind for each row that cannot have been missed.
class Supply {
 public:
  Supply(std::span<const FoundKind> kinds, std::span<const Chances> rows)
      : kinds_(kinds), rows_(rows), held_(kinds.size()), is_seen_(kinds.size()) {}

  bool place(std::size_t row) {
    is_seen_.assign(is_seen_.size(), false);
    return find_kind(row);
  }

  [[nodiscard]] const std::vector<bool>& seen() const { return is_seen_; }

  [[nodiscard]] const std::vector<std::size_t>& held(std::size_t kind) const { return held_[kind]; }

 private:
  bool find_kind(std::size_t row) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (!rows_[row].may_be[kind] || is_seen_[kind]) {
        continue;
      }
      is_seen_[kind] = true;
      if (held_[kind].size() < kinds_[kind].most) {
        held_[kind].push_back(row);
        return true;
      }
      for (std::size_t& other : held_[kind]) {
        if (find_kind(other)) {
          other = row;
          return true;
        }
      }
    }
    return false;
  }

  std::span<const FoundKind> kinds_;
  std::span<const Chances> rows_;
  std::vector<std::vector<std::size_t>> held_;
  std::vector<bool> is_seen_;
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
