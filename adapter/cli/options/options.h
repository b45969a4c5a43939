// The options of a subcommand as one table, by which CLI11 parses the command line
// (options_parse.cc) and from which the help, the manual page and the completion of shells are
// written (help.h).
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
  /// What becomes of a value as typed: nothing, or what was expected instead.
  using Take = std::function<std::optional<std::string>(std::string_view)>;

  /// The value that is set, as one could type it; empty if there is none.
  using Show = std::function<std::string()>;

  Option(std::string_view names, std::string_view placeholder, std::string_view help, Take take,
         Show show);

  // Said when the option is declared.

  /// Takes no other values than these.
  Option& one_of(const std::vector<std::string_view>& choices);
  /// What shells may propose for a part of a comma-separated list; other values are taken too.
  Option& proposes(const std::vector<std::string_view>& words);
  Option& required(bool is_required = true);
  Option& excludes(std::string_view other);
  /// Replaces placeholder and help, for a subcommand that means something else by it.
  Option& means(std::string_view placeholder, std::string_view help);
  /// A flag that may be followed by `true` or `false`.
  Option& true_or_false();
  /// An answer is the same whatever this is set to (or is remembered with it), so that it is no
  /// part of a question: see answer_words().
  Option& changes_no_answer();
  /// Takes the argument once; otherwise it may come any number of times.
  Option& once();

  // Asked by what reads the table.

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// `NAMES`; empty for a flag.
  [[nodiscard]] const std::string& placeholder() const { return placeholder_; }

  [[nodiscard]] const std::string& help() const { return help_; }

  [[nodiscard]] const std::vector<std::string>& proposals() const { return proposals_; }

  /// The heading under which help shows it; empty: none in particular.
  [[nodiscard]] const std::string& group() const { return group_; }

  [[nodiscard]] bool is_flag() const { return placeholder_.empty(); }

  [[nodiscard]] bool is_argument() const { return !names_.front().starts_with('-'); }

  [[nodiscard]] bool is_required() const { return is_required_; }

  [[nodiscard]] bool is_repeated() const { return is_repeated_; }

  [[nodiscard]] bool takes_truth() const { return takes_truth_; }

  [[nodiscard]] bool is_part_of_question() const { return is_part_of_question_; }

  [[nodiscard]] std::string text() const { return show_(); }

  [[nodiscard]] bool is_called(std::string_view name) const;

  /// The name of another that may not be given too; empty: there is none.
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
  bool has_only_proposals_ = false;
  bool is_required_ = false;
  bool is_repeated_ = false;
  bool takes_truth_ = false;
  bool is_part_of_question_ = true;
};

/// An option or argument as it was typed.
struct GivenOption {
  std::string name = {};  ///< the shortest it has
  std::optional<std::string> value = {};
};

/// The table. What the options are put into must outlive it.
class Options {
 public:
  /// Begins with -h and --help.
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

  /// What is added from now on stands under this heading.
  void begin_group(std::string_view heading) { group_ = heading; }

  /// What parse() finds on the command line goes there too, in the order of the table.
  void note_given(std::vector<GivenOption>& into) { given_ = &into; }

  /// Requires that there is one of this name.
  Option& at(std::string_view name);

  [[nodiscard]] const std::deque<Option>& all() const { return options_; }

  /// Null if there is none of this name.
  [[nodiscard]] const Option* find(std::string_view name) const;

  /// What to say of an option that is not in the table, with the nearest that is.
  [[nodiscard]] Error unknown(std::string_view name) const;

  /// Puts what was typed where it belongs, once. Options and arguments may be mixed; `--` ends the
  /// options, `-xy` is `-x -y` if -x is a flag, `-c si`, `-csi`, `--levels si` and `--levels=si`
  /// are the same. Error: kUsage, with the nearest name where one is unknown.
  Status parse(std::span<const std::string> arguments);

  /// Whether -h or --help was given: then nothing is missing.
  [[nodiscard]] bool wants_help() const { return *wants_help_; }

 private:
  Option& add(std::string_view names, std::string_view placeholder, std::string_view help,
              Option::Take take, Option::Show show);
  Option& add_number(std::string_view names, std::string_view placeholder,
                     std::function<void(std::int64_t)> set, Option::Show show,
                     std::string_view help, Bounds bounds);

  std::string group_ = {};
  std::vector<GivenOption>* given_ = nullptr;
  std::deque<Option> options_ = {};  // a deque, since references to options are handed out
  std::unique_ptr<bool> wants_help_;
};

/// The options that are part of a question and are not set as in `unset`, the same table over
/// defaults, in the order of the table: ` -c serializable --linearizable-keys`, words of a shell,
/// each option with a blank before it.
[[nodiscard]] std::string answer_words(const Options& set, const Options& unset);

/// The same of flags that `add` makes a table of.
template <class Flags>
[[nodiscard]] std::string answer_words(Flags flags, void (*add)(Options&, Flags&)) {
  Flags defaults = {};
  Options set;
  Options unset;
  add(set, flags);
  add(unset, defaults);
  return answer_words(set, unset);
}

/// The word as a POSIX shell takes it: in quotes where it must be.
[[nodiscard]] std::string shell_word(std::string_view word);

/// The nearest of the names, as `; did you mean check?`; empty if none is near.
[[nodiscard]] std::string nearest(std::string_view name,
                                  const std::vector<std::string_view>& known);

}  // namespace elapid
