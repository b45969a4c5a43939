#include "harness/process/child_call.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "engine/ir/thread.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {
namespace {

Error child_failure(const std::string& why) {
  return {.kind = ErrorKind::kInternal, .message = why};
}

bool write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
  return true;
}

std::string read_whole(int descriptor) {
  std::string text;
  std::array<char, 1 << 14> block = {};
  while (true) {
    const ssize_t size = ::read(descriptor, block.data(), block.size());
    if (size > 0) {
      text.append(block.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      return text;
    }
  }
}

constexpr int kHasThrown = 101;  // the answer is the message of an error

/// The work of the child: sends what `work` returns or throws. An exception must not unwind the
/// parent's stack in the child. Returns the exit code.
int answer_with(const std::function<std::string()>& work, int descriptor) {
  bool is_told = false;
  const Status status = caught([&] { is_told = write_whole(descriptor, work()); });
  std::fflush(nullptr);
  if (!status.ok()) {
    return write_whole(descriptor, status.error().message) ? kHasThrown : 1;
  }
  return is_told ? 0 : 1;
}

}  // namespace

Result<std::string> call_in_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return child_failure(std::string("no pipe can be made: ") + std::strerror(errno));
  }
  FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  std::fflush(nullptr);  // buffered output would be written twice
  const pid_t child = ::fork();
  if (child < 0) {
    return child_failure(std::string("no process can be made: ") + std::strerror(errno));
  }
  if (child == 0) {
    ::_exit(answer_with(work, writing.get()));
  }
  writing = FileDescriptor();
  std::string answer = read_whole(reading.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    return child_failure(std::string("it was ended by a signal: ") + ::strsignal(WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) == kHasThrown) {
    return child_failure(answer);
  }
  if (WEXITSTATUS(status) != 0) {
    return child_failure("it ended with exit code " + std::to_string(WEXITSTATUS(status)));
  }
  return answer;
}

}  // namespace elapid
