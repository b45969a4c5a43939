// The program: finds the subcommand, runs it, answers with its exit code.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/interrupt.h"
#include "adapter/cli/reports.h"

namespace elapid {
namespace {

constexpr std::string_view kElleCli = "elle-cli";
constexpr const char* kFooter =
    "Further: elapid elle-cli ... behaves as elle-cli does (also when called through a link of "
    "that "
    "name).\n"
    "Exit codes: 0 valid or done, 1 invalid, 2 unknown, 3 lint (with --fail-on lint), 64 usage,\n"
    "65 malformed input, 66 unreadable input, 70 internal error.";

ExitCode run_program(std::vector<std::string> arguments) {
  CLI::App program("Decides whether histories of a database satisfy isolation levels", "elapid");
  program.set_version_flag("--version", "elapid " ELAPID_VERSION);
  program.footer(kFooter);
  program.require_subcommand(1);
  const std::vector<Command> commands = {
      add_check(program), add_certify(program), add_convert(program), add_info(program),
      add_lint(program),  add_levels(program),  add_scan(program),    add_watch(program)};
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    program.parse(std::move(arguments));
  } catch (const CLI::Success& success) {  // help or version
    return static_cast<ExitCode>(program.exit(success));
  } catch (const CLI::ParseError& error) {
    return print_error(
        {.kind = ErrorKind::kUsage, .message = std::string(error.what()) + " (see elapid --help)"});
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) {
      return command.run();
    }
  }
  return ExitCode::kUsage;
}

bool called_as_elle_cli(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == kElleCli;
}

ExitCode dispatch(std::vector<std::string> arguments) {
  if (called_as_elle_cli(arguments.front())) {
    arguments.erase(arguments.begin());
    return run_elle_cli(std::move(arguments));
  }
  arguments.erase(arguments.begin());
  if (!arguments.empty() && arguments.front() == kElleCli) {
    arguments.erase(arguments.begin());
    return run_elle_cli(std::move(arguments));
  }
  return run_program(std::move(arguments));
}

ExitCode checked_output(ExitCode code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return code;
  }
  return print_error(
      {.kind = ErrorKind::kInternal, .message = "standard output cannot be written"});
}

}  // namespace
}  // namespace elapid

int main(int argc, char** argv) {
  using namespace elapid;
  try {
    catch_interrupt();
    std::vector<std::string> arguments(argv, argv + argc);
    if (arguments.empty()) {
      arguments.emplace_back("elapid");
    }
    return static_cast<int>(checked_output(dispatch(std::move(arguments))));
  } catch (const std::bad_alloc&) {
    return static_cast<int>(
        print_error({.kind = ErrorKind::kInternal, .message = "memory ran out"}));
  } catch (const std::exception& exception) {
    return static_cast<int>(
        print_error({.kind = ErrorKind::kInternal, .message = exception.what()}));
  }
}
