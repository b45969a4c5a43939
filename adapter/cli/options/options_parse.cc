// Options::parse(), by CLI11. Only this file includes CLI11, because that takes seconds to compile:
// other files use the table. CLI11 finds options, values and arguments among the words, and checks
// required and excluded ones; this file words the errors.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnull-dereference"  // GCC 12 warns of one in CLI11's split()
#include <CLI/CLI.hpp>
#pragma GCC diagnostic pop
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>

#include "adapter/cli/options/options.h"

namespace elapid {
namespace {

using Words = std::vector<std::string>;

bool is_truth(std::string_view word) {
  return word == "true" || word == "false";
}

/// Whether CLI11 takes the word for an option where it expects no value. `-` and negative numbers
/// are none.
bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-' && (word[1] < '0' || word[1] > '9');
}

/// Rewrites words that CLI11 reads otherwise than users mean. By itself, CLI11 takes
/// - `=si` for the value of `-c=si`,
/// - the next word for the value of `--levels=`, which is empty,
/// - behind a flag that may be followed by `true` or `false`, either every word or none.
Words respelled(const Options& options, const Words& words) {
  Words out;
  const auto end_of_options = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end_of_options; ++word) {
    const std::size_t equals = word->find('=');
    const std::string name = word->substr(0, equals);
    const Option* option = name.starts_with('-') ? options.find(name) : nullptr;
    if (option == nullptr || (option->is_flag() && !option->takes_truth())) {
      out.push_back(*word);
    } else if (equals == word->size() - 1) {
      out.insert(out.end(), {name, ""});
    } else if (equals != std::string::npos && !name.starts_with("--")) {
      out.push_back(name + word->substr(equals + 1));
    } else {
      const bool needs_truth = option->takes_truth() && equals == std::string::npos &&
                               (std::next(word) == words.end() || !is_truth(*std::next(word)));
      out.push_back(needs_truth ? name + "=true" : *word);
    }
  }
  out.insert(out.end(), end_of_options, words.end());
  return out;
}

/// The name by which an option was given last. For a letter among other letters, the first of the
/// option's names.
std::string name_in(const Words& words, const Option& option) {
  for (const std::string& word : std::views::reverse(words)) {
    std::string name = word.substr(0, word.starts_with("--") ? word.find('=') : 2);
    if (option.is_called(name)) {
      return name;
    }
  }
  return option.names().front();
}

class Parser {
 public:
  Parser(Options& options, std::deque<Option>& rows, const Words& words)
      : options_(options), words_(respelled(options, words)) {
    app_.allow_extras();  // check_extras() names them
    for (Option& option : rows) {
      if (option.is_argument() || option.is_required() || may_be_given(option)) {
        rows_.push_back({option, add(option)});
      }
    }
    for (const auto& [option, given] : rows_) {
      CLI::Option* excluded =
          option.excluded().empty() ? nullptr : app_.get_option_no_throw(option.excluded());
      if (excluded != nullptr) {
        given->excludes(excluded);
      }
    }
  }

  Status parse() {
    Status found;
    try {
      app_.parse(Words(words_.rbegin(), words_.rend()));  // CLI11 wants reverse order
    } catch (const CLI::CallForHelp&) {                   // help needs no arguments
    } catch (const CLI::RequiredError&) {
      found = missing();
    } catch (const CLI::ExcludesError&) {
      found = excluded();
    } catch (const CLI::ArgumentMismatch&) {
      found = ill_counted();
    } catch (const CLI::ParseError& error) {
      found = usage_error(error.what());
    }
    ELAPID_RETURN_IF_ERROR(check_extras());
    return found.ok() ? set_values() : found;
  }

  [[nodiscard]] std::vector<GivenOption> given() const {
    std::vector<GivenOption> given;
    for (const Row& row : rows_) {
      const bool is_alone = row.option.is_flag() && !row.option.takes_truth();
      for (const std::string& value : row.given->results()) {
        given.push_back({.name = row.option.names().front(),
                         .value = is_alone ? std::nullopt : std::optional(value)});
      }
    }
    return given;
  }

 private:
  struct Row {
    Option& option;      // of the table
    CLI::Option* given;  // of CLI11
  };

  /// Whether some word names the option. CLI11 gets no other options: it compares each one with all
  /// before.
  [[nodiscard]] bool may_be_given(const Option& option) const {
    return std::ranges::any_of(words_, [&](const std::string& word) {
      const std::string_view letters = word.starts_with("--") ? "" : std::string_view(word);
      const std::string spelled = word.substr(0, word.find('='));
      const std::string behind = spelled.substr(std::min(spelled.find('-', 1), spelled.size()));
      return std::ranges::any_of(option.names(), [&](const std::string& name) {
        return spelled == name || "-" + behind == name ||  // -q-levels: to CLI11 -q --levels
               (name.size() == 2 && letters.starts_with('-') &&
                letters.find(name[1], 1) != std::string_view::npos);
      });
    });
  }

  CLI::Option* add(const Option& option) {
    if (option.is_called("--help")) {
      return app_.get_help_ptr();
    }
    const std::string names = fmt::format("{}", fmt::join(option.names(), ","));
    if (option.is_flag() && !option.takes_truth()) {
      return app_.add_flag(names);
    }
    CLI::Option* given = app_.add_option(names)->required(option.is_required());
    if (option.is_flag() || option.is_repeated() || options_.last_wins()) {
      given->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    if (option.is_repeated() && option.is_argument()) {
      // Any number of values. CLI11's allow_extra_args() would read a file of the name [a,b] as
      // two.
      given->expected(std::numeric_limits<int>::max(), std::numeric_limits<int>::max());
    }
    return given;
  }

  /// Error: kUsage, for the first word that is neither an option nor an expected argument.
  [[nodiscard]] Status check_extras() const {
    bool has_options = true;
    for (const std::string& word : app_.remaining()) {
      if (has_options && word == "--") {
        has_options = false;
        continue;
      }
      return has_options && looks_like_option(word)
                 ? options_.unknown(word.substr(0, word.find('=')))
                 : usage_error(fmt::format("there is one argument too many: {}", word));
    }
    return {};
  }

  [[nodiscard]] Status missing() const {
    const Option& option = std::ranges::find_if(rows_, [](const Row& row) {
                             return row.option.is_required() && row.given->empty();
                           })->option;
    return usage_error(fmt::format("{} is missing: {}", option.names().back(), option.help()));
  }

  [[nodiscard]] Status excluded() const {
    const Option& option = std::ranges::find_if(rows_, [this](const Row& row) {
                             if (row.option.excluded().empty() || row.given->empty()) {
                               return false;
                             }
                             const auto* other = app_.get_option_no_throw(row.option.excluded());
                             return other != nullptr && !other->empty();
                           })->option;
    return usage_error(fmt::format("{} and {} exclude each other", option.names().back(),
                                   options_.find(option.excluded())->names().back()));
  }

  /// Error: kUsage for an option with two values, or for a last option without its value.
  [[nodiscard]] Status ill_counted() const {
    const auto twice = std::ranges::find_if(rows_, [](const Row& row) {
      return row.given->count() > 1 && !row.option.is_flag() && !row.option.is_repeated();
    });
    if (twice != rows_.end()) {
      return usage_error(fmt::format("{} is given twice", name_in(words_, twice->option)));
    }
    const std::string& last = words_.back();
    const std::string name = last.starts_with("--") ? last : fmt::format("-{}", last.back());
    const Option* option = options_.find(name);  // null for -q-levels, to CLI11 -q --levels
    return usage_error(option == nullptr
                           ? fmt::format("{} needs a value", last)
                           : fmt::format("{} needs a value, {}", name, option->placeholder()));
  }

  [[nodiscard]] Status set_values() {
    for (const auto& [option, given] : rows_) {
      const std::string name = name_in(words_, option);
      for (const std::string& value : given->results()) {
        Status status = is_other_option(option, value)
                            ? usage_error(fmt::format("{} needs a value, {}; found {}", name,
                                                      option.placeholder(), value))
                            : option.set(name, value);
        ELAPID_RETURN_IF_ERROR(status);
      }
    }
    return {};
  }

  /// Whether CLI11 took an option for the value of another, as in `-c --full`. A value behind `=`
  /// is intended.
  [[nodiscard]] bool is_other_option(const Option& option, const std::string& value) const {
    return !option.is_argument() && looks_like_option(value) &&
           std::ranges::find(words_, value) != words_.end();
  }

  const Options& options_;
  Words words_;
  CLI::App app_;
  std::vector<Row> rows_ = {};
};

}  // namespace

Status Options::parse(std::span<const std::string> arguments) {
  Parser parser(*this, options_, {arguments.begin(), arguments.end()});
  Status status = parser.parse();
  if (given_ != nullptr && status.ok()) {
    *given_ = parser.given();
  }
  return status;
}

}  // namespace elapid
