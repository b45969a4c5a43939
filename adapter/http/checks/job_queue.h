// The jobs of a service, or of several that share a database. A job is accepted, taken by a worker,
// and answered once. Each step is one statement, so a kill between two steps loses nothing:
// accepted jobs remain, and another worker takes those of a dead worker. Accepting and removing
// outlive a power cut; an answer that a power cut loses is given again.
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

/// The jobs that a list shows.
struct JobFilter {
  std::string level = {};  ///< an asked one; with `verdict`: the level with that answer
  std::string verdict = {};
  std::string state = {};
  std::optional<std::int64_t> since = {};  ///< accepted at that time or later
  std::optional<std::int64_t> after = {};  ///< after the job of this sequence in the list
  std::size_t limit = 50;
};

/// Errors of all functions: those of the database.
class JobQueue {
 public:
  /// Makes the tables if there are none. Error kUnreadable, also for tables of another version.
  static Result<std::unique_ptr<JobQueue>> open(std::unique_ptr<Database> database);

  struct Added {
    Job job;
    bool is_new = false;  ///< the files in `folder` now belong to the job
  };

  /// Accepts a job with its history in `folder`, or finds the existing job of this question. A
  /// failed job is queued again, with this history: the old one may be the reason of the failure.
  [[nodiscard]] Result<Added> add(const Question& question, const std::string& folder);

  [[nodiscard]] Result<std::optional<Job>> find(const std::string& id);

  /// Newest first.
  [[nodiscard]] Result<std::vector<Job>> list(const JobFilter& filter);

  /// The number of jobs that wait before this one.
  [[nodiscard]] Result<std::int64_t> position(const Job& job);

  /// Forgets a job, and returns it.
  [[nodiscard]] Result<std::optional<Job>> remove(const std::string& id);

  /// Forgets ended jobs that need not be kept, and returns their folders.
  [[nodiscard]] Result<std::vector<std::string>> remove_ended(const Retention& retention);

  /// The job that has waited longest, for this worker.
  [[nodiscard]] Result<std::optional<Job>> take(const std::string& worker);

  /// Tells that the worker still runs the job. False: it is no longer this worker's.
  [[nodiscard]] Result<bool> beat(const Job& job, const std::string& worker);

  /// Answers the job. False: it is no longer this worker's, and another's answer counts.
  [[nodiscard]] Result<bool> finish(const Job& job, const std::string& worker,
                                    const Outcome& outcome);

  /// Queues the job again: the worker ends. Does nothing if it is no longer this worker's.
  [[nodiscard]] Status give_back(const Job& job, const std::string& worker);

  /// Queues the jobs of workers without a beat for `silence`, and returns their number. A job that
  /// was taken very often fails instead.
  [[nodiscard]] Result<std::size_t> take_back(std::chrono::milliseconds silence);

  /// Queues again the jobs answered in the ten minutes before the newest answer, because a power
  /// cut may have lost their answers.
  [[nodiscard]] Status ask_newest_again();

  /// The number of jobs by state, and by verdict if they have one.
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
