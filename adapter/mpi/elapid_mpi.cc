// elapid-mpi: `elapid check` of one large history by several processes (docs/scale.md).
//
//   mpirun -n 8 elapid-mpi check history.edn
//
// All ranks run the same command. The first one prints. A rank that fails reports that and ends all
// ranks, so that no verdict rests on the data of the others alone.
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/program.h"
#include "adapter/cli/reports/reports.h"
#include "engine/ir/thread.h"
#include "parsers/partitions/peers.h"

namespace elapid {
namespace {

// Ranks that are processes of MPI, on one machine or many.

/// The ranks of MPI_COMM_WORLD. MPI is initialised before and finalised after. An error of MPI ends
/// all ranks.
class MpiPeers : public Peers {
 public:
  MpiPeers();

  [[nodiscard]] unsigned rank() const override { return rank_; }

  [[nodiscard]] unsigned count() const override { return count_; }

  /// Exchanges by MPI_Alltoallv, in rounds. Memory: what is received, and twice kRound.
  std::vector<Bytes> exchange(std::vector<Bytes> to_each) override;

  /// Bytes that this rank has sent to others.
  [[nodiscard]] std::uint64_t sent() const { return sent_; }

  /// Seconds of CPU that this rank has spent waiting: MPI polls.
  [[nodiscard]] double waited() const { return waited_; }

 private:
  /// Bytes from or to all ranks in one round, since MPI counts bytes by `int`.
  static constexpr std::uint64_t kRound = std::uint64_t{256} << 20;

  /// Exchanges at most `most` bytes with each rank from `offset` on; `to_take` says how many
  /// arrive.
  static void exchange_round(const std::vector<Bytes>& to_each, std::uint64_t offset,
                             std::uint64_t most, const std::vector<int>& to_take,
                             std::vector<Bytes>& taken);

  unsigned rank_ = 0;
  unsigned count_ = 1;
  std::uint64_t sent_ = 0;
  double waited_ = 0;
};

unsigned asked(int (*ask)(MPI_Comm, int*)) {
  int answer = 0;
  ask(MPI_COMM_WORLD, &answer);
  return static_cast<unsigned>(answer);
}

double cpu_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  constexpr double kNanosecond = 1e-9;
  return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

/// Where parts of these lengths begin when they are stored in a row.
std::vector<int> begins_of(const std::vector<int>& lengths) {
  std::vector<int> begins;
  int begin = 0;
  for (const int length : lengths) {
    begins.push_back(begin);
    begin += length;
  }
  return begins;
}

MpiPeers::MpiPeers() : rank_(asked(MPI_Comm_rank)), count_(std::max(1U, asked(MPI_Comm_size))) {}

std::vector<Bytes> MpiPeers::exchange(std::vector<Bytes> to_each) {
  std::vector<std::uint64_t> given(count_);
  std::vector<std::uint64_t> to_take(count_);
  for (unsigned rank = 0; rank < count_; ++rank) {
    given[rank] = to_each[rank].size();
    sent_ += rank == rank_ ? 0 : given[rank];
  }
  const double begin = cpu_seconds();
  MPI_Barrier(MPI_COMM_WORLD);
  waited_ += cpu_seconds() - begin;
  MPI_Alltoall(given.data(), 1, MPI_UINT64_T, to_take.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::vector<Bytes> taken(count_);
  for (unsigned rank = 0; rank < count_; ++rank) {
    taken[rank].reserve(to_take[rank]);
  }
  const std::uint64_t mine = *std::ranges::max_element(given);
  std::uint64_t longest = 0;
  MPI_Allreduce(&mine, &longest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  const std::uint64_t most = std::max<std::uint64_t>(1, kRound / taken.size());
  for (std::uint64_t offset = 0; offset < longest; offset += most) {
    std::vector<int> lengths;
    lengths.reserve(count_);
    for (const std::uint64_t bytes : to_take) {
      lengths.push_back(static_cast<int>(std::min(most, bytes - std::min(bytes, offset))));
    }
    exchange_round(to_each, offset, most, lengths, taken);
  }
  return taken;
}

void MpiPeers::exchange_round(const std::vector<Bytes>& to_each, std::uint64_t offset,
                              std::uint64_t most, const std::vector<int>& to_take,
                              std::vector<Bytes>& taken) {
  Bytes out;
  std::vector<int> lengths;
  for (const Bytes& bytes : to_each) {
    const std::uint64_t begin = std::min<std::uint64_t>(bytes.size(), offset);
    const std::uint64_t length = std::min(most, bytes.size() - begin);
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(length));
    lengths.push_back(static_cast<int>(length));
  }
  const std::vector<int> out_begins = begins_of(lengths);
  const std::vector<int> in_begins = begins_of(to_take);
  Bytes in(static_cast<std::size_t>(in_begins.back() + to_take.back()));
  MPI_Alltoallv(out.data(), lengths.data(), out_begins.data(), MPI_CHAR, in.data(), to_take.data(),
                in_begins.data(), MPI_CHAR, MPI_COMM_WORLD);
  for (std::size_t rank = 0; rank < taken.size(); ++rank) {
    const auto from = in.begin() + in_begins[rank];
    taken[rank].insert(taken[rank].end(), from, from + to_take[rank]);
  }
}

/// The output of a rank other than the first: nothing on standard output. Standard error shows only
/// an error that ended all ranks.
class Silence {
 public:
  Silence() : error_(::dup(STDERR_FILENO)), said_(std::tmpfile()) {
    std::FILE* const null = std::fopen("/dev/null", "w");
    if (error_ < 0 || said_ == nullptr || null == nullptr ||
        ::dup2(::fileno(null), STDOUT_FILENO) < 0 || ::dup2(::fileno(said_), STDERR_FILENO) < 0) {
      std::perror("elapid-mpi");
    }
  }

  /// Prints the collected text under the name of the rank.
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

/// Prints the cost of the work on standard error of the first rank.
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

/// Whether all ranks refuse the request within some seconds. If only some do, the others would wait
/// for them.
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
  // mpirun prints the output, on its own terminal.
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
