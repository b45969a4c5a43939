// The command line of a checker, from its description's template.
//
// Each argument may hold placeholders:
//
//   {input}        the history, a file or a directory, in the format chosen
//   {dir}          the directory that the history is in, alone
//   {work}         an empty directory of this run, which is also where the program is started
//   {level}        what the checker calls the level; alone in its argument, it may be several or
//                  none
//   {format}       what it calls the format
//   {workload}     what it calls the workload
//   {program}      where its program is
//   {program-dir}  the directory of that
//   {here}         the directory of the description
//   {memory}       three quarters of the limit of memory, in MiB: room for the heap of a virtual
//                  machine
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

inline constexpr std::array<std::string_view, 10> kPlaceholders = {
    "input",    "dir",     "work",        "level", "format",
    "workload", "program", "program-dir", "here",  "memory"};

/// The values of placeholders in one run.
struct CommandWords {
  std::string input = {};
  std::string dir = {};
  std::string work = {};
  std::vector<std::string> level = {};
  std::string format = {};
  std::string workload = {};
  std::string program = {};
  std::string here = {};
  std::string memory = {};
};

/// The first `{word}` of small letters in a template that is not a placeholder. Other braces have
/// no special meaning.
[[nodiscard]] std::optional<std::string> unknown_placeholder(std::string_view argument);

/// Whether a template contains this placeholder.
[[nodiscard]] bool has_placeholder(std::string_view argument, std::string_view name);

/// The arguments for one template: one, unless the template is `{level}` alone.
[[nodiscard]] std::vector<std::string> expand(std::string_view argument, const CommandWords& words);

/// The whole command line.
[[nodiscard]] std::vector<std::string> expand(const std::vector<std::string>& command,
                                              const CommandWords& words);

}  // namespace elapid
