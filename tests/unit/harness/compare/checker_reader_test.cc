#include "harness/compare/checker_reader.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/compare/question.h"
#include "parsers/format.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

/// The smallest description. The tests replace parts of it.
constexpr std::string_view kSmallest = R"({
  "name": "mine",
  "program": "mine",
  "command": ["{program}", "{level}", "{input}"],
  "formats": ["edn"],
  "levels": {"serializable": "SER"},
  "verdict": {"valid": "^ok", "invalid": "^not"}
})";

Result<std::vector<Checker>> read(std::string_view text) {
  return read_checkers(memory_source("checker.json", std::string(text)), "/here");
}

/// The smallest description with one of its parts replaced.
std::string with(std::string_view part, std::string_view by) {
  std::string text(kSmallest);
  const std::size_t place = text.find(part);
  REQUIRE(place != std::string::npos);
  return text.replace(place, part.size(), by);
}

std::string error_of(std::string_view text) {
  const Result<std::vector<Checker>> checkers = read(text);
  return checkers ? "no error" : checkers.error().to_string();
}

std::vector<std::string> names_of(const std::vector<Checker>& checkers) {
  std::vector<std::string> names;
  for (const Checker& checker : checkers) {
    names.push_back(checker.name);
  }
  return names;
}

const Checker& builtin(std::string_view name) {
  const auto found = std::ranges::find(builtin_checkers(), name, &Checker::name);
  REQUIRE(found != builtin_checkers().end());
  return *found;
}

}  // namespace

TEST_CASE("checkers: the smallest description") {
  const Result<std::vector<Checker>> read_all = read(kSmallest);
  REQUIRE(read_all);
  REQUIRE(read_all.value().size() == 1);
  const Checker& checker = read_all.value().front();
  CHECK(checker.name == "mine");
  CHECK(checker.command == std::vector<std::string>{"{program}", "{level}", "{input}"});
  REQUIRE(checker.inputs.size() == 1);
  CHECK(text(*checker.inputs.front().target) == "edn");
  CHECK(checker.inputs.front().word == "edn");
  REQUIRE(checker.levels.size() == 1);
  CHECK(checker.levels.front().model == Model::kPl3);
  CHECK(checker.levels.front().words == std::vector<std::string>{"SER"});
  CHECK(checker.verdict.exits == std::map<int, ExitMeaning>{{0, ExitMeaning::kByOutput}});
  CHECK(checker.folder == "/here");
  CHECK_FALSE(checker.engine);
}

TEST_CASE("checkers: a description's fingerprint changes with its text") {
  const std::string same = read(kSmallest).value().front().fingerprint;
  CHECK(read(kSmallest).value().front().fingerprint == same);
  CHECK(read(with("^ok", "^yes")).value().front().fingerprint != same);
}

TEST_CASE("checkers: several descriptions in one file") {
  const std::string two = with("\"mine\"", "\"first\"") + "\n" + std::string(kSmallest);
  CHECK(names_of(read(two).value()) == std::vector<std::string>{"first", "mine"});
  const std::string array =
      "[" + with("\"mine\"", "\"first\"") + ", " + std::string(kSmallest) + "]";
  CHECK(names_of(read(array).value()) == std::vector<std::string>{"first", "mine"});
}

TEST_CASE("checkers: a level is what the checker makes of sessions") {
  const auto decided = [](std::string_view order) {
    const std::string text = with("\"program\"", "\"assumes\": {\"session-order\": \"" +
                                                     std::string(order) + "\"},\n  \"program\"");
    return read(text).value().front().levels.front().model;
  };
  CHECK(decided("always") == Model::kStrongSessionSerializable);
  CHECK(decided("never") == Model::kPl3);
  CHECK(decided("as-asked") == Model::kPl3);
}

TEST_CASE("checkers: an engine of Elapid's own") {
  const Checker checker = read(R"({"name": "mine", "engine": "solver"})").value().front();
  CHECK(checker.engine == Engine::kSolver);
  CHECK(can_ask(checker, Model::kPl3));
}

TEST_CASE("checkers: what is wrong with a description, and where") {
  struct Case {
    std::string text;
    std::string error;
  };

  const std::vector<Case> cases = {
      {"", "checker.json:1:1: expected the description of a checker, found nothing"},
      {"[1]", "checker.json:1:2: expected an object, the description of a checker, found `1`"},
      {"{\"name\": \"mine\"",
       "checker.json:1:16: expected a comma or `}`, found the end of the input in the object that "
       "begins at byte 0"},
      {with("\"formats\"", "\"formatz\""),
       "checker.json:5:3: unknown field \"formatz\"; did you mean formats?"},
      {with("\"name\": \"mine\"", "\"name\": \"mine\", \"name\": \"other\""),
       "checker.json:2:19: the field \"name\" is there twice"},
      {with("\"name\": \"mine\",", ""), "checker.json:1:1: the field \"name\" is missing"},
      {with("\"mine\",\n  \"program\"", "\"my checker\",\n  \"program\""),
       "checker.json:2:11: a name has no blanks, quotes, commas and equals signs"},
      {with("\"mine\",\n  \"program\"", "7,\n  \"program\""),
       "checker.json:2:11: expected a string, found `7`"},
      {with("\"mine\",\n  \"program\"", "\"\",\n  \"program\""),
       "checker.json:2:11: expected some text, found an empty string"},
      {with("{level}", "{levle}"),
       "checker.json:4:28: unknown placeholder {levle}; there is {input}, {dir}, {work}, {level}, "
       "{format}, {workload}, {program}, {program-dir}, {here}, {memory}"},
      {with("{input}", "file"),
       "checker.json:4:14: the command names no history: neither {input} nor {dir} is in it"},
      {with("[\"{program}\", \"{level}\", \"{input}\"]", "[]"),
       "checker.json:4:14: the command has no program"},
      {with("  \"program\": \"mine\",\n", ""),
       "checker.json:3:15: {program} needs the field \"program\" or \"environment\""},
      {with("[\"edn\"]", "[]"), "checker.json:5:14: a checker reads at least one format"},
      {with("[\"edn\"]", "\"edn\""), "checker.json:5:14: expected an array, found `\"edn\"`"},
      {with("[\"edn\"]", "[\"ednn\"]"), "checker.json:5:15: unknown format \"ednn\""},
      {with("[\"edn\"]", "[\"jepsen:fressian\"]"),
       "checker.json:5:15: Elapid does not write the format \"jepsen:fressian\""},
      {with("[\"edn\"]", "[{\"name\": \"edn\", \"file\": \"a/b\"}]"),
       "checker.json:5:39: expected the name of a file, without a folder"},
      {with("[\"edn\"]", "[{\"name\": \"edn\", \"fiel\": \"b\"}]"),
       "checker.json:5:31: unknown field \"fiel\"; did you mean file?"},
      {with("{\"serializable\": \"SER\"}", "{}"),
       "checker.json:6:13: a checker decides at least one level"},
      {with("\"serializable\"", "\"serialisable\""),
       "checker.json:6:14: unknown level \"serialisable\"; did you mean serializable?"},
      {with("{\"serializable\": \"SER\"}", "{\"serializable\": \"a\", \"PL-3\": \"b\"}"),
       "checker.json:6:35: the level \"PL-3\" is decided twice: with the order of sessions as "
       "assumed it is serializable"},
      {with("\"^ok\"", "\"(\""), "checker.json:7:24: \"(\" is no pattern of RE2: missing ): (?m)("},
      {with("\"valid\": \"^ok\", ", ""),
       "checker.json:7:14: nothing that the checker says means valid"},
      {with(", \"invalid\": \"^not\"", ""),
       "checker.json:7:14: nothing that the checker says means invalid"},
      {with("\"^not\"", "\"^not\", \"exit\": {\"256\": \"valid\"}"),
       "checker.json:7:59: expected an exit code, 0 to 255, found \"256\""},
      {with("\"^not\"", "\"^not\", \"exit\": {\"1\": \"false\"}"),
       "checker.json:7:64: expected valid, invalid, unknown, output, found \"false\""},
      {with("\"verdict\"", "\"assumes\": {\"sessions\": \"always\"},\n  \"verdict\""),
       "checker.json:7:15: unknown field \"sessions\"; there is session-order, initial-state, "
       "unique-values, timestamps, aborted, indeterminate"},
      {with("\"verdict\"", "\"assumes\": {\"unique-values\": 1},\n  \"verdict\""),
       "checker.json:7:32: expected true or false, found `1`"},
      {with("\"verdict\"", "\"weaknesses\": [{\"says\": \"valid\"}],\n  \"verdict\""),
       "checker.json:7:18: the field \"about\" is missing"},
      {with("\"verdict\"",
            "\"weaknesses\": [{\"about\": \"a\", \"anomalies\": [\"G7\"]}],\n  \"verdict\""),
       "checker.json:7:47: unknown anomaly \"G7\""},
      {with("\"verdict\"", "\"workloads\": {\"append\": \"a\"},\n  \"verdict\""),
       "checker.json:7:17: unknown workload \"append\""},
      {R"({"name": "mine", "engine": "best"})",
       "checker.json:1:28: expected auto, elle, solver, saturation, search, timestamps, found "
       "\"best\""},
      {R"({"name": "mine", "engine": "auto", "formats": ["edn"]})",
       "checker.json:1:47: an engine has no field \"formats\""},
      {std::string(kSmallest) + std::string(kSmallest),
       "checker.json:8:2: a second checker called mine"}};
  for (const auto& [text, error] : cases) {
    INFO(text);
    CHECK(error_of(text) == error);
  }
}

TEST_CASE("checkers: the schema knows the same fields") {
  Result<std::unique_ptr<ByteSource>> source =
      open_source(ELAPID_TEST_DATA "/../../docs/checkers.schema.json");
  REQUIRE(source);
  json::ValueStream schema(*source.value());
  REQUIRE(schema.next());
  const json::Value kinds = *json::find(schema.value(), "$defs");
  const auto in_schema = [&](std::string_view kind) {
    std::set<std::string> names;
    json::Value object = *json::find(kinds, kind);
    if (const auto forms = json::find(object, "oneOf"); forms && kind == "format") {
      object = forms->begin().next();
    }
    const json::Value fields = *json::find(object, "properties");
    for (json::Value key = fields.begin(); key != fields.end(); key = key.next().next()) {
      names.emplace(key.text());
    }
    return names;
  };
  // A field that resembles none is answered with all that there are.
  const auto in_reader = [](const std::string& text) {
    const std::string error = error_of(text);
    std::set<std::string> names;
    std::istringstream list(error.substr(error.find("there is ") + 9));
    for (std::string name; std::getline(list >> std::ws, name, ',');) {
      names.insert(name);
    }
    return names;
  };
  CHECK(in_schema("checker") == in_reader(R"({"qqqqqqqq": 1})"));
  CHECK(in_schema("format") == in_reader(with("[\"edn\"]", "[{\"qqqqqqqq\": \"edn\"}]")));
  CHECK(in_schema("verdict") == in_reader(with("\"valid\"", "\"qqqqqqqq\"")));
  CHECK(in_schema("assumptions") ==
        in_reader(with("\"verdict\"", "\"assumes\": {\"qqqqqqqq\": 1}, \"verdict\"")));
  CHECK(in_schema("weakness") ==
        in_reader(with("\"verdict\"", "\"weaknesses\": [{\"qqqqqqqq\": 1}], \"verdict\"")));
}

TEST_CASE("checkers: a file that is not there") {
  const Result<std::vector<Checker>> none = read_checkers("/nowhere/checker.json");
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::kUnreadable);
}

TEST_CASE("checkers: all that are built in can be read, Elapid's engines first") {
  CHECK(names_of(builtin_checkers()) ==
        std::vector<std::string>{"elapid",        "elapid:elle",
                                 "elapid:solver", "elapid:saturation",
                                 "elapid:search", "elapid:timestamps",
                                 "adya",          "awdit",
                                 "cobra",         "dbcop",
                                 "dbcop-2019",    "elle",
                                 "elle-cli",      "knossos",
                                 "plume",         "polysi",
                                 "porcupine",     "timekiller",
                                 "vbox",          "veristrong",
                                 "viper"});
}

TEST_CASE("checkers: those built in say what they are, and where they are wrong") {
  for (const Checker& checker : builtin_checkers()) {
    INFO(checker.name);
    CHECK_FALSE(checker.about.empty());
    CHECK((checker.engine || !checker.weaknesses.empty()));
    CHECK((checker.engine || checker.needs_program()));
  }
  CHECK(level_for(builtin("polysi"), Model::kStrongSessionSnapshotIsolation) != nullptr);
  CHECK(level_for(builtin("polysi"), Model::kPlSi) == nullptr);
  CHECK(level_for(builtin("elle-cli"), Model::kPlSi) != nullptr);
}

}  // namespace elapid
