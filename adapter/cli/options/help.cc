#include "adapter/cli/options/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "adapter/cli/terminal/aligned.h"

namespace elapid {
namespace {

constexpr std::size_t kWidth = 80;   // columns of help
constexpr std::size_t kIndent = 26;  // where descriptions begin

constexpr std::string_view kDescription =
    "Decides whether histories of a database satisfy isolation levels.";

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kExitCodes = {
    {{"0", "valid, or done"},
     {"1", "at least one history is invalid"},
     {"2", "none invalid, at least one unknown"},
     {"3", "findings of lint, with --fail-on lint"},
     {"4", "a history that proves nothing, with --fail-on vacuous"},
     {"64", "bad usage"},
     {"65", "malformed input"},
     {"66", "input that cannot be read"},
     {"70", "internal error, or standard output cannot be written"},
     {"130", "interrupted"}}};

/// Words on lines of the help. The first line begins at `column`.
std::string wrapped(std::string_view text, std::size_t column) {
  return in_lines(text, column, kIndent, kWidth);
}

/// A term with its description behind it, or below a long term.
std::string entry(const std::string& term, std::string_view description) {
  const std::string begin = "  " + term;
  const bool fits = begin.size() + 2 <= kIndent;
  return fmt::format("{:<{}}{}{}", begin, fits ? kIndent : 0,
                     fits ? "" : "\n" + std::string(kIndent, ' '), wrapped(description, kIndent));
}

/// `-c, --consistency-models, --levels NAMES`.
std::string term_of(const Option& option) {
  return fmt::format("{}{}{}{}", fmt::join(option.names(), ", "),
                     option.is_repeated() && option.is_argument() ? "..." : "",
                     option.is_flag() || option.is_argument() ? "" : " " + option.placeholder(),
                     option.takes_truth() ? "[=true|false]" : "");
}

std::string usage_of(const Command& command, std::string_view program) {
  std::string usage = fmt::format("{}{} [OPTIONS]", program, command.name);
  for (const Option& option : command.options.all()) {
    const bool is_needed_option = !option.is_argument() && option.is_required();
    if (option.is_argument() || is_needed_option) {
      const std::string term = option.is_argument()
                                   ? term_of(option)
                                   : option.names().front() + " " + option.placeholder();
      usage += option.is_required() ? " " + term : " [" + term + "]";
    }
  }
  return usage;
}

/// The headings of options, in the order of their first options.
std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const Option& option : command.options.all()) {
    if (!option.is_argument() && std::ranges::find(groups, option.group()) == groups.end()) {
      groups.push_back(option.group());
    }
  }
  return groups;
}

template <class Visit>
void for_each_in(const Command& command, std::string_view group, Visit visit) {
  for (const Option& option : command.options.all()) {
    if (!option.is_argument() && option.group() == group) {
      visit(option);
    }
  }
}

// The manual page.

/// Text for roff: no line begins with a command, and hyphens are not broken.
std::string roff(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

std::string roff_entry(std::string_view term, std::string_view description) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(description));
}

std::string roff_command(const Command& command) {
  std::string out = fmt::format(".SS {}\n.B {}\n.PP\n{}.\n", roff(command.name),
                                roff(usage_of(command, "elapid ")), roff(command.about));
  for (const Option& option : command.options.all()) {
    if (option.is_argument()) {
      out += roff_entry(term_of(option), option.help());
    }
  }
  for (const std::string& group : groups_of(command)) {
    out += group.empty() ? "" : fmt::format(".PP\n.I {}\n", roff(group));
    for_each_in(command, group,
                [&](const Option& option) { out += roff_entry(term_of(option), option.help()); });
  }
  return out;
}

// Completion.

/// The text in single quotes, which all shells read alike. Inner quotes are escaped.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out + "'";
}

template <class Commands>
std::string names_of(const Commands& commands) {
  std::string names;
  for (const Command& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
  }
  return names;
}

std::string options_of(const Command& command) {
  std::string names;
  for (const Option& option : command.options.all()) {
    if (!option.is_argument()) {
      names += fmt::format("{}{}", names.empty() ? "" : " ", fmt::join(option.names(), " "));
    }
  }
  return names;
}

/// The `case` of a subcommand: its options, and what may follow each.
std::string bash_case(const Command& command) {
  std::string out = fmt::format("    {})\n      case $previous in\n", command.name);
  for (const Option& option : command.options.all()) {
    if (!option.is_argument() && !option.is_flag()) {
      out += fmt::format("        {}) words={}; takes_value=1 ;;\n", fmt::join(option.names(), "|"),
                         in_quotes(fmt::format("{}", fmt::join(option.proposals(), " "))));
    }
  }
  out += "      esac\n";
  for (const Option& option : command.options.all()) {
    if (option.is_argument() && !option.proposals().empty()) {
      out += fmt::format("      arguments={}\n",
                         in_quotes(fmt::format("{}", fmt::join(option.proposals(), " "))));
    }
  }
  return out + fmt::format("      options={} ;;\n", in_quotes(options_of(command)));
}

constexpr std::string_view kBashBegin =
    R"(# Completion of elapid for bash: source <(elapid completion bash)
_elapid() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local words= options= arguments= takes_value= list=
)";

// The last part of a list such as -c si,ser is completed.
constexpr std::string_view kBashEnd = R"(  esac
  COMPREPLY=()
  if [[ -n $takes_value ]]; then
    [[ $current == *,* ]] && list=${current%,*},
    if [[ -n $words ]]; then
      COMPREPLY=($(compgen -P "$list" -W "$words" -- "${current##*,}"))
    else
      COMPREPLY=($(compgen -f -- "$current"))
    fi
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $arguments ]]; then
    COMPREPLY=($(compgen -W "$arguments" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _elapid elapid
)";

std::string bash_completion(std::span<const Command> commands) {
  std::string out(kBashBegin);
  out += fmt::format(
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$current\") $(compgen -f -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      in_quotes(names_of(commands) + " --help --version"));
  for (const Command& command : commands) {
    out += bash_case(command);
  }
  return out + std::string(kBashEnd);
}

/// The text, with characters escaped that zsh's option specifications use.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" + std::string(1, c)
                                                         : std::string(1, c);
  }
  return out;
}

/// The completion of a value: the proposed words, or files.
std::string zsh_values(const Option& option) {
  if (option.proposals().empty()) {
    return fmt::format(":{}:_files", zsh_text(option.placeholder()));
  }
  std::string words;
  for (const std::string& word : option.proposals()) {
    words += (words.empty() ? "" : " ") + zsh_text(word);  // _values splits at colons as well
  }
  return fmt::format(":{}:_values -s , {} {}", zsh_text(option.placeholder()),
                     zsh_text(option.placeholder()), zsh_text(words));
}

std::string zsh_case(const Command& command) {
  std::string out = fmt::format("    {})\n      _arguments -s", command.name);
  for (const Option& option : command.options.all()) {
    if (option.is_argument()) {
      out += " " + in_quotes((option.is_repeated() ? "*" : "") + zsh_values(option));
      continue;
    }
    for (const std::string& name : option.names()) {
      out += " \\\n        " + in_quotes(fmt::format("{}[{}]{}", name, zsh_text(option.help()),
                                                     option.is_flag() ? "" : zsh_values(option)));
    }
  }
  return out + " ;;\n";
}

std::string zsh_completion(std::span<const Command> commands) {
  std::string out =
      "#compdef elapid\n"
      "# Completion of elapid for zsh: source <(elapid completion zsh), behind compinit\n"
      "_elapid() {\n"
      "  if ((CURRENT == 2)); then\n"
      "    local -a commands=(";
  for (const Command& command : commands) {
    out += "\n      " + in_quotes(command.name + ":" + zsh_text(command.about));
  }
  out +=
      ")\n    _describe command commands\n    _files\n    return\n  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n  ((CURRENT -= 1))\n"
      "  case $command in\n";
  for (const Command& command : commands) {
    out += zsh_case(command);
  }
  // Zsh runs a file of this name in its function path when it first completes words.
  return out +
         "  esac\n}\n"
         "if [[ $funcstack[1] == _elapid ]]; then\n  _elapid \"$@\"\n"
         "else\n  compdef _elapid elapid\nfi\n";
}

std::string fish_option(const Command& command, const Option& option) {
  std::string out =
      "complete -c elapid -n " + in_quotes("__fish_seen_subcommand_from " + command.name);
  for (const std::string& name : option.names()) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.is_flag()) {
    out += option.proposals().empty()
               ? " -r"
               : " -x -a " + in_quotes(fmt::format("{}", fmt::join(option.proposals(), " ")));
  }
  return out + " -d " + in_quotes(option.help()) + "\n";
}

std::string fish_completion(std::span<const Command> commands) {
  std::string out = "# Completion of elapid for fish: elapid completion fish | source\n";
  for (const Command& command : commands) {
    out += fmt::format("complete -c elapid -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       in_quotes(command.about));
    for (const Option& option : command.options.all()) {
      if (!option.is_argument()) {
        out += fish_option(command, option);
      } else if (!option.proposals().empty()) {
        out += fmt::format("complete -c elapid -n {} -a {}\n",
                           in_quotes("__fish_seen_subcommand_from " + command.name),
                           in_quotes(fmt::format("{}", fmt::join(option.proposals(), " "))));
      }
    }
  }
  return out;
}

}  // namespace

std::string program_help(std::span<const Command> commands) {
  std::string out = fmt::format(
      "{}\n\nUsage: elapid COMMAND [OPTIONS] ...\n"
      "       elapid FILE...           the same as elapid check FILE...\n\nCommands:\n",
      kDescription);
  for (const Command& command : commands) {
    out += entry(command.name, command.about);
  }
  out += "\nOptions:\n" +
         entry("-h, --help", "Print this help; elapid help COMMAND prints that of a command") +
         entry("--version", "Print the version") + "\nExit codes:\n";
  for (const auto& [code, meaning] : kExitCodes) {
    out += fmt::format("  {:<5}{}\n", code, meaning);
  }
  return out;
}

std::string command_help(const Command& command, std::string_view program) {
  std::string out = fmt::format("{}.\n\nUsage: {}\n", command.about, usage_of(command, program));
  std::string arguments;
  for (const Option& option : command.options.all()) {
    arguments += option.is_argument() ? entry(term_of(option), option.help()) : "";
  }
  out += arguments.empty() ? "" : "\n" + arguments;
  for (const std::string& group : groups_of(command)) {
    out += fmt::format("\n{}:\n", group.empty() ? "Options" : group);
    for_each_in(command, group,
                [&](const Option& option) { out += entry(term_of(option), option.help()); });
  }
  return out;
}

std::string manual(std::span<const Command> commands, std::string_view version) {
  std::string out = fmt::format(
      ".TH ELAPID 1 \"\" \"elapid {}\"\n"
      ".SH NAME\nelapid \\- check histories of databases for isolation levels\n"
      ".SH SYNOPSIS\n.B elapid\n.I COMMAND\n[OPTIONS] ...\n.br\n.B elapid\n.I FILE...\n"
      ".SH DESCRIPTION\n{}\n.B elapid FILE\nis\n.B elapid check FILE.\n"
      ".SH COMMANDS\n",
      version, roff(kDescription));
  for (const Command& command : commands) {
    out += roff_command(command);
  }
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes) {
    out += roff_entry(code, meaning);
  }
  return out +
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colours, unless \\-\\-color always asks for "
         "them.\n";
}

std::string completion(std::span<const Command> commands, std::string_view shell) {
  return shell == "bash"  ? bash_completion(commands)
         : shell == "zsh" ? zsh_completion(commands)
                          : fish_completion(commands);
}

}  // namespace elapid
