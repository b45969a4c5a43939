#include "adapter/cli/reports/reports.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/thread.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

using MakeReport = std::function<Result<Report>(std::size_t)>;

Report guarded(const MakeReport& make, std::size_t input) {
  try {
    Result<Report> made = make(input);
    return made ? std::move(made).value() : error_report(made.error());
  } catch (...) {
    return error_report(current_error());
  }
}

void print(const Report& report, Progress& progress) {
  if (report.out.empty() && report.err.empty()) {
    return;
  }
  progress.clear();
  print_notes(report.err);
  if (report.is_document) {
    print_document(report.out);
  } else {
    print_text(report.out);
  }
}

/// Reports that several threads make and one takes in order.
class Shelf {
 public:
  Shelf(std::size_t inputs, const MakeReport& make, Progress& progress)
      : make_(make), progress_(progress), reports_(inputs) {}

  /// Makes reports until all are made or the shelf is closed.
  void work() {
    for (;;) {
      const std::size_t input = next_.fetch_add(1);
      if (input >= reports_.size() || is_closed_.load()) {
        return;
      }
      Report report =
          interrupted() ? Report{.code = ExitCode::kInterrupted} : guarded(make_, input);
      progress_.finish_input();
      const std::lock_guard lock(mutex_);
      reports_[input] = std::move(report);
      made_.notify_one();
    }
  }

  /// No further report is begun.
  void close() { is_closed_.store(true); }

  /// Waits for the report of an input.
  Report take(std::size_t input) {
    std::unique_lock lock(mutex_);
    made_.wait(lock, [&] { return reports_[input] || failure_; });
    return reports_[input] ? std::move(*reports_[input]) : error_report(*failure_);
  }

  /// Records the error that ended a thread: take() no longer waits for missing reports.
  void fail(Error error) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(error);
    made_.notify_all();
  }

 private:
  const MakeReport& make_;
  Progress& progress_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> is_closed_{false};
  std::mutex mutex_;
  std::condition_variable made_;
  std::vector<std::optional<Report>> reports_;
  std::optional<Error> failure_;
};

}  // namespace

void append(Report& report, Report more) {
  report.out += more.out;
  report.err += more.err;
  report.is_document |= more.is_document;
  report.code = combine(report.code, more.code);
}

std::string error_line(const Error& error) {
  return "elapid: " + visible_line(error.to_string()) + "\n";
}

Report error_report(const Error& error) {
  return {.err = error_line(error), .code = exit_code(error.kind)};
}

ExitCode print_error(const Error& error) {
  print_notes(error_line(error));
  return exit_code(error.kind);
}

std::size_t default_threads() {
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

ExitCode print_reports(std::size_t inputs, std::size_t threads, Progress& progress,
                       const MakeReport& make,
                       const std::function<void(std::size_t, Report&)>& finish) {
  progress.begin_inputs(inputs);
  Shelf shelf(inputs, make, progress);
  std::vector<Thread> workers;
  for (std::size_t i = 0; i < std::min(threads, inputs); ++i) {
    workers.emplace_back([&shelf] { shelf.work(); },
                         [&shelf](Error error) { shelf.fail(std::move(error)); });
  }
  ExitCode all = ExitCode::kOk;
  for (std::size_t input = 0; input < inputs; ++input) {
    Report report = shelf.take(input);
    if (interrupted()) {
      return ExitCode::kInterrupted;
    }
    if (finish) {
      finish(input, report);
    }
    print(report, progress);
    all = combine(all, report.code);
    if (!output_status().ok()) {
      shelf.close();
      return all;  // the end reports the reason
    }
  }
  return all;
}

}  // namespace elapid
