// Ranks that are processes of MPI, on one machine or many.
#pragma once

#include <cstdint>
#include <vector>

#include "parsers/partitions/peers.h"

namespace elapid {

/// The ranks of MPI_COMM_WORLD. MPI has begun before, and ends later. An error of MPI ends all of
/// them.
class MpiPeers : public Peers {
 public:
  MpiPeers();

  [[nodiscard]] unsigned rank() const override { return rank_; }

  [[nodiscard]] unsigned count() const override { return count_; }

  /// By MPI_Alltoallv, in rounds. Memory: what is received, and kRound twice.
  std::vector<Bytes> exchange(std::vector<Bytes> to_each) override;

  /// Bytes that this rank has given to others.
  [[nodiscard]] std::uint64_t sent() const { return sent_; }

  /// Seconds of CPU that this rank has spent waiting for others: MPI asks again and again.
  [[nodiscard]] double waited() const { return waited_; }

 private:
  /// Bytes from or to all ranks in one round: what MPI counts by `int`.
  static constexpr std::uint64_t kRound = std::uint64_t{256} << 20;

  /// Gives and takes at most `most` bytes of each from `offset` on; `to_take` says how many come.
  static void exchange_round(const std::vector<Bytes>& to_each, std::uint64_t offset,
                             std::uint64_t most, const std::vector<int>& to_take,
                             std::vector<Bytes>& taken);

  unsigned rank_ = 0;
  unsigned count_ = 1;
  std::uint64_t sent_ = 0;
  double waited_ = 0;
};

}  // namespace elapid
