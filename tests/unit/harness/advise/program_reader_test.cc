#include "harness/advise/program_reader.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace elapid {
namespace {

std::string error_of(const std::string& text) {
  const Result<ProgramFile> file = parse_programs("f", text);
  return file ? "" : file.error().to_string();
}

std::string uncovered(const std::string& text) {
  const Result<ProgramFile> file = parse_programs("f", text);
  INFO((file ? "" : file.error().to_string()));
  REQUIRE(file.ok());
  return std::to_string(file.value().uncovered_line) + ": " + file.value().uncovered;
}

TEST_CASE("Programs with keys, parameters and attributes") {
  const Result<ProgramFile> file = parse_programs("f",
                                                  "; a comment\n"
                                                  "program New ( w , d )  ; another\n"
                                                  "\tR warehouse(w) {tax}\r\n"
                                                  "  U district(w, d) {tax next} {next}\n"
                                                  "  W last\n"
                                                  "program Pay(w)\n"
                                                  "  U warehouse(w) {ytd}");
  INFO((file ? "" : file.error().to_string()));
  REQUIRE(file.ok());
  const advise::ProgramSet& set = file.value().set;
  REQUIRE(set.programs.size() == 2);
  CHECK(program_text(set.programs[0]) == "New(w, d)");
  CHECK(set.relations[0].attributes == std::vector<std::string>{"tax", "ytd"});
  REQUIRE(set.programs[0].operations.size() == 3);
  CHECK(operation_text(set, set.programs[0], set.programs[0].operations[0]) ==
        "R warehouse(w) {tax}");
  CHECK(operation_text(set, set.programs[0], set.programs[0].operations[1]) ==
        "U district(w, d) {tax next} {next}");
  CHECK(operation_text(set, set.programs[0], set.programs[0].operations[2]) == "W last");
  CHECK(operation_text(set, set.programs[1], set.programs[1].operations[0]) ==
        "U warehouse(w) {ytd}");
  CHECK(set.programs[1].operations[0].reads == set.programs[1].operations[0].writes);
}

TEST_CASE("Mistakes in a file of programs have a place and an expectation") {
  CHECK(error_of("") == "f:1:1: expected program NAME, found the end of the line");
  CHECK(error_of("R x\n") == "f:1:1: expected program NAME before its operations, found `R x`");
  CHECK(error_of("program\n") ==
        "f:1:8: expected the name of the program, found the end of the line");
  CHECK(error_of("program P(a, a)\nR x") ==
        "f:1:14: expected a name that no other parameter has, found `a)`");
  CHECK(error_of("program P(a\nR x") ==
        "f:1:12: expected a comma or a closing parenthesis, found the end of the line");
  CHECK(error_of("program P() \nR x") == "f:1:11: expected the name of a parameter, found `)`");
  CHECK(error_of("program P\nprogram Q\nR x") ==
        "f:2:1: expected an operation of program P, found `program Q`");
  CHECK(error_of("program P\nR x\nprogram P\nR x") ==
        "f:3:9: expected a name that no other program has, found `P`");
  CHECK(error_of("program P(a)\nR x(b)") == "f:2:5: expected a parameter of P(a), found `b)`");
  CHECK(error_of("program P(a)\nR x(a)\nW x") ==
        "f:3:3: expected x with 1 arguments, as on line 2, found `x`");
  CHECK(error_of("program P\nread x")
            .starts_with(
                "f:2:1: expected program NAME, or an operation as R key, W key or U key, found"));
  CHECK(error_of("program P\nR x {}") == "f:2:6: expected the name of an attribute, found `}`");
  CHECK(error_of("program P\nR x {a") ==
        "f:2:7: expected the name of an attribute, or a closing brace, found the end of the line");
  CHECK(error_of("program P\nR x {a} {b}") == "f:2:9: expected the end of the line, found `{b}`");
}

TEST_CASE("What is not covered is told with its line, and is no mistake") {
  CHECK(uncovered("program P(a)\nR x(a)\ninsert y(a)\n").starts_with("3: inserts are not covered"));
  CHECK(uncovered("program P\npredicate x\n").starts_with("2: reads by predicates"));
  CHECK(uncovered("program P\ndelete x\n").starts_with("2: deletes"));
  CHECK(uncovered("program P\nforeign key x y\n").starts_with("2: foreign keys"));
  CHECK(uncovered("program P(a, b)\nW x(a)\nW x(b)\nU x(a)\n") ==
        "4: P uses x after writing it, which is not covered");
  CHECK(uncovered("program P\nW x {a}\nW x {b}\n") == "0: ");
  CHECK(
      uncovered("program P\nW x {a}\nR x {b}\nR x\n").starts_with("4: P uses x after writing it"));
}

}  // namespace
}  // namespace elapid
