#include "harness/drive/sql/sql_database.h"

#include <string>
#include <utility>

#include "harness/drive/sql/sql_connection.h"

namespace elapid {
namespace {

Error unreadable(const std::string& what, const SqlFailure& failure) {
  return {.kind = ErrorKind::kUnreadable, .message = what + ": " + failure.message};
}

}  // namespace

Result<std::unique_ptr<Database>> SqlDatabase::open(std::unique_ptr<SqlBinding> binding,
                                                    const DatabaseRequest& request) {
  ELAPID_ASSIGN_OR_RETURN(const SqlSettings settings, sql_settings(request.uri));
  std::unique_ptr<SqlDatabase> database(new SqlDatabase(std::move(binding), settings, request));
  ELAPID_RETURN_IF_ERROR(database->fill(request.initial));
  return std::unique_ptr<Database>(std::move(database));
}

Status SqlDatabase::fill(const std::vector<RequestStep>& initial) {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<SqlSession> session, binding_->connect());
  for (const std::string& text : texts_.creation()) {
    if (const SqlStatus failed = session->command(text)) {
      return unreadable("the table cannot be made", *failed);
    }
  }
  if (const SqlStatus failed = session->prepare(texts_.statements())) {
    return unreadable("a statement is refused", *failed);
  }
  for (const RequestStep& step : initial) {
    const SqlArgument arguments[] = {step.key, step.key, step.value};
    const SqlStatus failed =
        session->execute(texts_.statement_number(SqlStatement::kInsert, step.key), arguments);
    if (failed) {
      return unreadable("the first values cannot be written", *failed);
    }
  }
  return {};
}

Result<std::unique_ptr<SqlSession>> SqlDatabase::prepared_session() {
  Result<std::unique_ptr<SqlSession>> session = binding_->connect();
  if (!session) {
    return session;
  }
  if (const SqlStatus failed = session.value()->prepare(texts_.statements())) {
    return unreadable("a statement is refused", *failed);
  }
  // Tests each level now, so that an unknown one is reported at once. The first level is set last.
  for (std::size_t level = levels_.size(); levels_.size() > 1 && level-- > 0;) {
    for (const std::string& text : levels_[level].settings) {
      if (const SqlStatus failed = session.value()->command(text)) {
        return unreadable("a level is refused (" + text + ")", *failed);
      }
    }
  }
  return session;
}

Result<std::unique_ptr<Connection>> SqlDatabase::connect(std::size_t /*session*/) {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<SqlSession> session, prepared_session());
  return std::unique_ptr<Connection>(
      std::make_unique<SqlConnection>(std::move(session), texts_, settings_, levels_));
}

std::vector<DatabaseFact> SqlDatabase::facts() {
  std::vector<DatabaseFact> facts = {{"begin", levels_.front().any}};
  Result<std::unique_ptr<SqlSession>> session = binding_->connect();
  if (!session) {
    return facts;
  }
  std::vector<std::string> queries;
  const std::vector<std::pair<std::string, std::string>> asked = binding_->fact_queries();
  for (const auto& [name, query] : asked) {
    queries.push_back(query);
  }
  if (session.value()->prepare(queries)) {
    return facts;
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool has_answer = !session.value()->execute(i, {}) && session.value()->row_count() > 0;
    facts.push_back({asked[i].first,
                     has_answer ? std::string(session.value()->cell(0, 0).value_or("null")) : "?"});
  }
  return facts;
}

}  // namespace elapid
