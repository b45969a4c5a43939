// The program's entry: no exception leaves it.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/program.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "engine/ir/thread.h"

namespace {

/// A standard descriptor that is closed would be the next file's that is opened: what is printed
/// would go into that file. The null device takes its place, opened so that reading standard input
/// and writing to standard output still fail.
void open_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0) {
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace elapid;
  open_standard_descriptors();
  try {
    catch_interrupt();
    // A file that becomes larger than it may is one that cannot be written, as on a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    return static_cast<int>(
        run_program(std::vector<std::string>(argv, argv + argc), commands(), ELAPID_VERSION));
  } catch (...) {
    return static_cast<int>(print_error(current_error()));
  }
}
