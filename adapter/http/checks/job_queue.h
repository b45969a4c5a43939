// The jobs of a service, or of several that share a database: accepted, taken by a worker, answered
// once. Each step is one statement, so that a kill between two of them loses nothing: what was
// accepted is there, and what a dead worker had taken is taken by another. What was accepted or
// removed outlives a power cut; an answer that one loses is given again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapter/http/checks/database.h"
#include "adapter/http/checks/job.h"
#include "adapter/http/retention.h"
#include "engine/ir/result.h"

namespace elapid::http {

/// What a list of jobs is to show.
struct JobFilter {
  std::string level = {};  ///< one that was asked for; with `verdict`: whose answer it is
  std::string verdict = {};
  std::string state = {};
  std::optional<std::int64_t> since = {};  ///< accepted then or later
  std::optional<std::int64_t> after = {};  ///< behind the job of this sequence in the list
  std::size_t limit = 50;
};

/// Errors of all: those of the database.
class JobQueue {
 public:
  /// Makes the tables if there are none. Error kUnreadable, also if they are of another version.
  static Result<std::unique_ptr<JobQueue>> open(std::unique_ptr<Database> database);

  struct Added {
    Job job;
    bool is_new = false;  ///< what is in `folder` belongs to the job now
  };

  /// Accepts a job whose history is in `folder`, or finds the one of this question that there is. A
  /// job that failed is queued again, with this history: what it had may be why.
  [[nodiscard]] Result<Added> add(const Question& question, const std::string& folder);

  [[nodiscard]] Result<std::optional<Job>> find(const std::string& id);

  /// Newest first.
  [[nodiscard]] Result<std::vector<Job>> list(const JobFilter& filter);

  /// How many jobs wait before this one.
  [[nodiscard]] Result<std::int64_t> position(const Job& job);

  /// Forgets a job; what it was.
  [[nodiscard]] Result<std::optional<Job>> remove(const std::string& id);

  /// Forgets jobs that have ended and are not to be kept; their folders.
  [[nodiscard]] Result<std::vector<std::string>> remove_ended(const Retention& retention);

  /// The job that has waited longest, for this worker.
  [[nodiscard]] Result<std::optional<Job>> take(const std::string& worker);

  /// Says that the worker still runs it. False: it is no longer this worker's.
  [[nodiscard]] Result<bool> beat(const Job& job, const std::string& worker);

  /// Answers it. False: it is no longer this worker's, and another's answer counts.
  [[nodiscard]] Result<bool> finish(const Job& job, const std::string& worker,
                                    const Outcome& outcome);

  /// Queues it again: the worker ends. Does nothing if it is no longer this worker's.
  [[nodiscard]] Status give_back(const Job& job, const std::string& worker);

  /// Queues what workers had taken that did not beat for so long; how many. A job that was taken
  /// very often fails instead.
  [[nodiscard]] Result<std::size_t> take_back(std::chrono::milliseconds silence);

  /// Queues again what was answered in the ten minutes before the newest answer, which a power cut
  /// may have lost.
  [[nodiscard]] Status ask_newest_again();

  /// Jobs by state, and by verdict where they have one.
  [[nodiscard]] Result<std::map<std::string, std::int64_t>> counts();

  /// The folders of all jobs.
  [[nodiscard]] Result<std::vector<std::string>> folders();

  [[nodiscard]] Database& database() { return *database_; }

 private:
  explicit JobQueue(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Result<std::vector<std::string>> first_cells(const std::string& sql);
  Result<std::vector<Job>> jobs(const std::string& sql, const std::vector<Cell>& values,
                                Durability durability = Durability::kOutlivesPowerCut);
  Result<std::optional<Job>> one(const std::string& sql, const std::vector<Cell>& values,
                                 Durability durability = Durability::kOutlivesPowerCut);
  Result<bool> changes(const std::string& sql, const std::vector<Cell>& values);

  std::unique_ptr<Database> database_;
};

}  // namespace elapid::http
