#include "tests/watch/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstddef>
#include <utility>

namespace elapid {

Child::Child(const std::vector<std::string>& arguments, const std::string& output) {
  ::signal(SIGPIPE, SIG_IGN);  // feed() says it
  std::vector<std::string> words = {ELAPID_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  std::array<int, 2> ends = {};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  REQUIRE(out >= 0);
  id_ = ::fork();
  REQUIRE(id_ >= 0);
  if (id_ == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(ends[0], STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  ::close(ends[0]);
  ::close(out);
  input_ = ends[1];
}

Child::~Child() {
  end_input();
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
}

bool Child::feed(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = ::write(input_, text.data(), text.size());
    if (count < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  return true;
}

void Child::end_input() {
  if (const int input = std::exchange(input_, -1); input >= 0) {
    ::close(input);
  }
}

void Child::signal(int number) const {
  REQUIRE(::kill(id_, number) == 0);
}

int Child::wait() {
  int status = 0;
  REQUIRE(::waitpid(std::exchange(id_, -1), &status, 0) > 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int run_program(const std::vector<std::string>& arguments, const std::string& output) {
  Child child(arguments, output);
  child.end_input();
  return child.wait();
}

}  // namespace elapid
