// elapid serve: hands over to the program elapid-serve, which stands beside this one.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/serve/serve_flags.h"
#include "adapter/cli/reports/reports.h"

namespace elapid {
namespace {

/// Beside this program where both were built, else where an installation has it.
std::string serving_program() {
  std::array<char, 4096> path = {};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view program(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::string folder(program.substr(0, program.rfind('/')));
  const std::string beside = folder + "/elapid-serve";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : folder + "/../lib/elapid/elapid-serve";
}

Result<ExitCode> hand_over(const ServeFlags& /*flags*/, const std::vector<GivenOption>& given) {
  const std::string program = serving_program();
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
