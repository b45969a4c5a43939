// A subcommand: its options on the command line, and the action after parsing.
//
// To add one: a function here, defined in a file of its own, and its line in all_commands.cc. A
// command that checks also needs a line in checking_commands.cc.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/options/options.h"
#include "engine/ir/result.h"

namespace elapid {

class Peers;

struct Command {
  std::string name = {};
  std::string about = {};  ///< a few words
  Options options = {};
  std::function<Result<ExitCode>()> run = {};  ///< after parsing; the caller prints an error
};

Command advise_command();
Command certify_command();
/// `peers`: processes that share the work (parsers/partitions/peers.h), if there are any.
Command check_command(Peers* peers = nullptr);
Command compare_command();
Command convert_command();
Command elle_cli_command();
Command explain_command();
Command generate_command();
Command info_command();
Command levels_command();
Command lint_command();
Command minimize_command();
Command predict_command();
Command run_command();
Command scan_command();
Command serve_command();
Command plot_command();
Command show_command();
Command watch_command();

/// A subcommand that is made on demand, because its options are many.
struct CommandRow {
  std::string_view name;  ///< Command::name
  std::function<Command()> make;
};

/// The subcommands of a program, in the order of its help.
struct CommandTable {
  std::vector<CommandRow> commands = {};
  std::vector<std::string_view> left_out = {};  ///< names of commands that only other builds have
};

/// The commands of this build. all_commands.cc and checking_commands.cc each define this function;
/// the build takes one of the two files.
CommandTable commands();

/// Runs `elapid elle-cli`, or the program if it is called elle-cli: `arguments` are those after the
/// name. Its answers to wrong options are elle-cli's.
ExitCode run_elle_cli(const std::vector<std::string>& arguments);

}  // namespace elapid
