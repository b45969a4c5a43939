#include "adapter/http/runs/run_checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <set>
#include <span>

#include "adapter/report/sha256.h"
#include "parsers/bytes/file_descriptor.h"
#include "parsers/bytes/output.h"

#include <fcntl.h>

namespace elapid::http {
namespace {

/// Copies a file, and notes the digest and the number of its bytes.
Status copy_history(const std::string& from, const std::string& to, Question& question) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const FileDescriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!source.is_open()) {
    return system_error(from, "cannot be opened");
  }
  ELAPID_ASSIGN_OR_RETURN(auto copy, OutputFile::create(to));
  Sha256 digest;
  std::string piece(kPiece, '\0');
  for (;;) {
    ELAPID_ASSIGN_OR_RETURN(const std::size_t count, source.read(std::span(piece), from));
    if (count == 0) {
      break;
    }
    const std::string_view bytes = std::string_view(piece).substr(0, count);
    digest.add(bytes);
    copy << bytes;
    question.bytes += count;
  }
  question.digest = in_hex(digest.finish());
  return copy.commit();
}

/// Whether the service accepts no job at present.
bool is_full(const Problem& problem) {
  return problem.status == 503 || problem.status == 507;
}

}  // namespace

Result<std::unique_ptr<RunChecks>> RunChecks::open(const CheckService& service,
                                                   const std::string& folder) {
  const Result<Rows> made = service.queue.database().run(
      "CREATE TABLE IF NOT EXISTS elapid_runs (path TEXT PRIMARY KEY,"
      " stamp TEXT NOT NULL, job TEXT NOT NULL)",
      {});
  return made ? Result<std::unique_ptr<RunChecks>>(
                    std::unique_ptr<RunChecks>(new RunChecks(service, folder)))
              : Result<std::unique_ptr<RunChecks>>(made.error());
}

Result<std::map<std::string, std::string>> RunChecks::jobs_of(const std::vector<StoredRun>& runs) {
  ELAPID_ASSIGN_OR_RETURN(
      const Rows rows,
      service_.queue.database().run(
          "SELECT r.path, r.stamp, r.job FROM elapid_runs r JOIN elapid_jobs j ON j.id = r.job",
          {}));
  std::map<std::string, std::pair<std::string, std::string>> known;
  for (const Row& row : rows) {
    known[row[0].value_or("")] = {row[1].value_or(""), row[2].value_or("")};
  }
  std::map<std::string, std::string> jobs;
  for (const StoredRun& run : runs) {
    const auto found = known.find(key_of(run));
    if (found != known.end() && found->second.first == run.stamp()) {
      jobs[run.path] = found->second.second;
    }
  }
  return jobs;
}

std::variant<Job, Problem> RunChecks::check(const StoredRun& run,
                                            std::vector<std::string> options) {
  if (run.state == StoredRun::State::kRunning) {
    return Problem{409, "The test of this run has not ended."};
  }
  if (run.state == StoredRun::State::kFolder) {
    return Problem{409, "The history of this run is a folder of files; elapid check reads it."};
  }
  if (run.bytes > service_.limits.bytes) {
    return Problem{413, fmt::format("A history has at most {} bytes here.", service_.limits.bytes)};
  }
  Question question = {.name = run.path, .options = std::move(options)};
  const std::string file = service_.files.scratch() + "/" + random_name();
  if (const Status copied = copy_history(run.history, file, question); !copied.ok()) {
    return problem_of(copied.error());
  }
  const Result<JobQueue::Added> added = accept_history(service_, question, file);
  ::unlink(file.c_str());
  if (!added) {
    return problem_of(added.error());
  }
  const Result<Rows> noted = service_.queue.database().run(
      "INSERT INTO elapid_runs (path, stamp, job) VALUES ($1, $2, $3)"
      " ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, job = excluded.job",
      {key_of(run), run.stamp(), added.value().job.id});
  return noted ? std::variant<Job, Problem>(added.value().job)
               : std::variant<Job, Problem>(problem_of(noted.error()));
}

void RunChecks::check_new(const std::vector<StoredRun>& runs,
                          const std::function<bool()>& should_stop) {
  const Result<Rows> rows =
      service_.queue.database().run("SELECT path, stamp FROM elapid_runs", {});
  if (!rows) {
    return;
  }
  const std::set<Row> asked(rows.value().begin(), rows.value().end());
  for (const StoredRun& run : runs) {
    const bool is_new = run.state == StoredRun::State::kEnded &&
                        run.bytes <= service_.limits.bytes &&
                        !asked.contains({key_of(run), run.stamp()});
    if (!is_new) {
      continue;
    }
    const std::variant<Job, Problem> asked_now = check(run, {});
    const auto* const problem = std::get_if<Problem>(&asked_now);
    if (should_stop() || (problem != nullptr && is_full(*problem))) {
      return;
    }
  }
}

}  // namespace elapid::http
