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

/// Opens the null device in place of each closed standard descriptor. Otherwise the next file that
/// is opened would take the descriptor, and output would go into that file. Reading standard input
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
    // A write beyond the limit of a file's size fails, as on a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    return static_cast<int>(
        run_program(std::vector<std::string>(argv, argv + argc), commands(), ELAPID_VERSION));
  } catch (...) {
    return static_cast<int>(print_error(current_error()));
  }
}
