#include "harness/advise/program_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness/scenario/scenario_line.h"

namespace elapid {
namespace {

using advise::Program;
using advise::ProgramOperation;
using advise::Relation;

/// A word that is no read or write of keys, with the reason why it is not covered.
struct UncoveredWord {
  std::string_view word;
  std::string_view reason;
};

constexpr std::array kUncovered = {
    UncoveredWord{"insert", "inserts are not covered: what is there changes for predicates"},
    UncoveredWord{"delete", "deletes are not covered: what is there changes for predicates"},
    UncoveredWord{"predicate", "reads by predicates are not covered: which rows they find changes"},
    UncoveredWord{"foreign",
                  "foreign keys are not covered: with them the question is undecidable in general"},
};

constexpr std::string_view kOperationExpected =
    "program NAME, or an operation as R key, W key or U key";

class ProgramReader {
 public:
  Result<ProgramFile> read(const std::string& file, std::string_view text) {
    std::uint64_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ScenarioLine line(file, ++number, text.substr(0, end));
      ELAPID_RETURN_IF_ERROR(take(line));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    const ScenarioLine last(file, std::max<std::uint64_t>(number, 1), {});
    ELAPID_RETURN_IF_ERROR(end_program(last));
    if (file_.set.programs.empty()) {
      return last.error("program NAME").error();
    }
    finish();
    return std::move(file_);
  }

 private:
  Status take(ScenarioLine& line) {
    line.skip_blanks();
    if (line.is_done()) {
      return {};
    }
    const ScenarioLine start = line;
    const std::string_view word = line.word();
    if (word == "program") {
      Status ended = end_program(start);
      return ended.ok() ? take_program(line) : std::move(ended);
    }
    for (const UncoveredWord& uncovered : kUncovered) {
      if (word == uncovered.word) {
        note_uncovered(std::string(uncovered.reason), line.number());
        has_operations_ = true;
        return {};
      }
    }
    if (word != "R" && word != "W" && word != "U") {
      return start.error(kOperationExpected);
    }
    if (file_.set.programs.empty()) {
      return start.error("program NAME before its operations");
    }
    return take_operation(word.front(), line);
  }

  /// Takes the names in parentheses, as `(one, other)`, if there are any.
  static Status take_names(ScenarioLine& line, std::string_view what,
                           std::vector<std::pair<std::string, ScenarioLine>>& names) {
    line.skip_blanks();
    if (!line.take('(')) {
      return {};
    }
    do {
      line.skip_blanks();
      const ScenarioLine place = line;
      const std::string_view name = line.word();
      if (name.empty()) {
        return place.error(what);
      }
      names.emplace_back(name, place);
      line.skip_blanks();
    } while (line.take(','));
    return line.take(')') ? Status() : line.error("a comma or a closing parenthesis");
  }

  Status take_program(ScenarioLine& line) {
    line.skip_blanks();
    const ScenarioLine place = line;
    Program program = {.name = std::string(line.word())};
    if (program.name.empty()) {
      return place.error("the name of the program");
    }
    if (std::ranges::find(file_.set.programs, program.name, &Program::name) !=
        file_.set.programs.end()) {
      return place.error("a name that no other program has");
    }
    std::vector<std::pair<std::string, ScenarioLine>> names;
    ELAPID_RETURN_IF_ERROR(take_names(line, "the name of a parameter", names));
    for (const auto& [name, at] : names) {
      if (std::ranges::find(program.parameters, name) != program.parameters.end()) {
        return at.error("a name that no other parameter has");
      }
      program.parameters.push_back(name);
    }
    file_.set.programs.push_back(std::move(program));
    has_operations_ = false;
    return line.end();
  }

  /// Requires an operation in the program that ends here.
  Status end_program(const ScenarioLine& next) {
    return file_.set.programs.empty() || has_operations_
               ? Status()
               : next.error("an operation of program " + file_.set.programs.back().name);
  }

  Status take_operation(char kind, ScenarioLine& line) {
    const Program& program = file_.set.programs.back();
    ProgramOperation operation = {.line = line.number()};
    line.skip_blanks();
    const ScenarioLine place = line;
    const std::string name(line.word());
    if (name.empty()) {
      return place.error("the name of a key");
    }
    std::vector<std::pair<std::string, ScenarioLine>> arguments;
    ELAPID_RETURN_IF_ERROR(take_names(line, "a parameter of " + program.name, arguments));
    for (const auto& [argument, at] : arguments) {
      const auto parameter = std::ranges::find(program.parameters, argument);
      if (parameter == program.parameters.end()) {
        return at.error("a parameter of " + program_text(program));
      }
      operation.arguments.push_back(
          static_cast<std::size_t>(parameter - program.parameters.begin()));
    }
    ELAPID_RETURN_IF_ERROR(find_relation(name, arguments.size(), place, operation.relation));
    std::optional<std::vector<std::size_t>> first;
    std::optional<std::vector<std::size_t>> second;
    ELAPID_RETURN_IF_ERROR(take_attributes(line, operation.relation, first));
    if (kind == 'U') {
      ELAPID_RETURN_IF_ERROR(take_attributes(line, operation.relation, second));
    }
    kinds_.push_back({kind, first, second ? second : first});
    file_.set.programs.back().operations.push_back(std::move(operation));
    has_operations_ = true;
    return line.end();
  }

  Status find_relation(const std::string& name, std::size_t arity, const ScenarioLine& place,
                       std::size_t& into) {
    std::vector<Relation>& relations = file_.set.relations;
    const auto known = std::ranges::find(relations, name, &Relation::name);
    into = static_cast<std::size_t>(known - relations.begin());
    if (known == relations.end()) {
      relations.push_back({.name = name, .arity = arity});
      first_lines_.push_back(place.number());
    } else if (known->arity != arity) {
      return place.error(name + " with " + std::to_string(known->arity) +
                         " arguments, as on line " + std::to_string(first_lines_[into]));
    }
    return {};
  }

  /// Takes the attributes, as `{tax name}`, if there are any.
  Status take_attributes(ScenarioLine& line, std::size_t relation,
                         std::optional<std::vector<std::size_t>>& into) {
    line.skip_blanks();
    if (!line.take('{')) {
      return {};
    }
    std::vector<std::string>& known = file_.set.relations[relation].attributes;
    into.emplace();
    for (;;) {
      line.skip_blanks();
      if (!into->empty() && line.take('}')) {
        break;
      }
      const std::string name(line.word());
      if (name.empty()) {
        return line.error(into->empty() ? "the name of an attribute"
                                        : "the name of an attribute, or a closing brace");
      }
      const auto place = static_cast<std::size_t>(std::ranges::find(known, name) - known.begin());
      if (place == known.size()) {
        known.push_back(name);
      }
      into->push_back(place);
    }
    std::ranges::sort(*into);
    into->erase(std::unique(into->begin(), into->end()), into->end());
    return {};
  }

  void note_uncovered(std::string reason, std::uint64_t line) {
    if (file_.uncovered.empty() || line < file_.uncovered_line) {
      file_.uncovered = std::move(reason);
      file_.uncovered_line = line;
    }
  }

  /// Resolves attributes once all are known: an operation without names uses all of them. Then
  /// notes operations on attributes that their program has already written.
  void finish() {
    std::size_t number = 0;
    for (Program& program : file_.set.programs) {
      std::set<std::pair<std::vector<std::size_t>, std::size_t>> written;
      for (ProgramOperation& operation : program.operations) {
        const WrittenKind& kind = kinds_[number++];
        std::vector<std::size_t> all(file_.set.relations[operation.relation].attributes.size() + 1);
        std::iota(all.begin(), all.end(), std::size_t{0});
        if (kind.kind != 'W') {
          operation.reads = kind.first ? *kind.first : all;
        }
        if (kind.kind != 'R') {
          operation.writes = kind.second ? *kind.second : all;
        }
        std::vector<std::size_t> key = {operation.relation};
        key.insert(key.end(), operation.arguments.begin(), operation.arguments.end());
        const auto is_written = [&](std::size_t attribute) {
          return written.contains({key, attribute});
        };
        if (std::ranges::any_of(operation.reads, is_written) ||
            std::ranges::any_of(operation.writes, is_written)) {
          note_uncovered(program.name + " uses " + file_.set.relations[operation.relation].name +
                             " after writing it, which is not covered",
                         operation.line);
        }
        for (const std::size_t attribute : operation.writes) {
          written.emplace(key, attribute);
        }
      }
    }
  }

  /// The kind of an operation, R, W or U, with the attributes that it names.
  struct WrittenKind {
    char kind = 'R';
    std::optional<std::vector<std::size_t>> first = {};
    std::optional<std::vector<std::size_t>> second = {};
  };

  ProgramFile file_ = {};
  std::vector<WrittenKind> kinds_ = {};          // by operation of all programs
  std::vector<std::uint64_t> first_lines_ = {};  // by relation
  bool has_operations_ = false;
};

}  // namespace

Result<ProgramFile> parse_programs(const std::string& file, std::string_view text) {
  return ProgramReader().read(file, text);
}

Result<ProgramFile> read_programs(const std::string& path) {
  Result<std::string> text = read_text_file(path, "a file of programs");
  return text ? parse_programs(path, text.value()) : Result<ProgramFile>(std::move(text.error()));
}

}  // namespace elapid
