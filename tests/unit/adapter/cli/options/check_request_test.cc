#include "adapter/cli/options/check_request.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "adapter/cli/commands/compare/compare_request.h"
#include "adapter/cli/commands/scan/scan_request.h"

namespace elapid {
namespace {

TEST_CASE("question words: nothing but what was asked for") {
  CHECK(question_words({}).empty());
  CheckFlags flags;
  flags.consistency_models = "si";
  flags.linearizable_keys = true;
  flags.input.threads = 7;
  flags.directory = "out";
  flags.input.initial = "{:a 1}";
  flags.work = 5;
  CHECK(question_words(flags) == " --initial '{:a 1}' -c si --linearizable-keys --work 5");
}

TEST_CASE("question words: a shell takes each as one") {
  CHECK(shell_word("run.edn") == "run.edn");
  CHECK(shell_word("my run.edn") == "'my run.edn'");
  CHECK(shell_word("it's") == R"('it'\''s')");
  CHECK(shell_word("$(rm x)") == "'$(rm x)'");
  CHECK(shell_word("") == "''");
}

/// Some value that the option takes, and is not set to by default.
std::string other_value(const Option& option) {
  for (const std::string& proposal : option.proposals()) {
    if (proposal != option.text()) {
      return proposal;
    }
  }
  return option.is_flag() ? "true" : "7";
}

/// The options of a table whose value is no part of a question, each by its first name; requires
/// that all others change the words.
template <class Flags>
std::set<std::string> without_effect(void (*add)(Options&, Flags&)) {
  Flags none = {};
  Options names;
  add(names, none);
  std::set<std::string> left_out;
  for (std::size_t i = 0; i < names.all().size(); ++i) {
    Flags flags = {};
    Options options;
    add(options, flags);
    Option option = options.all()[i];
    INFO(option.names().front());
    REQUIRE(option.set(option.names().front(), other_value(option)).ok());
    CHECK(option.text() != names.all()[i].text());
    if (answer_words(flags, add).empty()) {
      CHECK_FALSE(option.is_part_of_question());
      left_out.insert(option.names().front());
    }
  }
  return left_out;
}

TEST_CASE("whatever is asked of a scan or a comparison is remembered with its answers") {
  CHECK(without_effect(add_scan_flags) ==
        std::set<std::string>{"-h", "INPUT", "-j", "-o", "--color", "-v", "-q", "--merge",
                              "--no-sync", "--resume", "--shard", "--watch"});
  CHECK(without_effect(add_compare_flags) ==
        std::set<std::string>{"-h", "INPUT", "-j", "-o", "-c", "--with", "--checkers", "--checker",
                              "--list", "--grace", "--record", "-d", "--minimize", "-q"});
}

}  // namespace
}  // namespace elapid
