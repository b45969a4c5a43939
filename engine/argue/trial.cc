#include "engine/argue/trial.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "engine/argue/trial_state.h"

namespace elapid::argue {

using replay::RowState;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

using Parts = std::vector<std::uint32_t>;

/// In how many ways columns of one row are looked at together.
constexpr std::size_t kMostWays = 200;

/// Why a row is as it is where an operation looks: who wrote its parts last, and why those wrote
/// it, and others did not, that were not sure to.
class Explanation {
 public:
  /// Explains no further once there are more than `most` causes.
  Explanation(const History& history, const RowWrites& writes, TrialState& state, std::size_t most)
      : history_(history),
        rows_(*history.info().rows),
        writes_(writes),
        state_(state),
        most_(most) {}

  /// These parts of the row, as the transaction saw them before its operation number `mop`.
  void add(TxnId reader, std::uint32_t mop, KeyId row, const Parts& parts) {
    queue(reader, mop, row, parts);
    while (!needs_.empty() && size() <= most_) {
      const Need need = needs_.back();
      needs_.pop_back();
      settle(need);
    }
  }

  /// Whether the operation's predicate matches the row, or not.
  void add_match(TxnId reader, std::uint32_t mop, KeyId row) { look(reader, mop, row); }

  /// That a column of the row is not what was shown of it.
  void add_unlike(TxnId reader, std::uint32_t mop, KeyId row, std::uint32_t part, ValueId shown) {
    looks_.push_back({reader, mop, row, {part}, shown});
    add(reader, mop, row, {part});
  }

  /// That the transaction writes the row at all.
  void add_write(TxnId txn, KeyId row) {
    bool is_sure = false;
    std::optional<std::uint32_t> matching;
    each_own(txn, count_of(txn), row, [&](std::uint32_t mop, const RowOp& op, bool sure) {
      is_sure = is_sure || sure;
      if (!sure && !matching && state_.matches(op, row, state_.view(txn, mop, row))) {
        matching = mop;
      }
    });
    if (!is_sure && matching) {
      add_match(txn, *matching, row);
    }
  }

  /// That the transaction has written the row itself before its operation number `mop`.
  void add_own_write(TxnId txn, std::uint32_t mop, KeyId row) {
    bool is_sure = false;
    std::optional<std::uint32_t> taken;
    each_own(txn, mop, row, [&](std::uint32_t at, const RowOp& /*op*/, bool sure) {
      is_sure = is_sure || sure;
      if (!sure && !taken && state_.is_taken(txn, at, row)) {
        taken = at;
      }
    });
    if (!is_sure && taken) {
      noted_decision(txn, *taken, row);
    }
  }

  /// To a failure.
  void move_to(Failure& failure, const FirstContents* contents) {
    if (contents != nullptr) {
      failure.alike = all_alike(*contents);
    }
    move_causes_to(failure);
  }

  /// To a failure or a version.
  template <class Explained>
  void move_causes_to(Explained& explained) {
    explained.causes = std::move(causes_);
    for (const auto& [txn, row, part] : misses_) {
      explained.misses.push_back({txn, row, part});
    }
    explained.decisions.assign(decisions_.begin(), decisions_.end());
  }

  [[nodiscard]] std::size_t size() const { return causes_.size(); }

  /// Whether it speaks of a row that is not there and has columns: another operation, which changed
  /// the row, failed because of that.
  [[nodiscard]] bool is_confused() const { return is_confused_; }

  /// Parts that decide whether the operation's predicate is true of the row.
  [[nodiscard]] Parts why(const RowOp& op, KeyId row, const RowState& state) const {
    Parts parts;
    const bool is_match = state_.matches(op, row, state);
    if (!state.is_alive || !op.has_predicate()) {
      parts.push_back(kRowExistence);
      return parts;
    }
    collect(rows_.predicate(op), row, state.record, is_match, parts);
    const bool has_value = std::ranges::any_of(parts, [&](std::uint32_t part) {
      return !state.record.get(rows::ColumnId{part - kFirstColumn}).is_none();
    });
    if (is_match && !has_value) {
      parts.push_back(kRowExistence);
    }
    return parts;
  }

 private:
  /// An operation that looked at a row: whether it matched, or whether a column was as shown.
  struct Look {
    TxnId reader;
    std::uint32_t mop = 0;
    KeyId row;
    Parts parts;  ///< that decided it
    std::optional<ValueId> shown = {};
  };

  /// A row that an operation changed though it was not there keeps columns, which a delete that
  /// does not find it leaves.
  void note_confused(const RowState& state) {
    is_confused_ = is_confused_ || (!state.is_alive && !state.record.fields().empty());
  }

  /// What decides whether the operation matches the row.
  Parts noted_look(TxnId reader, std::uint32_t mop, KeyId row) {
    const RowState state = state_.view(reader, mop, row);
    note_confused(state);
    Parts parts = why(writes_.op(reader, mop), row, state);
    looks_.push_back({reader, mop, row, parts, {}});
    return parts;
  }

  void look(TxnId reader, std::uint32_t mop, KeyId row) {
    Parts parts = noted_look(reader, mop, row);
    add(reader, mop, row, parts);
  }

  /// For each column that no transaction wrote: the values that it may have held with which all
  /// looks come to the same. The columns of one row may hold any combination of these values.
  [[nodiscard]] std::vector<Alike> all_alike(const FirstContents& contents) {
    std::map<KeyId, std::vector<Alike>> by_row;
    for (const LastWriter& cause : causes_) {
      if (cause.writer.is_none() && cause.part >= kFirstColumn) {
        std::vector<Alike>& columns = by_row[cause.row];
        if (std::ranges::find(columns, cause.part, &Alike::part) == columns.end()) {
          columns.push_back({cause.row, cause.part, {held_at_first(cause.row, cause.part)}});
        }
      }
    }
    std::vector<Alike> all;
    for (auto& [row, columns] : by_row) {
      widen(contents, columns);
      for (Alike& column : columns) {
        std::ranges::sort(column.values);
        all.push_back(std::move(column));
      }
    }
    return all;
  }

  [[nodiscard]] ValueId held_at_first(KeyId row, std::uint32_t part) const {
    return state_.at_first(row).record.get(rows::ColumnId{part - kFirstColumn});
  }

  void widen(const FirstContents& contents, std::vector<Alike>& columns) {
    const KeyId row = columns.front().row;
    std::vector<std::pair<const Look*, bool>> looks;
    for (const Look& look : looks_) {
      if (look.row == row) {
        looks.emplace_back(&look, outcome(look));
      }
    }
    std::size_t ways = 1;
    for (Alike& column : columns) {
      const std::span<const ValueId> values =
          contents.values(rows::ColumnId{column.part - kFirstColumn});
      for (const ValueId value : ways* values.size() <= kMostWays ? values : values.first(0)) {
        if (value != column.values.front() && is_alike(columns, column, value, looks)) {
          column.values.push_back(value);
        }
      }
      ways *= column.values.size();
    }
    state_.pretend_nothing();
  }

  /// Whether the looks come to the same with the value, and whatever the other columns hold.
  [[nodiscard]] bool is_alike(const std::vector<Alike>& columns, const Alike& of, ValueId value,
                              const std::vector<std::pair<const Look*, bool>>& looks) {
    std::vector<std::size_t> chosen(columns.size(), 0);
    while (true) {
      state_.pretend_nothing();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        state_.pretend(of.row, rows::ColumnId{columns[i].part - kFirstColumn},
                       &columns[i] == &of ? value : columns[i].values[chosen[i]]);
      }
      for (const auto& [look, before] : looks) {
        if (outcome(*look) != before || !is_decided(*look)) {
          return false;
        }
      }
      std::size_t next = 0;
      while (next < columns.size() &&
             (&columns[next] == &of || ++chosen[next] == columns[next].values.size())) {
        chosen[next++] = 0;
      }
      if (next == columns.size()) {
        return true;
      }
    }
  }

  [[nodiscard]] bool outcome(const Look& look) const {
    const RowState state = state_.view(look.reader, look.mop, look.row);
    if (look.shown) {
      const ValueId value = state.record.get(rows::ColumnId{look.parts.front() - kFirstColumn});
      return (value.is_none() ? ValueId::nil() : value) == *look.shown;
    }
    return state_.matches(writes_.op(look.reader, look.mop), look.row, state);
  }

  /// Whether the same parts decide it as before.
  [[nodiscard]] bool is_decided(const Look& look) const {
    if (look.shown) {
      return true;
    }
    const Parts parts = why(writes_.op(look.reader, look.mop), look.row,
                            state_.view(look.reader, look.mop, look.row));
    return std::ranges::all_of(parts, [&](std::uint32_t part) {
      return std::ranges::find(look.parts, part) != look.parts.end();
    });
  }

  struct Need {
    TxnId reader;
    std::uint32_t mop = 0;
    KeyId row;
    PartSet parts = 0;
  };

  [[nodiscard]] std::uint32_t count_of(TxnId txn) const {
    return static_cast<std::uint32_t>(history_.ops(txn).size());
  }

  template <class Visit>
  void each_own(TxnId txn, std::uint32_t count, KeyId row, Visit visit) const {
    writes_.each_write(txn, count, row, visit);
  }

  void queue(TxnId reader, std::uint32_t mop, KeyId row, const Parts& parts) {
    PartSet& known = told_[std::tuple(reader, mop, row)];
    Need need = {reader, mop, row, 0};
    for (const std::uint32_t part : parts) {
      need.parts |= PartSet{1} << part;
    }
    need.parts &= ~known;
    known |= need.parts;
    if (need.parts != 0) {
      needs_.push_back(need);
    }
  }

  void queue_look(TxnId reader, std::uint32_t mop, KeyId row) {
    queue(reader, mop, row, noted_look(reader, mop, row));
  }

  void settle(const Need& need) {
    PartSet open = need.parts;
    std::vector<std::pair<std::uint32_t, bool>> own;
    each_own(need.reader, need.mop, need.row,
             [&](std::uint32_t mop, const RowOp& /*op*/, bool is_sure) {
               own.emplace_back(mop, is_sure);
             });
    for (auto at = own.rbegin(); at != own.rend() && open != 0; ++at) {
      const RowOp& op = writes_.op(need.reader, at->first);
      const PartSet written = writes_.written(op) & open;
      if (written == 0) {
        continue;
      }
      // That it wrote a row which others then found has to be told, not what itself found then.
      const bool is_before = need.mop < count_of(need.reader);
      bool is_written = at->second;
      if (!is_written && is_before && writes_.ends(op, need.row)) {
        note_confused(state_.view(need.reader, at->first, need.row));
        is_written = true;
      } else if (!is_written && state_.is_told()) {
        is_written = noted_decision(need.reader, at->first, need.row);
      } else if (!is_written) {
        const RowState state = state_.view(need.reader, at->first, need.row);
        is_written = state_.matches(op, need.row, state);
        queue_look(need.reader, at->first, need.row);
      }
      open &= is_written ? ~written : ~PartSet{0};
    }
    for (std::uint32_t part = 0; open >> part != 0; ++part) {
      if ((open >> part & 1U) != 0) {
        add_cause(need.reader, need.row, part);
      }
    }
  }

  /// Whether the operation wrote the row, which it was not sure to.
  bool noted_decision(TxnId txn, std::uint32_t mop, KeyId row) {
    const bool is_taken = state_.is_taken(txn, mop, row);
    decisions_.insert({{txn, mop, row}, is_taken});
    return is_taken;
  }

  void add_cause(TxnId reader, KeyId row, std::uint32_t part) {
    const TxnId writer = state_.last_writer(row, part, state_.read_at(reader));
    if (!seen_.insert(std::tuple(reader, row, part)).second) {
      return;
    }
    causes_.push_back({row, part, writer, reader});
    TrialState::Moment after = 0;
    if (!writer.is_none()) {
      after = state_.committed_at(writer);
      queue(writer, count_of(writer), row, {part});
    }
    for (const TxnId other : writes_.writers(row, part)) {
      const TrialState::Moment at = state_.committed_at(other);
      if (other == reader || at <= after || at > state_.read_at(reader)) {
        continue;
      }
      misses_.emplace(other, row, part);
      each_own(other, count_of(other), row,
               [&](std::uint32_t mop, const RowOp& op, bool /*is_sure*/) {
                 if ((writes_.written(op) >> part & 1U) == 0) {
                   return;
                 }
                 if (state_.is_told()) {
                   noted_decision(other, mop, row);
                 } else {
                   queue_look(other, mop, row);
                 }
               });
    }
  }

  /// Parts that decide that the predicate is true of the record, or that it is not.
  void collect(const Predicate& predicate, KeyId row, const rows::Record& record, bool is_true,
               Parts& parts) const {
    using Kind = Predicate::Kind;
    switch (predicate.kind) {
      case Kind::kTrue:
      case Kind::kKeyRange:
        return;
      case Kind::kAnd:
      case Kind::kOr: {
        const bool needs_all = (predicate.kind == Kind::kAnd) == is_true;
        for (const Predicate& part : predicate.parts) {
          const bool holds = part.matches(history_.values(), rows_.key(row), record);
          if (needs_all || holds == is_true) {
            collect(part, row, record, is_true, parts);
            if (!needs_all) {
              return;
            }
          }
        }
        return;
      }
      case Kind::kNot:
        collect_all(predicate, parts);
        return;
      default:
        parts.push_back(part_of(predicate.column));
    }
  }

  static void collect_all(const Predicate& predicate, Parts& parts) {
    using Kind = Predicate::Kind;
    if (predicate.kind != Kind::kTrue && predicate.kind != Kind::kKeyRange &&
        predicate.parts.empty() && predicate.kind != Kind::kAnd && predicate.kind != Kind::kOr) {
      parts.push_back(part_of(predicate.column));
    }
    for (const Predicate& part : predicate.parts) {
      collect_all(part, parts);
    }
  }

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  TrialState& state_;
  std::size_t most_;
  std::vector<Look> looks_;
  bool is_confused_ = false;
  std::vector<Need> needs_;
  std::map<std::tuple<TxnId, std::uint32_t, KeyId>, PartSet> told_;
  std::set<std::tuple<TxnId, KeyId, std::uint32_t>> seen_;
  std::vector<LastWriter> causes_;
  std::set<std::tuple<TxnId, KeyId, std::uint32_t>> misses_;
  std::set<Decision> decisions_;
};

class Trial {
 public:
  Trial(const History& history, const RowWrites& writes, TrialOptions options)
      : history_(history),
        rows_(*history.info().rows),
        writes_(writes),
        options_(options),
        has_old_versions_(options.old_versions != OldVersions::kOfNone),
        state_(history, writes, options.beginning, has_old_versions_) {}

  TrialResult run(std::span<const OrderEvent> order) {
    for (const OrderEvent event : order) {
      if (result_.failures.size() >= options_.most) {
        break;
      }
      if (!options_.has_two_events || !event.is_commit) {
        read(event.txn);
      }
      if (event.is_commit) {
        commit(event.txn);
      }
    }
    result_.taken = state_.taken();
    return std::move(result_);
  }

 private:
  /// A row that the transaction has written, and which parts of it.
  struct Own {
    RowState state;
    PartSet parts = 0;
  };

  [[nodiscard]] const RowState& view(KeyId row) const {
    const auto own = own_.find(row);
    return own == own_.end() ? state_.table().row(row) : own->second.state;
  }

  /// The operations one after the other, each with what came before it.
  void read(TxnId txn) {
    own_.clear();
    state_.begin(txn);
    const auto count = static_cast<std::uint32_t>(history_.ops(txn).size());
    for (std::uint32_t mop = 0; mop < count; ++mop) {
      const RowOp& op = writes_.op(txn, mop);
      if (!op.has_predicate()) {
        check_row(txn, mop, op);
      } else if (op.known != Known::kNothing || RowWrites::is_unnamed(op)) {
        find(op);
        lists_rows(op)       ? check_listed(txn, mop, op)
        : !has_old_versions_ ? check_counted(txn, mop, op)
        : op.is_read()       ? check_chances(txn, mop, op)
                             : choose_rows(txn, mop, op);
      }
      write(txn, mop, op);
    }
    if (options_.has_two_events) {
      find_overlaps(txn);
    }
    pending_[txn] = std::move(own_);
    own_.clear();
  }

  void write(TxnId txn, std::uint32_t mop, const RowOp& op) {
    std::vector<KeyId> rows = writes_.rows_of(txn, mop);
    if (RowWrites::is_unnamed(op)) {
      rows = found_;
    } else if (op.kind == RowOpKind::kDelete && !is_sure(txn, mop, op.row) &&
               !view(op.row).is_alive) {
      rows.clear();
    }
    for (const KeyId row : rows) {
      if (has_old_versions_ && !is_sure(txn, mop, row)) {
        state_.note_taken(txn, mop, row);
      }
      Own& own = own_.try_emplace(row, Own{view(row)}).first->second;
      own.parts |= writes_.written(op);
      state_.apply(op, own.state);
    }
  }

  [[nodiscard]] bool is_sure(TxnId txn, std::uint32_t mop, KeyId row) const {
    bool found = false;
    writes_.each_write(txn, mop + 1, row, [&](std::uint32_t at, const RowOp& /*op*/, bool sure) {
      found = at == mop && sure;
    });
    return found;
  }

  void find_overlaps(TxnId txn) {
    for (const auto& [other, written] : pending_) {
      for (const auto& [row, own] : own_) {
        if (written.contains(row)) {
          Explanation why = explanation();
          why.add_write(txn, row);
          why.add_write(other, row);
          tell({.kind = Failure::Kind::kOverlap, .txn = txn, .other = other, .row = row}, why);
          break;
        }
      }
    }
  }

  void commit(TxnId txn) {
    state_.commit(txn);
    for (const auto& [row, own] : pending_[txn]) {
      state_.set(txn, row, own.parts, own.state);
    }
    pending_.erase(txn);
  }

  // Failures.

  [[nodiscard]] Explanation explanation() {
    return {history_, writes_, state_, options_.most_causes};
  }

  void tell(Failure failure, Explanation& why) {
    if (why.size() > options_.most_causes) {
      result_.is_too_long = true;
      return;
    }
    if (why.is_confused()) {
      return;
    }
    why.move_to(failure, options_.contents);
    result_.failures.push_back(std::move(failure));
  }

  void fail(TxnId txn, std::uint32_t mop, KeyId row, const Parts& parts,
            std::uint32_t as = kAsRecorded) {
    Explanation why = explanation();
    why.add(txn, mop, row, parts);
    tell({.txn = txn, .mop = mop, .row = as == kAsRecorded ? KeyId::none() : row, .as = as}, why);
  }

  /// The row was shown like this, or not shown, and is otherwise.
  void fail_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                  const Parts& parts) {
    Explanation why = explanation();
    if (has_old_versions_) {
      why.add_own_write(txn, mop, row);
    }
    explain_shown(txn, mop, row, outcome, parts, why);
    const bool is_choice = outcome.as != kAsRecorded;
    tell({.txn = txn, .mop = mop, .row = is_choice ? row : KeyId::none(), .as = outcome.as}, why);
  }

  void explain_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                     const Parts& parts, Explanation& why) {
    const RowOp& op = writes_.op(txn, mop);
    const bool is_match = state_.matches(op, row, view(row));
    if (op.has_predicate() && is_match != outcome.is_found) {
      why.add_match(txn, mop, row);
    } else if (parts.front() >= kFirstColumn) {
      why.add_unlike(txn, mop, row, parts.front(), shown_value(*outcome.shown, parts.front()));
    } else {
      why.add(txn, mop, row, parts);
    }
  }

  [[nodiscard]] ValueId shown_value(const ShownRow& shown, std::uint32_t part) const {
    const std::span<const Field> fields = rows_.fields(shown);
    return std::ranges::find(fields, part, [](const Field& field) { return part_of(field.column); })
        ->value;
  }

  void check_row(TxnId txn, std::uint32_t mop, const RowOp& op) {
    const bool is_alive = view(op.row).is_alive;
    switch (op.kind) {
      case RowOpKind::kInsert:
      case RowOpKind::kUpdate:
        if (is_alive != (op.kind == RowOpKind::kUpdate)) {
          fail(txn, mop, op.row, {kRowExistence});
        }
        break;
      case RowOpKind::kRead:
        if (options_.old_versions == OldVersions::kOfReads) {
          if (op.known != Known::kNothing) {
            check_match(txn, mop, op, op.row,
                        recorded(op.shown_count > 0 ? &rows_.shown(op).front() : nullptr));
          }
        } else if (op.known != Known::kNothing && is_alive == (op.shown_count == 0)) {
          fail(txn, mop, op.row, {kRowExistence});
        } else if (op.known != Known::kNothing && op.shown_count > 0) {
          const ShownRow& shown = rows_.shown(op).front();
          if (const Parts parts = unlike(op, shown, view(op.row)); !parts.empty()) {
            fail_shown(txn, mop, op.row, recorded(&shown), parts);
          }
        }
        break;
      case RowOpKind::kDelete:
        check_delete(txn, mop, op);
        break;
      default:
        break;
    }
  }

  /// Whether it ends a row or misses it is a choice where predicates may concern old versions.
  void check_delete(TxnId txn, std::uint32_t mop, const RowOp& op) {
    const auto chosen = options_.choices != nullptr
                            ? options_.choices->get(txn, mop, op.row, kAsFound)
                            : std::nullopt;
    if (chosen && *chosen != view(op.row).is_alive) {
      fail(txn, mop, op.row, {kRowExistence}, *chosen ? kAsFound : kAsMissed);
    }
  }

  static Outcome recorded(const ShownRow* shown) {
    return {.as = kAsRecorded, .is_found = shown != nullptr, .shown = shown};
  }

  static constexpr Outcome kMissed = {.as = kAsMissed};
  static constexpr Outcome kFound = {.as = kAsFound, .is_found = true};

  /// The first part of the row that is not as it was shown; none if all are.
  [[nodiscard]] Parts unlike(const RowOp& op, const ShownRow& shown, const RowState& state) const {
    if (op.known == Known::kVersions) {
      return state.version == shown.version ? Parts() : Parts{kRowVersion};
    }
    for (const Field& field : rows_.fields(shown)) {
      if (held(state, field.column) != field.value) {
        return {part_of(field.column)};
      }
    }
    return {};
  }

  [[nodiscard]] static ValueId held(const RowState& state, rows::ColumnId column) {
    const ValueId value = state.record.get(column);
    return value.is_none() ? ValueId::nil() : value;
  }

  /// Parts that tell that an operation cannot have found the row so in this state; nothing if it
  /// can.
  [[nodiscard]] std::optional<Parts> misfit(const RowOp& op, KeyId row, const Outcome& outcome,
                                            const RowState& state) {
    if (state_.matches(op, row, state) != outcome.is_found) {
      return explanation().why(op, row, state);
    }
    Parts parts;
    if (outcome.shown != nullptr) {
      parts = unlike(op, *outcome.shown, state);
    }
    return parts.empty() ? std::nullopt : std::optional(std::move(parts));
  }

  /// What the operation's predicate matches, ascending.
  void find(const RowOp& op) {
    found_.clear();
    state_.table().find(op.table, rows_.predicate(op), found_);
    for (const auto& [row, own] : own_) {
      found_.push_back(row);
    }
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    std::erase_if(found_, [&](KeyId row) {
      return rows_.table(row) != op.table || !state_.matches(op, row, view(row));
    });
  }

  [[nodiscard]] std::int64_t number(KeyId row) const {
    return history_.values().as_integer(rows_.key(row)).value_or(0);
  }

  void check_listed(TxnId txn, std::uint32_t mop, const RowOp& op) {
    expected_.clear();
    for (const ShownRow& row : rows_.shown(op)) {
      expected_.push_back(row.row);
      check_match(txn, mop, op, row.row, recorded(&row));
    }
    std::ranges::sort(expected_);
    const std::optional<std::int64_t> last = last_key(history_, op);
    for (const KeyId row : found_) {
      if (!std::ranges::binary_search(expected_, row) && !(last && number(row) > *last)) {
        check_match(txn, mop, op, row, recorded(nullptr));
      }
    }
  }

  /// Of a row that was found, or may match and was not.
  void check_match(TxnId txn, std::uint32_t mop, const RowOp& op, KeyId row,
                   const Outcome& outcome) {
    const bool is_written = !op.is_read() && outcome.is_found;
    if (has_old_versions_ && !own_.contains(row)) {
      check_past(txn, mop, op, row, outcome);
      if (is_written && !view(row).is_alive) {
        fail(txn, mop, row, {kRowExistence}, outcome.as);
      }
    } else if (const auto parts = misfit(op, row, outcome, view(row))) {
      fail_shown(txn, mop, row, outcome, *parts);
    }
  }

  /// Whether the operation can have concerned some version that the row had before.
  void check_past(TxnId txn, std::uint32_t mop, const RowOp& op, KeyId row,
                  const Outcome& outcome) {
    if (!misfit(op, row, outcome, view(row))) {
      return;
    }
    Failure failure = {
        .kind = Failure::Kind::kVersions, .txn = txn, .mop = mop, .row = row, .as = outcome.as};
    if (has_first_version(row)) {
      const std::optional<Parts> parts = misfit(op, row, outcome, state_.at_first(row));
      if (!parts) {
        return;
      }
      FormerVersion& version = failure.versions.emplace_back(TxnId::none());
      for (const std::uint32_t part : *parts) {
        version.causes.push_back({row, part});
      }
    }
    for (const TxnId writer : writes_.writers(row, kRowVersion)) {
      const TrialState::Moment at = state_.committed_at(writer);
      if (at == TrialState::kNever) {
        continue;
      }
      ++result_.looked;
      const std::optional<Parts> parts = misfit(op, row, outcome, state_.state(row, at));
      if (!parts) {
        return;
      }
      FormerVersion& version = failure.versions.emplace_back(writer);
      Explanation why = explanation();
      why.add(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), row, *parts);
      if (why.size() > options_.most_causes) {
        result_.is_too_long = true;
        return;
      }
      why.move_causes_to(version);
    }
    result_.failures.push_back(std::move(failure));
  }

  /// Whether what the row was at the beginning is a version that others may have concerned.
  [[nodiscard]] bool has_first_version(KeyId row) const {
    const std::vector<TxnId> writers = state_.writers_so_far(row);
    return writers.empty() || writers.front() != certain_initial(history_);
  }

  // Results without keys where predicates may concern old versions.

  /// What the row may have been to the operation; of kinds, in this order.
  [[nodiscard]] Chances chances(const RowOp& op, KeyId row, std::span<const FoundKind> kinds) {
    Chances all = {.row = row, .may_be = std::vector<bool>(kinds.size(), false)};
    const auto note = [&](const RowState& state) {
      all.may_be_missed = all.may_be_missed || !state_.matches(op, row, state);
      for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        all.may_be[kind] = all.may_be[kind] || !misfit(op, row, kinds[kind].outcome, state);
      }
    };
    note(view(row));
    if (own_.contains(row)) {
      return all;
    }
    if (has_first_version(row)) {
      note(state_.at_first(row));
    }
    for (const TxnId writer : state_.writers_so_far(row)) {
      note(state_.state(row, state_.committed_at(writer)));
    }
    return all;
  }

  /// Whether the row may ever match, as far as its table and its writers tell.
  [[nodiscard]] bool may_ever_be(const RowOp& op, KeyId row) const {
    return rows_.table(row) == op.table &&
           (!rows_.is_closed() || !writes_.writers(row, kRowVersion).empty());
  }

  void check_chances(TxnId txn, std::uint32_t mop, const RowOp& op) {
    if (fits_now(op)) {
      return;
    }
    const std::vector<FoundKind> kinds = kinds_found(rows_, op);
    std::vector<Chances> rows;
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      if (may_ever_be(op, row)) {
        rows.push_back(chances(op, row, kinds));
      }
    }
    if (std::optional<Miscount> count = miscount(kinds, rows)) {
      fail_count(txn, mop, op, kinds, *std::move(count));
    }
  }

  /// The rows of a write whose rows were not recorded: those that match, unless the choices say
  /// otherwise or the count does not fit.
  void choose_rows(TxnId txn, std::uint32_t mop, const RowOp& op) {
    std::set<KeyId> taken(found_.begin(), found_.end());
    std::set<KeyId> chosen;
    options_.choices->each(txn, mop, [&](KeyId row, bool holds) {
      check_match(txn, mop, op, row, holds ? kFound : kMissed);
      chosen.insert(row);
      if (!own_.contains(row)) {
        holds ? void(taken.insert(row)) : void(taken.erase(row));
      }
    });
    const std::vector<FoundKind> kinds = kinds_found(rows_, op);
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      const bool is_too_few = taken.size() < kinds.front().least;
      const bool is_too_many = taken.size() > kinds.front().most;
      if (!is_too_few && !is_too_many) {
        break;
      }
      if (chosen.contains(row) || own_.contains(row) || !may_ever_be(op, row) ||
          taken.contains(row) == is_too_few) {
        continue;
      }
      ++result_.looked;
      const Chances one = chances(op, row, kinds);
      if (is_too_many && one.may_be_missed) {
        taken.erase(row);
      } else if (is_too_few && one.may_be.front() && view(row).is_alive) {
        taken.insert(row);
      }
    }
    if (taken.size() < kinds.front().least || taken.size() > kinds.front().most) {
      std::vector<Chances> rows;
      for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
        if (may_ever_be(op, row)) {
          rows.push_back({row, !taken.contains(row), {taken.contains(row)}});
        }
      }
      fail_count(txn, mop, op, kinds, miscount(kinds, rows).value());
    }
    found_.assign(taken.begin(), taken.end());
    std::erase_if(found_, [&](KeyId row) { return !view(row).is_alive; });
  }

  /// The count, and why rows that would make it right are not so.
  void fail_count(TxnId txn, std::uint32_t mop, const RowOp& op, std::span<const FoundKind> kinds,
                  Miscount count) {
    if (count.rows.size() > options_.most_causes) {
      result_.is_too_long = true;
      return;
    }
    const std::vector<KeyId> rows = count.rows;
    std::vector<Outcome> outcomes;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const bool is_among = std::ranges::find(count.kinds, kind) != count.kinds.end();
      if (is_among == count.is_too_few) {
        outcomes.push_back(kinds[kind].outcome);
      }
    }
    if (!count.is_too_few) {
      outcomes.push_back(kMissed);
    }
    result_.failures.push_back(
        {.kind = Failure::Kind::kCount, .txn = txn, .mop = mop, .count = std::move(count)});
    for (const KeyId row : rows) {
      for (const Outcome& outcome : outcomes) {
        const std::uint32_t as = outcome.is_found ? outcome.as : kAsFound;
        const auto chosen = options_.choices->get(txn, mop, row, as);
        if (chosen.value_or(outcome.is_found) == outcome.is_found) {
          check_match(txn, mop, op, row, outcome);
        }
      }
    }
  }

  // Results without keys.

  /// Those of the rows found that the operation asked for.
  [[nodiscard]] std::vector<KeyId> first_found(const RowOp& op) const {
    std::vector<KeyId> found = found_;
    if (op.first > 0) {
      std::ranges::sort(found, {}, [&](KeyId row) { return number(row); });
      found.resize(std::min<std::size_t>(found.size(), op.first));
    }
    return found;
  }

  /// Whether the result is what rows are now.
  [[nodiscard]] bool fits_now(const RowOp& op) const {
    const std::vector<KeyId> found = first_found(op);
    return op.known == Known::kAny ? !found.empty()
           : op.known == Known::kBag
               ? found.size() == op.shown_count && missing_of_bag(op, found) == nullptr
               : found.size() == op.count;
  }

  void check_counted(TxnId txn, std::uint32_t mop, const RowOp& op) {
    std::vector<KeyId> found = first_found(op);
    const std::size_t expected = op.known == Known::kBag ? op.shown_count : op.count;
    if (op.known == Known::kNothing || (op.known == Known::kAny && !found.empty())) {
      return;
    }
    Explanation why = explanation();
    if (found.size() > expected) {
      found.resize(expected + 1);
      for (const KeyId row : found) {
        why.add_match(txn, mop, row);
      }
    } else if (found.size() < expected) {
      explain_others(txn, mop, op, nullptr, why);
    } else if (op.known != Known::kBag) {
      return;
    } else if (const ShownRow* missing = missing_of_bag(op, found); missing == nullptr) {
      return;
    } else if (op.first == 0 || expected < op.first) {
      explain_others(txn, mop, op, missing, why);
    } else {
      explain_first(txn, mop, op, found, why);
    }
    tell({.txn = txn, .mop = mop}, why);
  }

  /// A row of the bag that was found less often than it was shown.
  [[nodiscard]] const ShownRow* missing_of_bag(const RowOp& op,
                                               const std::vector<KeyId>& found) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    std::vector<bool> is_taken(found.size(), false);
    for (const ShownRow& one : shown) {
      bool is_there = false;
      for (std::size_t i = 0; i < found.size() && !is_there; ++i) {
        if (!is_taken[i] && unlike(op, one, view(found[i])).empty()) {
          is_taken[i] = true;
          is_there = true;
        }
      }
      if (!is_there) {
        return &one;
      }
    }
    return nullptr;
  }

  /// Why no other rows match, or none of those that do holds what `missing` shows.
  void explain_others(TxnId txn, std::uint32_t mop, const RowOp& op, const ShownRow* missing,
                      Explanation& why) {
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      if (rows_.table(row) != op.table || why.size() > options_.most_causes) {
        continue;
      }
      const RowState& state = view(row);
      if (!state_.matches(op, row, state)) {
        why.add_match(txn, mop, row);
      } else if (missing != nullptr) {
        if (const Parts parts = unlike(op, *missing, state); !parts.empty()) {
          explain_shown(txn, mop, row, recorded(missing), parts, why);
        }
      }
    }
  }

  /// Why these are the first rows that match, and what they hold.
  void explain_first(TxnId txn, std::uint32_t mop, const RowOp& op, const std::vector<KeyId>& found,
                     Explanation& why) {
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      if (rows_.table(row) != op.table || number(row) > number(found.back())) {
        continue;
      }
      why.add_match(txn, mop, row);
      if (std::ranges::find(found, row) != found.end()) {
        for (const Field& field : rows_.fields(rows_.shown(op).front())) {
          why.add_unlike(txn, mop, row, part_of(field.column), held(view(row), field.column));
        }
      }
    }
  }

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  TrialOptions options_;
  bool has_old_versions_;
  TrialState state_;
  std::map<KeyId, Own> own_;
  std::map<TxnId, std::map<KeyId, Own>> pending_;  // of transactions on their way
  std::vector<KeyId> found_;
  std::vector<KeyId> expected_;
  TrialResult result_;
};

}  // namespace

std::optional<bool> FoundChoices::get(TxnId txn, std::uint32_t mop, KeyId row,
                                      std::uint32_t as) const {
  const auto found = choices_.find({txn, mop, row, as});
  return found == choices_.end() ? std::nullopt : std::optional(found->second);
}

TrialResult try_order(const History& history, const RowWrites& writes,
                      std::span<const OrderEvent> order, TrialOptions options) {
  return Trial(history, writes, options).run(order);
}

}  // namespace elapid::argue
