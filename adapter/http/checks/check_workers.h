// Threads that take jobs from the queue and run a check for each.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/checks/job_files.h"
#include "adapter/http/checks/job_queue.h"
#include "adapter/http/metrics.h"
#include "engine/ir/thread.h"

namespace elapid::http {

struct WorkerOptions {
  std::size_t count = 1;  ///< checks at a time
  /// The silence after which the jobs of another process's worker are taken over; 0: no other
  /// process shares the queue.
  std::chrono::milliseconds silence{0};
};

/// Works from the constructor on. The destructor ends the running checks, and queues their jobs
/// again.
class CheckWorkers {
 public:
  /// All arguments must outlive this.
  CheckWorkers(JobQueue& queue, JobFiles& files, const CheckDoor& door, Metrics& metrics,
               WorkerOptions options);
  ~CheckWorkers();
  CheckWorkers(const CheckWorkers&) = delete;
  CheckWorkers& operator=(const CheckWorkers&) = delete;

  /// Tells the threads that there is a new job.
  void wake();

 private:
  void work(const std::stop_token& stop, const std::string& name);
  void wait_for_jobs(const std::stop_token& stop);
  void check(const Job& job, const std::string& name, const std::stop_token& stop);
  Status answer(const Job& job, const std::string& name, const std::string& answer_folder,
                const std::stop_token& stop);
  void finish(const Job& job, const std::string& name, const Outcome& outcome,
              const std::stop_token& stop);
  void pause(const std::stop_token& stop);
  void take_back();

  JobQueue& queue_;
  JobFiles& files_;
  const CheckDoor& door_;
  Metrics& metrics_;
  WorkerOptions options_;
  std::mutex mutex_;
  std::condition_variable_any news_;
  std::uint64_t jobs_told_ = 0;
  std::chrono::steady_clock::time_point taken_back_ = {};
  std::stop_source stop_ = {};
  std::vector<Thread> threads_ = {};  // the last member, because the threads use the others
};

}  // namespace elapid::http
