#include "tests/oracle/random_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <stdexcept>
#include <tuple>

#include "engine/ir/call.h"
#include "engine/rows/parse.h"
#include "engine/rows/text.h"

namespace elapid {

namespace {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOpKind;
using Operation = RowsSketch::Operation;
using Columns = std::vector<RowsSketch::Column>;

/// What a store holds of a row that exists.
struct StoredRow {
  std::map<std::uint32_t, std::optional<std::int64_t>> columns = {};
  std::int64_t version = 0;
};

/// By key; a row that does not exist is nothing.
using Store = std::map<std::int64_t, std::optional<StoredRow>>;

enum class Policy : std::uint8_t { kSerial, kSnapshot, kReadCommitted };

class RandomRows {
 public:
  RandomRows(std::uint64_t seed, RowsVariety variety)
      : random_(seed * 0x9e3779b97f4a7c15U + 1), is_plain_(variety == RowsVariety::kPlain) {}

  RowsSketch make() {
    choose_size();
    for (std::int64_t row = 0; row < rows_; ++row) {
      store_[row] = {};
      if (!made_.is_closed && chance(60)) {
        store_[row] = StoredRow{.columns = content(), .version = 0};
      }
    }
    if (made_.is_closed && !is_plain_ && chance(50)) {
      begin_with_initial();
    }
    run();
    if (chance(55)) {
      mutate();
    }
    return std::move(made_);
  }

 private:
  struct Running {
    std::size_t txn = 0;
    std::size_t operations_left = 0;
    Store snapshot = {};
    Store own = {};
    bool is_begun = false;
  };

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  bool chance(std::uint64_t percent) { return below(100) < percent; }

  void choose_size() {
    made_.is_closed = chance(85);
    made_.columns = made_.is_closed ? 1 + static_cast<std::uint32_t>(below(2)) : 1;
    made_.has_times = chance(80);
    rows_ = 1 + static_cast<std::int64_t>(below(made_.is_closed ? 4 : 2));
    policy_ = static_cast<Policy>(below(3));
    shows_versions_ = chance(40);
  }

  std::optional<std::int64_t> value() {
    return !is_plain_ && chance(8) ? std::nullopt
                                   : std::optional(static_cast<std::int64_t>(below(4)));
  }

  std::map<std::uint32_t, std::optional<std::int64_t>> content() {
    std::map<std::uint32_t, std::optional<std::int64_t>> columns;
    for (std::uint32_t column = 0; column < made_.columns; ++column) {
      if (chance(90)) {
        columns[column] = value();
      }
    }
    return columns;
  }

  Columns some_columns() {
    const auto content = this->content();
    Columns columns(content.begin(), content.end());
    if (columns.size() > 1 && chance(60)) {
      columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(below(columns.size())));
    }
    return columns;
  }

  void begin_with_initial() {
    made_.has_initial = true;
    RowsSketch::Transaction initial{.session = 100, .begin = 0, .end = 1};
    for (std::int64_t row = 0; row < rows_; ++row) {
      if (chance(60)) {
        const auto content = this->content();
        initial.operations.push_back({.kind = RowOpKind::kInsert,
                                      .row = row,
                                      .version = next_version_,
                                      .written = {content.begin(), content.end()}});
        store_[row] = StoredRow{.columns = content, .version = next_version_++};
      }
    }
    made_.transactions.push_back(std::move(initial));
  }

  Predicate plain_predicate(ColumnId column, std::int64_t number) {
    const auto last = number + static_cast<std::int64_t>(below(3)) - 1;
    switch (below(4)) {
      case 0:
        return {};
      case 1:
        return Predicate::equal(column, ValueId::integer(number));
      case 2:
        return Predicate::key_range(number, last);
      default:
        return Predicate::range(column, number, last);
    }
  }

  Predicate predicate(int depth) {
    const auto column = ColumnId{static_cast<std::uint32_t>(below(made_.columns))};
    const auto number = static_cast<std::int64_t>(below(4));
    if (is_plain_) {
      return plain_predicate(column, number);
    }
    switch (below(depth > 0 ? 9 : 6)) {
      case 0:
        return {};
      case 1:
        return Predicate::equal(column, ValueId::integer(number));
      case 2:
        return Predicate::range(column, number, number + static_cast<std::int64_t>(below(3)) - 1);
      case 3: {
        const auto by = 1 + static_cast<std::int64_t>(below(3));
        return Predicate::mod(column, by, number % by);
      }
      case 4:
        return Predicate::key_range(number, number + static_cast<std::int64_t>(below(2)));
      case 5:
        return Predicate::present(column);
      case 6:
        return Predicate::negation(predicate(depth - 1));
      case 7:
        return Predicate::all_of({predicate(depth - 1), predicate(depth - 1)});
      default:
        return Predicate::any_of({predicate(depth - 1), predicate(depth - 1)});
    }
  }

  /// The expressions of the generator tried out on its own rows, by the code that is tested
  /// elsewhere: what a store answers need not be right.
  bool matches(const Predicate& is, std::int64_t key, const StoredRow& row) const {
    rows::Record record;
    for (const auto& [column, held] : row.columns) {
      record.set({column}, held ? ValueId::integer(*held) : ValueId::nil());
    }
    return is.matches(values_, ValueId::integer(key), record);
  }

  Operation operation() {
    Operation op = {.kind = static_cast<RowOpKind>(below(8))};
    if (op.kind == RowOpKind::kDelete && (is_plain_ || chance(50))) {
      op.kind = RowOpKind::kPredicateRead;
    } else if (op.kind == RowOpKind::kPredicateDelete && is_plain_) {
      op.kind = RowOpKind::kPut;
    }
    op.row = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(rows_)));
    if (op.kind >= RowOpKind::kPredicateRead) {
      if (++predicates_ > 3) {
        op.kind = RowOpKind::kRead;
      } else {
        op.predicate = predicate(2);
      }
    }
    return op;
  }

  Known known(RowOpKind kind) {
    const Known by_row = shows_versions_ ? Known::kVersions : Known::kValues;
    if (is_plain_ && kind >= RowOpKind::kPredicateUpdate) {
      return Known::kKeys;
    }
    if (is_plain_ && kind == RowOpKind::kPredicateRead) {
      return chance(70) ? by_row : Known::kKeys;
    }
    switch (kind) {
      case RowOpKind::kRead:
        return chance(85) ? by_row : chance(50) ? Known::kKeys : Known::kNothing;
      case RowOpKind::kPredicateRead: {
        const std::array all = {by_row,        by_row,      by_row,
                                Known::kKeys,  Known::kBag, Known::kBag,
                                Known::kCount, Known::kAny, Known::kNothing};
        return all[below(all.size())];
      }
      case RowOpKind::kPredicateUpdate:
      case RowOpKind::kPredicateDelete: {
        const std::array all = {Known::kKeys, Known::kKeys, Known::kCount, Known::kNothing};
        return all[below(all.size())];
      }
      default:
        return Known::kNothing;
    }
  }

  RowsSketch::Shown shown(std::int64_t row, const StoredRow& stored, Known known) {
    RowsSketch::Shown one = {.row = row, .version = stored.version};
    for (std::uint32_t column = 0;
         column < made_.columns && (known == Known::kValues || known == Known::kBag); ++column) {
      const auto held = stored.columns.find(column);
      one.columns.emplace_back(column, held == stored.columns.end() ? std::nullopt : held->second);
    }
    if (known == Known::kValues && one.columns.size() > 1 && chance(25)) {
      one.columns.pop_back();
    }
    return one;
  }

  /// Carries the operation out on what it sees and records what it finds; false if it cannot be.
  bool carry_out(Operation& op, Store& view, Store& own) {
    const auto write = [&](std::int64_t row, std::optional<StoredRow> content) {
      view[row] = content;
      own[row] = std::move(content);
    };
    const auto changed = [&](const std::optional<StoredRow>& from) {
      StoredRow after = from.value_or(StoredRow());
      for (const auto& [column, value] : op.written) {
        after.columns[column] = value;
      }
      after.version = op.version;
      return after;
    };
    op.known = known(op.kind);
    op.version =
        op.kind == RowOpKind::kRead || op.kind == RowOpKind::kPredicateRead ? 0 : next_version_++;
    if (op.kind < RowOpKind::kDelete || op.kind == RowOpKind::kPredicateUpdate) {
      op.written = some_columns();
    }
    const std::optional<StoredRow> current = view[op.row];
    switch (op.kind) {
      case RowOpKind::kInsert:
      case RowOpKind::kUpdate:
        if (current.has_value() == (op.kind == RowOpKind::kInsert)) {
          return false;
        }
        [[fallthrough]];
      case RowOpKind::kPut:
        write(op.row, changed(current));
        return true;
      case RowOpKind::kDelete:
        if (current) {
          write(op.row, std::nullopt);
        }
        return true;
      case RowOpKind::kRead:
        if (current && op.known != Known::kNothing) {
          op.shown.push_back(shown(op.row, *current, op.known));
        }
        return true;
      default:
        break;
    }
    if (op.kind == RowOpKind::kPredicateRead && !is_plain_ && chance(15)) {
      op.first = 1 + static_cast<std::uint32_t>(below(2));
    }
    for (const auto& [row, stored] : Store(view)) {
      if (!stored || !matches(op.predicate, row, *stored) ||
          (op.first > 0 && op.count == op.first)) {
        continue;
      }
      ++op.count;
      if (op.known == Known::kVersions || op.known == Known::kValues || op.known == Known::kKeys ||
          op.known == Known::kBag) {
        op.shown.push_back(shown(row, *stored, op.known));
      }
      if (op.kind == RowOpKind::kPredicateUpdate) {
        write(row, changed(stored));
      } else if (op.kind == RowOpKind::kPredicateDelete) {
        write(row, std::nullopt);
      }
    }
    op.count = op.known == Known::kCount ? op.count
               : op.known == Known::kAny ? std::min(op.count, 1U)
                                         : 0;
    return true;
  }

  void run() {
    const std::size_t count = 2 + below(5 - made_.transactions.size());
    std::vector<Running> running;
    const std::uint64_t sessions = 1 + below(4);
    std::map<std::int64_t, std::size_t> busy;  // the last transaction of each session
    for (std::size_t i = 0; i < count; ++i) {
      made_.transactions.push_back(
          {.session = static_cast<std::int64_t>(below(sessions)), .begin = 0, .end = 0});
      running.push_back({.txn = made_.transactions.size() - 1, .operations_left = 1 + below(3)});
    }
    while (!running.empty()) {
      const std::size_t at =
          policy_ == Policy::kSerial ? 0 : first_of_session(running, below(running.size()));
      if (step(running[at])) {
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }

  /// The transactions of a session run one after the other.
  [[nodiscard]] std::size_t first_of_session(const std::vector<Running>& running,
                                             std::size_t at) const {
    const auto session = [&](const Running& one) { return made_.transactions[one.txn].session; };
    const auto first = std::ranges::find(running, session(running[at]), session);
    return static_cast<std::size_t>(first - running.begin());
  }

  /// True when the transaction is over.
  bool step(Running& now) {
    RowsSketch::Transaction& txn = made_.transactions[now.txn];
    clock_ += 1 + static_cast<std::int64_t>(below(3));
    if (!now.is_begun) {
      now.is_begun = true;
      now.snapshot = store_;
      txn.begin = clock_;
      predicates_ = 0;
    }
    if (now.operations_left-- > 0) {
      Store view = policy_ == Policy::kReadCommitted ? store_ : now.snapshot;
      for (const auto& [row, content] : now.own) {
        view[row] = content;
      }
      Operation op = operation();
      if (carry_out(op, view, now.own)) {
        txn.operations.push_back(std::move(op));
      }
      return false;
    }
    txn.end = ++clock_;
    if (chance(8)) {
      txn.status = TxnStatus::kAborted;
    } else if (chance(10)) {
      txn.status = TxnStatus::kIndeterminate;
    }
    if (txn.status == TxnStatus::kCommitted || chance(50)) {
      for (const auto& [row, content] : now.own) {
        store_[row] = content;
      }
    }
    return true;
  }

  void mutate() {
    RowsSketch::Transaction& txn = made_.transactions[below(made_.transactions.size())];
    if (txn.operations.empty() || chance(10)) {
      txn.status = static_cast<TxnStatus>(below(3));
      return;
    }
    Operation& op = txn.operations[below(txn.operations.size())];
    if (op.known == Known::kCount) {
      op.count = static_cast<std::uint32_t>(below(op.first > 0 ? op.first + 1 : 4));
    } else if (op.known == Known::kAny) {
      op.count = 1 - op.count;
    } else if (!op.shown.empty() && chance(50)) {
      mutate_shown(op, op.shown[below(op.shown.size())]);
    } else if (!op.shown.empty() && chance(50)) {
      op.shown.erase(op.shown.begin() + static_cast<std::ptrdiff_t>(below(op.shown.size())));
    } else if (!op.written.empty()) {
      op.written[below(op.written.size())].second = value();
    } else if (op.kind >= RowOpKind::kPredicateRead) {
      op.predicate = predicate(1);
    }
  }

  void mutate_shown(const Operation& op, RowsSketch::Shown& one) {
    if (op.known == Known::kVersions) {
      one.version = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(next_version_)));
    } else if (!one.columns.empty()) {
      one.columns[below(one.columns.size())].second = value();
    } else if (op.kind != RowOpKind::kRead) {
      one.row = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(rows_)));
    }
  }

  std::mt19937_64 random_;
  bool is_plain_;
  RowsSketch made_;
  ValuePool values_;
  Store store_;
  std::int64_t rows_ = 1;
  Policy policy_ = Policy::kSerial;
  bool shows_versions_ = false;
  std::int64_t next_version_ = 1;
  std::int64_t clock_ = 1;
  int predicates_ = 0;
};

ValueId version_value(std::int64_t version) {
  return version == 0 ? ValueId::nil() : ValueId::integer(version);
}

class SketchBuilder {
 public:
  explicit SketchBuilder(const RowsSketch& sketch) : sketch_(sketch) {
    for (std::uint32_t column = 0; column < sketch.columns; ++column) {
      rows_.column(history_.values().intern(column == 0 ? ":a" : ":b"));
    }
  }

  Result<History> build() {
    const bool is_whole =
        std::ranges::all_of(sketch_.transactions, &RowsSketch::Transaction::has_invocation);
    if (Status status = is_whole ? add_transactions() : add_events(); !status.ok()) {
      return std::move(status.error());
    }
    HistoryInfo info = {.format = "random", .workload = Workload::kRows};
    info.has_real_time = sketch_.has_times;
    info.rows = std::move(rows_).build(sketch_.is_closed);
    if (sketch_.has_initial) {
      info.initial_txn = TxnId{0};
    }
    return std::move(history_).build(std::move(info));
  }

 private:
  static std::vector<Field> fields(const Columns& columns) {
    std::vector<Field> made;
    for (const auto& [column, value] : columns) {
      made.push_back({{column}, value ? ValueId::integer(*value) : ValueId::nil()});
    }
    return made;
  }

  Status add_transactions() {
    for (const RowsSketch::Transaction& txn : sketch_.transactions) {
      const Result<std::vector<MopInput>> mops = add_operations(txn);
      if (!mops) {
        return mops.error();
      }
      TxnInput input = {.session = txn.session, .status = txn.status, .mops = mops.value()};
      if (sketch_.has_times) {
        input.invocation_time = txn.begin;
        input.completion_time = txn.end;
      }
      ELAPID_RETURN_IF_ERROR(history_.add_transaction(input));
    }
    return {};
  }

  /// Events in the order of time: one that comes whole has both.
  Status add_events() {
    std::vector<std::tuple<std::int64_t, bool, std::size_t>>
        events;  // time, is a completion, which
    for (std::size_t i = 0; i < sketch_.transactions.size(); ++i) {
      const RowsSketch::Transaction& txn = sketch_.transactions[i];
      if (txn.has_invocation) {
        events.emplace_back(txn.begin, false, i);
      }
      events.emplace_back(txn.end, true, i);
    }
    std::ranges::sort(events);
    for (const auto& [time, is_completion, i] : events) {
      const RowsSketch::Transaction& txn = sketch_.transactions[i];
      const EventType type = !is_completion                            ? EventType::kInvoke
                             : txn.status == TxnStatus::kCommitted     ? EventType::kOk
                             : txn.status == TxnStatus::kIndeterminate ? EventType::kInfo
                                                                       : EventType::kFail;
      const Result<std::vector<MopInput>> mops = add_operations(txn);
      if (!mops) {
        return mops.error();
      }
      ELAPID_RETURN_IF_ERROR(history_.add_event(
          {.type = type, .process = txn.session, .time = time, .mops = mops.value()}));
    }
    return {};
  }

  Result<std::vector<MopInput>> add_operations(const RowsSketch::Transaction& txn) {
    std::vector<MopInput> mops;
    for (const Operation& op : txn.operations) {
      Result<MopInput> mop = add(op);
      if (!mop) {
        return std::move(mop.error());
      }
      mops.push_back(mop.value());
    }
    return mops;
  }

  Result<MopInput> add(const Operation& op) {
    const std::vector<Field> written = fields(op.written);
    std::vector<std::vector<Field>> columns;
    std::vector<rows::ShownRowInput> shown;
    for (const RowsSketch::Shown& one : op.shown) {
      columns.push_back(fields(one.columns));
    }
    for (std::size_t i = 0; i < op.shown.size(); ++i) {
      const bool has_key = op.known != Known::kBag;
      shown.push_back(
          {.row = has_key ? rows_.row(ValueId::integer(op.shown[i].row)) : KeyId::none(),
           .version =
               op.known == Known::kVersions ? version_value(op.shown[i].version) : ValueId::none(),
           .fields = columns[i]});
    }
    const bool is_of_row = op.kind < RowOpKind::kPredicateRead;
    return rows_.add({.kind = op.kind,
                      .row = is_of_row ? rows_.row(ValueId::integer(op.row)) : KeyId::none(),
                      .predicate = op.predicate,
                      .version = version_value(op.version),
                      .written = written,
                      .known = op.known,
                      .shown = shown,
                      .first = op.first,
                      .count = op.count});
  }

  const RowsSketch& sketch_;
  HistoryBuilder history_;
  rows::RowsBuilder rows_{history_};
};

/// Puts and reads of one column alone.
RowsSketch as_registers(RowsSketch sketch) {
  sketch.is_closed = true;
  sketch.columns = 1;
  for (RowsSketch::Transaction& txn : sketch.transactions) {
    for (RowsSketch::Operation& op : txn.operations) {
      op.kind = op.kind <= RowOpKind::kPut ? RowOpKind::kPut : op.kind;
      std::erase_if(op.written, [](const RowsSketch::Column& column) { return column.first > 0; });
      for (RowsSketch::Shown& row : op.shown) {
        std::erase_if(row.columns,
                      [](const RowsSketch::Column& column) { return column.first > 0; });
        if (row.columns.empty() && op.known != Known::kVersions) {
          op.known = Known::kNothing;
        }
      }
      const bool is_known = op.known == Known::kValues || op.known == Known::kVersions;
      if (txn.status != TxnStatus::kCommitted || !is_known) {
        op.known = Known::kNothing;
        op.shown.clear();
      }
    }
    std::erase_if(txn.operations, [](const RowsSketch::Operation& op) {
      return op.kind >= RowOpKind::kPredicateRead || op.kind == RowOpKind::kDelete ||
             (op.kind == RowOpKind::kPut && op.written.empty());
    });
  }
  return sketch;
}

}  // namespace

RowsSketch random_rows(std::uint64_t seed, RowsVariety variety) {
  if (variety == RowsVariety::kRegisters) {
    return as_registers(RandomRows(seed, RowsVariety::kPlain).make());
  }
  return RandomRows(seed, variety).make();
}

RowsSketch without_some_invocations(RowsSketch sketch, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (RowsSketch::Transaction& txn : sketch.transactions) {
    txn.has_invocation = random() % 2 == 0;
  }
  return sketch;
}

Result<History> build(const RowsSketch& sketch) {
  return SketchBuilder(sketch).build();
}

History rows_history(std::string_view text) {
  HistoryBuilder builder;
  rows::RowsBuilder made(builder);
  rows::RowParser parser(builder, made);
  HistoryInfo info = {.format = "notation", .workload = Workload::kRows};
  info.has_real_time = false;
  bool is_closed = true;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    TxnInput txn;
    std::vector<MopInput> mops;
    if (line.empty()) {
      continue;
    }
    if (line == "open") {
      is_closed = false;
      continue;
    }
    if (line.starts_with("init ")) {
      mops = parser.contents(line.substr(5), {}).value();
      info.initial_txn = TxnId{0};
      txn.session = 1000;
      txn.invocation_time = -2;
      txn.completion_time = -1;
    } else {
      const std::size_t colon = line.find(':');
      const std::string head(line.substr(0, colon));
      txn.session = std::stoll(head);
      txn.status = head.find('!') != std::string::npos   ? TxnStatus::kAborted
                   : head.find('?') != std::string::npos ? TxnStatus::kIndeterminate
                                                         : TxnStatus::kCommitted;
      const bool has_times = head.find('@') != std::string::npos;
      txn.invocation_time = has_times ? std::stoll(head.substr(head.find('@') + 1)) : 0;
      txn.completion_time = has_times ? std::stoll(head.substr(head.find('-') + 1)) : 0;
      info.has_real_time = info.has_real_time || has_times;
      const std::string forms = "[" + std::string(line.substr(colon + 2)) + "]";
      const std::vector<std::string_view> parts = elements_of(forms).value();
      for (const std::string_view form : parts) {
        mops.push_back(
            parser.operation(form, {.nil_is_unknown = txn.status == TxnStatus::kIndeterminate})
                .value());
      }
    }
    if (!builder
             .add_transaction({.session = txn.session,
                               .status = txn.status,
                               .invocation_time = txn.invocation_time,
                               .completion_time = txn.completion_time,
                               .mops = mops})
             .ok()) {
      throw std::runtime_error("too many transactions");
    }
  }
  info.rows = std::move(made).build(is_closed);
  return std::move(std::move(builder).build(std::move(info)).value());
}

bool deletes_by_key(const History& history) {
  return std::ranges::any_of(history.info().rows->ops(), [](const rows::RowOp& op) {
    return op.kind == rows::RowOpKind::kDelete;
  });
}

bool says_something(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const auto is_known = [&](Op op) {
      const rows::RowOp& row_op = history.info().rows->op(op);
      return !row_op.is_read() || row_op.known != Known::kNothing;
    };
    if (history.committed(txn) && std::ranges::any_of(history.ops(txn), is_known)) {
      return true;
    }
  }
  return false;
}

std::string rows_text(const History& history) {
  std::string out = history.info().rows->is_closed() ? "closed\n" : "open\n";
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    out += "T" + std::to_string(txn.value) + " session " +
           std::to_string(history.session_name(history.session(txn)));
    constexpr std::array kStatus = {"ok", "fail", "info"};
    out += std::string(" ") + kStatus[static_cast<std::size_t>(history.status(txn))] + " [" +
           std::to_string(history.invocation_id(txn).value) + ", " +
           std::to_string(history.completion_id(txn).value) + "]";
    if (txn == history.info().initial_txn) {
      out += " initial";
    }
    for (const Op op : history.ops(txn)) {
      out += ' ' + rows::text(history, op);
    }
    out += '\n';
  }
  return out;
}

}  // namespace elapid
