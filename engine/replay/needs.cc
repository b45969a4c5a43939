#include "engine/replay/needs.h"

#include <algorithm>

namespace elapid::replay {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

constexpr std::size_t kAhead = 8;  // rows shown, prefetched ahead

}  // namespace

std::uint32_t Needs::hash(const Fact& fact) {
  const std::uint64_t column = fact.column.value * 0x9e3779b97f4a7c15U;
  return static_cast<std::uint32_t>(seeded_hash(packed(fact.row, fact.what) ^ column) >> 32);
}

std::uint32_t Needs::find(const Fact& fact) const {
  return numbers_.find(hash(fact), [&](std::uint32_t i) { return sources_[i].fact == fact; });
}

Needs::Needs(const History& history)
    : history_(history),
      rows_(*history.info().rows),
      shows_column_(rows_.column_count(), false),
      is_always_written_(rows_.column_count(), true),
      last_op_(history.key_count(), 0),
      lives_(history.key_count()) {
  if (!rows_.is_closed()) {  // a read may show rows of the beginning
    need_begin_.resize(history.all_ops().size() + 1, 0);
    return;
  }
  note_what_is_shown();
  note_what_is_always_written();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      note_writes(txn);
    }
  }
  need_begin_.reserve(history.all_ops().size() + 1);
  need_begin_.push_back(0);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      if (history.committed(txn)) {
        note_reads(txn, rows_.op(op));
      }
      need_begin_.push_back(needs_.size());
    }
  }
  waiting_.assign(sources_.size(), 0);
  for (const std::uint32_t fact : needs_) {
    ++waiting_[fact];
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::size_t first = history.first_op(txn);
    for (std::size_t place = first; place < first + history.ops(txn).size(); ++place) {
      const RowOp& op = rows_.op(history.all_ops()[place]);
      const bool is_maker = op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut;
      if (history.committed(txn) ||
          (is_maker && history.status(txn) == TxnStatus::kIndeterminate)) {
        change_lives(op, place, 1);
      }
    }
  }
}

/// Notes the columns that operations show. A fact that none shows is not needed.
void Needs::note_what_is_shown() {
  std::size_t versions = 0;
  for (const RowOp& op : rows_.ops()) {
    if (op.known == Known::kVersions) {
      shows_versions_ = true;
      versions += op.shown_count;
    } else if (op.known == Known::kValues) {
      for (const ShownRow& row : rows_.shown(op)) {
        for (const Field& field : rows_.fields(row)) {
          shows_column_[field.column.index()] = true;
        }
      }
    }
  }
  needs_.reserve(versions);
}

void Needs::note_what_is_always_written() {
  for (const RowOp& op : rows_.ops()) {
    const bool makes = !op.is_read() && !op.ends_rows();
    for (ColumnId column{0}; makes && column.index() < is_always_written_.size(); ++column.value) {
      const auto& written = rows_.written(op);
      is_always_written_[column.index()] =
          is_always_written_[column.index()] &&
          std::ranges::find(written, column, &Field::column) != written.end();
    }
  }
}

void Needs::note_writes(TxnId txn) {
  std::uint32_t number = 0;
  for (const Op write : history_.ops(txn)) {
    const RowOp& op = rows_.op(write);
    if (!op.has_predicate() && !op.is_read()) {
      last_op_[op.row.index()] = number;
    }
    ++number;
  }
  number = 0;
  for (const Op op : history_.ops(txn)) {
    note_write(txn, rows_.op(op), number++);
  }
}

void Needs::note_write(TxnId txn, const RowOp& op, std::uint32_t number) {
  if (op.kind == RowOpKind::kPredicateUpdate) {
    has_unnamed_versions_ = true;
    for (const Field& field : rows_.written(op)) {
      const auto [known, is_new] =
          by_predicate_.try_emplace({field.column, field.value}, Unnamed{txn, number});
      known->second.is_only = is_new;
      known->second.is_named = op.names_rows();
    }
    return;
  }
  if (op.kind > RowOpKind::kPut) {
    return;
  }
  const auto note = [&](ColumnId column, ValueId what) {
    const Fact fact = {op.row, column, what};
    const auto fresh = static_cast<std::uint32_t>(sources_.size());
    const std::uint32_t at = numbers_.find_or_add(
        hash(fact), fresh, [&](std::uint32_t i) { return sources_[i].fact == fact; });
    if (at == fresh) {
      sources_.push_back({.fact = fact});
    }
    Source& source = sources_[at];
    source.has_many_writes = !source.writer.is_none();
    source.writer = txn;
    source.last_write = number;
    source.is_last = last_op_[op.row.index()] == number;
  };
  if (shows_versions_ && !op.version.is_none()) {
    note(ColumnId::none(), op.version);
  }
  for (const Field& field : rows_.written(op)) {
    if (shows_column_[field.column.index()]) {
      note(field.column, field.value);
    }
  }
}

void Needs::note_reads(TxnId txn, const RowOp& op) {
  const std::span<const ShownRow> shown = rows_.shown(op);
  if (op.known == Known::kVersions) {
    note_versions(txn, shown);
  } else if (op.known == Known::kValues) {
    for (const ShownRow& row : shown) {
      for (const Field& field : rows_.fields(row)) {
        if (!field.value.is_nil()) {
          note_read(txn, {row.row, field.column, field.value});
        }
      }
    }
  }
}

/// Most of what histories show are versions of rows, outside the cache. So the index of a fact is
/// prefetched first, then the source that it probably leads to.
void Needs::note_versions(TxnId txn, std::span<const ShownRow> shown) {
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i + 2 * kAhead < shown.size()) {
      numbers_.prefetch(hash(version_fact(shown[i + 2 * kAhead])));
    }
    if (i + kAhead < shown.size()) {
      const std::uint32_t probable =
          numbers_.find(hash(version_fact(shown[i + kAhead])), [](std::uint32_t) { return true; });
      if (probable != HashIndex::kAbsent) {
        __builtin_prefetch(&sources_[probable]);
      }
    }
    note_read(txn, version_fact(shown[i]));
  }
}

void Needs::note_read(TxnId txn, const Fact& fact) {
  const bool is_version = fact.column.is_none();
  if (is_version ? has_unnamed_versions_ : by_predicate_.contains({fact.column, fact.what})) {
    if (!is_version) {
      note_unnamed(txn, fact);
    }
    return;
  }
  const std::uint32_t number = find(fact);
  if (number == HashIndex::kAbsent) {
    impossible_ = impossible_.value_or(txn);
    return;
  }
  const Source& source = sources_[number];
  if (source.has_many_writes || source.writer == txn) {
    return;
  }
  if (!is_final(source.writer, fact, source)) {
    impossible_ = impossible_.value_or(txn);
    return;
  }
  need(txn, number);
}

void Needs::need(TxnId txn, std::uint32_t number) {
  needs_.push_back(number);
  if (history_.has_invocation(txn)) {
    std::optional<EventId>& last = sources_[number].last_reader;
    last = std::max(last, std::optional(history_.invocation_id(txn)));
  }
}

/// Notes that an operation with a predicate wrote the value into the row, if no other operation
/// did.
void Needs::note_unnamed(TxnId txn, const Fact& fact) {
  const Unnamed& from = by_predicate_.at({fact.column, fact.what});
  std::uint32_t number = find(fact);
  if (!from.is_only || (number != HashIndex::kAbsent && !sources_[number].is_unnamed)) {
    return;
  }
  if (number == HashIndex::kAbsent) {
    number = static_cast<std::uint32_t>(sources_.size());
    numbers_.find_or_add(hash(fact), number, [](std::uint32_t) { return false; });
    sources_.push_back({.fact = fact, .writer = from.writer, .is_unnamed = true});
    if (!from.is_named) {
      unnamed_writes_[history_.first_op(from.writer) + from.number].push_back(fact.row);
    }
  }
  if (from.writer != txn) {
    need(txn, number);
  }
}

/// Whether no later operation of the writer may change the fact.
bool Needs::is_final(TxnId writer, const Fact& fact, const Source& source) const {
  if (source.is_last) {
    return true;
  }
  const std::span<const Op> ops = history_.ops(writer);
  return std::ranges::none_of(ops.subspan(source.last_write + 1), [&](Op later) {
    const RowOp& op = rows_.op(later);
    if (op.row != fact.row || op.is_read()) {
      return false;
    }
    const auto writes_column = [&](const Field& field) { return field.column == fact.column; };
    return fact.column.is_none() || op.kind == RowOpKind::kDelete ||
           std::ranges::any_of(rows_.written(op), writes_column);
  });
}

std::span<const std::uint32_t> Needs::needed_from(std::size_t begin, std::size_t end) const {
  return std::span(needs_).subspan(need_begin_[begin], need_begin_[end] - need_begin_[begin]);
}

std::span<const std::uint32_t> Needs::needed_by(TxnId txn) const {
  const std::size_t begin = history_.first_op(txn);
  return needed_from(begin, begin + history_.ops(txn).size());
}

void Needs::change(TxnId txn, std::int32_t by) {
  const std::size_t begin = history_.first_op(txn);
  change(begin, begin + history_.ops(txn).size(), by);
}

void Needs::change(std::size_t begin, std::size_t end, std::int32_t by) {
  for (const std::uint32_t fact : needed_from(begin, end)) {
    waiting_[fact] += by;
  }
  for (std::size_t place = begin; place < end; ++place) {
    change_lives(rows_.op(history_.all_ops()[place]), place, by);
  }
}

/// Counts an operation that needs the row alive, or makes it. The needs of indeterminate
/// transactions were not counted at first, so the count may be too low. Then less is held back.
void Needs::change_lives(const RowOp& op, std::size_t place, std::int32_t by) {
  if (op.kind == RowOpKind::kUpdate) {
    lives_[op.row.index()].users += by;
  } else if (op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut) {
    lives_[op.row.index()].makers += by;
  } else if (op.kind > RowOpKind::kPredicateRead) {
    for (const KeyId row : rows_written_by(place)) {
      lives_[row.index()].users += by;
    }
  }
}

/// Whether `holds` is true of a fact about the row in this state.
template <class Holds>
bool Needs::any_fact(KeyId row, const RowState& state, Holds holds) const {
  const auto is_one = [&](const Fact& fact) {
    const std::uint32_t number = find(fact);
    return number != HashIndex::kAbsent && holds(fact, number);
  };
  if (shows_versions_ && !state.version.is_none() &&
      is_one({row, ColumnId::none(), state.version})) {
    return true;
  }
  return std::ranges::any_of(state.record.fields(), [&](const Field& field) {
    return shows_column_[field.column.index()] && is_one({row, field.column, field.value});
  });
}

std::optional<EventId> Needs::last_read(const RowOp& op, KeyId row, const RowState& state) const {
  const bool is_end = op.ends_rows();
  const auto ends = [&](const Fact& fact) {
    return is_end || (fact.column.is_none()
                          ? op.version != fact.what
                          : std::ranges::any_of(rows_.written(op), [&](const Field& field) {
                              return field.column == fact.column && field.value != fact.what;
                            }));
  };
  std::optional<EventId> last;
  if (state.is_alive) {
    (void)any_fact(row, state, [&](const Fact& fact, std::uint32_t number) {
      last = ends(fact) ? std::max(last, sources_[number].last_reader) : last;
      return false;
    });
  }
  return last;
}

std::optional<EventId> Needs::last_reader(KeyId row, const RowState& state) const {
  std::optional<EventId> last;
  if (state.is_alive) {
    (void)any_fact(row, state, [&](const Fact& fact, std::uint32_t number) {
      if (fact.column.is_none() || is_always_written_[fact.column.index()]) {
        last = std::max(last, sources_[number].last_reader);
      }
      return false;
    });
  }
  return last;
}

bool Needs::would_end(const TableState& table, const Effects& effects) const {
  return std::ranges::any_of(effects, [&](const auto& effect) {
    const KeyId row = effect.first;
    const RowState& after = effect.second;
    const RowState& before = table.row(row);
    if (!before.is_alive) {
      return false;
    }
    const Life& life = lives_[row.index()];
    if (!after.is_alive && life.users > 0 && life.makers == 0) {
      return true;
    }
    return any_fact(row, before, [&](const Fact& fact, std::uint32_t number) {
      const bool ends = fact.column.is_none() ? after.version != fact.what
                                              : after.record.get(fact.column) != fact.what;
      return ends && waiting_[number] > 0;
    });
  });
}

}  // namespace elapid::replay
