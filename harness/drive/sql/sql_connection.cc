#include "harness/drive/sql/sql_connection.h"

#include <charconv>
#include <initializer_list>
#include <span>
#include <string_view>
#include <system_error>

#include "harness/drive/sql/listed_numbers.h"

namespace elapid {
namespace {

void add_number(std::int64_t number, std::string& to) {
  char digits[24];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
  to.append(std::begin(digits), error == std::errc() ? end : std::begin(digits));
}

/// Errors that prove that the database has not committed and will not: conflicts with another
/// session. After other errors, such as a full disk, the outcome is unknown.
bool refuses_commit(TxnError error) {
  return error == TxnError::kConflict || error == TxnError::kDeadlock ||
         error == TxnError::kLockTimeout || error == TxnError::kBusy;
}

}  // namespace

TxnOutcome SqlConnection::run(DriverTxn& txn) {
  if (const SqlStatus failed = begin(txn)) {
    return roll_back(*failed);
  }
  for (std::size_t i = 0; i < txn.size(); ++i) {
    bool goes_on = true;
    if (const SqlStatus failed = guarded(txn, i, goes_on)) {
      return roll_back(*failed);
    }
    if (!goes_on) {
      TxnOutcome outcome = given_up();
      outcome.is_unusable = session_->command("rollback").has_value();
      return outcome;
    }
  }
  return commit();
}

SqlStatus SqlConnection::begin(const DriverTxn& txn) {
  const SqlBegin& level = levels_[txn.level()];
  if (txn.level() != at_) {
    at_ = kNoLevel;  // until all settings are made
    for (const std::string& text : level.settings) {
      if (SqlStatus failed = session_->command(text)) {
        return failed;
      }
    }
    at_ = txn.level();
  }
  return session_->command(level.of(txn));
}

SqlStatus SqlConnection::guarded(DriverTxn& txn, std::size_t i, bool& goes_on) {
  if (!settings_.has_savepoints) {
    return carry_out(txn, i, goes_on);
  }
  SqlStatus failed = session_->command("savepoint elapid");
  if (!failed) {
    failed = carry_out(txn, i, goes_on);
  }
  return failed ? failed : session_->command("release savepoint elapid");
}

SqlStatus SqlConnection::carry_out(DriverTxn& txn, std::size_t i, bool& goes_on) {
  const RequestStep& step = txn.step(i);
  switch (step.kind) {
    case OpKind::kWrite:
      return write(step);
    case OpKind::kAppend:
      return append(step);
    case OpKind::kRow:
      return carry_out_on_rows(txn, i);
    default:
      return read(txn, i, goes_on);
  }
}

SqlStatus SqlConnection::read(DriverTxn& txn, std::size_t i, bool& goes_on) {
  const RequestStep& step = txn.step(i);
  if (SqlStatus failed = execute(SqlStatement::kRead, step.key, {step.key})) {
    return failed;
  }
  take_elements();
  if (step.kind == OpKind::kReadList) {
    txn.saw_list(i, elements_);
  } else {
    goes_on = txn.saw(i, elements_.empty() ? Seen() : Seen(elements_.front()));
  }
  return {};
}

SqlStatus SqlConnection::write(const RequestStep& step) {
  return put(step.key, SqlStatement::kMerge, SqlStatement::kUpdate, step.value);
}

SqlStatus SqlConnection::append(const RequestStep& step) {
  if (settings_.lists == SqlLists::kRows) {
    return execute(SqlStatement::kInsert, step.key, {step.key, step.key, step.value, step.key});
  }
  if (!settings_.appends_in_place) {
    return append_by_writing(step);
  }
  text_ = has_json() ? "[" : "";
  add_number(step.value, text_);
  text_ += has_json() ? "]" : "";
  return put(step.key, SqlStatement::kMergeAppend, SqlStatement::kUpdateAppend, text_);
}

SqlStatus SqlConnection::append_by_writing(const RequestStep& step) {
  if (SqlStatus failed = execute(SqlStatement::kRead, step.key, {step.key})) {
    return failed;
  }
  take_elements();
  elements_.push_back(step.value);
  text_ = has_json() ? "[" : "";
  for (const std::int64_t& element : elements_) {
    text_ += &element == elements_.data() ? "" : ",";
    add_number(element, text_);
  }
  text_ += has_json() ? "]" : "";
  return put(step.key, SqlStatement::kMerge, SqlStatement::kUpdate, text_);
}

SqlStatus SqlConnection::put(std::int64_t key, SqlStatement merge, SqlStatement update,
                             SqlArgument value) {
  if (settings_.merges) {
    return execute(merge, key, {key, key, value});
  }
  if (SqlStatus failed = execute(update, key, {value, key})) {
    return failed;
  }
  return session_->affected() > 0 ? SqlStatus()
                                  : execute(SqlStatement::kInsert, key, {key, key, value});
}

SqlStatus SqlConnection::execute(SqlStatement statement, std::int64_t key,
                                 std::initializer_list<SqlArgument> arguments) {
  return session_->execute(texts_.statement_number(statement, key),
                           std::span(arguments.begin(), arguments.size()));
}

void SqlConnection::take_elements() {
  elements_.clear();
  for (std::size_t row = 0; row < session_->row_count(); ++row) {
    if (const std::optional<std::string_view> text = session_->cell(row, 0)) {
      add_listed_numbers(*text, elements_);
    }
  }
}

SqlStatus SqlConnection::carry_out_on_rows(DriverTxn& txn, std::size_t i) {
  const PlainRowOp& op = txn.row_op(txn.step(i));
  if (op.is_left_out) {
    return {};
  }
  static constexpr SqlRowStatement kStatements[] = {
      SqlRowStatement::kInsert, SqlRowStatement::kRead, SqlRowStatement::kUpdate,
      SqlRowStatement::kDelete};
  const SqlRowStatement statement = kStatements[static_cast<std::size_t>(op.kind)];
  std::vector<SqlArgument> arguments;
  if (op.kind == PlainRowKind::kInsert) {
    arguments = {op.key, op.group, op.value, op.unique};
  } else {
    if (op.kind == PlainRowKind::kUpdate) {
      arguments = {op.value, op.unique};
    }
    if (op.by == PlainRowsBy::kGroup || op.by == PlainRowsBy::kValuesOfGroup) {
      arguments.emplace_back(op.group);
    }
    if (op.by != PlainRowsBy::kGroup) {
      arguments.insert(arguments.end(), {op.low, op.high});
    }
  }
  if (SqlStatus failed =
          session_->execute(SqlTexts::row_statement_number(statement, op.by), arguments)) {
    return failed;
  }
  elements_.clear();
  if (op.kind == PlainRowKind::kRead) {
    for (std::size_t row = 0; row < session_->row_count(); ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        add_listed_numbers(session_->cell(row, column).value_or(""), elements_);
      }
    }
    txn.saw_rows(i, elements_);
  } else if (op.kind != PlainRowKind::kInsert) {
    elements_.push_back(static_cast<std::int64_t>(session_->affected()));
    txn.saw_list(i, elements_);
  }
  return {};
}

TxnOutcome SqlConnection::commit() {
  const SqlStatus failed = session_->command("commit");
  if (!failed) {
    return {};
  }
  if (!failed->is_lost && refuses_commit(failed->error)) {
    return roll_back(*failed);
  }
  return {.fate = TxnFate::kIndeterminate,
          .error = failed->error,
          .message = failed->message,
          .is_unusable = true};
}

TxnOutcome SqlConnection::roll_back(const SqlFailure& failure) {
  // A server that loses a client before it asked for a commit rolls its transaction back.
  const bool is_unusable = failure.is_lost || session_->command("rollback").has_value();
  return {.fate = TxnFate::kAborted,
          .error = failure.error,
          .message = failure.message,
          .is_unusable = is_unusable};
}

}  // namespace elapid
