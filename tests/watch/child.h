// The program as a child process that is fed, signalled and waited for.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace elapid {

class Child {
 public:
  /// Starts the program with arguments; standard output is appended to a file, standard error too.
  Child(const std::vector<std::string>& arguments, const std::string& output);

  /// Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes to its standard input, waiting as long as the pipe is full. False if it has gone.
  bool feed(std::string_view text) const;

  /// Its standard input ends.
  void end_input();

  void signal(int number) const;

  /// Waits for its end: the exit code, or the negative number of the signal that has killed it.
  int wait();

 private:
  pid_t id_ = -1;
  int input_ = -1;
};

/// Runs it to its end with an empty input: the exit code. `output` as in Child.
int run_program(const std::vector<std::string>& arguments, const std::string& output);

}  // namespace elapid
