// elapid serve: runs the program elapid-serve, which is beside this one.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/serve/serve_flags.h"
#include "adapter/cli/reports/reports.h"

namespace elapid {
namespace {

Result<ExitCode> hand_over(const ServeFlags& /*flags*/, const std::vector<GivenOption>& given) {
  const std::string program = program_beside("elapid-serve", "../lib/elapid/elapid-serve");
  std::vector<std::string> words = {program, "serve"};
  for (const GivenOption& option : given) {
    const bool is_argument = !option.name.starts_with('-');
    if (!is_argument) {
      words.push_back(option.name + (option.value ? "=" + *option.value : ""));
    }
  }
  for (const GivenOption& option : given) {
    if (!option.name.starts_with('-')) {
      words.insert(words.end(), {"--", option.value.value_or("")});
    }
  }
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  const int reason = errno;
  return Error{.kind = ErrorKind::kUnreadable,
               .message = std::string("elapid-serve cannot be started (") + std::strerror(reason) +
                          "); on Debian the package elapid-serve has it",
               .file = program};
}

}  // namespace

Command serve_command() {
  return serve_command_that(hand_over);
}

}  // namespace elapid
