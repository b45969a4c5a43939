#include "tests/oracle/rows_oracle.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>

#include "engine/rows/rows.h"

namespace elapid {

namespace {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

/// A row at one moment. Unborn and dead rows differ in nothing that anybody can see.
struct OracleRow {
  bool is_alive = false;
  std::map<ColumnId, ValueId> columns = {};
  ValueId version = ValueId::nil();
  friend auto operator<=>(const OracleRow&, const OracleRow&) = default;
};

/// Numbers the states of rows, so that tables are compared by numbers.
class RowStates {
 public:
  using Number = char32_t;

  Number number(const OracleRow& row) {
    const auto [known, is_new] = numbers_.emplace(row, static_cast<Number>(rows_.size()));
    if (is_new) {
      rows_.push_back(&known->first);
    }
    return known->second;
  }

  const OracleRow& operator[](Number number) const { return *rows_.at(number); }

 private:
  std::map<OracleRow, Number> numbers_;
  std::vector<const OracleRow*> rows_;
};

using OracleTable = boost::container::flat_map<KeyId, RowStates::Number>;
/// By row: all that it was so far.
using Past = boost::container::flat_map<KeyId, boost::container::flat_set<RowStates::Number>>;

/// nothing: neither true nor false.
std::optional<bool> oracle_truth(const Predicate& is, const History& history, ValueId key,
                                 const OracleRow& row) {
  using Kind = Predicate::Kind;
  const auto held = row.columns.find(is.column);
  const bool is_null = held == row.columns.end() || held->second.is_nil();
  switch (is.kind) {
    case Kind::kTrue:
      return true;
    case Kind::kPresent:
      return !is_null;
    case Kind::kEqual:
      return is_null || is.value.is_nil() ? std::nullopt : std::optional(held->second == is.value);
    case Kind::kRange:
    case Kind::kMod: {
      const auto number = is_null ? std::nullopt : history.values().as_integer(held->second);
      if (!number) {
        return std::nullopt;
      }
      return is.kind == Kind::kRange ? !(*number < is.low) && !(is.high < *number)
                                     : (*number - is.low) % is.high == 0;
    }
    case Kind::kKeyRange: {
      const auto number = history.values().as_integer(key);
      return number ? std::optional(is.low <= *number && *number <= is.high) : std::nullopt;
    }
    case Kind::kNot: {
      const auto inner = oracle_truth(is.parts.at(0), history, key, row);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Kind::kAnd:
    case Kind::kOr:
      break;
  }
  std::set<std::optional<bool>> said;
  for (const Predicate& part : is.parts) {
    said.insert(oracle_truth(part, history, key, row));
  }
  const bool decisive = is.kind == Kind::kOr;
  return said.contains(decisive)       ? std::optional(decisive)
         : said.contains(std::nullopt) ? std::nullopt
                                       : std::optional(!decisive);
}

/// The transactions that committed so far, and what each wrote, in their order.
using Commits = std::vector<std::pair<TxnId, OracleTable>>;

enum class RowsProgress : std::uint8_t { kWaiting, kStarted, kCommitted };

struct RowsSituation {
  std::vector<RowsProgress> progress;
  OracleTable table;
  // what transactions on their way will write
  boost::container::flat_map<TxnId, OracleTable> pending = {};
  Past past = {};
  // For read atomic, as are the rows that a transaction sees.
  Commits commits = {};
  OracleTable seen = {};

  /// All of it in numbers.
  [[nodiscard]] std::u32string encoded() const {
    std::u32string code;
    for (const RowsProgress one : progress) {
      code += static_cast<char32_t>(one);
    }
    const auto add = [&](const OracleTable& rows) {
      for (const auto& [key, row] : rows) {
        code += static_cast<char32_t>(key.value);
        code += row;
      }
      code += kEnd;
    };
    add(table);
    std::ranges::for_each(pending, add, &std::pair<TxnId, OracleTable>::second);
    add(seen);
    for (const auto& [txn, written] : commits) {
      add(written);
    }
    for (const auto& [key, rows] : past) {
      code.append(rows.begin(), rows.end());
      code += kEnd;
    }
    return code;
  }

 private:
  static constexpr auto kEnd = static_cast<char32_t>(-1);
};

enum class RowsSight : std::uint8_t {
  kLast,        ///< the state at hand
  kRepeatable,  ///< predicates may concern any version
  kCommitted,   ///< reads of single rows, too
  kAtomic,      ///< what a set of transactions left
};

class RowsExecutions {
 public:
  RowsExecutions(const History& history, OrderLevel level, RowsSight sight = RowsSight::kLast)
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        repeats_(sight == RowsSight::kRepeatable || sight == RowsSight::kCommitted),
        reads_are_free_(sight == RowsSight::kCommitted),
        is_atomic_(sight == RowsSight::kAtomic) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (history.status(txn) != TxnStatus::kAborted) {
        txns_.push_back(txn);
      }
    }
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      if (rows_.is_row(key)) {
        keys_.push_back(key);
      }
    }
    for (const RowOp& op : rows_.ops()) {
      compares_keys_ = compares_keys_ || op.first > 0;
      if (op.has_predicate()) {
        each_atom(rows_.predicate(op), [&](const Predicate& atom) {
          compares_keys_ = compares_keys_ || atom.kind == Predicate::Kind::kKeyRange;
        });
      }
    }
  }

  [[nodiscard]] bool any() {
    OracleTable table;
    for (const KeyId key : keys_) {
      table[key] = states_.number({});
    }
    return rows_.is_closed() ? begins_with(table) : any_beginning(table, 0);
  }

 private:
  [[nodiscard]] bool begins_with(const OracleTable& table) {
    RowsSituation first = {std::vector(history_.txn_count(), RowsProgress::kWaiting), table};
    first.seen = table;
    remember(first);
    return can_finish(first);
  }

  /// All contents of the rows from this one on. Rows that no operation names are alike where no
  /// key is compared, so that they may be taken in order.
  bool any_beginning(OracleTable& table, std::size_t next) {
    if (next == keys_.size()) {
      return begins_with(table);
    }
    const std::vector<RowStates::Number>& contents = contents_of(keys_[next]);
    const bool is_alike =
        next > 0 && is_unnamed(keys_[next]) && is_unnamed(keys_[next - 1]) && !compares_keys_;
    for (const RowStates::Number content : contents) {
      if (is_alike && content < table.at(keys_[next - 1])) {
        continue;
      }
      table[keys_[next]] = content;
      if (any_beginning(table, next + 1)) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool is_unnamed(KeyId key) const {
    return std::ranges::none_of(rows_.ops(), [&](const RowOp& op) {
      return op.row == key ||
             std::ranges::find(rows_.shown(op), key, &ShownRow::row) != rows_.shown(op).end();
    });
  }

  /// What a row may have held at the beginning: of contents that no operation tells apart, one.
  const std::vector<RowStates::Number>& contents_of(KeyId key) {
    std::vector<RowStates::Number>& numbers = contents_[key];
    if (!numbers.empty()) {
      return numbers;
    }
    std::vector<OracleRow> contents = {{.is_alive = true}};
    for (ColumnId column{0}; column.index() < rows_.column_count(); ++column.value) {
      std::vector<OracleRow> more;
      for (const OracleRow& content : contents) {
        for (const ValueId value : values_of(column)) {
          more.push_back(content);
          more.back().columns[column] = value;
        }
      }
      contents = std::move(more);
    }
    std::set<std::vector<int>> kinds;
    std::erase_if(contents, [&](const OracleRow& content) {
      return !kinds.insert(kind_of(key, content)).second;
    });
    contents.push_back({});
    for (const OracleRow& content : contents) {
      numbers.push_back(states_.number(content));
    }
    std::ranges::sort(numbers);
    return numbers;
  }

  /// What each predicate's comparisons and each row that is shown say of a content.
  std::vector<int> kind_of(KeyId key, const OracleRow& content) {
    std::vector<int> kind;
    for (const RowOp& op : rows_.ops()) {
      if (op.has_predicate()) {
        each_atom(rows_.predicate(op), [&](const Predicate& atom) {
          const auto said = oracle_truth(atom, history_, rows_.key(key), content);
          kind.push_back(said ? (*said ? 1 : 0) : 2);
        });
      }
      for (const ShownRow& row : rows_.shown(op)) {
        for (const Field& field : rows_.fields(row)) {
          kind.push_back(shown_value(content, field.column) == field.value ? 1 : 0);
        }
      }
    }
    return kind;
  }

  template <class Visit>
  static void each_atom(const Predicate& predicate, const Visit& visit) {
    if (predicate.parts.empty()) {
      visit(predicate);
    }
    for (const Predicate& part : predicate.parts) {
      each_atom(part, visit);
    }
  }

  /// Enough values to tell all predicates of the column apart: integers around all numbers that the
  /// history speaks of, its other values, null, and one that it does not know.
  std::vector<ValueId> values_of(ColumnId column) {
    std::set<ValueId> values = {ValueId::nil(), ValuePool::false_value()};
    std::int64_t low = 0;
    std::int64_t high = 0;
    const auto note = [&](std::int64_t number) {
      low = std::min(low, number);
      high = std::max(high, number);
    };
    const auto note_value = [&](const Field& field) {
      if (field.column == column) {
        values.insert(field.value);
        note(history_.values().as_integer(field.value).value_or(0));
      }
    };
    for (const RowOp& op : rows_.ops()) {
      std::ranges::for_each(rows_.written(op), note_value);
      for (const ShownRow& row : rows_.shown(op)) {
        std::ranges::for_each(rows_.fields(row), note_value);
      }
      if (op.has_predicate()) {
        note_numbers(rows_.predicate(op), column, values, note);
      }
    }
    for (std::int64_t number = low - 7; number <= high + 7; ++number) {
      values.insert(ValueId::integer(number));
    }
    return {values.begin(), values.end()};
  }

  template <class Note>
  void note_numbers(const Predicate& is, ColumnId column, std::set<ValueId>& values,
                    const Note& note) {
    if (is.column == column) {
      values.insert(is.value);
      note(history_.values().as_integer(is.value).value_or(0));
      note(is.low);
      note(is.high);
    }
    for (const Predicate& part : is.parts) {
      note_numbers(part, column, values, note);
    }
  }

  bool can_finish(const RowsSituation& now) {
    const bool is_finished = std::ranges::all_of(txns_, [&](TxnId txn) {
      return now.progress[txn.index()] == RowsProgress::kCommitted || !history_.committed(txn);
    });
    if (is_finished) {
      return true;
    }
    if (!visited_.insert(now.encoded()).second) {
      return false;
    }
    return std::ranges::any_of(txns_, [&](TxnId txn) { return can_go_on_with(txn, now); });
  }

  bool can_go_on_with(TxnId txn, const RowsSituation& now) {
    switch (now.progress[txn.index()]) {
      case RowsProgress::kWaiting:
        return may_begin(txn, now) &&
               std::ranges::any_of(outcomes(txn, now), [&](const OracleTable& written) {
                 return can_go_on_after(txn, written, now);
               });
      case RowsProgress::kStarted: {
        RowsSituation next = now;
        commit(txn, OracleTable(now.pending.at(txn)), next);
        return can_finish(next);
      }
      default:
        return false;
    }
  }

  bool can_go_on_after(TxnId txn, const OracleTable& written, const RowsSituation& now) {
    RowsSituation next = now;
    if (level_.visibility != Visibility::kSnapshot) {
      commit(txn, written, next);
      return can_finish(next);
    }
    for (const auto& [other, theirs] : now.pending) {
      for (const auto& [key, row] : theirs) {
        if (written.contains(key)) {
          return false;  // one of the two could not commit
        }
      }
    }
    next.progress[txn.index()] = RowsProgress::kStarted;
    next.pending[txn] = written;
    return can_finish(next);
  }

  void commit(TxnId txn, const OracleTable& written, RowsSituation& next) const {
    next.progress[txn.index()] = RowsProgress::kCommitted;
    next.pending.erase(txn);
    for (const auto& [key, row] : written) {
      next.table[key] = row;
    }
    if (txn == history_.info().initial_txn && history_.committed(txn)) {
      next.past.clear();  // no transaction saw what was before
      next.seen = next.table;
    } else if (is_atomic_ && !written.empty()) {
      next.commits.emplace_back(txn, written);
    }
    remember(next);
  }

  void remember(RowsSituation& now) const {
    if (repeats_) {
      for (const auto& [key, row] : now.table) {
        now.past[key].insert(row);
      }
    }
  }

  [[nodiscard]] bool may_begin(TxnId txn, const RowsSituation& now) const {
    return std::ranges::none_of(txns_, [&](TxnId other) {
      return now.progress[other.index()] != RowsProgress::kCommitted && must_precede(other, txn);
    });
  }

  [[nodiscard]] bool must_precede(TxnId a, TxnId b) const {
    if (a == b || !history_.committed(a)) {
      return false;
    }
    const bool in_session = history_.session(a) == history_.session(b) && a < b;
    const bool in_real_time = history_.info().has_real_time && history_.has_invocation(b) &&
                              history_.completion_id(a) < history_.invocation_id(b);
    return a == history_.info().initial_txn || (level_.sessions && in_session) ||
           (level_.real_time && in_real_time);
  }

  /// What the transaction may leave behind if it reads now; nothing if it cannot be carried out.
  std::vector<OracleTable> outcomes(TxnId txn, const RowsSituation& now) {
    std::vector<OracleTable> found;
    if (!is_atomic_) {
      carry_out(history_.ops(txn), now, {}, found);
      return found;
    }
    for (std::uint64_t set = 0; set >> now.commits.size() == 0; ++set) {
      RowsSituation sight = now;
      for (std::size_t i = 0; i < now.commits.size(); ++i) {
        for (const auto& [key, row] : now.commits[i].second) {
          sight.seen[key] = (set >> i & 1U) != 0 ? row : sight.seen[key];
        }
      }
      carry_out(history_.ops(txn), sight, {}, found);
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// The row as the transaction reads it, if it has not written it.
  [[nodiscard]] RowStates::Number read_row(const RowsSituation& now, KeyId key) const {
    return is_atomic_ ? now.seen.at(key) : now.table.at(key);
  }

  void carry_out(std::span<const Op> ops, const RowsSituation& now, OracleTable own,
                 std::vector<OracleTable>& found) {
    if (ops.empty()) {
      found.push_back(std::move(own));
      return;
    }
    const RowOp& op = rows_.op(ops.front());
    if (op.has_predicate()) {
      OracleTable view;
      for (const KeyId key : keys_) {
        view[key] = own.contains(key) ? own.at(key) : read_row(now, key);
      }
      each_view(op, now, own, view, view.begin(), [&](const OracleTable& seen) {
        if (OracleTable next = own; find(op, seen, now, next)) {
          carry_out(ops.subspan(1), now, std::move(next), found);
        }
      });
      return;
    }
    if (reads_are_free_ && op.kind == RowOpKind::kRead && !own.contains(op.row)) {
      if (std::ranges::any_of(now.past.at(op.row),
                              [&](auto former) { return may_act(op, states_[former]); })) {
        carry_out(ops.subspan(1), now, std::move(own), found);
      }
      return;
    }
    if (may_miss(op, now, own)) {
      carry_out(ops.subspan(1), now, own, found);
    }
    const OracleRow& current = states_[own.contains(op.row)          ? own.at(op.row)
                                       : op.kind == RowOpKind::kRead ? read_row(now, op.row)
                                                                     : now.table.at(op.row)];
    if (may_act(op, current)) {
      if (const auto after = acted(op, current)) {
        own[op.row] = states_.number(*after);
      }
      carry_out(ops.subspan(1), now, std::move(own), found);
    }
  }

  /// Whether a delete by key may have found no row, in an earlier version. At its place in the
  /// order of commits it acts on what is there.
  [[nodiscard]] bool may_miss(const RowOp& op, const RowsSituation& now,
                              const OracleTable& own) const {
    if (op.kind != RowOpKind::kDelete || own.contains(op.row)) {
      return false;
    }
    const auto is_dead = [&](RowStates::Number former) { return !states_[former].is_alive; };
    return is_atomic_ ? is_dead(now.seen.at(op.row))
                      : reads_are_free_ && std::ranges::any_of(now.past.at(op.row), is_dead);
  }

  /// All tables that a predicate may concern.
  template <class Take>
  void each_view(const RowOp& op, const RowsSituation& now, const OracleTable& own,
                 OracleTable& view, OracleTable::iterator next, const Take& take) {
    if (next == view.end()) {
      take(view);
      return;
    }
    if (!repeats_ || own.contains(next->first)) {
      each_view(op, now, own, view, std::next(next), take);
      return;
    }
    for (const RowStates::Number former : now.past.at(next->first)) {
      next->second = former;
      each_view(op, now, own, view, std::next(next), take);
    }
  }

  [[nodiscard]] bool may_act(const RowOp& op, const OracleRow& current) const {
    switch (op.kind) {
      case RowOpKind::kInsert:
        return !current.is_alive;
      case RowOpKind::kUpdate:
        return current.is_alive;
      case RowOpKind::kRead:
        if (op.known == Known::kNothing) {
          return true;
        }
        return op.shown_count == 0 ? !current.is_alive
                                   : current.is_alive && shows(op, rows_.shown(op)[0], current);
      default:
        return true;
    }
  }

  /// What becomes of the row; nothing if it is not written.
  [[nodiscard]] std::optional<OracleRow> acted(const RowOp& op, const OracleRow& current) const {
    switch (op.kind) {
      case RowOpKind::kRead:
      case RowOpKind::kPredicateRead:
        return std::nullopt;
      case RowOpKind::kDelete:
      case RowOpKind::kPredicateDelete:
        return current.is_alive ? std::optional(OracleRow{.version = op.version}) : std::nullopt;
      default:
        break;
    }
    OracleRow after = current.is_alive ? current : OracleRow();
    after.is_alive = true;
    after.version = op.version;
    for (const Field& field : rows_.written(op)) {
      after.columns[field.column] = field.value;
    }
    return after;
  }

  [[nodiscard]] bool shows(const RowOp& op, const ShownRow& shown, const OracleRow& row) const {
    if (op.known == Known::kVersions) {
      return shown.version == row.version;
    }
    return std::ranges::all_of(rows_.fields(shown), [&](const Field& field) {
      return shown_value(row, field.column) == field.value;
    });
  }

  static ValueId shown_value(const OracleRow& row, ColumnId column) {
    const auto held = row.columns.find(column);
    return held == row.columns.end() ? ValueId::nil() : held->second;
  }

  /// Whether the predicate finds in `seen` what it did; then `own` has what it wrote.
  bool find(const RowOp& op, const OracleTable& seen, const RowsSituation& now, OracleTable& own) {
    std::vector<KeyId> matches;
    for (const auto& [key, number] : seen) {
      const OracleRow& row = states_[number];
      if (row.is_alive &&
          oracle_truth(rows_.predicate(op), history_, rows_.key(key), row) == true) {
        matches.push_back(key);
      }
    }
    if (op.first > 0) {
      std::ranges::sort(matches, {}, [&](KeyId key) {
        return history_.values().as_integer(rows_.key(key)).value();
      });
      matches.resize(std::min<std::size_t>(matches.size(), op.first));
    }
    if (!is_found(op, seen, matches)) {
      return false;
    }
    for (const KeyId key : matches) {
      const OracleRow& current = states_[own.contains(key) ? own.at(key) : now.table.at(key)];
      if (op.kind != RowOpKind::kPredicateRead && !current.is_alive) {
        return false;  // an old version matched, and the row is dead by now
      }
      if (const auto after = acted(op, current)) {
        own[key] = states_.number(*after);
      }
    }
    return true;
  }

  [[nodiscard]] bool is_found(const RowOp& op, const OracleTable& seen,
                              const std::vector<KeyId>& matches) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    switch (op.known) {
      case Known::kNothing:
        return true;
      case Known::kCount:
        return matches.size() == op.count;
      case Known::kAny:
        return matches.empty() == (op.count == 0);
      case Known::kBag:
        return is_bag(matches, seen, shown);
      default:
        break;
    }
    return matches.size() == shown.size() && std::ranges::all_of(shown, [&](const ShownRow& row) {
             return std::ranges::count(matches, row.row) == 1 &&
                    (op.known == Known::kKeys || shows(op, row, states_[seen.at(row.row)]));
           });
  }

  [[nodiscard]] bool is_bag(const std::vector<KeyId>& matches, const OracleTable& seen,
                            std::span<const ShownRow> shown) const {
    if (matches.size() != shown.size()) {
      return false;
    }
    std::multiset<std::vector<ValueId>> found;
    std::multiset<std::vector<ValueId>> expected;
    for (const KeyId key : matches) {
      std::vector<ValueId> row;
      for (const Field& field : rows_.fields(shown[0])) {
        row.push_back(shown_value(states_[seen.at(key)], field.column));
      }
      found.insert(std::move(row));
    }
    for (const ShownRow& one : shown) {
      std::vector<ValueId> row;
      for (const Field& field : rows_.fields(one)) {
        row.push_back(field.value);
      }
      expected.insert(std::move(row));
    }
    return found == expected;
  }

  const History& history_;
  const rows::Rows& rows_;
  OrderLevel level_;
  bool repeats_;
  bool reads_are_free_;
  bool is_atomic_;
  std::vector<TxnId> txns_;
  std::vector<KeyId> keys_;
  bool compares_keys_ = false;
  RowStates states_;
  std::map<KeyId, std::vector<RowStates::Number>>
      contents_;  // at the beginning of an open universe
  std::unordered_set<std::u32string> visited_;
};

}  // namespace

bool rows_can_be_tried(const History& history) {
  constexpr std::size_t kMostKeys = 5;
  return history.info().rows->is_closed() || history.key_count() <= kMostKeys;
}

bool rows_hold(const History& history, OrderLevel level) {
  return RowsExecutions(history, level).any();
}

bool rows_are_repeatable(const History& history) {
  return RowsExecutions(history, {.visibility = Visibility::kSerial}, RowsSight::kRepeatable).any();
}

bool rows_are_read_committed(const History& history) {
  return RowsExecutions(history, {.visibility = Visibility::kSerial}, RowsSight::kCommitted).any();
}

bool rows_are_read_atomic(const History& history) {
  return RowsExecutions(history, {.visibility = Visibility::kSerial}, RowsSight::kAtomic).any();
}

}  // namespace elapid
