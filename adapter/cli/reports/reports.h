// The report on one input, and the order in which the reports of several are printed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/ir/result.h"

namespace elapid {

/// Everything that is said about one input.
struct Report {
  std::string out = {};      ///< for standard output
  std::string err = {};      ///< for standard error
  bool is_document = false;  ///< `out` is EDN or JSON, to be left as it is
  ExitCode code = ExitCode::kOk;
};

/// Adds what is said about something further.
void append(Report& report, Report more);

/// The report of an input that could not be handled: one line on standard error.
[[nodiscard]] Report error_report(const Error& error);

/// `elapid: file:line:col: message` with a newline, as every error is shown: on one line, whatever
/// the name of the file.
[[nodiscard]] std::string error_line(const Error& error);

/// Shows an error that concerns no input in particular, such as a usage error.
ExitCode print_error(const Error& error);

/// Makes the report of each input on up to `threads` threads (at least one) and prints them in the
/// order of the inputs, whatever their number. Stops early when interrupted, and when standard
/// output cannot be written. `make` is called from several threads; its error becomes
/// error_report(), and what it throws an internal error. `finish`, if there is one, is called for
/// each report before it is printed, in the order of the inputs and by one thread. Returns all
/// reports combined.
ExitCode print_reports(std::size_t inputs, std::size_t threads, Progress& progress,
                       const std::function<Result<Report>(std::size_t)>& make,
                       const std::function<void(std::size_t, Report&)>& finish = {});

/// How many threads to use where the user does not say.
[[nodiscard]] std::size_t default_threads();

}  // namespace elapid
