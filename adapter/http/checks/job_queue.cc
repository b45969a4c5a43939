#include "adapter/http/checks/job_queue.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ir/integer_text.h"
#include "engine/ir/mapped.h"

namespace elapid::http {
namespace {

/// The version of the tables. A database of another version is refused.
constexpr std::string_view kVersion = "1";

/// A job that was taken so often fails: each attempt's worker died.
constexpr int kMostAttempts = 20;

constexpr std::string_view kColumns =
    "sequence, id, name, digest, bytes, options, state, verdict, levels, anomalies, transactions, "
    "error, created, started, finished, folder, attempt";

std::int64_t number_of(const Cell& cell) {
  return cell ? integer_of(*cell).value_or(0) : 0;
}

JobState state_of(std::string_view text) {
  for (const JobState state : {JobState::kQueued, JobState::kRunning, JobState::kDone}) {
    if (text == name(state)) {
      return state;
    }
  }
  return JobState::kFailed;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string in_lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

/// The condition that a job is still this worker's, for values of ours(). The statement returns a
/// row if it was.
constexpr std::string_view kIsOurs =
    "sequence = $1 AND attempt = $2 AND worker = $3 AND state = 'running' RETURNING id";

std::vector<Cell> ours(const Job& job, const std::string& worker) {
  return {std::to_string(job.sequence), std::to_string(job.attempt), worker};
}

/// The job of a row of kColumns.
Job job_of(const Row& row) {
  return {.sequence = number_of(row[0]),
          .id = row[1].value_or(""),
          .question = {.name = row[2].value_or(""),
                       .digest = row[3].value_or(""),
                       .bytes = static_cast<std::uint64_t>(number_of(row[4])),
                       .options = lines_of(row[5].value_or(""))},
          .state = state_of(row[6].value_or("")),
          .outcome = {.verdict = row[7].value_or(""),
                      .levels = row[8].value_or(""),
                      .anomalies = row[9].value_or(""),
                      .transactions = number_of(row[10]),
                      .error = row[11].value_or("")},
          .created = number_of(row[12]),
          .started = number_of(row[13]),
          .finished = number_of(row[14]),
          .folder = row[15].value_or(""),
          .attempt = number_of(row[16])};
}

Status make_tables(Database& database) {
  const Database::Dialect& dialect = database.dialect();
  const std::string statements[] = {
      "CREATE TABLE IF NOT EXISTS elapid_version (version TEXT PRIMARY KEY)",
      fmt::format("CREATE TABLE IF NOT EXISTS elapid_jobs (sequence {}, id TEXT NOT NULL UNIQUE,"
                  " name TEXT NOT NULL, digest TEXT NOT NULL, bytes BIGINT NOT NULL,"
                  " options TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT, levels TEXT,"
                  " anomalies TEXT, transactions BIGINT, error TEXT, created BIGINT NOT NULL, "
                  "started BIGINT, finished BIGINT,"
                  " folder TEXT NOT NULL, attempt BIGINT NOT NULL, worker TEXT, beat BIGINT)",
                  dialect.sequence),
      "CREATE INDEX IF NOT EXISTS elapid_jobs_open ON elapid_jobs (state, sequence)"
      " WHERE state IN ('queued', 'running')",
      fmt::format("CREATE TABLE IF NOT EXISTS elapid_files (folder TEXT NOT NULL,"
                  " path TEXT NOT NULL, part BIGINT NOT NULL, bytes {} NOT NULL,"
                  " PRIMARY KEY (folder, path, part))",
                  dialect.bytes)};
  for (const std::string& sql : statements) {
    ELAPID_RETURN_IF_ERROR(database.run(sql, {}));
  }
  ELAPID_ASSIGN_OR_RETURN(const Rows versions,
                          database.run("SELECT version FROM elapid_version", {}));
  if (versions.empty()) {
    const Result<Rows> put = database.run(
        "INSERT INTO elapid_version VALUES ($1) ON CONFLICT DO NOTHING", {std::string(kVersion)});
    return put ? Status() : Status(put.error());
  }
  if (versions.front().front() != kVersion) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = fmt::format(
                     "the jobs are of another version of elapid serve: expected {}, found {}",
                     kVersion, versions.front().front().value_or(""))};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<JobQueue>> JobQueue::open(std::unique_ptr<Database> database) {
  // Two services may start at once: then PostgreSQL lets one of them fail, so it tries again.
  Status made = make_tables(*database);
  if (!made.ok()) {
    made = make_tables(*database);
  }
  ELAPID_RETURN_IF_ERROR(made);
  return std::unique_ptr<JobQueue>(new JobQueue(std::move(database)));
}

Result<std::vector<Job>> JobQueue::jobs(const std::string& sql, const std::vector<Cell>& values,
                                        Durability durability) {
  ELAPID_ASSIGN_OR_RETURN(const Rows rows, database_->run(sql, values, durability));
  return mapped<Job>(rows, [&](const Row& row) { return job_of(row); });
}

Result<std::optional<Job>> JobQueue::one(const std::string& sql, const std::vector<Cell>& values,
                                         Durability durability) {
  ELAPID_ASSIGN_OR_RETURN(std::vector<Job> found, jobs(sql, values, durability));
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

Result<bool> JobQueue::changes(const std::string& sql, const std::vector<Cell>& values) {
  const Result<Rows> rows = database_->run(sql, values, Durability::kOutlivesProcess);
  return rows ? Result<bool>(!rows.value().empty()) : Result<bool>(rows.error());
}

Result<JobQueue::Added> JobQueue::add(const Question& question, const std::string& folder) {
  const std::string id = question.id();
  ELAPID_ASSIGN_OR_RETURN(
      std::optional<Job> made,
      one(fmt::format("INSERT INTO elapid_jobs (id, name, digest, bytes, options, state, created,"
                      " folder, attempt) VALUES ($1, $2, $3, $4, $5, 'queued', {}, $6, 0)"
                      " ON CONFLICT (id) DO UPDATE SET state = 'queued', error = NULL,"
                      " name = excluded.name, folder = excluded.folder"
                      " WHERE elapid_jobs.state = 'failed' RETURNING {}",
                      database_->dialect().now, kColumns),
          {id, question.name, question.digest, std::to_string(question.bytes),
           in_lines_of(question.options), folder}));
  if (made) {
    const bool is_new = made->folder == folder;
    return Added{std::move(*made), is_new};
  }
  ELAPID_ASSIGN_OR_RETURN(std::optional<Job> there, find(id));
  if (!there) {
    return add(question, folder);  // it was removed between the two statements
  }
  return Added{std::move(*there), false};
}

Result<std::optional<Job>> JobQueue::find(const std::string& id) {
  return one(fmt::format("SELECT {} FROM elapid_jobs WHERE id = $1", kColumns), {id});
}

Result<std::vector<Job>> JobQueue::list(const JobFilter& filter) {
  std::string sql = fmt::format("SELECT {} FROM elapid_jobs WHERE sequence > 0", kColumns);
  std::vector<Cell> values;
  const auto where = [&](std::string_view condition, std::string value) {
    values.emplace_back(std::move(value));
    sql += fmt::format(" AND {} ${}", condition, values.size());
  };
  if (!filter.level.empty()) {
    where("levels LIKE", fmt::format("%,{}:{}%", filter.level,
                                     filter.verdict.empty() ? "" : filter.verdict + ","));
  } else if (!filter.verdict.empty()) {
    where("verdict =", filter.verdict);
  }
  if (!filter.state.empty()) {
    where("state =", filter.state);
  }
  // Numbers are part of the text, so that each database treats them as numbers.
  if (filter.since) {
    sql += fmt::format(" AND created >= {}", *filter.since);
  }
  if (filter.after) {
    sql += fmt::format(" AND sequence < {}", *filter.after);
  }
  sql += fmt::format(" ORDER BY sequence DESC LIMIT {}", filter.limit);
  return jobs(sql, values);
}

Result<std::int64_t> JobQueue::position(const Job& job) {
  const Result<Rows> rows =
      database_->run("SELECT count(*) FROM elapid_jobs WHERE state = 'queued' AND sequence < $1",
                     {std::to_string(job.sequence)});
  return rows ? Result<std::int64_t>(number_of(rows.value().front().front()))
              : Result<std::int64_t>(rows.error());
}

Result<std::optional<Job>> JobQueue::remove(const std::string& id) {
  return one(fmt::format("DELETE FROM elapid_jobs WHERE id = $1 RETURNING {}", kColumns), {id});
}

Result<std::optional<Job>> JobQueue::take(const std::string& worker) {
  const Database::Dialect& dialect = database_->dialect();
  return one(fmt::format("UPDATE elapid_jobs SET state = 'running', worker = $1,"
                         " attempt = attempt + 1, started = {0}, beat = {0} WHERE sequence ="
                         " (SELECT sequence FROM elapid_jobs WHERE state = 'queued'"
                         " ORDER BY sequence LIMIT 1 {1}) RETURNING {2}",
                         dialect.now, dialect.skip_locked, kColumns),
             {worker}, Durability::kOutlivesProcess);
}

Result<bool> JobQueue::beat(const Job& job, const std::string& worker) {
  return changes(
      fmt::format("UPDATE elapid_jobs SET beat = {} WHERE {}", database_->dialect().now, kIsOurs),
      ours(job, worker));
}

Result<bool> JobQueue::finish(const Job& job, const std::string& worker, const Outcome& outcome) {
  const bool has_failed = outcome.verdict.empty();
  std::vector<Cell> values = ours(job, worker);
  values.insert(values.end(),
                {has_failed ? "failed" : "done", has_failed ? Cell() : outcome.verdict,
                 outcome.levels, outcome.anomalies, std::to_string(outcome.transactions),
                 outcome.error.empty() ? Cell() : outcome.error});
  return changes(
      fmt::format("UPDATE elapid_jobs SET state = $4, verdict = $5, levels = $6, anomalies = $7,"
                  " transactions = $8, error = $9, finished = {} WHERE {}",
                  database_->dialect().now, kIsOurs),
      values);
}

Status JobQueue::give_back(const Job& job, const std::string& worker) {
  const Result<bool> given = changes(
      fmt::format("UPDATE elapid_jobs SET state = 'queued', worker = NULL WHERE {}", kIsOurs),
      ours(job, worker));
  return given ? Status() : Status(given.error());
}

Result<std::size_t> JobQueue::take_back(std::chrono::milliseconds silence) {
  const Result<Rows> rows = database_->run(
      fmt::format("UPDATE elapid_jobs SET worker = NULL,"
                  " state = CASE WHEN attempt < {0} THEN 'queued' ELSE 'failed' END,"
                  " error = CASE WHEN attempt < {0} THEN NULL ELSE"
                  " 'the check was begun {0} times, and its worker died each time' END"
                  " WHERE state = 'running' AND beat <= {1} - {2} RETURNING id",
                  kMostAttempts, database_->dialect().now, silence.count()),
      {});
  return rows ? Result<std::size_t>(rows.value().size()) : Result<std::size_t>(rows.error());
}

Status JobQueue::ask_newest_again() {
  const Result<Rows> rows = database_->run(
      "UPDATE elapid_jobs SET state = 'queued' WHERE state = 'done' AND finished >="
      " (SELECT max(finished) FROM elapid_jobs) - 600000",
      {});
  return rows ? Status() : Status(rows.error());
}

Result<std::map<std::string, std::int64_t>> JobQueue::counts() {
  ELAPID_ASSIGN_OR_RETURN(
      const Rows rows,
      database_->run("SELECT state, verdict, count(*) FROM elapid_jobs GROUP BY state, verdict",
                     {}));
  std::map<std::string, std::int64_t> counts;
  for (const Row& row : rows) {
    const std::string state = row[0].value_or("");
    counts[state == "done" ? row[1].value_or("") : state] += number_of(row[2]);
  }
  return counts;
}

Result<std::vector<std::string>> JobQueue::first_cells(const std::string& sql) {
  ELAPID_ASSIGN_OR_RETURN(const Rows rows, database_->run(sql, {}));
  return mapped<std::string>(rows, [&](const Row& row) { return row[0].value_or(""); });
}

Result<std::vector<std::string>> JobQueue::folders() {
  return first_cells("SELECT folder FROM elapid_jobs");
}

Result<std::vector<std::string>> JobQueue::remove_ended(const Retention& retention) {
  constexpr std::string_view kEnded = "state IN ('done', 'failed')";
  std::string too_old = "sequence < 0";
  if (retention.age) {
    too_old = fmt::format("coalesce(finished, created) <= {} - {}", database_->dialect().now,
                          std::chrono::milliseconds(*retention.age).count());
  }
  std::string too_many = "sequence < 0";
  if (retention.count) {
    too_many = fmt::format(
        "sequence <= (SELECT sequence FROM elapid_jobs WHERE {}"
        " ORDER BY sequence DESC LIMIT 1 OFFSET {})",
        kEnded, *retention.count);
  }
  return first_cells(fmt::format("DELETE FROM elapid_jobs WHERE {} AND ({} OR {}) RETURNING folder",
                                 kEnded, too_old, too_many));
}

}  // namespace elapid::http
