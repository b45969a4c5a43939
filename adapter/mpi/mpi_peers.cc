#include "adapter/mpi/mpi_peers.h"

#include <mpi.h>

#include <algorithm>
#include <ctime>

namespace elapid {

namespace {

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

/// Where parts of these lengths begin in a row.
std::vector<int> begins_of(const std::vector<int>& lengths) {
  std::vector<int> begins;
  int begin = 0;
  for (const int length : lengths) {
    begins.push_back(begin);
    begin += length;
  }
  return begins;
}

}  // namespace

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

}  // namespace elapid
