// Ranks that are threads of one process, for tests of what processes do together.
#pragma once

#include <barrier>
#include <thread>
#include <utility>
#include <vector>

#include "parsers/partitions/peers.h"

namespace elapid {

/// Where the ranks meet.
class MeetingPoint {
 public:
  explicit MeetingPoint(unsigned ranks) : given_(ranks), barrier_(ranks) {}

  [[nodiscard]] unsigned ranks() const { return static_cast<unsigned>(given_.size()); }

  std::vector<Bytes> exchange(unsigned rank, std::vector<Bytes> to_each) {
    given_[rank] = std::move(to_each);
    barrier_.arrive_and_wait();
    std::vector<Bytes> taken;
    for (const std::vector<Bytes>& given : given_) {
      taken.push_back(given[rank]);
    }
    barrier_.arrive_and_wait();
    return taken;
  }

 private:
  std::vector<std::vector<Bytes>> given_;  // by rank
  std::barrier<> barrier_;
};

class ThreadPeers : public Peers {
 public:
  ThreadPeers(MeetingPoint& point, unsigned rank) : point_(point), rank_(rank) {}

  [[nodiscard]] unsigned rank() const override { return rank_; }

  [[nodiscard]] unsigned count() const override { return point_.ranks(); }

  std::vector<Bytes> exchange(std::vector<Bytes> to_each) override {
    return point_.exchange(rank_, std::move(to_each));
  }

 private:
  MeetingPoint& point_;
  unsigned rank_;
};

/// Runs `work(peers)` on each rank, and returns the answer of the first one. A rank that throws
/// ends the process.
template <class Work>
auto on_ranks(unsigned ranks, const Work& work) {
  MeetingPoint point(ranks);
  std::vector<std::jthread> others;
  for (unsigned rank = 1; rank < ranks; ++rank) {
    others.emplace_back([&point, &work, rank] {
      ThreadPeers peers(point, rank);
      static_cast<void>(work(peers));
    });
  }
  ThreadPeers first(point, 0);
  return work(first);
}

}  // namespace elapid
