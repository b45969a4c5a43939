#include "harness/compare/checker_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <utility>

#include "engine/ir/integer_text.h"
#include "engine/ir/mapped.h"
#include "engine/ir/similar_names.h"
#include "engine/workloads/table.h"
#include "harness/compare/command.h"
#include "harness/compare/question.h"
#include "parsers/formats.h"
#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

using json::Value;

template <class T>
using Words = std::span<const std::pair<std::string_view, T>>;

constexpr std::array<std::pair<std::string_view, Engine>, 6> kEngines = {
    {{"auto", Engine::kAuto},
     {"elle", Engine::kElle},
     {"solver", Engine::kSolver},
     {"saturation", Engine::kSaturation},
     {"search", Engine::kSearch},
     {"timestamps", Engine::kTimestamps}}};
constexpr std::array<std::pair<std::string_view, SessionOrder>, 3> kSessionOrders = {
    {{"as-asked", SessionOrder::kAsAsked},
     {"always", SessionOrder::kAlways},
     {"never", SessionOrder::kNever}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kInitialStates = {
    {{"first", true}, {"unordered", false}}};
constexpr std::array<std::pair<std::string_view, Treatment>, 3> kTreatments = {
    {{"handled", Treatment::kHandled},
     {"dropped", Treatment::kDropped},
     {"committed", Treatment::kCommitted}}};
constexpr std::array<std::pair<std::string_view, ExitMeaning>, 4> kExits = {
    {{"valid", ExitMeaning::kValid},
     {"invalid", ExitMeaning::kInvalid},
     {"unknown", ExitMeaning::kUnknown},
     {"output", ExitMeaning::kByOutput}}};
constexpr std::array<std::pair<std::string_view, Validity>, 2> kVerdicts = {
    {{"valid", Validity::kValid}, {"invalid", Validity::kInvalid}}};

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

/// Reads one description. The first error is kept and ends the reading.
class DescriptionReader {
 public:
  explicit DescriptionReader(Value object) : object_(object) {}

  Result<Checker> read() {
    if (!object_.is_object()) {
      return malformed_at(
          object_.offset(),
          "expected an object, the description of a checker, found " + json::describe(object_));
    }
    check_fields(object_,
                 {"$schema", "name", "about", "engine", "program", "environment", "command",
                  "formats", "workloads", "levels", "verdict", "assumes", "weaknesses"});
    read_names();
    read_assumptions();
    if (field(object_, "engine")) {
      read_engine();
    } else {
      read_command();
      read_inputs();
      read_levels();
      read_verdict();
    }
    read_weaknesses();
    return error_ ? Result<Checker>(std::move(*error_)) : Result<Checker>(std::move(checker_));
  }

 private:
  void fail(Value at, std::string message) {
    if (!error_) {
      error_ = malformed_at(at.offset(), std::move(message));
    }
  }

  /// Requires only these fields, each once.
  void check_fields(Value object, const std::vector<std::string_view>& known) {
    std::vector<std::string_view> seen;
    for (Value key = object.begin(); key != object.end(); key = key.next().next()) {
      const std::string_view name = key.text();
      if (std::ranges::find(known, name) == known.end()) {
        const std::vector<std::string> near = similar_names(name, known, 1);
        fail(key, fmt::format("unknown field \"{}\"; {}", name,
                              near.empty() ? fmt::format("there is {}", fmt::join(known, ", "))
                                           : "did you mean " + near.front() + "?"));
      } else if (std::ranges::find(seen, name) != seen.end()) {
        fail(key, fmt::format("the field \"{}\" is there twice", name));
      }
      seen.push_back(name);
    }
  }

  static std::optional<Value> field(Value object, std::string_view name) {
    return json::find(object, name);
  }

  Value required(Value object, std::string_view name) {
    const std::optional<Value> found = field(object, name);
    if (!found) {
      fail(object, fmt::format("the field \"{}\" is missing", name));
    }
    return found.value_or(object);
  }

  std::string string(Value value) {
    if (!value.is_string()) {
      fail(value, "expected a string, found " + json::describe(value));
      return {};
    }
    if (value.text().empty()) {
      fail(value, "expected some text, found an empty string");
    }
    return std::string(value.text());
  }

  bool is_object(Value value, std::string_view what) {
    if (!value.is_object()) {
      fail(value, fmt::format("expected an object, {}, found {}", what, json::describe(value)));
    }
    return value.is_object();
  }

  /// The strings of an array, or the single string.
  std::vector<std::string> strings(Value value) {
    if (value.is_string()) {
      return {string(value)};
    }
    std::vector<std::string> all;
    for_each(value, [&](Value element) { all.push_back(string(element)); });
    return all;
  }

  template <class Function>
  void for_each(Value value, Function function) {
    if (!value.is_array()) {
      fail(value, "expected an array, found " + json::describe(value));
      return;
    }
    for (Value element = value.begin(); element != value.end(); element = element.next()) {
      function(element);
    }
  }

  template <class T, std::size_t kCount>
  T one_of(Value value, const std::array<std::pair<std::string_view, T>, kCount>& words) {
    const std::string word = string(value);
    for (const auto& [name, meaning] : words) {
      if (name == word) {
        return meaning;
      }
    }
    auto names = mapped<std::string_view>(words, [&](const auto& entry) { return entry.first; });
    fail(value, fmt::format("expected {}, found \"{}\"", fmt::join(names, ", "), word));
    return words.front().second;
  }

  bool truth(Value value) {
    if (value.kind() != json::Kind::kTrue && value.kind() != json::Kind::kFalse) {
      fail(value, "expected true or false, found " + json::describe(value));
    }
    return value.kind() == json::Kind::kTrue;
  }

  Model model(Value value) {
    const std::string name = string(value);
    const std::optional<Model> found = find_model(name);
    if (!found) {
      const std::vector<std::string> near = similar_models(name, 1);
      fail(value, fmt::format("unknown level \"{}\"{}", name,
                              near.empty() ? "" : "; did you mean " + near.front() + "?"));
    }
    return found.value_or(Model::kPl3);
  }

  void read_names() {
    const Value name = required(object_, "name");
    checker_.name = string(name);
    if (checker_.name.find_first_of(", =\t\n\"") != std::string::npos) {
      fail(name, "a name has no blanks, quotes, commas and equals signs");
    }
    if (const auto about = field(object_, "about")) {
      checker_.about = string(*about);
    }
  }

  void read_engine() {
    checker_.engine = one_of(*field(object_, "engine"), kEngines);
    for (const std::string_view name :
         {"program", "environment", "command", "formats", "workloads", "levels", "verdict"}) {
      if (const auto other = field(object_, name)) {
        fail(*other, fmt::format("an engine has no field \"{}\"", name));
      }
    }
  }

  void read_command() {
    if (const auto program = field(object_, "program")) {
      checker_.program = string(*program);
    }
    if (const auto environment = field(object_, "environment")) {
      checker_.environment = string(*environment);
    }
    const Value command = required(object_, "command");
    bool has_input = false;
    for_each(command, [&](Value value) {
      const std::string argument = string(value);
      has_input |= has_placeholder(argument, "input") || has_placeholder(argument, "dir");
      check_argument(value, argument);
      checker_.command.push_back(argument);
    });
    if (checker_.command.empty()) {
      fail(command, "the command has no program");
    } else if (!has_input) {
      fail(command, "the command names no history: neither {input} nor {dir} is in it");
    }
  }

  void check_argument(Value value, const std::string& argument) {
    if (const std::optional<std::string> unknown = unknown_placeholder(argument)) {
      fail(value, fmt::format("unknown placeholder {}; there is {{{}}}", *unknown,
                              fmt::join(kPlaceholders, "}, {")));
    }
    const bool wants_program =
        has_placeholder(argument, "program") || has_placeholder(argument, "program-dir");
    if (wants_program && !checker_.needs_program()) {
      fail(value, "{program} needs the field \"program\" or \"environment\"");
    }
  }

  void read_inputs() {
    const Value formats = required(object_, "formats");
    for_each(formats, [&](Value entry) { read_input(entry); });
    if (checker_.inputs.empty()) {
      fail(formats, "a checker reads at least one format");
    }
    if (const auto workloads = field(object_, "workloads")) {
      read_workloads(*workloads);
    }
  }

  void read_input(Value entry) {
    CheckerInput input;
    Value name = entry;
    if (entry.is_object()) {
      check_fields(entry, {"name", "called", "file"});
      name = required(entry, "name");
      if (const auto called = field(entry, "called")) {
        input.word = string(*called);
      }
      if (const auto file = field(entry, "file")) {
        input.file = string(*file);
        if (std::filesystem::path(input.file).filename() != input.file || input.file == "..") {
          fail(*file, "expected the name of a file, without a folder");
        }
      }
    }
    const std::string text = string(name);
    const std::optional<FormatName> format = find_format(text);
    input.target = format ? find_target(*format) : nullptr;
    if (input.target == nullptr) {
      fail(name, fmt::format("{} \"{}\"",
                             format ? "Elapid does not write the format" : "unknown format", text));
    }
    input.word = input.word.empty() ? text : input.word;
    checker_.inputs.push_back(std::move(input));
  }

  void read_workloads(Value workloads) {
    if (!is_object(workloads, "from workloads to what they are called")) {
      return;
    }
    for (Value key = workloads.begin(); key != workloads.end(); key = key.next().next()) {
      if (!find_workload(key.text())) {
        fail(key, fmt::format("unknown workload \"{}\"", key.text()));
      }
      checker_.workloads.emplace(key.text(), string(key.next()));
    }
  }

  void read_levels() {
    const Value levels = required(object_, "levels");
    if (!is_object(levels, "from levels to what they are called")) {
      return;
    }
    for (Value key = levels.begin(); key != levels.end(); key = key.next().next()) {
      const Model decided = decided_model(model(key), checker_.assumptions.session_order);
      if (std::ranges::find(checker_.levels, decided, &CheckerLevel::model) !=
          checker_.levels.end()) {
        fail(key, fmt::format("the level \"{}\" is decided twice: with the order of sessions as "
                              "assumed it is {}",
                              key.text(), friendly_name(decided)));
      }
      checker_.levels.push_back({.model = decided, .words = strings(key.next())});
    }
    if (checker_.levels.empty()) {
      fail(levels, "a checker decides at least one level");
    }
  }

  void read_verdict() {
    const Value verdict = required(object_, "verdict");
    if (!is_object(verdict, "how the verdict is read")) {
      return;
    }
    check_fields(verdict, {"valid", "invalid", "unknown", "exit", "files"});
    VerdictRules& rules = checker_.verdict;
    rules.valid = patterns(verdict, "valid");
    rules.invalid = patterns(verdict, "invalid");
    rules.unknown = patterns(verdict, "unknown");
    rules.exits = {{0, ExitMeaning::kByOutput}};
    if (const auto exits = field(verdict, "exit")) {
      read_exits(*exits);
    }
    if (const auto files = field(verdict, "files")) {
      for_each(*files, [&](Value file) {
        rules.files.push_back(string(file));
        check_argument(file, rules.files.back());
      });
    }
    check_verdict(verdict);
  }

  /// Requires that the checker can give both verdicts.
  void check_verdict(Value verdict) {
    const VerdictRules& rules = checker_.verdict;
    const auto says = [&](ExitMeaning meaning) {
      return std::ranges::any_of(rules.exits,
                                 [&](const auto& exit) { return exit.second == meaning; });
    };
    if (rules.valid.empty() && !says(ExitMeaning::kValid)) {
      fail(verdict, "nothing that the checker says means valid");
    }
    if (rules.invalid.empty() && !says(ExitMeaning::kInvalid)) {
      fail(verdict, "nothing that the checker says means invalid");
    }
  }

  std::vector<OutputPattern> patterns(Value verdict, std::string_view name) {
    std::vector<OutputPattern> all;
    const std::optional<Value> list = field(verdict, name);
    if (!list) {
      return all;
    }
    const auto add = [&](Value value) {
      OutputPattern pattern = {.text = string(value)};
      re2::RE2::Options options;
      options.set_log_errors(false);
      auto regex = std::make_shared<re2::RE2>("(?m)" + pattern.text, options);
      if (!regex->ok()) {
        fail(value, fmt::format("\"{}\" is no pattern of RE2: {}", pattern.text, regex->error()));
      }
      pattern.regex = std::move(regex);
      all.push_back(std::move(pattern));
    };
    if (list->is_string()) {
      add(*list);
    } else {
      for_each(*list, add);
    }
    return all;
  }

  void read_exits(Value exits) {
    checker_.verdict.exits.clear();
    if (!is_object(exits, "from exit codes to what they mean")) {
      return;
    }
    for (Value key = exits.begin(); key != exits.end(); key = key.next().next()) {
      const std::string_view text = key.text();
      const int code = integer_of<int>(text).value_or(-1);
      if (code < 0 || code > 255) {
        fail(key, fmt::format("expected an exit code, 0 to 255, found \"{}\"", text));
      }
      checker_.verdict.exits[code] = one_of(key.next(), kExits);
    }
  }

  void read_assumptions() {
    const std::optional<Value> assumes = field(object_, "assumes");
    if (!assumes || !is_object(*assumes, "what is taken for granted")) {
      return;
    }
    check_fields(*assumes, {"session-order", "initial-state", "unique-values", "timestamps",
                            "aborted", "indeterminate"});
    CheckerAssumptions& assumed = checker_.assumptions;
    if (const auto order = field(*assumes, "session-order")) {
      assumed.session_order = one_of(*order, kSessionOrders);
    }
    if (const auto initial = field(*assumes, "initial-state")) {
      assumed.initial_state_first = one_of(*initial, kInitialStates);
    }
    if (const auto unique = field(*assumes, "unique-values")) {
      assumed.unique_values = truth(*unique);
    }
    if (const auto timestamps = field(*assumes, "timestamps")) {
      assumed.believes_timestamps = truth(*timestamps);
    }
    if (const auto aborted = field(*assumes, "aborted")) {
      assumed.aborted = one_of(*aborted, kTreatments);
    }
    if (const auto indeterminate = field(*assumes, "indeterminate")) {
      assumed.indeterminate = one_of(*indeterminate, kTreatments);
    }
  }

  void read_weaknesses() {
    if (const auto weaknesses = field(object_, "weaknesses")) {
      for_each(*weaknesses, [&](Value entry) { read_weakness(entry); });
    }
  }

  void read_weakness(Value entry) {
    if (!is_object(entry, "a known weakness")) {
      return;
    }
    check_fields(entry, {"about", "levels", "says", "anomalies"});
    Weakness weakness = {.about = string(required(entry, "about"))};
    if (const auto levels = field(entry, "levels")) {
      for_each(*levels, [&](Value name) {
        weakness.models.set(decided_model(model(name), checker_.assumptions.session_order));
      });
    }
    if (const auto says = field(entry, "says")) {
      weakness.verdict = one_of(*says, kVerdicts);
    }
    if (const auto anomalies = field(entry, "anomalies")) {
      for_each(*anomalies, [&](Value name) {
        weakness.anomalies.push_back(string(name));
        if (!find_anomaly(weakness.anomalies.back())) {
          fail(name, fmt::format("unknown anomaly \"{}\"", weakness.anomalies.back()));
        }
      });
    }
    checker_.weaknesses.push_back(std::move(weakness));
  }

  Value object_;
  Checker checker_ = {};
  std::optional<Error> error_ = {};
};

/// The bytes of the source between two offsets, which were read before.
std::string reread(ByteSource& source, std::uint64_t begin, std::uint64_t end) {
  std::string bytes(end - begin, ' ');
  const Result<std::size_t> got = source.reread(begin, bytes);
  bytes.resize(got ? got.value() : 0);
  return bytes;
}

}  // namespace

Result<std::vector<Checker>> read_checkers(const std::string& path) {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, open_source(path));
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  return read_checkers(std::move(source), whole.parent_path().string());
}

Result<std::vector<Checker>> read_checkers(std::unique_ptr<ByteSource> source,
                                           const std::string& folder) {
  std::vector<Checker> all;
  json::ValueStream stream(*source);
  while (stream.next()) {
    Result<Checker> read = DescriptionReader(stream.value()).read();
    if (!read) {
      return source->located(std::move(read.error()));
    }
    Checker& checker = read.value();
    const std::string text = reread(*source, stream.value().offset(), stream.offset());
    checker.fingerprint = fmt::format("{:016x}", hash_of(text));
    checker.folder = folder;
    if (std::ranges::find(all, checker.name, &Checker::name) != all.end()) {
      return source->located(
          malformed_at(stream.value().offset(), "a second checker called " + checker.name));
    }
    all.push_back(std::move(checker));
  }
  if (!stream.status().ok()) {
    return source->located(stream.status().error());
  }
  if (all.empty()) {
    return source->located(malformed_at(0, "expected the description of a checker, found nothing"));
  }
  return all;
}

}  // namespace elapid
