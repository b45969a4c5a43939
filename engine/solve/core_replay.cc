#include "engine/solve/core_replay.h"

#include <unordered_map>

namespace elapid {

namespace {

class Replay {
 public:
  Replay(const OrderProblem& problem, const EventMap& events, const ChosenParts& chosen)
      : problem_(problem), events_(events), chosen_(chosen) {}

  std::vector<WriterPair> run(std::span<const std::uint32_t> order) {
    for (const std::uint32_t vertex : order) {
      if (events_.is_of_txn(vertex) && chosen_.takes_part(events_.txn(vertex))) {
        carry_out(vertex, events_.txn(vertex));
      }
    }
    return std::move(wrong_);
  }

 private:
  struct Key {
    WriteRef current = kInitialState;
    std::uint32_t commits = 0;
  };

  void carry_out(std::uint32_t vertex, std::uint32_t txn) {
    for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
      if (events_.read_event(problem_.reads()[r]) == vertex) {
        read(r);
      }
    }
    for (const WriteRef w : problem_.writes_by(txn)) {
      Key& key = keys_[problem_.write(w).key.value];
      if (vertex == events_.start(txn) && events_.excludes_overlap()) {
        commits_at_start_[w] = key.commits;
      }
      if (vertex == events_.commit(txn)) {
        commit(w, key);
      }
    }
  }

  void read(std::uint32_t r) {
    const WriteRef current = keys_[problem_.reads()[r].key.value].current;
    const WriteRef writer = chosen_.writer_of(r);
    if (current != writer && current != kInitialState && chosen_.may_move(writer)) {
      wrong_.emplace_back(problem_.writer_id(writer).value, problem_.write(current).txn);
    }
  }

  void commit(WriteRef w, Key& key) {
    if (events_.excludes_overlap() && commits_at_start_[w] != key.commits) {
      wrong_.emplace_back(problem_.write(w).txn, problem_.write(key.current).txn);
    }
    key.current = w;
    ++key.commits;
  }

  const OrderProblem& problem_;
  const EventMap& events_;
  const ChosenParts& chosen_;
  std::unordered_map<std::uint32_t, Key> keys_;
  std::unordered_map<WriteRef, std::uint32_t> commits_at_start_;
  std::vector<WriterPair> wrong_;
};

}  // namespace

std::vector<WriterPair> find_wrong_pairs(const OrderProblem& problem, const EventMap& events,
                                         std::span<const std::uint32_t> order,
                                         const ChosenParts& chosen) {
  return Replay(problem, events, chosen).run(order);
}

}  // namespace elapid
