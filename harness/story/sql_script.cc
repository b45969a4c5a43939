#include "harness/story/sql_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "engine/ir/mapped.h"
#include "engine/ir/visible.h"

namespace elapid {

namespace {

/// The levels of the SQL standard, from weak to strong.
enum class SqlLevel : std::uint8_t { kUncommitted, kCommitted, kRepeatable, kSerializable };

constexpr std::array<std::string_view, 4> kLevelNames = {"read uncommitted", "read committed",
                                                         "repeatable read", "serializable"};

std::string_view name_of(SqlLevel level) {
  return kLevelNames.at(static_cast<std::size_t>(level));
}

/// The differences between the databases.
struct Dialect {
  std::string_view name;  ///< on the command line
  std::string_view title;
  std::string_view shell;      ///< how a shell is opened
  std::string_view text_type;  ///< of keys
  SqlLevel weakest;
};

constexpr std::array<Dialect, 3> kDialects = {{
    {"postgres", "PostgreSQL", "psql test", "text", SqlLevel::kUncommitted},
    {"mysql", "MySQL", "mysql test", "varchar(100)", SqlLevel::kUncommitted},
    {"sqlite", "SQLite", "sqlite3 test.db", "text", SqlLevel::kSerializable},
}};

const Dialect& row_of(SqlDialect dialect) {
  return kDialects.at(static_cast<std::size_t>(dialect));
}

constexpr ModelSet kServedByUncommitted = {Model::kPl1, Model::kStrongSessionPl1,
                                           Model::kStrongPl1};
constexpr ModelSet kServedByCommitted = {Model::kPl2,
                                         Model::kStrongSessionPl2,
                                         Model::kStrongPl2,
                                         Model::kRc,
                                         Model::kMonotonicReads,
                                         Model::kMonotonicWrites,
                                         Model::kReadYourWrites,
                                         Model::kWritesFollowReads,
                                         Model::kPram};
constexpr ModelSet kServedBySerializable = {Model::kOneSr,
                                            Model::kPl3,
                                            Model::kPlSs,
                                            Model::kPl3U,
                                            Model::kLinearizable,
                                            Model::kSequential,
                                            Model::kStrongSessionSerializable,
                                            Model::kSessionSerializable,
                                            Model::kViewSerializable};

SqlLevel level_for(Model model) {
  return kServedByUncommitted.test(model)    ? SqlLevel::kUncommitted
         : kServedByCommitted.test(model)    ? SqlLevel::kCommitted
         : kServedBySerializable.test(model) ? SqlLevel::kSerializable
                                             : SqlLevel::kRepeatable;
}

/// The level of SQL for the demanded models; serializable if none are demanded.
SqlLevel level_for(ModelSet demanded) {
  std::optional<SqlLevel> strongest;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    const auto model = static_cast<Model>(m);
    if (demanded.test(model)) {
      strongest = std::max(strongest.value_or(SqlLevel::kUncommitted), level_for(model));
    }
  }
  return strongest.value_or(SqlLevel::kSerializable);
}

class SqlScript {
 public:
  /// The levels are those of transactions.
  SqlScript(const History& history, const ToldStory& story, std::vector<SqlLevel> levels,
            SqlDialect dialect)
      : history_(history),
        story_(story),
        levels_(std::move(levels)),
        weakest_(*std::ranges::min_element(levels_)),
        is_mix_(std::ranges::max(levels_) != weakest_),
        dialect_(dialect),
        has_texts_(history.has_lists() || holds_other_than_integers()) {}

  [[nodiscard]] Status check() const {
    const Dialect& row = row_of(dialect_);
    if (weakest_ < row.weakest) {
      return usage_error(fmt::format("{} has no level {}: all its transactions are {}", row.title,
                                     name_of(weakest_), name_of(row.weakest)));
    }
    if (history_.workload() == Workload::kRows) {
      return usage_error("operations on rows are written as a scenario, not as SQL for shells");
    }
    const auto is_sql = [](Op op) { return op.kind() != OpKind::kOther; };
    if (!std::ranges::all_of(history_.all_ops(), is_sql) ||
        !history_.workload().has_transactions()) {
      return usage_error(
          fmt::format("operations of {} are not written in SQL", history_.workload().name()));
    }
    if (!overlaps(history_, story_)) {
      return usage_error(
          "no two of its transactions overlap: shells at one server run them one after the other, "
          "and cannot show it");
    }
    return {};
  }

  std::string write() {
    add_header();
    add_setup();
    for (const StoryStep& step : story_.steps) {
      if (step.moment.txn != history_.info().initial_txn) {
        add_step(step);
      }
    }
    text_ += fmt::format(
        "\n-- If every read shows what is noted here and every commit succeeds, {} has this "
        "anomaly "
        "at {}\n-- {}{}. Otherwise something waits, fails, or shows another value.\n",
        row_of(dialect_).title, is_mix_ ? "these" : "level",
        is_mix_ ? "levels of its transactions" : name_of(weakest_),
        story_.levels.empty() ? "" : ", which is then " + story_.levels);
    return std::move(text_);
  }

 private:
  [[nodiscard]] bool holds_other_than_integers() const {
    const auto is_integer = [this](ValueId value) {
      return value.is_nil() || value.is_none() || history_.values().as_integer(value).has_value();
    };
    return !is_integer(history_.info().initial) ||
           !std::ranges::all_of(history_.all_ops(), [&](Op op) {
             return op.kind() == OpKind::kReadList || is_integer(op.value());
           });
  }

  void add_header() {
    const Dialect& row = row_of(dialect_);
    text_ += fmt::format(
        "-- {}, {}. Open a shell for each session ({}):\n", row.title,
        is_mix_ ? "a level for each transaction" : fmt::format("level {}", name_of(weakest_)),
        row.shell);
    for (std::size_t c = 0; c < story_.columns.size(); ++c) {
      std::string labels;
      for (const StoryTxn& txn : story_.txns) {
        if (txn.column == c && txn.txn != history_.info().initial_txn) {
          labels += (labels.empty() ? "" : ", ") + txn.label;
        }
      }
      if (!labels.empty()) {
        text_ += fmt::format("--   {}: {}\n", story_.columns[c].name, labels);
      }
    }
    text_ +=
        "-- Then enter the numbered lines in their order, each in the shell of its transaction.\n";
  }

  void add_setup() {
    const Dialect& row = row_of(dialect_);
    text_ += "\n-- Before, in any shell:\n";
    if (dialect_ == SqlDialect::kSqlite) {
      text_ += "pragma journal_mode = wal;\n";
    }
    text_ += fmt::format("create table elapid (k {} primary key, v {});\n", row.text_type,
                         has_texts_ ? "text" : "bigint");
    std::set<KeyId> keys;
    for (const Op op : history_.all_ops()) {
      keys.insert(op.key());
    }
    for (const KeyId key : keys) {
      text_ += fmt::format("insert into elapid values ({}, {});\n", key_literal(key),
                           initial_literal(key));
    }
    text_ += "\n";
  }

  [[nodiscard]] std::string initial_literal(KeyId key) const {
    if (history_.has_lists()) {
      return "''";
    }
    const TxnId initial = history_.info().initial_txn;
    if (!initial.is_none()) {
      for (const Op op : history_.ops(initial)) {
        if (op.key() == key) {
          return value_literal(op.value());
        }
      }
    }
    return value_literal(history_.info().initial);
  }

  void add_step(const StoryStep& step) {
    const std::string& label = story_.txns[step.txn].label;
    const auto [statement, note] = statement_of(step.moment);
    text_ += fmt::format("{:<60} -- {}. {}{}\n", statement, ++number_, label,
                         note.empty() ? "" : " " + note);
  }

  [[nodiscard]] std::pair<std::string, std::string> statement_of(const StoryMoment& moment) const {
    if (moment.kind == StoryMoment::Kind::kOp) {
      return statement_of(moment.txn, history_.ops(moment.txn)[moment.mop]);
    }
    if (moment.kind == StoryMoment::Kind::kBegin) {
      return {begin(moment.txn), ""};
    }
    if (history_.status(moment.txn) == TxnStatus::kAborted) {
      return {"rollback;", ""};
    }
    return {"commit;", history_.committed(moment.txn) ? "" : "whose client never knew the outcome"};
  }

  [[nodiscard]] std::string begin(TxnId txn) const {
    const std::string_view level = name_of(levels_[txn.index()]);
    switch (dialect_) {
      case SqlDialect::kPostgres:
        return fmt::format("begin isolation level {};", level);
      case SqlDialect::kMysql:
        return fmt::format("set transaction isolation level {}; begin;", level);
      default:
        return "begin;";
    }
  }

  [[nodiscard]] std::pair<std::string, std::string> statement_of(TxnId txn, Op op) const {
    const std::string key = key_literal(op.key());
    switch (op.kind()) {
      case OpKind::kReadList:
        return {select(key), "shows " + shown(history_.elements(op))};
      case OpKind::kRead:
        return {select(key), history_.committed(txn) || !op.value().is_nil()
                                 ? "shows " + (op.value().is_nil() ? "null" : text(op.value()))
                                 : "shows an unknown value"};
      case OpKind::kWrite:
        return {
            fmt::format("update elapid set v = {} where k = {};", value_literal(op.value()), key),
            ""};
      default:
        return {fmt::format("update elapid set v = {} where k = {};", appended(op.value()), key),
                ""};
    }
  }

  static std::string select(const std::string& key) {
    return fmt::format("select v from elapid where k = {};", key);
  }

  [[nodiscard]] std::string appended(ValueId element) const {
    const std::string literal = quoted(" " + text(element));
    return dialect_ == SqlDialect::kMysql ? fmt::format("concat(v, {})", literal)
                                          : fmt::format("v || {}", literal);
  }

  [[nodiscard]] std::string shown(std::span<const ValueId> elements) const {
    std::string list;
    for (const ValueId element : elements) {
      list += (list.empty() ? "" : " ") + text(element);
    }
    return list.empty() ? "an empty text" : list;
  }

  /// The value without EDN's marks, on one line.
  [[nodiscard]] std::string text(ValueId value) const {
    std::string text = history_.text(value);
    const bool is_string = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    text = is_string               ? text.substr(1, text.size() - 2)
           : text.starts_with(':') ? text.substr(1)
                                   : text;
    return visible_line(text);
  }

  [[nodiscard]] std::string quoted(const std::string& text) const {
    std::string literal = "'";
    for (const char c : text) {
      const bool is_doubled = c == '\'' || (c == '\\' && dialect_ == SqlDialect::kMysql);
      literal += is_doubled ? std::string(2, c) : std::string(1, c);
    }
    return literal + "'";
  }

  [[nodiscard]] std::string key_literal(KeyId key) const {
    return quoted(text(history_.key_value(key)));
  }

  [[nodiscard]] std::string value_literal(ValueId value) const {
    if (value.is_nil() || value.is_none()) {
      return "null";
    }
    return has_texts_ ? quoted(text(value)) : history_.text(value);
  }

  const History& history_;
  const ToldStory& story_;
  std::vector<SqlLevel> levels_;  // by transaction
  SqlLevel weakest_;
  bool is_mix_;
  SqlDialect dialect_;
  bool has_texts_;
  std::size_t number_ = 0;
  std::string text_ = {};
};

}  // namespace

std::vector<std::string_view> dialect_names() {
  return mapped<std::string_view>(kDialects, &Dialect::name);
}

SqlDialect dialect_of(std::string_view name) {
  const auto row = std::ranges::find(kDialects, name, &Dialect::name);
  return static_cast<SqlDialect>(row - kDialects.begin());
}

Result<std::string> sql_script(const History& history, const ToldStory& story, ModelSet demanded,
                               SqlDialect dialect, const std::vector<Model>& by_transaction) {
  std::vector<SqlLevel> levels(history.txn_count(), level_for(demanded));
  std::ranges::transform(by_transaction, levels.begin(),
                         [](Model model) { return level_for(model); });
  SqlScript script(history, story, std::move(levels), dialect);
  ELAPID_RETURN_IF_ERROR(script.check());
  return script.write();
}

}  // namespace elapid
