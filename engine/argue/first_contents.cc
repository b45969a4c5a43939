#include "engine/argue/first_contents.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/argue/row_parts.h"

namespace elapid::argue {

using replay::RowState;
using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

/// The most remainders that are told apart.
constexpr std::int64_t kMostRemainders = 1000;

/// The most values of one column; each is compared with each predicate's part.
constexpr std::size_t kMostValues = 2000;
constexpr std::size_t kMostComparisons = 20'000'000;

/// The facts by which values of one column differ.
class ToldApart {
 public:
  ToldApart(const History& history, ColumnId column)
      : history_(history), rows_(*history.info().rows), column_(column) {
    for (const RowOp& op : rows_.ops()) {
      for (const ShownRow& row : rows_.shown(op)) {
        for (const Field& field : rows_.fields(row)) {
          if (field.column == column && !field.value.is_nil()) {
            mentioned_.insert(field.value);
          }
        }
      }
      if (op.has_predicate()) {
        note(rows_.predicate(op));
      }
    }
    const auto told = [](const Predicate& is) {
      return std::tuple(is.kind, is.value, is.low, is.high);
    };
    std::ranges::sort(atoms_, {}, told);
    atoms_.erase(std::ranges::unique(atoms_).begin(), atoms_.end());
    for (const ValueId value : mentioned_) {
      if (value.is_integer()) {
        note_border(value.as_integer());
        note_border(value.as_integer() + 1);
      }
    }
  }

  /// One value of each kind, none() first. False: some cannot be named.
  bool collect(std::vector<ValueId>& values) {
    const std::int64_t span = std::min(by_, kMostRemainders);
    const std::size_t most = mentioned_.size() + borders_.size() * static_cast<std::size_t>(span);
    if (most > kMostValues || most * atoms_.size() > kMostComparisons) {
      values.push_back(ValueId::none());
      return false;
    }
    bool is_whole = by_ <= kMostRemainders;
    std::set<std::string> kinds;
    const auto add = [&](ValueId value) {
      if (kinds.insert(kind_of(value)).second) {
        values.push_back(value);
      }
    };
    add(ValueId::none());
    for (const ValueId value : mentioned_) {
      add(value);
    }
    is_whole = add_other(add) && is_whole;
    for (auto border = borders_.begin(); border != borders_.end(); ++border) {
      const auto next = std::next(border);
      const std::int64_t end = next == borders_.end() ? *border + span : *next;
      for (std::int64_t number = *border; number < std::min(end, *border + span); ++number) {
        add(ValueId::integer(number));
      }
    }
    return is_whole && !is_too_wide_;
  }

 private:
  static constexpr std::int64_t kLeast = ValueId::kInlineMin;

  /// Notes that another kind of number begins here. A border needs kMostRemainders inline integers
  /// on both sides.
  void note_border(std::int64_t border) {
    if (border < kLeast + kMostRemainders || border > ValueId::kInlineMax - kMostRemainders) {
      is_too_wide_ = true;
    } else {
      borders_.insert(border);
    }
  }

  void note_range(std::int64_t low, std::int64_t high) {
    constexpr auto kAny = std::numeric_limits<std::int64_t>();
    if (low != kAny.min()) {
      note_border(low);
    }
    if (high != kAny.max()) {
      note_border(high + 1);
    }
  }

  void note(const Predicate& is) {
    const bool is_mine = is.column == column_;
    if (is.kind == Predicate::Kind::kEqual && is_mine && !is.value.is_nil()) {
      mentioned_.insert(is.value);
      atoms_.push_back(is);
    } else if (is.kind == Predicate::Kind::kRange && is_mine) {
      note_range(is.low, is.high);
      atoms_.push_back(is);
    } else if (is.kind == Predicate::Kind::kMod && is_mine) {
      const std::int64_t high = std::min(is.high, kMostRemainders + 1);
      by_ = std::min(std::lcm(by_, high), kMostRemainders + 1);
      atoms_.push_back(is);
    }
    for (const Predicate& part : is.parts) {
      note(part);
    }
  }

  /// A value that is no integer and is not mentioned.
  template <class Add>
  bool add_other(const Add& add) {
    for (const ValueId value : {ValuePool::false_value(), history_.values().find("true")}) {
      if (!value.is_none() && !mentioned_.contains(value)) {
        add(value);
        return true;
      }
    }
    return false;
  }

  /// The kind of the value, as text: whether it is there, what each atom says of it, and the value
  /// itself if it is mentioned.
  [[nodiscard]] std::string kind_of(ValueId value) const {
    std::string kind = value.is_none() ? "-" : "+";
    rows::Record record;
    if (!value.is_none()) {
      record.set(column_, value);
    }
    for (const Predicate& atom : atoms_) {
      kind += static_cast<char>(
          '0' + static_cast<int>(atom.evaluate(history_.values(), ValueId::nil(), record)));
    }
    if (mentioned_.contains(value)) {
      kind += std::to_string(value.bits());
    }
    return kind;
  }

  const History& history_;
  const rows::Rows& rows_;
  ColumnId column_;
  std::vector<Predicate> atoms_;
  std::set<ValueId> mentioned_;
  std::set<std::int64_t> borders_ = {kLeast};
  std::int64_t by_ = 1;
  bool is_too_wide_ = false;
};

/// What the first operations in the order of completion tell of rows at the beginning.
class Guess {
 public:
  Guess(const History& history, std::vector<RowState>& states)
      : rows_(*history.info().rows),
        states_(states),
        parts_(kFirstColumn + rows_.column_count()),
        is_settled_(states.size() * parts_, false) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (!history.committed(txn)) {
        continue;
      }
      for (const Op place : history.ops(txn)) {
        take(rows_.op(place));
      }
    }
  }

 private:
  void take(const RowOp& op) {
    for (const ShownRow& shown : rows_.shown(op)) {
      if (shown.row.is_none()) {
        continue;
      }
      settle_existence(shown.row, true);
      for (const Field& field : rows_.fields(shown)) {
        settle_column(shown.row, field);
      }
      if (!op.is_read()) {
        write(op, shown.row);
      }
    }
    if (op.has_predicate()) {
      return;
    }
    if (op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kUpdate) {
      settle_existence(op.row, op.kind == RowOpKind::kUpdate);
    } else if (op.kind == RowOpKind::kRead && op.known != Known::kNothing && op.shown_count == 0) {
      settle_existence(op.row, false);
    }
    if (!op.is_read()) {
      write(op, op.row);
    }
  }

  [[nodiscard]] bool settle(KeyId row, std::size_t part) {
    const std::size_t place = row.index() * parts_ + part;
    const bool is_new = !is_settled_[place];
    is_settled_[place] = true;
    return is_new;
  }

  void settle_existence(KeyId row, bool exists) {
    if (settle(row, kRowExistence)) {
      states_[row.index()].is_alive = exists;
    }
  }

  void settle_column(KeyId row, const Field& field) {
    if (settle(row, part_of(field.column)) && !field.value.is_nil()) {
      states_[row.index()].record.set(field.column, field.value);
    }
  }

  /// From here on the row tells nothing about the beginning.
  void write(const RowOp& op, KeyId row) {
    settle_existence(row, false);
    const bool is_whole = op.kind != RowOpKind::kUpdate && op.kind != RowOpKind::kPredicateUpdate;
    for (ColumnId column{0}; is_whole && column.index() < rows_.column_count(); ++column.value) {
      settle_column(row, {column, ValueId::nil()});
    }
    for (const Field& field : rows_.written(op)) {
      settle_column(row, {field.column, ValueId::nil()});
    }
  }

  const rows::Rows& rows_;
  std::vector<RowState>& states_;
  std::size_t parts_;
  std::vector<bool> is_settled_;  // by row and part
};

}  // namespace

void set_column(RowState& state, ColumnId column, ValueId value) {
  rows::Record record;
  for (const Field& field : state.record.fields()) {
    if (field.column != column) {
      record.set(field.column, field.value);
    }
  }
  if (!value.is_none()) {
    record.set(column, value);
  }
  state.record = std::move(record);
}

std::vector<RowState> guessed_beginning(const History& history) {
  std::vector<RowState> states;
  if (!history.info().rows->is_closed()) {
    states.resize(history.key_count());
    const Guess guess(history, states);
  }
  for (RowState& state : states) {
    if (!state.is_alive) {
      state.record = {};
    }
  }
  return states;
}

FirstContents::FirstContents(const History& history)
    : rows_(*history.info().rows), guess_(guessed_beginning(history)) {
  if (!is_open()) {
    return;
  }
  is_whole_ = rows_.names_all_rows();
  for (ColumnId column{0}; column.index() < rows_.column_count(); ++column.value) {
    is_whole_ = ToldApart(history, column).collect(values_.emplace_back()) && is_whole_;
  }
}

}  // namespace elapid::argue
