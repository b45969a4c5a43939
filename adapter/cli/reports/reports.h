// The report on one input, and the order in which the reports of several are printed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/ir/result.h"

namespace elapid {

/// The output about one input.
struct Report {
  std::string out = {};      ///< for standard output
  std::string err = {};      ///< for standard error
  bool is_document = false;  ///< `out` is EDN or JSON, to be left as it is
  ExitCode code = ExitCode::kOk;
};

/// Appends the output about a further input.
void append(Report& report, Report more);

/// The report of an input that could not be handled: one line on standard error.
[[nodiscard]] Report error_report(const Error& error);

/// An error as users see it: `elapid: file:line:col: message` and a newline. It stays on one line,
/// for any name of a file.
[[nodiscard]] std::string error_line(const Error& error);

/// Prints an error that belongs to no input, such as a usage error.
ExitCode print_error(const Error& error);

/// Makes the report of each input, on up to `threads` threads (at least one), and prints the
/// reports in the order of the inputs. Stops early at an interrupt, and if standard output cannot
/// be written. Several threads call `make`. An error that it returns becomes error_report(); an
/// exception that it throws becomes an internal error. One thread calls `finish`, if there is one,
/// for each report before the report is printed, in the order of the inputs. Returns all reports
/// combined.
ExitCode print_reports(std::size_t inputs, std::size_t threads, Progress& progress,
                       const std::function<Result<Report>(std::size_t)>& make,
                       const std::function<void(std::size_t, Report&)>& finish = {});

/// The number of threads if the user gives none.
[[nodiscard]] std::size_t default_threads();

}  // namespace elapid
