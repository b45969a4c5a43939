// The program's entry: nothing that is thrown gets out of here.
#include <signal.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/interrupt.h"
#include "adapter/cli/program.h"
#include "adapter/cli/reports.h"

int main(int argc, char** argv) {
  using namespace elapid;
  try {
    catch_interrupt();
    // A file that becomes larger than it may is one that cannot be written, as on a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    return static_cast<int>(
        run_program(std::vector<std::string>(argv, argv + argc), commands(), ELAPID_VERSION));
  } catch (const std::bad_alloc&) {
    return static_cast<int>(
        print_error({.kind = ErrorKind::kInternal, .message = "memory ran out"}));
  } catch (const std::exception& exception) {
    return static_cast<int>(
        print_error({.kind = ErrorKind::kInternal, .message = exception.what()}));
  }
}
