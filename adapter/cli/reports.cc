#include "adapter/cli/reports.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "adapter/cli/interrupt.h"

namespace elapid {
namespace {

Report guarded(const std::function<Report(std::size_t)>& make, std::size_t input) {
  try {
    return make(input);
  } catch (const std::bad_alloc&) {
    return error_report({.kind = ErrorKind::kInternal, .message = "memory ran out"});
  } catch (const std::exception& exception) {
    return error_report({.kind = ErrorKind::kInternal, .message = exception.what()});
  }
}

void print(const Report& report, Progress& progress) {
  if (report.out.empty() && report.err.empty()) {
    return;
  }
  progress.clear();
  std::fwrite(report.err.data(), 1, report.err.size(), stderr);
  std::fwrite(report.out.data(), 1, report.out.size(), stdout);
  std::fflush(stdout);
}

/// Reports made by several threads and taken in order by one.
class Shelf {
 public:
  Shelf(std::size_t inputs, const std::function<Report(std::size_t)>& make)
      : make_(make), reports_(inputs) {}

  /// Makes reports until none is left to make.
  void work() {
    for (;;) {
      const std::size_t input = next_.fetch_add(1);
      if (input >= reports_.size()) {
        return;
      }
      Report report =
          interrupted() ? Report{.code = ExitCode::kInterrupted} : guarded(make_, input);
      const std::lock_guard lock(mutex_);
      reports_[input] = std::move(report);
      made_.notify_one();
    }
  }

  /// Waits for the report of an input.
  Report take(std::size_t input) {
    std::unique_lock lock(mutex_);
    made_.wait(lock, [&] { return reports_[input].has_value(); });
    return std::move(*reports_[input]);
  }

 private:
  const std::function<Report(std::size_t)>& make_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable made_;
  std::vector<std::optional<Report>> reports_;
};

}  // namespace

void append(Report& report, Report more) {
  report.out += more.out;
  report.err += more.err;
  report.code = combine(report.code, more.code);
}

std::string error_line(const Error& error) {
  return "elapid: " + error.to_string() + "\n";
}

Report error_report(const Error& error) {
  return {.err = error_line(error), .code = exit_code(error.kind)};
}

ExitCode print_error(const Error& error) {
  std::fputs(error_line(error).c_str(), stderr);
  return exit_code(error.kind);
}

std::size_t default_threads() {
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

ExitCode print_reports(std::size_t inputs, std::size_t threads, Progress& progress,
                       const std::function<Report(std::size_t)>& make) {
  Shelf shelf(inputs, make);
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < std::min(threads, inputs); ++i) {
    workers.emplace_back([&shelf] { shelf.work(); });
  }
  ExitCode all = ExitCode::kOk;
  for (std::size_t input = 0; input < inputs; ++input) {
    const Report report = shelf.take(input);
    if (interrupted()) {
      return ExitCode::kInterrupted;
    }
    print(report, progress);
    all = combine(all, report.code);
  }
  return all;
}

}  // namespace elapid
