// The options of a subcommand as one table. CLI11 parses the command line by it
// (options_parse.cc), and the help, the manual page and the completion of shells are written from
// it (help.h).
//
//   Options options;
//   options.value("-c,--levels", "NAMES", flags.levels, "Levels to demand");
//   options.flag("--full", flags.full, "Print long operations in full");
//   options.argument("INPUT", flags.inputs, "Files or directories").required();
//   const Status status = options.parse({"--full", "-c", "si", "run.edn"});
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"

namespace elapid {

/// The integers that an option takes, both ends included.
struct Bounds {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// One row of the table: an option with a value, a flag, or an argument without dashes.
class Option {
 public:
  /// Takes a typed value. Returns nothing, or what was expected instead.
  using Take = std::function<std::optional<std::string>(std::string_view)>;

  /// The current value, as a user could type it; empty if there is none.
  using Show = std::function<std::string()>;

  Option(std::string_view names, std::string_view placeholder, std::string_view help, Take take,
         Show show);

  // For the declaration of the option.

  /// Allows only these values.
  Option& one_of(const std::vector<std::string_view>& choices);
  /// Proposals of shells for a part of a comma-separated list; other values are allowed too.
  Option& proposes(const std::vector<std::string_view>& words);
  Option& required(bool is_required = true);
  Option& excludes(std::string_view other);
  /// Replaces placeholder and help, for a subcommand that uses the option otherwise.
  Option& means(std::string_view placeholder, std::string_view help);
  /// Takes an empty value for this one.
  Option& empty_means(std::string_view value);
  /// Makes it a flag that may be followed by `true` or `false`.
  Option& true_or_false();
  /// Says that the answer does not depend on this option (or is remembered with it). So it is no
  /// part of a question: see answer_words().
  Option& changes_no_answer();
  /// Allows the argument once; otherwise it may come any number of times.
  Option& once();

  // For readers of the table.

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// `NAMES`; empty for a flag.
  [[nodiscard]] const std::string& placeholder() const { return placeholder_; }

  [[nodiscard]] const std::string& help() const { return help_; }

  [[nodiscard]] const std::vector<std::string>& proposals() const { return proposals_; }

  /// The option's heading in the help; empty: none.
  [[nodiscard]] const std::string& group() const { return group_; }

  [[nodiscard]] bool is_flag() const { return placeholder_.empty(); }

  [[nodiscard]] bool is_argument() const { return !names_.front().starts_with('-'); }

  [[nodiscard]] bool is_required() const { return is_required_; }

  [[nodiscard]] bool is_repeated() const { return is_repeated_; }

  [[nodiscard]] bool takes_truth() const { return takes_truth_; }

  [[nodiscard]] bool is_part_of_question() const { return is_part_of_question_; }

  [[nodiscard]] std::string text() const { return show_(); }

  [[nodiscard]] bool is_called(std::string_view name) const;

  /// The name of another option that excludes this one; empty: none.
  [[nodiscard]] const std::string& excluded() const { return excluded_; }

  /// Takes a value. `typed`: the option as typed, for the message. Error: kUsage.
  Status set(std::string_view typed, std::string_view value);

 private:
  friend class Options;

  std::vector<std::string> names_;
  std::string placeholder_;
  std::string help_;
  std::string group_ = {};
  Take take_;
  Show show_;
  std::vector<std::string> proposals_ = {};
  std::string excluded_ = {};
  std::string for_empty_ = {};
  bool has_only_proposals_ = false;
  bool is_required_ = false;
  bool is_repeated_ = false;
  bool takes_truth_ = false;
  bool is_part_of_question_ = true;
};

/// An option or argument, as typed.
struct GivenOption {
  std::string name = {};  ///< its shortest name
  std::optional<std::string> value = {};
};

/// The table. The variables for the values must outlive it.
class Options {
 public:
  /// Begins the table with -h and --help.
  Options();
  Options(Options&&) = default;
  Options& operator=(Options&&) = default;

  // `names` are separated by commas, short ones first.

  Option& flag(std::string_view names, bool& into, std::string_view help);
  Option& value(std::string_view names, std::string_view placeholder, std::string& into,
                std::string_view help);
  Option& value(std::string_view names, std::string_view placeholder,
                std::optional<std::string>& into, std::string_view help);
  /// An option that may be given several times, each time with one value.
  Option& values(std::string_view names, std::string_view placeholder,
                 std::vector<std::string>& into, std::string_view help);
  Option& argument(std::string_view name, std::string& into, std::string_view help);
  Option& argument(std::string_view name, std::vector<std::string>& into, std::string_view help);

  template <class Integer>
  Option& number(std::string_view names, std::string_view placeholder, Integer& into,
                 std::string_view help, Bounds bounds = {}) {
    return add_number(
        names, placeholder, [&into](std::int64_t n) { into = static_cast<Integer>(n); },
        [&into] { return std::to_string(into); }, help, bounds);
  }

  template <std::integral Integer>
  Option& number(std::string_view names, std::string_view placeholder, std::optional<Integer>& into,
                 std::string_view help, Bounds bounds = {}) {
    return add_number(
        names, placeholder, [&into](std::int64_t n) { into = static_cast<Integer>(n); },
        [&into] { return into ? std::to_string(*into) : std::string(); }, help, bounds);
  }

  /// Puts the options that follow under this heading.
  void begin_group(std::string_view heading) { group_ = heading; }

  /// Makes the last value count where an option is given several times. Otherwise that is an error.
  void let_last_win() { last_wins_ = true; }

  [[nodiscard]] bool last_wins() const { return last_wins_; }

  /// Makes parse() also add the options that it finds to `into`, in the order of the table.
  void note_given(std::vector<GivenOption>& into) { given_ = &into; }

  /// The option of this name, which must exist.
  Option& at(std::string_view name);

  [[nodiscard]] const std::deque<Option>& all() const { return options_; }

  /// The option of this name; null if there is none.
  [[nodiscard]] const Option* find(std::string_view name) const;

  /// The error for an option that is not in the table, with the nearest name in the table.
  [[nodiscard]] Error unknown(std::string_view name) const;

  /// Sets the variables from the typed arguments, once. Options and arguments may be mixed; `--`
  /// ends the options, `-xy` is `-x -y` if -x is a flag, `-c si`, `-csi`, `--levels si` and
  /// `--levels=si` are the same. Error: kUsage, with the nearest name if a name is unknown.
  Status parse(std::span<const std::string> arguments);

  /// Whether -h or --help was given: then no argument is missing.
  [[nodiscard]] bool wants_help() const { return *wants_help_; }

 private:
  Option& add(std::string_view names, std::string_view placeholder, std::string_view help,
              Option::Take take, Option::Show show);
  Option& add_number(std::string_view names, std::string_view placeholder,
                     std::function<void(std::int64_t)> set, Option::Show show,
                     std::string_view help, Bounds bounds);

  std::string group_ = {};
  bool last_wins_ = false;
  std::vector<GivenOption>* given_ = nullptr;
  std::deque<Option> options_ = {};  // a deque, because references to options are handed out
  std::unique_ptr<bool> wants_help_;
};

/// The options of a question that differ from `unset`, the same table with defaults, in the order
/// of the table: ` -c serializable --linearizable-keys`, as words of a shell, each option after a
/// blank.
[[nodiscard]] std::string answer_words(const Options& set, const Options& unset);

/// answer_words() of flags, whose table `add` makes.
template <class Flags>
[[nodiscard]] std::string answer_words(Flags flags, void (*add)(Options&, Flags&)) {
  Flags defaults = {};
  Options set;
  Options unset;
  add(set, flags);
  add(unset, defaults);
  return answer_words(set, unset);
}

/// The word for a POSIX shell: in quotes if needed.
[[nodiscard]] std::string shell_word(std::string_view word);

/// The nearest name, as `; did you mean check?`; empty if no name is near.
[[nodiscard]] std::string nearest(std::string_view name,
                                  const std::vector<std::string_view>& known);

}  // namespace elapid
