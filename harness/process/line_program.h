// A foreign program that is asked by lines: each line is written to its standard input, and an
// answer is read from its standard output within a time limit.
//
// ```cpp
// #include "harness/process/line_program.h"
//
// Result<LineProgram> cat = LineProgram::start("cat");
// REQUIRE(cat.ok());
// CHECK(cat.value().write_line("hello", std::chrono::seconds(10)));
// const LineAnswer answer = cat.value().read_line(std::chrono::seconds(10));
// CHECK(answer.line == "hello");
// ```
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

/// A line, or the reason why there is none.
struct LineAnswer {
  std::optional<std::string> line = {};
  std::string why_not = {};  ///< `gave no answer within 1000 ms`, `ended with exit code 1`, ...
  bool is_late = false;      ///< it still runs, but did not answer in time
};

/// The destructor ends the program: it closes the program's input and, after a moment, kills its
/// process group. Not thread-safe.
class LineProgram {
 public:
  /// A longer line counts as no answer.
  static constexpr std::size_t kLongestLine = std::size_t{64} << 20;

  /// Starts a shell command in a process group of its own; its standard error is that of this
  /// program. Error: kUnreadable if it cannot be started.
  static Result<LineProgram> start(const std::string& command);

  LineProgram(LineProgram&& other) noexcept;
  LineProgram& operator=(LineProgram&&) = delete;
  ~LineProgram();

  /// False if the program does not read any more, or not in time.
  bool write_line(std::string_view line, std::chrono::milliseconds patience);

  /// The next line of the program, without its newline.
  LineAnswer read_line(std::chrono::milliseconds patience);

 private:
  LineProgram(pid_t pid, FileDescriptor in, FileDescriptor out)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)) {}

  LineAnswer ended();
  bool wait_for_end(std::chrono::milliseconds patience);
  void kill_all() const;

  pid_t pid_;  // -1 after it was waited for
  FileDescriptor in_;
  FileDescriptor out_;
  std::string read_ = {};
  int status_ = 0;
};

}  // namespace elapid
