#include "harness/scenario/scenario_reader.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/ir/call.h"
#include "engine/ir/history_builder.h"
#include "engine/rows/parse.h"
#include "engine/rows/rows_builder.h"
#include "harness/scenario/expectation_reader.h"
#include "harness/scenario/orders.h"
#include "harness/scenario/scenario_line.h"
#include "harness/scenario/scenario_tables.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"

namespace elapid {
namespace {

using Kind = StepRequest::Kind;

constexpr std::array<std::string_view, 9> kFirstWords = {
    "about", "start", "table", "index", "prepare", "set", "order", "orders", "expect"};

/// An operation of the file, in canonical EDN.
struct WrittenOp {
  std::string text = {};
  ScenarioLine place = {};
};

/// The session of a setting, by its name in the file.
struct SettingSession {
  std::vector<ScenarioSetting>* settings = nullptr;
  std::size_t number = 0;
  std::string name = {};
  ScenarioLine place = {};
};

bool is_on_rows(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {":rp",  ":up",     ":dp",    ":insert",
                                                      ":put", ":update", ":delete"};
  return std::ranges::find(kNames, name) != kNames.end();
}

class ScenarioReader {
 public:
  Result<Scenario> read(const std::string& file, std::string_view text) {
    std::uint64_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ScenarioLine line(file, ++number, text.substr(0, end));
      ELAPID_RETURN_IF_ERROR(take(line));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    last_ = ScenarioLine(file, number, {});
    return finish(file);
  }

 private:
  Status take(ScenarioLine& line) {
    line.skip_blanks();
    if (line.is_done()) {
      return {};
    }
    const ScenarioLine start = line;
    const std::string_view word = line.word();
    if (line.take(':')) {
      return take_step(start, word, line);
    }
    line.skip_blanks();
    if (!word.empty() && std::ranges::find(kFirstWords, word) == kFirstWords.end()) {
      return take_named_step(start, word, line);
    }
    if (word == "about") {
      about_ += (about_.empty() ? "" : " ") + std::string(line.rest());
      return {};
    }
    if (word == "start") {
      return take_ops(line, starts_);
    }
    if (word == "table") {
      return take_table(line);
    }
    if (word == "index") {
      return take_index(line);
    }
    if (word == "set" || word == "prepare") {
      return take_setting(line, word == "set" ? settings_ : preparations_);
    }
    if (word == "orders" || word == "order") {
      return take_order(start, word, line);
    }
    if (word == "expect") {
      expectations_.push_back(line);
      return {};
    }
    return start.error(
        "a step as A: commit, or about, start, table, index, prepare, set, order, orders or "
        "expect");
  }

  /// A step with a name, as `A write: [:append :x 1]`.
  Status take_named_step(const ScenarioLine& start, std::string_view session, ScenarioLine& line) {
    const ScenarioLine name_start = line;
    const std::string_view name = line.word();
    if (name.empty() || !line.take(':')) {
      return start.error(
          "a step as A: commit, or about, start, table, index, prepare, set, order, orders or "
          "expect");
    }
    if (!std::ranges::all_of(steps_, [&](const ScenarioStep& step) { return step.name != name; })) {
      return name_start.error("a name that no other step has");
    }
    Status taken = take_step(start, session, line);
    if (taken.ok()) {
      steps_.back().name = name;
      has_names_ = true;
    }
    return taken;
  }

  Status take_ops(ScenarioLine& line, std::vector<WrittenOp>& ops) {
    const std::unique_ptr<ByteSource> source = memory_source({}, std::string(line.rest()));
    edn::Scanner scanner(*source);
    bool is_empty = true;
    for (; scanner.next() != edn::TokenKind::kEnd; is_empty = false) {
      const ScenarioLine at = line.at(scanner.token().offset);
      WrittenOp op = {.place = at};
      Status status = scanner.token().kind == edn::TokenKind::kError
                          ? Status(scanner.error())
                          : edn::append_form(scanner, edn::TextStyle::kCanonical, op.text);
      if (!status.ok()) {
        const Error& error = status.error();
        return line.at(error.byte_offset.value_or(at.offset() - line.offset()))
            .error_of(error.message);
      }
      ops.push_back(std::move(op));
    }
    return is_empty ? line.error("an operation as [:r :x]") : Status();
  }

  Status take_step(const ScenarioLine& start, std::string_view name, ScenarioLine& line) {
    if (name.empty()) {
      return start.error("the name of a session before the colon");
    }
    if (steps_.size() == kMostScenarioSteps) {
      return start.error("at most " + std::to_string(kMostScenarioSteps) + " steps");
    }
    const auto known = std::ranges::find(sessions_, name);
    ScenarioStep step = {.session = static_cast<std::size_t>(known - sessions_.begin()),
                         .line = line.number()};
    if (known == sessions_.end()) {
      sessions_.emplace_back(name);
      is_open_.push_back(false);
    }
    line.skip_blanks();
    const ScenarioLine what = line;
    bool is_open = is_open_[step.session];
    if (line.peek() == '[') {
      step.first_op = ops_.size();
      ELAPID_RETURN_IF_ERROR(take_ops(line, ops_));
      step.op_count = ops_.size() - step.first_op;
      for (const WrittenOp& op : std::span(ops_).subspan(step.first_op)) {
        step.text += (step.text.empty() ? "" : " ") + op.text;
      }
      is_open = true;
    } else {
      const std::string_view word = line.word();
      step.text = word;
      if (word == "begin" && !is_open) {
        step.kind = Kind::kBegin;
        is_open = true;
      } else if ((word == "commit" || word == "rollback") && is_open) {
        step.kind = word == "commit" ? Kind::kCommit : Kind::kRollback;
        is_open = false;
      } else {
        return what.error(is_open ? "an operation as [:r :x], or commit or rollback"
                                  : "an operation as [:r :x], or begin: no transaction is open");
      }
      ELAPID_RETURN_IF_ERROR(line.end());
    }
    is_open_[step.session] = is_open;
    steps_.push_back(std::move(step));
    return {};
  }

  Status take_table(ScenarioLine& line) {
    ScenarioTable table;
    const ScenarioLine start = line;
    if (!line.number(table.first_key) || !line.number(table.last_key) ||
        table.first_key > table.last_key) {
      return start.error("the first and the last key of a table's rows");
    }
    for (const ScenarioTable& other : tables_) {
      if (table.first_key <= other.last_key && other.first_key <= table.last_key) {
        return start.error("keys that no other table has");
      }
    }
    tables_.push_back(table);
    return line.end();
  }

  Status take_index(ScenarioLine& line) {
    std::vector<WrittenOp> columns;
    ELAPID_RETURN_IF_ERROR(take_ops(line, columns));
    for (const WrittenOp& column : columns) {
      if (!column.text.starts_with(':')) {
        return column.place.error("a column as :age");
      }
      if (std::ranges::find(indexes_, column.text) == indexes_.end()) {
        indexes_.push_back(column.text);
      }
    }
    return {};
  }

  /// A setting, as `DATABASE: SQL` or `DATABASE SESSION: SQL`.
  Status take_setting(ScenarioLine& line, std::vector<ScenarioSetting>& settings) {
    const ScenarioLine start = line;
    ELAPID_ASSIGN_OR_RETURN(const std::string database, take_database(line));
    line.skip_blanks();
    const ScenarioLine session_start = line;
    const std::string session(line.word());
    if (!line.take(':')) {
      return start.error("DATABASE: SQL");
    }
    line.skip_blanks();
    if (line.rest().empty()) {
      return line.error("a statement in SQL");
    }
    settings.push_back({.database = database, .sql = std::string(line.rest())});
    if (!session.empty()) {
      setting_sessions_.push_back({&settings, settings.size() - 1, session, session_start});
    }
    return {};
  }

  /// Resolves the sessions of settings at the end, when all are known.
  Status find_setting_sessions() {
    for (const SettingSession& of : setting_sessions_) {
      const auto known = std::ranges::find(sessions_, of.name);
      if (known == sessions_.end() || of.settings == &preparations_) {
        return of.place.error(of.settings == &preparations_ ? "a colon"
                                                            : "a session that has steps");
      }
      (*of.settings)[of.number].session = static_cast<std::size_t>(known - sessions_.begin());
    }
    return {};
  }

  Status take_order(const ScenarioLine& start, std::string_view word, ScenarioLine& line) {
    if (word == "orders") {
      has_all_orders_ = true;
      return line.word() == "all" ? line.end() : start.error("orders all");
    }
    orders_.push_back(line);
    return {};
  }

  Result<Scenario> finish(const std::string& file) {
    if (steps_.empty()) {
      return last_.error("at least one step as A: [:r :x]").error();
    }
    ELAPID_RETURN_IF_ERROR(find_setting_sessions());
    ELAPID_ASSIGN_OR_RETURN(History script, script_of_ops());
    Scenario scenario = {.name = name_of(file),
                         .about = std::move(about_),
                         .sessions = std::move(sessions_),
                         .steps = std::move(steps_),
                         .starts = starts_.size(),
                         .tables = std::move(tables_),
                         .indexes = std::move(indexes_),
                         .preparations = std::move(preparations_),
                         .settings = std::move(settings_),
                         .script = std::move(script)};
    for (ScenarioStep& step : scenario.steps) {
      step.first_op += scenario.starts;
    }
    if (scenario.tables.empty()) {
      scenario.tables = {
          {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}};
    }
    for (const auto& check : {&ScenarioReader::check_rows, &ScenarioReader::check_values,
                              &ScenarioReader::find_orders, &ScenarioReader::read_expectations}) {
      ELAPID_RETURN_IF_ERROR((this->*check)(scenario));
    }
    return scenario;
  }

  static std::string name_of(const std::string& file) {
    const std::size_t slash = file.rfind('/');
    std::string name = file.substr(slash == std::string::npos ? 0 : slash + 1);
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
  }

  // --- Operations ------------------------------------------------------------------------------

  /// An operation by its number: those at the start come before those of the steps.
  [[nodiscard]] const WrittenOp& written(std::size_t op) const {
    return op < starts_.size() ? starts_[op] : ops_[op - starts_.size()];
  }

  Result<History> script_of_ops() {
    HistoryBuilder history;
    rows::RowsBuilder rows(history);
    rows::RowParser parser(history, rows);
    const std::size_t count = starts_.size() + ops_.size();
    bool has_rows = false;
    bool has_lists = false;
    for (std::size_t i = 0; i < count; ++i) {
      const auto forms = elements_of(written(i).text);
      has_rows = has_rows || (forms && !forms->empty() && is_on_rows(forms->front()));
      has_lists = has_lists || (forms && !forms->empty() && forms->front() == ":append");
    }
    std::vector<MopInput> mops;
    for (std::size_t i = 0; i < count; ++i) {
      const WrittenOp& op = written(i);
      Result<MopInput> mop = has_rows ? parser.operation(op.text, {.nil_is_unknown = true})
                                      : plain_op(op, has_lists, history);
      if (!mop) {
        return op.place.error_of(mop.error().message);
      }
      mops.push_back(mop.value());
    }
    if (Status added = history.add_transaction(
            {.session = 0, .status = TxnStatus::kIndeterminate, .mops = mops});
        !added.ok()) {
      return last_.error_of(added.error().message);
    }
    HistoryInfo info = {.format = "scenario",
                        .workload = has_rows    ? Workload::kRows
                                    : has_lists ? Workload::kListAppend
                                                : Workload::kRwRegister};
    if (has_rows) {
      info.rows = std::move(rows).build(true);
    }
    return std::move(history).build(std::move(info));
  }

  /// A plain operation: `[:r :x]`, `[:w :x 1]` or `[:append :x 1]`.
  static Result<MopInput> plain_op(const WrittenOp& op, bool has_lists, HistoryBuilder& history) {
    const auto forms = elements_of(op.text);
    const std::string expected = has_lists ? "[:r KEY] or [:append KEY NUMBER]"
                                           : "[:r KEY] or [:w KEY NUMBER], or an operation on rows";
    const auto refused = [&] {
      return Error{.message = "expected " + expected + ", found " + op.text.substr(0, 100)};
    };
    if (!forms || !op.text.starts_with('[') || forms->size() < 2 || forms->size() > 3) {
      return refused();
    }
    MopInput mop = {.key = history.key(history.values().intern((*forms)[1]))};
    if (forms->front() == ":r" || forms->front() == ":read") {
      mop.kind = has_lists ? OpKind::kReadList : OpKind::kRead;
      return forms->size() == 2 || forms->back() == "nil" ? Result<MopInput>(mop) : refused();
    }
    const bool is_append = forms->front() == ":append";
    const bool is_write = forms->front() == ":w" || forms->front() == ":write";
    if (forms->size() != 3 || (has_lists ? !is_append : !is_write)) {
      return refused();
    }
    mop.kind = has_lists ? OpKind::kAppend : OpKind::kWrite;
    mop.value = history.values().intern(forms->back());
    return history.values().as_integer(mop.value) ? Result<MopInput>(mop) : refused();
  }

  // --- Rules for the whole scenario --------------------------------------------------------------

  Status check_rows(Scenario& scenario) {
    if (!scenario.has_rows()) {
      return tables_are_for_rows(scenario);
    }
    for (std::size_t i = 0; i < scenario.ops().size(); ++i) {
      const Result<std::size_t> table = table_of(scenario, scenario.ops()[i]);
      if (!table) {
        return written(i).place.error_of(table.error().message);
      }
      const rows::RowOp& op = scenario.script.info().rows->op(scenario.ops()[i]);
      if (i < scenario.starts && op.kind != rows::RowOpKind::kInsert) {
        return written(i).place.error("an operation as [:insert 7 {:age 15}] at the start");
      }
      if (op.known != rows::Known::kNothing || op.first > 0) {
        return written(i).place.error("an operation without a result");
      }
      if (!has_numbers(scenario, op)) {
        return written(i).place.error("whole numbers and nil as values of columns");
      }
    }
    return {};
  }

  /// Whether all values are numbers or nil: columns of tables hold nothing else.
  static bool has_numbers(const Scenario& scenario, const rows::RowOp& op) {
    const rows::Rows& rows = *scenario.script.info().rows;
    const auto is_number = [&](ValueId value) {
      return value.is_nil() || scenario.script.values().as_integer(value).has_value();
    };
    const auto compares_numbers = [&](const auto& self, const rows::Predicate& predicate) -> bool {
      return is_number(predicate.value) &&
             std::ranges::all_of(predicate.parts,
                                 [&](const rows::Predicate& part) { return self(self, part); });
    };
    return std::ranges::all_of(rows.written(op), is_number, &rows::Field::value) &&
           (!op.has_predicate() || compares_numbers(compares_numbers, rows.predicate(op)));
  }

  [[nodiscard]] Status tables_are_for_rows(const Scenario& scenario) const {
    const bool has_tables =
        scenario.tables.front().first_key != std::numeric_limits<std::int64_t>::min() ||
        !scenario.indexes.empty();
    return has_tables
               ? last_.error_of("expected operations on rows, since there are tables of them")
               : Status();
  }

  /// Requires that a key gets each value once, so that a read identifies its writer. At the start
  /// only writes are allowed.
  Status check_values(Scenario& scenario) {
    std::set<std::pair<std::uint32_t, ValueId>> seen;
    for (std::size_t i = 0; i < scenario.ops().size() && !scenario.has_rows(); ++i) {
      const Op op = scenario.ops()[i];
      const bool reads = op.kind() == OpKind::kRead || op.kind() == OpKind::kReadList;
      if (i < scenario.starts && reads) {
        return written(i).place.error("a write or an append at the start");
      }
      if (!reads && !seen.emplace(op.key().value, op.value()).second) {
        return written(i).place.error("a value that this key is given once");
      }
    }
    return {};
  }

  Status find_orders(Scenario& scenario) {
    std::vector<std::size_t> sessions;
    std::vector<std::size_t> counts(scenario.sessions.size());
    for (const ScenarioStep& step : scenario.steps) {
      sessions.push_back(step.session);
      ++counts[step.session];
    }
    if (has_all_orders_ && !orders_.empty()) {
      return orders_.front().error_of("expected either orders all or single ones, found both");
    }
    for (ScenarioLine& line : orders_) {
      ELAPID_ASSIGN_OR_RETURN(StepOrder order, read_order(scenario, line));
      scenario.orders.push_back(std::move(order));
    }
    if (has_all_orders_) {
      if (count_orders(counts, kMostScenarioOrders) > kMostScenarioOrders) {
        return last_.error_of("expected at most " + std::to_string(kMostScenarioOrders) +
                              " orders of the steps, found more");
      }
      scenario.orders = all_orders(sessions);
    }
    if (scenario.orders.empty()) {
      StepOrder own(scenario.steps.size());
      std::iota(own.begin(), own.end(), std::size_t{0});
      scenario.orders.push_back(std::move(own));
    }
    return {};
  }

  /// Reads an order: names of steps, or of sessions for their next step.
  [[nodiscard]] Result<StepOrder> read_order(const Scenario& scenario, ScenarioLine& line) const {
    const std::string names = std::to_string(scenario.steps.size()) + " names, one for each step";
    StepOrder order;
    std::vector<bool> is_open(scenario.sessions.size());
    for (line.skip_blanks(); !line.is_done(); line.skip_blanks()) {
      const ScenarioLine start = line;
      const std::string_view name = line.word();
      const std::optional<std::size_t> number = step_of(scenario, name, order);
      if (!number) {
        return start
            .error(has_names_ ? "the name of a step, or of a session that has a step left"
                              : "a session that has a step left: " + names)
            .error();
      }
      const ScenarioStep& step = scenario.steps[*number];
      const bool is_end = step.kind == Kind::kCommit || step.kind == Kind::kRollback;
      if (is_end ? !is_open[step.session] : step.kind == Kind::kBegin && is_open[step.session]) {
        return start
            .error(is_end ? "a step that begins the transaction before it is ended"
                          : "the end of the transaction before another one begins")
            .error();
      }
      is_open[step.session] = !is_end;
      order.push_back(*number);
    }
    if (order.empty() || (!has_names_ && order.size() != scenario.steps.size())) {
      return line.error(has_names_ ? "names of steps" : names).error();
    }
    return order;
  }

  /// The step of this name that is not yet in the order, or the next step of this session.
  static std::optional<std::size_t> step_of(const Scenario& scenario, std::string_view name,
                                            const StepOrder& order) {
    const auto is_left = [&](std::size_t step) {
      return std::ranges::find(order, step) == order.end();
    };
    const auto named = std::ranges::find(scenario.steps, name, &ScenarioStep::name);
    if (!name.empty() && named != scenario.steps.end()) {
      const auto step = static_cast<std::size_t>(named - scenario.steps.begin());
      return is_left(step) ? std::optional(step) : std::nullopt;
    }
    for (std::size_t step = 0; step < scenario.steps.size() && !name.empty(); ++step) {
      if (scenario.sessions[scenario.steps[step].session] == name && is_left(step)) {
        return step;
      }
    }
    return std::nullopt;
  }

  Status read_expectations(Scenario& scenario) {
    for (ScenarioLine& line : expectations_) {
      ELAPID_RETURN_IF_ERROR(read_expectation(line, scenario));
    }
    return {};
  }

  std::string about_ = {};
  std::vector<std::string> sessions_ = {};
  std::vector<bool> is_open_ = {};  // by session: in a transaction
  std::vector<ScenarioStep> steps_ = {};
  std::vector<WrittenOp> starts_ = {};
  std::vector<WrittenOp> ops_ = {};
  std::vector<ScenarioTable> tables_ = {};
  std::vector<std::string> indexes_ = {};
  std::vector<ScenarioSetting> preparations_ = {};
  std::vector<ScenarioSetting> settings_ = {};
  std::vector<SettingSession> setting_sessions_ = {};
  std::vector<ScenarioLine> orders_ = {};
  std::vector<ScenarioLine> expectations_ = {};
  bool has_all_orders_ = false;
  bool has_names_ = false;  // of steps
  ScenarioLine last_ = {};
};

}  // namespace

Result<Scenario> parse_scenario(const std::string& file, std::string_view text) {
  return ScenarioReader().read(file, text);
}

Result<Scenario> read_scenario(const std::string& path) {
  const Result<std::string> text = read_text_file(path, "a scenario");
  return text ? parse_scenario(path, text.value()) : Result<Scenario>(text.error());
}

}  // namespace elapid
