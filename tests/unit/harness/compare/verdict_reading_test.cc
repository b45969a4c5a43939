#include "harness/compare/verdict_reading.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace elapid {
namespace {

const VerdictRules& rules_of(std::string_view name) {
  const auto found = std::ranges::find(builtin_checkers(), name, &Checker::name);
  REQUIRE(found != builtin_checkers().end());
  return found->verdict;
}

struct Printed {
  std::string out = {};
  std::string err = {};
  int code = 0;
};

CheckerAnswer read(std::string_view checker, const Printed& printed,
                   const std::vector<std::string>& files = {}) {
  const ProgramRun run = {.exit_code = printed.code, .out = printed.out, .err = printed.err};
  return read_verdict(rules_of(checker), run, files, {});
}

CheckerAnswer read_run(const ProgramRun& run, const RunLimits& limits = {}) {
  return read_verdict(rules_of("polysi"), run, {}, limits);
}

}  // namespace

TEST_CASE("verdicts: what those built in print") {
  struct Case {
    std::string_view checker;
    Printed printed;
    Outcome outcome;
  };

  const std::vector<Case> cases = {
      {"elle-cli", {.out = "/tmp/history.edn \t true\n"}, Outcome::kValid},
      {"elle-cli", {.out = "/tmp/history.edn \t false\n", .code = 1}, Outcome::kInvalid},
      {"elle-cli", {.out = "/tmp/history.edn \t :unknown\n"}, Outcome::kUnknown},
      {"elle-cli", {.err = "Exception in thread \"main\"", .code = 255}, Outcome::kFailed},
      {"elle", {.out = "elle says true\n"}, Outcome::kValid},
      {"elle", {.out = "elle says false\n"}, Outcome::kInvalid},
      {"elle", {.out = "elle says :unknown\n"}, Outcome::kUnknown},
      {"polysi", {.err = "ENTIRE_EXPERIMENT: 12ms\n[[[[ ACCEPT ]]]]\n"}, Outcome::kValid},
      {"polysi", {.err = "SI_PRUNE: 5ms\n[[[[ REJECT ]]]]\n", .code = 255}, Outcome::kInvalid},
      {"polysi", {.err = "history.InvalidHistoryError", .code = 1}, Outcome::kFailed},
      {"viper", {.out = "Try#############\n/tmp/h: True\nEnd run"}, Outcome::kValid},
      {"viper", {.out = "k is not large enough\n/tmp/h: False\nEnd run"}, Outcome::kInvalid},
      {"cobra", {.out = "[INFO ] [[[[ ACCEPT ]]]]\n"}, Outcome::kValid},
      {"cobra", {.out = "[ERROR] [[[[ REJECT ]]]]\n"}, Outcome::kInvalid},
      {"cobra", {.err = "java.lang.AssertionError\n", .code = 1}, Outcome::kFailed},
      {"veristrong", {.out = "accept: true\n"}, Outcome::kValid},
      {"veristrong", {.out = "[info] x: 1\naccept: false\n"}, Outcome::kInvalid},
      {"dbcop", {.out = "history.json: PASS\n"}, Outcome::kValid},
      {"dbcop", {.out = "history.json: FAIL (Invalid(Causal))\n", .code = 1}, Outcome::kInvalid},
      {"dbcop", {.err = "Failed to parse history.json: eof\n", .code = 1}, Outcome::kFailed},
      {"dbcop-2019", {.out = "no. of session 3\nhist-00000 done\n"}, Outcome::kValid},
      {"dbcop-2019",
       {.out = "hist-00000 failed - minimum level failed Causal\n"},
       Outcome::kInvalid},
      {"dbcop-2019",
       {.err = "thread 'main' panicked at algo.rs:316", .code = 101},
       Outcome::kFailed},
      {"plume", {.out = "ACCEPT\n"}, Outcome::kValid},
      {"plume", {.out = "REJECT\n[ThinAirRead]\n"}, Outcome::kInvalid},
      {"awdit", {.out = "Done parsing: 1ms\nConsistent\n"}, Outcome::kValid},
      {"awdit", {.out = "Causal cycle found\nInconsistent\n"}, Outcome::kInvalid},
      {"timekiller", {.out = "Checking h.json\nSatisfy SESSION\nSatisfy SI\n"}, Outcome::kValid},
      {"timekiller",
       {.out = "Do NOT satisfy SESSION\nTotal 1 violation of SESSION is found\nSatisfy SI\n"},
       Outcome::kInvalid},
      {"timekiller", {.out = "Do NOT satisfy SI\n"}, Outcome::kInvalid},
      {"adya", {.code = 0}, Outcome::kValid},
      {"adya", {.code = 1}, Outcome::kInvalid},
      {"adya", {.code = 2}, Outcome::kUnknown},
      {"adya", {.code = 3}, Outcome::kFailed},
      {"knossos", {.out = "history.edn\ttrue\n"}, Outcome::kValid},
      {"knossos", {.out = "history.edn\tfalse\n"}, Outcome::kInvalid},
      {"knossos", {.out = "history.edn\t:unknown\n"}, Outcome::kUnknown},
      {"porcupine", {.out = "Ok 0.067\n"}, Outcome::kValid},
      {"porcupine", {.out = "Illegal 0.128\n"}, Outcome::kInvalid},
      {"porcupine", {.out = "timeout\n"}, Outcome::kUnknown},
      {"vbox", {.out = "Accept: 1\n"}, Outcome::kValid},
      {"vbox", {.out = "std::bad_alloc\nAccept: 0\n"}, Outcome::kInvalid}};
  for (const auto& [checker, printed, outcome] : cases) {
    INFO(checker << ": " << printed.out << printed.err);
    CHECK(name(read(checker, printed).outcome) == name(outcome));
  }
}

TEST_CASE("verdicts: what a run leaves in a file counts as well") {
  CHECK(read("dbcop-2019", {}, {R"({"msg":"the algorithm finished","result":true})"}).outcome ==
        Outcome::kValid);
  CHECK(read("dbcop-2019", {}, {R"({"msg":"finished early","reason":"DIRTY READ"})"}).outcome ==
        Outcome::kInvalid);
}

TEST_CASE("verdicts: what fits nothing is a failure, with its last words") {
  CHECK(read("polysi", {.out = "hello\n\nwhat?\n"}).reason == "said no verdict: \"what?\"");
  CHECK(read("polysi", {}).reason == "said nothing");
  CHECK(read("polysi", {.err = "no such file", .code = 7}).reason ==
        "ended with code 7: \"no such file\"");
}

TEST_CASE("verdicts: runs that came to no good end") {
  CHECK(read_run({.start_error = "java is not on the PATH"}).reason ==
        "could not be started: java is not on the PATH");
  CHECK(read_run({.signal = 15, .is_out_of_time = true}, {.time = std::chrono::milliseconds(1500)})
            .reason == "took longer than 1.5 s");
  CHECK(read_run({.signal = 9, .is_cancelled = true}).reason == "was interrupted");
  CHECK(read_run({.signal = 11}).reason == "was ended by SIGSEGV");
  // A verdict that was printed before the end counts for nothing.
  CHECK(read_run({.signal = 6, .err = "[[[[ ACCEPT ]]]]\n"}).outcome == Outcome::kFailed);
}

TEST_CASE("verdicts: memory that ran out is told by what programs say of it") {
  const RunLimits limits = {.memory = std::uint64_t{512} << 20};
  CHECK(read_run({.exit_code = 1, .err = "Traceback\nMemoryError\n"}, limits).reason ==
        "ran out of memory (the limit was 512 MiB): \"MemoryError\"");
  CHECK(read_run({.signal = 6, .err = "what():  std::bad_alloc\n"}).reason ==
        "ran out of memory: \"what():  std::bad_alloc\"");
}

TEST_CASE("verdicts: the last line, whatever it is made of") {
  CHECK(last_line("a\nb\n\n \n") == "b");
  CHECK(last_line("\n") == "");
  CHECK(last_line("\x1b[31mred\xff") == "?[31mred?");
  CHECK(last_line(std::string(500, 'x')) == std::string(120, 'x') + "...");
}

}  // namespace elapid
