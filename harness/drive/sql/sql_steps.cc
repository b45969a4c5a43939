#include "harness/drive/sql/sql_steps.h"

#include <algorithm>
#include <set>
#include <utility>

namespace elapid {
namespace {

Error step_error(const std::string& what, const SqlFailure& failure) {
  return {.kind = ErrorKind::kUnreadable, .message = what + ": " + failure.message};
}

class SqlStepSession : public StepSession {
 public:
  SqlStepSession(std::unique_ptr<SqlSession> session, std::string begin)
      : session_(std::move(session)), begin_(std::move(begin)) {}

  StepReply carry_out(const StepRequest& request) override {
    StepReply answer;
    if (const SqlStatus failed = session_->query(text_of(request), answer.rows)) {
      return {.error = failed->error, .message = failed->message, .is_lost = failed->is_lost};
    }
    answer.affected = session_->affected();
    return answer;
  }

 private:
  [[nodiscard]] const std::string& text_of(const StepRequest& request) const {
    static const std::string commit = "commit";
    static const std::string rollback = "rollback";
    switch (request.kind) {
      case StepRequest::Kind::kBegin:
        return begin_;
      case StepRequest::Kind::kCommit:
        return commit;
      case StepRequest::Kind::kRollback:
        return rollback;
      default:
        return request.sql;
    }
  }

  std::unique_ptr<SqlSession> session_;
  std::string begin_;
};

/// The sessions that each session waits for, by number.
using Waiting = std::map<std::string, std::set<std::string>>;

/// Whether the sessions contain a cycle of waits: the server will end one of its sessions.
bool has_deadlock(Waiting waiting) {
  // Removes sessions that wait for no waiting session, until none is left to remove.
  const auto will_be_free = [&](const auto& entry) {
    return std::ranges::none_of(
        entry.second, [&](const std::string& holder) { return waiting.contains(holder); });
  };
  for (auto at = waiting.begin(); at != waiting.end();) {
    at = will_be_free(*at) ? (waiting.erase(at), waiting.begin()) : std::next(at);
  }
  return !waiting.empty();
}

}  // namespace

Result<std::unique_ptr<StepDatabase>> SqlStepDatabase::open(std::unique_ptr<SqlBinding> binding) {
  std::unique_ptr<SqlStepDatabase> database(new SqlStepDatabase(std::move(binding)));
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<SqlSession> observer, database->binding_->connect());
  database->observer_ = std::move(observer);
  return std::unique_ptr<StepDatabase>(std::move(database));
}

Status SqlStepDatabase::prepare(std::span<const std::string> sql) {
  std::vector<StepRow> rows;
  for (const std::string& text : sql) {
    if (const SqlStatus failed = observer_->query(text, rows)) {
      return step_error("the tables cannot be made (" + text + ")", *failed);
    }
  }
  return {};
}

Result<std::unique_ptr<StepSession>> SqlStepDatabase::connect(
    std::size_t session, std::span<const std::string> settings) {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<SqlSession> connected, binding_->connect());
  for (const std::string& text : binding_->step_settings()) {
    static_cast<void>(connected->command(text));  // not every user is allowed to
  }
  for (const std::string& text : settings) {
    if (const SqlStatus failed = connected->command(text)) {
      return step_error("a session cannot be set up (" + text + ")", *failed);
    }
  }
  std::vector<StepRow> rows;
  if (const SqlStatus failed = connected->query(binding_->number_query(), rows)) {
    return step_error("a session has no number", *failed);
  }
  numbers_.resize(std::max(numbers_.size(), session + 1));
  numbers_[session] = rows.front().front().value_or("");
  return std::unique_ptr<StepSession>(
      std::make_unique<SqlStepSession>(std::move(connected), binding_->step_begin()));
}

Result<bool> SqlStepDatabase::all_wait(std::span<const std::size_t> sessions) {
  if (Clock::now() - looked_at_ < binding_->waiting_is_as_old_as()) {
    return false;
  }
  std::string numbers;
  for (const std::size_t session : sessions) {
    numbers += (numbers.empty() ? "" : ",") + numbers_[session];
  }
  std::vector<StepRow> rows;
  const SqlStatus failed = observer_->query(binding_->waiting_query(numbers), rows);
  looked_at_ = Clock::now();
  if (failed) {
    return step_error("which sessions wait for locks cannot be read", *failed);
  }
  Waiting waiting;
  for (const StepRow& row : rows) {
    waiting[row[0].value_or("")].insert(row[1].value_or(""));
  }
  std::erase_if(waiting_since_, [&](const auto& entry) { return !waiting.contains(entry.first); });
  for (const auto& [number, holders] : waiting) {
    waiting_since_.try_emplace(number, looked_at_);
  }
  const Clock::time_point latest = looked_at_ - binding_->deadlocks_are_found_after();
  const bool all = std::ranges::all_of(sessions, [&](std::size_t session) {
    const auto since = waiting_since_.find(numbers_[session]);
    return since != waiting_since_.end() && since->second <= latest;
  });
  return all && !has_deadlock(std::move(waiting));
}

std::vector<DatabaseFact> SqlStepDatabase::facts() {
  std::vector<DatabaseFact> facts = {{"begin", binding_->step_begin()}};
  for (const auto& [name, query] : binding_->fact_queries()) {
    std::vector<StepRow> rows;
    const bool has_answer = !observer_->query(query, rows) && !rows.empty();
    facts.push_back({name, has_answer ? rows.front().front().value_or("null") : "?"});
  }
  return facts;
}

}  // namespace elapid
