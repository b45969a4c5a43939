// Writes help, the manual page and shell completion from the tables of options.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "adapter/cli/command.h"

namespace elapid {

/// `elapid --help`: the subcommands, a line each.
[[nodiscard]] std::string program_help(std::span<const Command> commands);

/// `elapid check --help`: usage, and the options under their headings. `program` is the text before
/// the name, for example "elapid ".
[[nodiscard]] std::string command_help(const Command& command, std::string_view program);

/// The manual page of all subcommands, for man(1).
[[nodiscard]] std::string manual(std::span<const Command> commands, std::string_view version);

/// A script that completes subcommands, options and their values: `shell` is bash, zsh or fish.
[[nodiscard]] std::string completion(std::span<const Command> commands, std::string_view shell);

}  // namespace elapid
