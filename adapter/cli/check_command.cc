// elapid check: decide whether histories satisfy isolation levels.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/check_flags.h"
#include "adapter/cli/check_input.h"
#include "adapter/cli/check_report.h"
#include "adapter/cli/command.h"
#include "adapter/cli/reports.h"

namespace elapid {
namespace {

/// By input; absent where there was an error.
using Validities = std::vector<std::optional<Validity>>;

Report check_one(const CheckRequest& request, std::size_t input, Progress& progress,
                 std::optional<Validity>& validity) {
  Result<CheckedHistory> checked = check_input(request.inputs[input], request, progress);
  if (!checked) {
    return error_report(checked.error());
  }
  validity = checked.value().verdict.validity;
  return check_report(request, input, checked.value(), progress);
}

std::string summary(const Validities& validities) {
  const auto count = [&](std::optional<Validity> validity) {
    return std::count(validities.begin(), validities.end(), validity);
  };
  return fmt::format("{} histories: {} valid, {} invalid, {} unknown, {} not readable or refused\n",
                     validities.size(), count(Validity::kValid), count(Validity::kInvalid),
                     count(Validity::kUnknown), count(std::nullopt));
}

ExitCode run_check(const CheckFlags& flags) {
  Result<CheckRequest> made = check_request(flags);
  if (!made) {
    return print_error(made.error());
  }
  Result<std::vector<std::string>> inputs = histories_named(flags.input);
  if (!inputs) {
    return print_error(inputs.error());
  }
  CheckRequest& request = made.value();
  request.inputs = std::move(inputs).value();
  Progress progress(request.detail == Detail::kQuiet);
  Validities validities(request.inputs.size());
  const ExitCode code = print_reports(
      validities.size(), request.threads, progress,
      [&](std::size_t input) { return check_one(request, input, progress, validities[input]); });
  const bool wants_summary = validities.size() > 1 && request.output == OutputFormat::kText &&
                             request.detail != Detail::kQuiet;
  if (wants_summary && code != ExitCode::kInterrupted) {
    std::fputs(summary(validities).c_str(), stdout);
  }
  return code;
}

}  // namespace

Command add_check(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("check", "Decide whether histories satisfy isolation levels");
  const auto flags = std::make_shared<CheckFlags>();
  add_check_flags(*app, *flags);
  return {app, [flags] { return run_check(*flags); }};
}

}  // namespace elapid
