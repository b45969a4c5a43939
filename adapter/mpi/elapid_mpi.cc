// elapid-mpi: `elapid check` of one large history by several processes (docs/scale.md).
//
//   mpirun -n 8 elapid-mpi check history.edn
//
// All ranks run the same command. The first one prints. A rank that fails says so and ends all, so
// that no verdict rests on what the others have.
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/program.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/mpi/mpi_peers.h"
#include "engine/ir/thread.h"

namespace elapid {
namespace {

/// What a rank prints that does not speak for all: nothing on standard output; on standard error
/// only what ended all.
class Silence {
 public:
  Silence() : error_(::dup(STDERR_FILENO)), said_(std::tmpfile()) {
    std::FILE* const null = std::fopen("/dev/null", "w");
    if (error_ < 0 || said_ == nullptr || null == nullptr ||
        ::dup2(::fileno(null), STDOUT_FILENO) < 0 || ::dup2(::fileno(said_), STDERR_FILENO) < 0) {
      std::perror("elapid-mpi");
    }
  }

  /// Says it after all, in the name of the rank.
  void tell(unsigned rank) {
    std::fflush(stderr);
    std::string text = "elapid-mpi: rank " + std::to_string(rank) + ": ";
    std::rewind(said_);
    for (int c = std::fgetc(said_); c != EOF; c = std::fgetc(said_)) {
      text += static_cast<char>(c);
    }
    static_cast<void>(::write(error_, text.data(), text.size()));
  }

 private:
  int error_;
  std::FILE* said_;
};

ExitCode run(const std::vector<std::string>& arguments, MpiPeers& peers) {
  try {
    CommandTable table = {.commands = {{"check", [&] { return check_command(&peers); }}}};
    return run_program(arguments, std::move(table), ELAPID_VERSION);
  } catch (...) {
    return print_error(current_error());
  }
}

double seconds(const timeval& time) {
  constexpr double kMicrosecond = 1e-6;
  return static_cast<double>(time.tv_sec) + kMicrosecond * static_cast<double>(time.tv_usec);
}

/// What the work has cost, on standard error of the first rank.
void tell_cost(const MpiPeers& peers) {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  constexpr double kKibibyte = 1024;
  const std::array<double, 3> mine = {
      static_cast<double>(peers.sent()), static_cast<double>(used.ru_maxrss) * kKibibyte,
      seconds(used.ru_utime) + seconds(used.ru_stime) - peers.waited()};
  std::array<double, 3> sum = {};
  std::array<double, 3> most = {};
  MPI_Reduce(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(mine.data(), most.data(), 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (peers.is_first()) {
    std::fprintf(stderr,
                 "elapid-mpi: %u ranks; %.0f bytes sent; at most %.0f bytes of memory and %.2f s "
                 "of CPU in one rank, %.2f s in all, without waiting\n",
                 peers.count(), sum[0], most[1], most[2], sum[2]);
  }
}

/// Whether all ranks refuse the request, as they do where it makes no sense, within some seconds.
/// Where not, some go on, and would wait for the others.
bool do_all_refuse(MPI_Comm refusals) {
  constexpr useconds_t kPause = 10'000;
  constexpr int kPauses = 500;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(refusals, &request);
  int is_done = 0;
  for (int i = 0; i < kPauses && is_done == 0; ++i) {
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    ::usleep(is_done != 0 ? 0 : kPause);
  }
  return is_done != 0;
}

int main_of_rank(const std::vector<std::string>& arguments) {
  // What prints is mpirun, through a terminal of its own.
  ::setenv("NO_COLOR", "1", 0);
  MpiPeers peers;
  MPI_Comm refusals = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &refusals);
  std::optional<Silence> silence;
  if (!peers.is_first()) {
    silence.emplace();
  }
  const ExitCode code = run(arguments, peers);
  const bool is_refused = code == ExitCode::kUsage;
  if (code >= ExitCode::kMalformed || (is_refused && !do_all_refuse(refusals))) {
    if (silence) {
      silence->tell(peers.rank());
    }
    std::fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  }
  const bool wants_cost = std::ranges::any_of(
      arguments, [](const std::string& word) { return word == "-v" || word == "--verbose"; });
  if (wants_cost && !is_refused) {
    tell_cost(peers);
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace elapid

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const int code = elapid::main_of_rank({argv, argv + argc});
  MPI_Finalize();
  return code;
}
