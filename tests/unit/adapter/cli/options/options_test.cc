#include "adapter/cli/options/options.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

using Catch::Matchers::Contains;

struct Flags {
  bool full = false;
  bool quiet = false;
  bool keys = true;
  std::string levels = {};
  std::optional<std::int64_t> skew = {};
  std::vector<std::string> inputs = {};
};

Options table(Flags& flags) {
  Options options;
  options.argument("INPUT", flags.inputs, "What to read").required();
  options.flag("-f,--full", flags.full, "All of it");
  options.flag("-q,--quiet", flags.quiet, "Nothing").excludes("--full");
  options.flag("--keys", flags.keys, "Keys").true_or_false();
  options.value("-c,--levels", "NAMES", flags.levels, "Levels");
  options.number("--skew", "N", flags.skew, "Skew", {.least = -2, .most = 2});
  return options;
}

std::string error_of(const std::vector<std::string>& words) {
  Flags flags;
  const Status status = table(flags).parse(words);
  return status.ok() ? "" : status.error().message;
}

TEST_CASE("options and arguments are mixed, and a value is one word, or the rest of one") {
  const std::vector<std::vector<std::string>> spellings = {{"a", "-f", "-c", "si", "b"},
                                                           {"-fcsi", "a", "b"},
                                                           {"a", "--full", "--levels", "si", "b"},
                                                           {"a", "b", "-f", "-c=si"},
                                                           {"--levels=si", "-f", "--", "a", "b"}};
  for (const std::vector<std::string>& words : spellings) {
    Flags flags;
    CHECK(table(flags).parse(words).ok());
    CHECK(flags.full);
    CHECK(flags.levels == "si");
    CHECK(flags.inputs == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("what was given can be given again") {
  Flags flags;
  std::vector<GivenOption> given;
  Options options = table(flags);
  options.note_given(given);
  REQUIRE(options.parse(std::vector<std::string>{"a", "--levels=", "-f", "--keys", "false"}).ok());
  std::string words;
  for (const GivenOption& option : given) {
    words += option.name + (option.value ? "=" + *option.value : "") + ' ';
  }
  CHECK(words == "INPUT=a -f --keys=false -c= ");
}

TEST_CASE("behind -- and as - words are arguments") {
  Flags flags;
  CHECK(table(flags).parse(std::vector<std::string>{"-", "--", "-f", "--skew"}).ok());
  CHECK(flags.inputs == std::vector<std::string>{"-", "-f", "--skew"});
  CHECK_FALSE(flags.full);
}

TEST_CASE("true and false follow only flags that take them") {
  Flags flags;
  CHECK(table(flags).parse(std::vector<std::string>{"--keys", "false", "--full", "true"}).ok());
  CHECK_FALSE(flags.keys);
  CHECK(flags.full);
  CHECK(flags.inputs == std::vector<std::string>{"true"});
  CHECK_THAT(error_of({"a", "--full=perhaps"}), Contains("expected true or false"));
}

TEST_CASE("negative numbers are values") {
  Flags flags;
  CHECK(table(flags).parse(std::vector<std::string>{"a", "--skew", "-2"}).ok());
  CHECK(flags.skew == -2);
  CHECK_THAT(error_of({"a", "--skew", "3"}), Contains("from -2 to 2, found '3'"));
  CHECK_THAT(error_of({"a", "--skew", "99999999999999999999"}), Contains("an integer"));
}

TEST_CASE("what is wrong is named") {
  CHECK_THAT(error_of({}), Contains("INPUT is missing"));
  CHECK_THAT(error_of({"a", "--ful"}), Contains("no option --ful; did you mean --full?"));
  CHECK_THAT(error_of({"a", "-fx"}), Contains("no option -x"));
  CHECK_THAT(error_of({"a", "-c"}), Contains("-c needs a value, NAMES"));
  CHECK_THAT(error_of({"a", "-c", "x", "--levels", "y"}), Contains("--levels is given twice"));
  CHECK_THAT(error_of({"a", "-q", "-f"}), Contains("exclude each other"));
}

TEST_CASE("the last value may win, and an empty value may have a meaning") {
  Flags flags;
  Options options = table(flags);
  options.let_last_win();
  options.at("--levels").empty_means("nothing");
  CHECK(options.parse(std::vector<std::string>{"a", "-c", "x", "--levels="}).ok());
  CHECK(flags.levels == "nothing");
  CHECK(flags.inputs == std::vector<std::string>{"a"});
}

TEST_CASE("behind = the value begins, empty or with dashes as it may be") {
  for (const std::string spelling : {"--levels=", "-c="}) {
    Flags flags{.levels = "before"};
    CHECK(table(flags).parse(std::vector<std::string>{spelling, "a"}).ok());
    CHECK(flags.levels.empty());
    CHECK(flags.inputs == std::vector<std::string>{"a"});
  }
  Flags flags;
  CHECK(table(flags).parse(std::vector<std::string>{"--levels=--full", "a"}).ok());
  CHECK(flags.levels == "--full");
  CHECK_FALSE(flags.full);
  CHECK_THAT(error_of({"a", "--keys="}), Contains("expected true or false, found ''"));
}

TEST_CASE("an option is no value of another") {
  for (const std::string other : {"--full", "--skew=1", "--keys", "--nonsense"}) {
    CHECK_THAT(error_of({"a", "-c", other}), Contains("-c needs a value, NAMES; found " + other));
  }
  CHECK_THAT(error_of({"a", "-fc"}), Contains("-c needs a value, NAMES"));
  CHECK_THAT(error_of({"a", "-f-levels"}), Contains("-f-levels needs a value"));
}

TEST_CASE("an argument is one word, whatever it looks like") {
  Flags flags;
  const std::vector<std::string> words = {"[a,b]", "", "INPUT", "++", "-"};
  CHECK(table(flags).parse(words).ok());
  CHECK(flags.inputs == words);
}

TEST_CASE("arguments have room for as many as they say") {
  Options options;
  std::string one;
  options.argument("ONE", one, "The only one");
  const Status status = options.parse(std::vector<std::string>{"a", "b"});
  REQUIRE_FALSE(status.ok());
  CHECK_THAT(status.error().message, Contains("one argument too many: b"));
}

TEST_CASE("help needs nothing else") {
  Flags flags;
  Options options = table(flags);
  CHECK(options.parse(std::vector<std::string>{"--help"}).ok());
  CHECK(options.wants_help());
}

}  // namespace
}  // namespace elapid
