#include "parsers/vbox/row_records.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/rows/rows.h"

namespace elapid::vbox {

using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::uint32_t>::max();

/// Statements of an operation: whether the row exists, what was found, and the write.
enum StatementOf : std::uint32_t { kExistence, kFound, kWriting, kStatements };

/// A range of a column; empty if low > high.
struct ColumnRange {
  std::uint64_t column = 0;
  std::int64_t low = 0;
  std::int64_t high = kLargest;
};

/// The version of a row that an operation wrote.
struct WrittenVersion {
  Version version;
  std::span<const Field> fields;
  bool is_whole = false;  // it has no other columns than these
};

class RecordMaker {
 public:
  explicit RecordMaker(const Plan& plan)
      : plan_(plan),
        history_(plan.history()),
        rows_(*history_.info().rows),
        columns_(plan.column_numbers()),
        key_column_(static_cast<std::uint64_t>(columns_.fresh())) {}

  Result<RowRecords> make() {
    if (history_.all_ops().size() >= static_cast<std::size_t>(kLargest) / kStatements) {
      return usage_error("vbox has no numbers for so many statements");
    }
    has_registers_ =
        rows_.is_closed() && std::ranges::all_of(rows_.ops(), [this](const RowOp& op) {
          return op.kind == RowOpKind::kPut || (op.kind == RowOpKind::kRead && !shows_initial(op));
        });
    may_use_keys_ = rows_.is_closed() && !has_registers_ && keys_are_short();
    is_compared_.assign(rows_.column_count(), false);
    for (const RowOp& op : rows_.ops()) {
      if (op.has_predicate()) {
        note_compared(rows_.predicate(op));
      }
    }
    for (std::size_t place = 0; place < plan_.txns().size(); ++place) {
      ELAPID_RETURN_IF_ERROR(look_at(place));
    }
    for (std::size_t place = 0; place < plan_.txns().size(); ++place) {
      add(place);
    }
    set_times();
    count_losses();
    return std::move(made_);
  }

 private:
  // The losses: facts that the records cannot express.
  struct Counts {
    std::uint64_t existence = 0;   // inserts and updates made writes
    std::uint64_t older = 0;       // inserts and reads that may now look at an older state
    std::uint64_t reads = 0;       // of versions that cannot be told
    std::uint64_t predicates = 0;  // left out
    std::uint64_t overlaps = 0;    // transactions of one session
  };

  [[nodiscard]] std::span<const Op> ops(std::size_t place) const {
    return history_.ops(plan_.txns()[place].txn);
  }

  [[nodiscard]] const RowOp& row_op(Op op) const { return rows_.op(op); }

  [[nodiscard]] std::uint64_t key(KeyId row) const {
    return static_cast<std::uint64_t>(plan_.key_numbers().number(history_.key_value(row)));
  }

  [[nodiscard]] bool keys_are_short() const {
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      const bool is_row = rows_.is_row(row);
      const auto number = history_.values().as_integer(history_.key_value(row));
      if (is_row && (!number || *number < 0 || *number > kLargest)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::optional<std::int64_t> short_integer(ValueId value) const {
    const auto number = history_.values().as_integer(value);
    return number && *number >= 0 && *number <= kLargest ? number : std::nullopt;
  }

  [[nodiscard]] bool shows_initial(const RowOp& op) const {
    return op.known == Known::kVersions && op.shown_count > 0 &&
           rows_.shown(op).front().version.is_nil();
  }

  /// Whether rows that the result lacks did not match: no limit cut the result.
  [[nodiscard]] static bool is_complete(const RowOp& op) {
    return op.first == 0 || std::max(op.shown_count, op.count) < op.first;
  }

  void note_compared(const Predicate& is) {
    if (is.has_column()) {
      is_compared_[is.column.index()] = true;
    }
    std::ranges::for_each(is.parts, [this](const Predicate& part) { note_compared(part); });
  }

  Status look_at(std::size_t place) {
    std::uint32_t statement = statement_;
    const auto tid = static_cast<std::uint32_t>(place + 1);
    for (const Op op : ops(place)) {
      ELAPID_RETURN_IF_ERROR(look_at(row_op(op), {tid, statement + kWriting}));
      if (makes_row(row_op(op)) && plan_.txns()[place].status != TxnStatus::kAborted) {
        makers_[row_op(op).row].push_back(tid);
      }
      statement += kStatements;
    }
    statement_ = statement;
    return {};
  }

  Status look_at(const RowOp& op, Version version) {
    const bool deletes = op.kind == RowOpKind::kDelete ||
                         (op.kind == RowOpKind::kPredicateDelete && !op.found_none());
    if (deletes) {
      return usage_error("vbox has no deletes");
    }
    for (const Field& field : rows_.written(op)) {
      if (!short_integer(field.value) && is_compared_[field.column.index()]) {
        return usage_error("vbox compares values from 0 to " + std::to_string(kLargest) + ", not " +
                           history_.text(field.value));
      }
    }
    if (op.kind == RowOpKind::kPredicateUpdate && op.finds_unnamed()) {
      return usage_error(
          "vbox needs the rows that an update by a predicate wrote, and the history does not "
          "record them");
    }
    if (op.kind <= RowOpKind::kPut) {
      note_write(op.row, op, version);
    } else if (op.kind == RowOpKind::kPredicateUpdate && op.names_rows()) {
      for (const ShownRow& row : rows_.shown(op)) {
        note_write(row.row, op, version);
      }
    }
    lost_values_ += static_cast<std::uint64_t>(std::ranges::count_if(
        rows_.written(op), [this](const Field& field) { return !short_integer(field.value); }));
    uses_keys_ = uses_keys_ || needs_keys(op);
    return {};
  }

  static bool makes_row(const RowOp& op) {
    return op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut;
  }

  /// Whether a predicate says less than an operation that shows that the row does not exist. At
  /// read committed and repeatable read a predicate may look at an older state without the row.
  /// That makes no difference if no other operation can have made the row: a change of a row needs
  /// one that made it, and there are no deletes.
  [[nodiscard]] bool may_look_back(const RowOp& op, const Transaction& txn) const {
    const auto makers = makers_.find(op.row);
    if (makers == makers_.end() || txn.status == TxnStatus::kAborted) {
      return false;
    }
    return op.kind == RowOpKind::kInsert
               ? makers->second.size() > 1
               : std::ranges::any_of(makers->second,
                                     [&](std::uint32_t tid) { return tid != txn.tid; });
  }

  void note_write(KeyId row, const RowOp& op, Version version) {
    written_[row].push_back({version, rows_.written(op), op.kind == RowOpKind::kInsert});
    if (!op.version.is_none() && !op.version.is_nil()) {
      const auto [named, is_new] = named_.try_emplace({row, op.version}, version);
      if (!is_new) {
        named->second = {};  // two versions of one name
      }
    }
  }

  [[nodiscard]] bool needs_keys(const RowOp& op) const {
    if (op.has_predicate()) {
      return may_use_keys_ && speaks_of_keys(rows_.predicate(op));
    }
    const bool reads_existence =
        op.kind == RowOpKind::kRead && op.known != Known::kNothing &&
        (op.shown_count == 0 ||
         (op.known != Known::kVersions && rows_.shown(op).front().field_count == 0));
    return may_use_keys_ &&
           (op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kUpdate || reads_existence);
  }

  static bool speaks_of_keys(const Predicate& is) {
    return is.kind == Predicate::Kind::kTrue || is.kind == Predicate::Kind::kKeyRange ||
           (is.kind == Predicate::Kind::kAnd && is.parts.empty()) ||
           std::ranges::any_of(is.parts, speaks_of_keys);
  }

  [[nodiscard]] std::uint64_t column(rows::ColumnId column) const {
    const ValueId name = rows_.column_name(column);
    return static_cast<std::uint64_t>(columns_.number(name.is_none() ? ValueId::nil() : name));
  }

  /// The range of a column that the predicate denotes, if it denotes one.
  [[nodiscard]] std::optional<ColumnRange> range(const Predicate& is) const {
    using Kind = Predicate::Kind;
    switch (is.kind) {
      case Kind::kTrue:
        return may_use_keys_ ? std::optional(ColumnRange{key_column_}) : std::nullopt;
      case Kind::kKeyRange:
        return may_use_keys_ ? std::optional(ColumnRange{key_column_, is.low, is.high})
                             : std::nullopt;
      case Kind::kEqual: {
        const auto number = history_.values().as_integer(is.value);
        const bool is_decided = number || is.value.is_nil();  // nothing equals null
        return is_decided ? std::optional(ColumnRange{column(is.column), number.value_or(1),
                                                      number.value_or(0)})
                          : std::nullopt;
      }
      case Kind::kRange:
        return ColumnRange{column(is.column), is.low, is.high};
      case Kind::kPresent:
        return rows_.is_closed() ? std::optional(ColumnRange{column(is.column)}) : std::nullopt;
      case Kind::kAnd:
        return intersection(is.parts);
      case Kind::kOr:
        return is.parts.size() == 1 ? range(is.parts.front()) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<ColumnRange> intersection(std::span<const Predicate> parts) const {
    if (parts.empty()) {
      return range(Predicate());
    }
    std::optional<ColumnRange> all = range(parts.front());
    for (const Predicate& part : parts.subspan(1)) {
      const std::optional<ColumnRange> one = range(part);
      if (!all || !one || one->column != all->column) {
        return std::nullopt;
      }
      all->low = std::max(all->low, one->low);
      all->high = std::min(all->high, one->high);
    }
    return all;
  }

  void add(std::size_t place) {
    Transaction txn = {.tid = static_cast<std::uint32_t>(place + 1),
                       .status = plan_.txns()[place].status};
    for (const Op op : ops(place)) {
      add(row_op(op), txn);
      next_statement_ += kStatements;
    }
    made_.transactions.push_back(std::move(txn));
  }

  [[nodiscard]] std::uint32_t statement(StatementOf which) const { return next_statement_ + which; }

  void add(const RowOp& op, Transaction& txn) {
    switch (op.kind) {
      case RowOpKind::kInsert:
      case RowOpKind::kUpdate:
        add_existence(op, op.kind == RowOpKind::kUpdate, counts_.existence, txn);
        [[fallthrough]];
      case RowOpKind::kPut:
        add_write(op, op.row, txn);
        return;
      case RowOpKind::kDelete:
        return;
      case RowOpKind::kRead:
        add_read(op, txn);
        return;
      default:
        add_predicate(op, txn);
        return;
    }
  }

  void add_existence(const RowOp& op, bool exists, std::uint64_t& lost, Transaction& txn) {
    if (!may_use_keys_) {
      ++lost;
      return;
    }
    counts_.older += !exists && may_look_back(op, txn) ? 1U : 0U;
    const auto number = static_cast<std::int64_t>(key(op.row));
    Record record = range_record(kExistence, {key_column_, number, number});
    add_keys(record, txn, exists ? std::span(&op.row, 1) : std::span<const KeyId>());
    txn.records.push_back(record);
  }

  [[nodiscard]] Record range_record(StatementOf which, const ColumnRange& range) const {
    const std::int64_t low = std::max<std::int64_t>(range.low, 0);
    const std::int64_t high = std::min(range.high, kLargest);
    const bool is_empty = low > high;
    return {.type = 'P',
            .oid = statement(which),
            .column = range.column,
            .low = is_empty ? 1 : static_cast<std::uint32_t>(low),
            .high = is_empty ? 0 : static_cast<std::uint32_t>(high)};
  }

  void add_keys(Record& predicate, Transaction& txn, std::span<const KeyId> found) const {
    predicate.key_begin = txn.keys.size();
    predicate.key_count = static_cast<std::uint32_t>(found.size());
    for (const KeyId row : found) {
      txn.keys.push_back(key(row));
    }
  }

  /// Adds a record for each column. The key's column is among them, so that a write of no column is
  /// a write.
  void add_write(const RowOp& op, KeyId row, Transaction& txn) const {
    const auto add_column = [&](std::uint64_t column, std::int64_t value) {
      txn.records.push_back({.type = 'W',
                             .oid = statement(kWriting),
                             .key = key(row),
                             .column = column,
                             .value = static_cast<std::uint32_t>(value)});
    };
    const std::span<const Field> fields = rows_.written(op);
    if (uses_keys_ || fields.empty()) {
      add_column(key_column_, may_use_keys_ ? static_cast<std::int64_t>(key(row)) : 0);
    }
    for (const Field& field : fields) {
      // Versions identify what was read. Values matter only where a predicate compares them.
      add_column(column(field.column), short_integer(field.value).value_or(0));
    }
  }

  void add_read(const RowOp& op, Transaction& txn) {
    if (op.known == Known::kNothing) {
      return;
    }
    if (op.shown_count == 0 && has_registers_) {
      add_seen(op.row, Version{}, txn);
      return;
    }
    if (op.shown_count == 0) {
      add_existence(op, false, counts_.reads, txn);
      return;
    }
    const ShownRow& shown = rows_.shown(op).front();
    const std::optional<Version> version = seen_version(op, shown);
    if (version) {
      add_seen(op.row, *version, txn);
    } else if (shown.field_count == 0 && op.known != Known::kVersions) {
      add_existence(op, true, counts_.reads, txn);
    } else {
      ++counts_.reads;
    }
  }

  void add_seen(KeyId row, Version version, Transaction& txn) {
    reads_initial_ = reads_initial_ || (version.tid == 0 && !has_registers_);
    txn.records.push_back(
        {.type = 'R', .oid = statement(kFound), .key = key(row), .version = version});
  }

  /// The version that a read saw, if its result identifies the version and says no more.
  [[nodiscard]] std::optional<Version> seen_version(const RowOp& op, const ShownRow& shown) const {
    if (op.known == Known::kVersions) {
      if (shown.version.is_nil()) {
        return Version{};
      }
      const auto named = named_.find({shown.row, shown.version});
      const bool is_known = named != named_.end() && named->second.tid != 0;
      return is_known ? std::optional(named->second) : std::nullopt;
    }
    const auto written = written_.find(shown.row);
    if (op.known != Known::kValues || !rows_.is_closed() || written == written_.end()) {
      return std::nullopt;
    }
    const WrittenVersion* only = nullptr;
    for (const WrittenVersion& version : written->second) {
      if (!contradicts(version, rows_.fields(shown))) {
        if (only != nullptr) {
          return std::nullopt;
        }
        only = &version;
      }
    }
    return only != nullptr && tells_all(*only, rows_.fields(shown)) ? std::optional(only->version)
                                                                    : std::nullopt;
  }

  [[nodiscard]] static const Field* find_field(std::span<const Field> fields,
                                               rows::ColumnId column) {
    const auto found = std::ranges::find(fields, column, &Field::column);
    return found == fields.end() ? nullptr : &*found;
  }

  [[nodiscard]] static bool contradicts(const WrittenVersion& version,
                                        std::span<const Field> shown) {
    return std::ranges::any_of(shown, [&](const Field& field) {
      const Field* written = find_field(version.fields, field.column);
      return written != nullptr ? written->value != field.value
                                : version.is_whole && !field.value.is_nil();
    });
  }

  [[nodiscard]] static bool tells_all(const WrittenVersion& version, std::span<const Field> shown) {
    return version.is_whole || std::ranges::all_of(shown, [&](const Field& field) {
             return find_field(version.fields, field.column) != nullptr;
           });
  }

  void add_predicate(const RowOp& op, Transaction& txn) {
    const std::optional<ColumnRange> range = this->range(rows_.predicate(op));
    const bool is_known = !op.finds_unnamed() && is_complete(op);
    const bool is_written = range && is_known;
    if (!is_written) {
      counts_.predicates += op.known == Known::kNothing ? 0 : 1;
    } else if (op.kind == RowOpKind::kPredicateRead || op.known == Known::kVersions) {
      add_result(op, *range, txn);
    }
    if (op.kind != RowOpKind::kPredicateUpdate) {
      if (is_written && op.kind == RowOpKind::kPredicateDelete) {
        add_matched(op, range_record(kWriting, *range), txn);
      }
      return;
    }
    if (is_written) {
      add_matched(op, range_record(kWriting, *range), txn);
    }
    for (const ShownRow& row : rows_.shown(op)) {
      add_write(op, row.row, txn);
    }
  }

  void add_matched(const RowOp& op, Record record, Transaction& txn) const {
    std::vector<KeyId> found;
    for (const ShownRow& row : rows_.shown(op)) {
      found.push_back(row.row);
    }
    add_keys(record, txn, found);
    txn.records.push_back(record);
  }

  /// Adds a read: the versions seen if all are known, and the rows.
  void add_result(const RowOp& op, const ColumnRange& range, Transaction& txn) {
    std::vector<Version> versions;
    bool is_told = op.known != Known::kKeys;
    bool shows_more = false;  // than the rows
    for (const ShownRow& row : rows_.shown(op)) {
      shows_more = shows_more || op.known == Known::kVersions || row.field_count > 0;
      const auto version = is_told ? seen_version(op, row) : std::nullopt;
      is_told = version.has_value();
      versions.push_back(version.value_or(Version{}));
    }
    counts_.reads += shows_more && !is_told && op.known != Known::kKeys ? 1 : 0;
    for (std::size_t i = 0; is_told && i < versions.size(); ++i) {
      add_seen(rows_.shown(op)[i].row, versions[i], txn);
    }
    add_matched(op, range_record(kFound, range), txn);
  }

  /// Sets the recorded times, or places in the order of events, or one transaction after the other.
  void set_times() {
    std::map<std::int64_t, std::uint64_t> ends;  // by session
    const bool has_times = has_recorded_times();
    for (std::size_t place = 0; place < plan_.txns().size(); ++place) {
      const PlannedTxn& planned = plan_.txns()[place];
      Transaction& txn = made_.transactions[place];
      std::uint64_t& last = ends[planned.session];
      if (!history_.info().has_real_time) {
        txn.start = 2 * place + 1;
        txn.end = txn.start + 1;
      } else if (has_times) {
        const auto begin = history_.event(planned.txn, EventKind::kInvocation).time;
        const auto end = history_.event(planned.txn, EventKind::kCompletion).time;
        txn.start = static_cast<std::uint64_t>(*begin);
        txn.end = static_cast<std::uint64_t>(end.value_or(*begin));
      } else {
        txn.end = history_.completion_id(planned.txn).value + std::uint64_t{1};
        // A transaction without an invocation may have begun long before it was over.
        txn.start = history_.has_invocation(planned.txn)
                        ? history_.invocation_id(planned.txn).value + std::uint64_t{1}
                        : last;
      }
      // A transaction that may not have happened orders nothing by its end.
      txn.end = txn.status == TxnStatus::kIndeterminate ? txn.start : txn.end;
      counts_.overlaps += txn.start < last ? 1 : 0;
      last = std::max(last, txn.end);
    }
  }

  [[nodiscard]] bool has_recorded_times() const {
    return history_.info().is_session_trace &&
           std::ranges::all_of(plan_.txns(), [this](const PlannedTxn& txn) {
             const auto begin = history_.event(txn.txn, EventKind::kInvocation).time;
             const auto end = history_.event(txn.txn, EventKind::kCompletion).time;
             return begin && *begin >= 0 && end.value_or(*begin) < std::int64_t{1} << 61;
           });
  }

  void count_losses() {
    const auto lose = [this](char letter, std::uint64_t count, std::string what, bool is_grave) {
      if (count > 0) {
        made_.losses.push_back({letter, count, std::move(what), is_grave});
      }
    };
    lose('Q', counts_.existence, "inserts and updates made writes, whatever was there before",
         true);
    lose('Q', counts_.older,
         "inserts and reads that show that a row did not exist made predicates, which at read "
         "committed and repeatable read may look at an older state",
         true);
    lose('R', counts_.reads,
         "reads of rows that do not exist, or whose versions cannot be told, reduced to the keys",
         true);
    lose('X', counts_.predicates,
         "predicates that are no range of one column, or whose rows are "
         "not all recorded, left out",
         true);
    lose('V', lost_values_, "written values left out, which nothing compares", false);
    const bool has_contents = !history_.info().initial_txn.is_none();
    lose('N', has_contents ? 1 : 0,
         "transaction of what rows hold at the beginning made one like "
         "others",
         true);
    const bool becomes_closed = !rows_.is_closed() && !reads_initial_;
    lose('U', becomes_closed || (rows_.is_closed() && reads_initial_) ? 1 : 0,
         becomes_closed ? "table that may have had unrecorded rows taken for an empty one"
                        : "table that was empty taken for one that may have had rows, since their "
                          "initial versions are read",
         true);
    lose('S', counts_.overlaps,
         "transactions that overlap others of their session made sessions "
         "of their own",
         false);
    lose('p', history_.info().has_real_time ? 0 : plan_.txns().size(),
         "times made up, one transaction after the other: levels that need real time cannot be "
         "judged by them",
         false);
  }

  struct NamedVersion {
    KeyId row;
    ValueId name;
    friend auto operator<=>(const NamedVersion&, const NamedVersion&) = default;
  };

  const Plan& plan_;
  const History& history_;
  const rows::Rows& rows_;
  Numbering columns_;
  std::uint64_t key_column_;
  bool may_use_keys_ = false;
  bool uses_keys_ = false;
  bool has_registers_ = false;  // rows are put and read alone: what does not exist is initial
  std::uint64_t lost_values_ = 0;
  std::vector<bool> is_compared_;  // by a predicate, by ColumnId
  bool reads_initial_ = false;
  std::uint32_t statement_ = 1;
  std::uint32_t next_statement_ = 1;
  std::unordered_map<KeyId, std::vector<WrittenVersion>> written_;
  std::map<NamedVersion, Version> named_;
  std::unordered_map<KeyId, std::vector<std::uint32_t>> makers_;  // by row, tids
  Counts counts_;
  RowRecords made_;
};

}  // namespace

Result<RowRecords> row_records(const Plan& plan) {
  return RecordMaker(plan).make();
}

}  // namespace elapid::vbox
