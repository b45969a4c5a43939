#include "adapter/cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "adapter/cli/options/help.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/mapped.h"

namespace elapid {
namespace {

constexpr std::string_view kElleCli = "elle-cli";

/// The commands, with those that describe other commands: help, completions and the manual.
class Program {
 public:
  Program(CommandTable table, std::string_view version)
      : version_(version), rows_(std::move(table.commands)), left_out_(std::move(table.left_out)) {
    rows_.push_back({"completion", [this] { return completion_command(); }});
    rows_.push_back({"help", [this] { return help_command(); }});
  }

  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  ExitCode run(std::span<const std::string> arguments) {
    const std::string first = arguments.empty() ? std::string() : arguments.front();
    if (first == "-h" || first == "--help") {
      print_text(program_help(all_commands()));
      return ExitCode::kOk;
    }
    if (first == "--version") {
      print_text(fmt::format("elapid {}\n", version_));
      return ExitCode::kOk;
    }
    if (first == kElleCli) {
      return run_elle_cli({arguments.begin() + 1, arguments.end()});
    }
    if (const CommandRow* row = find(first)) {
      return run(row->make(), arguments.subspan(1));
    }
    return means_check(arguments) ? run(find("check")->make(), arguments) : refuse(first);
  }

 private:
  [[nodiscard]] const CommandRow* find(std::string_view name) const {
    const auto found = std::ranges::find(rows_, name, &CommandRow::name);
    return found == rows_.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::vector<Command> all_commands() const {
    std::vector<Command> commands;
    for (const CommandRow& row : rows_) {
      commands.push_back(row.make());
    }
    return commands;
  }

  static ExitCode run(Command command, std::span<const std::string> arguments) {
    if (Status status = command.options.parse(arguments); !status.ok()) {
      status.error().message += fmt::format(" (see elapid {} --help)", command.name);
      return print_error(status.error());
    }
    if (command.options.wants_help()) {
      print_text(command_help(command, "elapid "));
      return ExitCode::kOk;
    }
    const Result<ExitCode> code = command.run();
    return code ? code.value() : print_error(code.error());
  }

  /// Whether the words are those of `check` without its name: they begin with a file, or with
  /// options before a file.
  static bool means_check(std::span<const std::string> arguments) {
    const auto is_input = [](const std::string& word) {
      std::error_code ignored;
      return word == "-" || std::filesystem::exists(word, ignored);
    };
    if (arguments.empty()) {
      return false;
    }
    const bool begins_with_option = arguments.front().starts_with('-');
    return begins_with_option ? std::ranges::any_of(arguments, is_input)
                              : is_input(arguments.front());
  }

  ExitCode refuse(const std::string& word) {
    if (std::ranges::find(left_out_, word) != left_out_.end()) {
      return print_error(usage_error("this program was built without the command " + word +
                                     " (see elapid --help)"));
    }
    std::vector<std::string_view> known = names();
    known.insert(known.end(), {"--help", "--version"});
    const std::string found = word.empty()            ? "expected a command"
                              : word.starts_with('-') ? "there is no option " + word
                                                      : "there is no command and no file " + word;
    return print_error(usage_error(found + nearest(word, known) + " (see elapid --help)"));
  }

  Command help_command() {
    struct Flags {
      std::string name = {};
      bool manual = false;
    };

    const auto flags = std::make_shared<Flags>();
    Command command = {.name = "help", .about = "Help on a command"};
    command.options.argument("COMMAND", flags->name, "One command; otherwise a list of all")
        .proposes(names());
    command.options.flag("--man", flags->manual, "The manual page of all, for man -l -");
    command.run = [this, flags] { return print_help(flags->name, flags->manual); };
    return command;
  }

  Command completion_command() {
    const auto shell = std::make_shared<std::string>();
    Command command = {.name = "completion", .about = "A script for a shell that completes words"};
    command.options.argument("SHELL", *shell, "bash, zsh or fish")
        .one_of({"bash", "zsh", "fish"})
        .required();
    command.run = [this, shell] {
      print_text(completion(all_commands(), *shell));
      return ExitCode::kOk;
    };
    return command;
  }

  [[nodiscard]] std::vector<std::string_view> names() const {
    return mapped<std::string_view>(rows_, &CommandRow::name);
  }

  ExitCode print_help(const std::string& name, bool wants_manual) {
    const CommandRow* row = name.empty() ? nullptr : find(name);
    if (!name.empty() && row == nullptr) {
      return refuse(name);
    }
    print_text(wants_manual     ? manual(all_commands(), version_)
               : row != nullptr ? command_help(row->make(), "elapid ")
                                : program_help(all_commands()));
    return ExitCode::kOk;
  }

  std::string_view version_;
  std::vector<CommandRow> rows_;
  std::vector<std::string_view> left_out_;
};

bool is_called_elle_cli(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == kElleCli;
}

ExitCode dispatch(std::vector<std::string> arguments, CommandTable table,
                  std::string_view version) {
  const std::string name = arguments.empty() ? std::string() : std::move(arguments.front());
  if (!arguments.empty()) {
    arguments.erase(arguments.begin());
  }
  return is_called_elle_cli(name) ? run_elle_cli(arguments)
                                  : Program(std::move(table), version).run(arguments);
}

}  // namespace

ExitCode run_program(std::vector<std::string> arguments, CommandTable table,
                     std::string_view version) {
  const ExitCode code = dispatch(std::move(arguments), std::move(table), version);
  const Status written = output_status();
  return written.ok() ? code : print_error(written.error());
}

}  // namespace elapid
