#include "harness/process/line_program.h"

#include <catch2/catch.hpp>

using namespace elapid;

namespace {

constexpr std::chrono::seconds kLong{60};

LineProgram line_program(const std::string& command) {
  Result<LineProgram> program = LineProgram::start(command);
  REQUIRE(program.ok());
  return std::move(program).value();
}

}  // namespace

TEST_CASE("Lines are exchanged with a program") {
  LineProgram program = line_program("while read line; do echo \"<$line>\"; echo more; done");
  const std::string large(1 << 20, 'x');
  CHECK(program.write_line("one", kLong));
  CHECK(program.read_line(kLong).line == "<one>");
  CHECK(program.read_line(kLong).line == "more");
  CHECK(program.write_line(large, kLong));
  CHECK(program.read_line(kLong).line == "<" + large + ">");
}

TEST_CASE("A program that ends says how") {
  CHECK(line_program("exit 3").read_line(kLong).why_not == "ended with exit code 3");
  CHECK(line_program("kill -9 $$").read_line(kLong).why_not == "was killed by SIGKILL");
  CHECK(line_program("no-such-program 2>/dev/null").read_line(kLong).why_not ==
        "ended with exit code 127");
  // The last line has no end.
  CHECK(line_program("printf x").read_line(kLong).why_not == "ended with exit code 0");
}

TEST_CASE("A program that does not answer is not waited for, nor what it has started") {
  LineProgram program = line_program("sleep 1000 & read line");
  const LineAnswer answer = program.read_line(std::chrono::milliseconds(5));
  CHECK(answer.why_not == "gave no answer within 5 ms");
  CHECK(answer.is_late);
  CHECK(program.write_line("go", kLong));
}

TEST_CASE("A write to a program that reads no more is an error, and kills no process") {
  LineProgram program = line_program("exec 0<&-; echo closed; read line </dev/null; exec 1>&-");
  CHECK(program.read_line(kLong).line == "closed");
  CHECK(!program.write_line("hello", kLong));
}

TEST_CASE("A program that does not read is not waited for") {
  LineProgram program = line_program("sleep 1000");
  CHECK(!program.write_line(std::string(16 << 20, 'x'), std::chrono::milliseconds(20)));
}
