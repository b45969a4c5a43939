#include "harness/compare/compare.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

#include "harness/compare/checker_reader.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

/// A checker that runs a shell's script; $1 is the history, $2 the level.
Checker scripted(const std::string& script, const std::string& more) {
  std::string quoted;
  for (const char c : script) {
    quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  const std::string text = R"({"name": "scripted", "command": ["/bin/sh", "-c", ")" + quoted +
                           R"(", "sh", "{input}", "{level}"], )" + more +
                           R"("verdict": {"valid": "^yes", "invalid": "^no"}})";
  Result<std::vector<Checker>> read = read_checkers(memory_source("scripted", text), "");
  INFO(text);
  REQUIRE(read);
  return read.value().front();
}

constexpr std::string_view kPlain = R"("formats": ["edn"], "levels": {"serializable": "SER"}, )";
constexpr std::string_view kPolysi =
    R"("formats": ["polysi:text"], "levels": {"serializable": "SER"}, )";

CheckerAnswer ask(const History& history, const Checker& checker, Model question,
                  const CompareSettings& settings = {}) {
  Result<ShownHistory> shown = ShownHistory::create(history, settings);
  REQUIRE(shown);
  return shown.value().ask({.checker = checker}, question);
}

Checker engine(Engine engine) {
  Checker checker;
  checker.name = "own";
  checker.engine = engine;
  return checker;
}

}  // namespace

TEST_CASE("compare: a checker is shown the history in its format, and asked its word") {
  const History history = register_history("wx1; rx1");
  const Checker checker =
      scripted("grep -q '{:index 0' \"$1\" && test \"$2\" = SER && echo yes", std::string(kPlain));
  const CheckerAnswer answer = ask(history, checker, Model::kPl3);
  CHECK(answer.outcome == Outcome::kValid);
  CHECK(answer.format == "edn");
  CHECK(answer.losses.empty());
}

TEST_CASE("compare: what conversion loses is told by its letters") {
  const History history = register_history("wx1; rx1");
  const Checker checker = scripted("grep -q '^w(' \"$1\" && echo no", std::string(kPolysi));
  const CheckerAnswer answer = ask(history, checker, Model::kPl3);
  CHECK(answer.outcome == Outcome::kInvalid);
  CHECK(answer.losses.find('K') != std::string::npos);
}

TEST_CASE("compare: a level that the checker does not decide") {
  const History history = register_history("wx1; rx1");
  const CheckerAnswer answer =
      ask(history, scripted("echo yes", std::string(kPlain)), Model::kPlSi);
  CHECK(answer.outcome == Outcome::kNotAsked);
  CHECK(answer.reason == "does not decide snapshot-isolation");
}

TEST_CASE("compare: a format that cannot hold the history") {
  const CheckerAnswer lists =
      ask(list_history("ax1; rx1"), scripted("echo yes", std::string(kPolysi)), Model::kPl3);
  CHECK(lists.outcome == Outcome::kNotAsked);
  CHECK_FALSE(lists.reason.empty());
  // An aborted transaction cannot be left out without being asked for.
  const History aborted = register_history("-wx1; rx1");
  const Checker checker = scripted("echo yes", std::string(kPolysi));
  CHECK(ask(aborted, checker, Model::kPl3).outcome == Outcome::kNotAsked);
  CHECK(ask(aborted, checker, Model::kPl3, {.policy = LossPolicy::kAny}).outcome ==
        Outcome::kValid);
}

TEST_CASE("compare: the second format is taken where the first holds no such history") {
  const Checker both =
      scripted("echo yes",
               R"("formats": ["polysi:text", "polysi:elle"], "levels": {"serializable": "S"}, )");
  CHECK(ask(list_history("ax1; rx1"), both, Model::kPl3).format == "polysi:elle");
  CHECK(ask(register_history("wx1; rx1"), both, Model::kPl3).format == "polysi:text");
}

TEST_CASE("compare: real time that a format has lost cannot be asked about") {
  const Checker checker = scripted(
      "echo yes", R"("formats": ["plume"], "levels": {"strict-serializable": "S", "ser": "R"}, )");
  const History history = register_history("wx1; rx1");
  CHECK(ask(history, checker, Model::kPlSs).outcome == Outcome::kNotAsked);
  CHECK(ask(history, checker, Model::kStrongSessionSerializable).outcome == Outcome::kValid);
}

TEST_CASE("compare: assumptions that the history does not keep to") {
  const std::string unique = R"("assumes": {"unique-values": true}, )";
  const std::string committed = R"("assumes": {"aborted": "committed"}, )";
  const History repeats = register_history("wx1; wx1; rx1");
  const Checker picky =
      scripted("echo yes", unique + R"("formats": ["plume"], "levels": {"ser": "R"}, )");
  CHECK(ask(repeats, picky, Model::kStrongSessionSerializable).reason ==
        "assumes that no value is written to a key twice");
  const Checker careless =
      scripted("echo yes", committed + R"("formats": ["plume"], "levels": {"ser": "R"}, )");
  CHECK(ask(register_history("-wx1; rx_"), careless, Model::kStrongSessionSerializable).reason ==
        "takes aborted transactions for committed ones");
}

TEST_CASE("compare: timestamps that would be made up are not shown to who believes them") {
  const Checker believer = scripted("echo yes", R"("assumes": {"timestamps": true},
      "formats": ["timekiller"], "levels": {"snapshot-isolation": "S"}, )");
  CHECK(ask(register_history("wx1; rx1"), believer, Model::kPlSi).reason ==
        "believes timestamps, and the history has none");
}

TEST_CASE("compare: Elapid's engines answer in this process") {
  const History skew = register_history("rx_ wy1; ry_ wx1; rx1 ry1");
  CHECK(ask(skew, engine(Engine::kAuto), Model::kPlSi).outcome == Outcome::kValid);
  CHECK(ask(skew, engine(Engine::kAuto), Model::kPl3).outcome == Outcome::kInvalid);
  CHECK(ask(skew, engine(Engine::kSearch), Model::kPl3).outcome == Outcome::kInvalid);
  const CheckerAnswer refused = ask(skew, engine(Engine::kSaturation), Model::kPl3);
  CHECK(refused.outcome == Outcome::kNotAsked);
  CHECK_FALSE(refused.reason.empty());
}

TEST_CASE("compare: nothing is left of what a checker was shown") {
  std::string path;
  {
    Result<ScratchFolder> scratch = ScratchFolder::create();
    REQUIRE(scratch);
    path = scratch.value().path();
    REQUIRE(scratch.value().folder("a"));
    CHECK(std::filesystem::is_directory(path + "/a"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("compare: where a program is") {
  Checker checker;
  checker.name = "mine";
  CHECK(find_program(checker, std::nullopt).value().empty());
  checker.program = "sh";
  CHECK(find_program(checker, std::nullopt).value().ends_with("/sh"));
  CHECK(find_program(checker, "/bin/sh").value() == "/bin/sh");
  CHECK(find_program(checker, "/nowhere").error().to_string() == "/nowhere is not there (as told)");
  checker.program = "no-such-program";
  checker.environment = "ELAPID_NO_SUCH_VARIABLE";
  CHECK(find_program(checker, std::nullopt).error().to_string() ==
        "not here: no-such-program is not on the PATH, and "
        "ELAPID_NO_SUCH_VARIABLE is not set");
  REQUIRE(::setenv("ELAPID_NO_SUCH_VARIABLE", "/bin/sh", 1) == 0);
  CHECK(find_program(checker, std::nullopt).value() == "/bin/sh");
}

}  // namespace elapid
