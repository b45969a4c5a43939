#include "adapter/http/checks/check_workers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "adapter/elle/file_output.h"
#include "adapter/http/checks/answer_of.h"

namespace elapid::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{500};    // for jobs that other services accepted
constexpr std::chrono::milliseconds kBeatEvery{2000};   // while a check runs, at least
constexpr std::chrono::milliseconds kRetryAfter{1000};  // where the database failed

/// A folder that is removed with its contents when this object ends.
class Scratch {
 public:
  explicit Scratch(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    std::filesystem::create_directory(path_, ignored);
  }

  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The folder of the check's evidence, beside the history.
constexpr const char* kEvidenceFolder = "evidence";

/// The name of the history in reports and messages. A file named - would be standard input.
std::string file_name(const Job& job) {
  const std::string name = safe_file_name(job.question.name);
  return name.empty() || name == "-" || name == kEvidenceFolder ? "history" : name;
}

/// Whether the result has several maps, each with the name of its file.
bool is_in_parts(std::string_view result) {
  return result.starts_with("{:file ");
}

}  // namespace

CheckWorkers::CheckWorkers(JobQueue& queue, JobFiles& files, const CheckDoor& door,
                           Metrics& metrics, WorkerOptions options)
    : queue_(queue), files_(files), door_(door), metrics_(metrics), options_(options) {
  const std::string process = fmt::format("{}-{}", ::getpid(), random_name().substr(0, 12));
  for (std::size_t i = 0; i < options.count; ++i) {
    threads_.emplace_back(
        [this, name = fmt::format("{}-{}", process, i)] { work(stop_.get_token(), name); });
  }
}

CheckWorkers::~CheckWorkers() {
  stop_.request_stop();
  news_.notify_all();
}

void CheckWorkers::wake() {
  {
    const std::lock_guard lock(mutex_);
    ++jobs_told_;
  }
  news_.notify_one();
}

void CheckWorkers::work(const std::stop_token& stop, const std::string& name) {
  while (!stop.stop_requested()) {
    take_back();
    const Result<std::optional<Job>> taken = queue_.take(name);
    if (!taken) {
      metrics_.add("elapid_queue_errors_total", "");
      pause(stop);
    } else if (taken.value()) {
      check(*taken.value(), name, stop);
    } else {
      wait_for_jobs(stop);
    }
  }
}

void CheckWorkers::wait_for_jobs(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (news_.wait_for(lock, stop, kLookEvery, [this] { return jobs_told_ > 0; })) {
    --jobs_told_;
  }
}

void CheckWorkers::take_back() {
  if (options_.silence.count() == 0) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (Clock::now() < taken_back_ + options_.silence / 4) {
      return;
    }
    taken_back_ = Clock::now();
  }
  const Result<std::size_t> taken = queue_.take_back(options_.silence);
  if (taken && taken.value() > 0) {
    metrics_.add("elapid_taken_over_total", "", static_cast<double>(taken.value()));
  }
}

void CheckWorkers::check(const Job& job, const std::string& name, const std::stop_token& stop) {
  const Scratch scratch(files_.scratch() + "/" + random_name());
  const Status done = caught([&] { return answer(job, name, scratch.path(), stop); });
  if (!done.ok()) {
    metrics_.add("elapid_check_errors_total", "");
    finish(job, name, {.error = "the answer could not be kept: " + done.error().message}, stop);
  }
}

Status CheckWorkers::answer(const Job& job, const std::string& name,
                            const std::string& answer_folder, const std::stop_token& stop) {
  const std::string file = file_name(job);
  ELAPID_RETURN_IF_ERROR(files_.lend_history(job.folder, answer_folder + "/" + file));
  const auto beat_every =
      options_.silence.count() == 0 ? kBeatEvery : std::min(kBeatEvery, options_.silence / 5);
  auto next_beat = Clock::now() + beat_every;
  const auto is_cancelled = [&] {
    if (Clock::now() >= next_beat) {
      next_beat = Clock::now() + beat_every;
      const Result<bool> is_ours = queue_.beat(job, name);
      return stop.stop_requested() || (is_ours.ok() && !is_ours.value());
    }
    return stop.stop_requested();
  };
  const Clock::time_point begun = Clock::now();
  CheckRun run = door_.run(job.question.options, answer_folder, file, is_cancelled);
  if (run.is_cancelled) {
    return queue_.give_back(job, name);
  }
  if (is_in_parts(run.out)) {
    run.out = "[" + run.out + "]";
  }
  const Outcome outcome = outcome_of(run);
  metrics_.add("elapid_checks_total",
               fmt::format("verdict=\"{}\"", outcome.verdict.empty() ? "failed" : outcome.verdict));
  metrics_.add("elapid_check_seconds_total", "",
               std::chrono::duration<double>(Clock::now() - begun).count());
  std::filesystem::remove(answer_folder + "/" + file);
  if (!run.out.empty()) {
    ELAPID_RETURN_IF_ERROR(write_file(answer_folder + "/result.edn", run.out));
  }
  ELAPID_RETURN_IF_ERROR(files_.put_answer(job.folder, job.attempt, answer_folder));
  finish(job, name, outcome, stop);
  return {};
}

/// Records the answer. While the database cannot be reached, tries again.
void CheckWorkers::finish(const Job& job, const std::string& name, const Outcome& outcome,
                          const std::stop_token& stop) {
  while (!queue_.finish(job, name, outcome) && !stop.stop_requested()) {
    metrics_.add("elapid_queue_errors_total", "");
    pause(stop);
  }
}

void CheckWorkers::pause(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, stop, kRetryAfter, [] { return false; });
}

}  // namespace elapid::http
