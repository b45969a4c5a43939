#include "harness/minimize/simpler_predicates.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace elapid {

namespace {

using rows::Predicate;

/// The possible contents of a row: for each column the values that are written or shown, or no
/// value.
class PossibleRows {
 public:
  explicit PossibleRows(const Draft& draft) : draft_(draft) {
    for (const auto& txn : draft.txns) {
      for (const DraftMop& mop : txn->mops) {
        if (mop.row_op) {
          add(*mop.row_op);
        }
      }
    }
  }

  /// Whether two predicates agree on all possible rows. False if there are too many.
  [[nodiscard]] bool are_alike(const Predicate& a, const Predicate& b) const {
    return std::ranges::all_of(rows_, [&](const auto& row) {
      std::vector<rows::ColumnId> columns;
      std::size_t combinations = 1;
      for (const auto& [column, values] : values_) {
        const bool is_spoken_of = mentions(a, column) || mentions(b, column);
        if (is_spoken_of) {
          columns.push_back(column);
          combinations *= of(row, column).size() + 1;
        }
        if (combinations > kMostCombinations) {
          return false;
        }
      }
      return are_alike(a, b, row, columns, 0, {});
    });
  }

 private:
  static constexpr std::size_t kMostCombinations = 10'000;

  void add(const DraftRowOp& op) {
    add(op.row, op.written);
    if (op.makes_row()) {
      std::set<rows::ColumnId>& columns = makers_[op.row.value].emplace_back();
      std::ranges::transform(op.written, std::inserter(columns, columns.end()),
                             &rows::Field::column);
    }
    for (const DraftShownRow& shown : op.shown) {
      add(shown.row, shown.fields);
    }
  }

  /// Contents that a predicate's write set, or that a result shows without a key, may be in any
  /// row.
  void add(KeyId row, const std::vector<rows::Field>& fields) {
    if (!row.is_none()) {
      rows_.insert(row.value);
    }
    for (const rows::Field& field : fields) {
      values_[field.column][row.value].emplace(field.value);
    }
  }

  [[nodiscard]] std::vector<ValueId> of(std::uint32_t row, rows::ColumnId column) const {
    std::vector<ValueId> values;
    for (const std::uint32_t which : {row, KeyId::none().value}) {
      const auto& by_row = values_.at(column);
      const auto found = by_row.find(which);
      if (found != by_row.end()) {
        values.insert(values.end(), found->second.begin(), found->second.end());
      }
    }
    return values;
  }

  /// Whether the row may lack the column. An inserted row has all its columns.
  [[nodiscard]] bool may_lack(std::uint32_t row, rows::ColumnId column) const {
    const auto makers = makers_.find(row);
    return makers == makers_.end() || std::ranges::any_of(makers->second, [&](const auto& columns) {
             return !columns.contains(column);
           });
  }

  [[nodiscard]] bool are_alike(const Predicate& a, const Predicate& b, std::uint32_t row,
                               const std::vector<rows::ColumnId>& columns, std::size_t next,
                               const rows::Record& so_far) const {
    if (next == columns.size()) {
      const ValueId key = draft_.info.rows->key({row});
      return a.matches(*draft_.values, key, so_far) == b.matches(*draft_.values, key, so_far);
    }
    const std::vector<ValueId> values = of(row, columns[next]);
    if (may_lack(row, columns[next]) && !are_alike(a, b, row, columns, next + 1, so_far)) {
      return false;
    }
    return std::ranges::all_of(values, [&](ValueId value) {
      rows::Record with = so_far;
      with.set(columns[next], value);
      return are_alike(a, b, row, columns, next + 1, with);
    });
  }

  const Draft& draft_;
  std::set<std::uint32_t> rows_ = {};
  std::map<std::uint32_t, std::vector<std::set<rows::ColumnId>>> makers_ = {};
  std::map<rows::ColumnId, std::map<std::uint32_t, std::set<ValueId>>> values_ = {};
};

/// The predicates with one part of an `and` or an `or` left out.
std::vector<Predicate> with_one_part_less(const Predicate& of) {
  std::vector<Predicate> result;
  const bool is_list = of.kind == Predicate::Kind::kAnd || of.kind == Predicate::Kind::kOr;
  for (std::size_t i = 0; i < of.parts.size(); ++i) {
    if (is_list && of.parts.size() > 1) {
      Predicate less = of;
      less.parts.erase(less.parts.begin() + static_cast<std::ptrdiff_t>(i));
      result.push_back(less.parts.size() == 1 ? less.parts.front() : std::move(less));
    }
    for (Predicate& part : with_one_part_less(of.parts[i])) {
      Predicate less = of;
      less.parts[i] = std::move(part);
      result.push_back(std::move(less));
    }
  }
  return result;
}

Draft with_predicate(const Draft& draft, std::size_t txn, std::size_t mop, const Predicate& is) {
  Draft result = draft;
  DraftTxn& changed = result.edit(txn);
  const auto replace = [&](DraftMop& in) {
    DraftRowOp op = *in.row_op;
    op.predicate = is;
    in.row_op = std::make_shared<const DraftRowOp>(std::move(op));
  };
  const Predicate was = changed.mops[mop].row_op->predicate;
  replace(changed.mops[mop]);
  if (changed.invoked && mop < changed.invoked->size()) {
    DraftMop& invoked = (*changed.invoked)[mop];
    if (invoked.row_op && invoked.row_op->predicate == was) {
      replace(invoked);
    }
  }
  return result;
}

}  // namespace

Rewritings with_simpler_predicates(const Draft& draft) {
  constexpr std::size_t kMostOps = 500;
  Rewritings result;
  if (!draft.info.rows || draft.op_count() > kMostOps) {
    return result;
  }
  const auto possible = std::make_shared<const PossibleRows>(draft);
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    const std::vector<DraftMop>& mops = draft.txns[t]->mops;
    for (std::size_t m = 0; m < mops.size(); ++m) {
      if (!mops[m].row_op || !mops[m].row_op->has_predicate()) {
        continue;
      }
      const Predicate& is = mops[m].row_op->predicate;
      for (const Predicate& simpler : with_one_part_less(is)) {
        if (possible->are_alike(is, simpler)) {
          result.emplace_back(
              [&draft, t, m, simpler] { return with_predicate(draft, t, m, simpler); });
        }
      }
    }
  }
  return result;
}

}  // namespace elapid
