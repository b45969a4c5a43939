// A foreign program with which lines are exchanged: one is written to its standard
// input, and one is read from its standard output, in time or not at all.
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

/// A line, or why there is none.
struct LineAnswer {
  std::optional<std::string> line = {};
  std::string why_not = {};  ///< `gave no answer within 1000 ms`, `ended with exit code 1`, ...
  bool is_late = false;      ///< it still runs, but has not answered
};

/// Ended by the destructor: its input ends, and after a moment's grace all of its process group is
/// killed. Not safe from several threads.
class LineProgram {
 public:
  /// Longer lines are none.
  static constexpr std::size_t kLongestLine = std::size_t{64} << 20;

  /// Starts a shell command in a process group of its own, with the standard error of this program.
  /// Error kUnreadable: it cannot be started.
  static Result<LineProgram> start(const std::string& command);

  LineProgram(LineProgram&& other) noexcept;
  LineProgram& operator=(LineProgram&&) = delete;
  ~LineProgram();

  /// False if it does not read any more, or not in time.
  bool write_line(std::string_view line, std::chrono::milliseconds patience);

  /// The next line that it writes, without its newline.
  LineAnswer read_line(std::chrono::milliseconds patience);

 private:
  LineProgram(pid_t pid, FileDescriptor in, FileDescriptor out)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)) {}

  LineAnswer ended();
  bool wait_for_end(std::chrono::milliseconds patience);
  void kill_all() const;

  pid_t pid_;  // -1 once it has been waited for
  FileDescriptor in_;
  FileDescriptor out_;
  std::string read_ = {};
  int status_ = 0;
};

}  // namespace elapid
