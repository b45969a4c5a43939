#include "adapter/cli/check_words.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("check words: nothing but what was asked for") {
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

TEST_CASE("check words: a shell takes each as one") {
  CHECK(shell_word("run.edn") == "run.edn");
  CHECK(shell_word("my run.edn") == "'my run.edn'");
  CHECK(shell_word("it's") == R"('it'\''s')");
  CHECK(shell_word("$(rm x)") == "'$(rm x)'");
  CHECK(shell_word("") == "''");
}

}  // namespace
}  // namespace elapid
