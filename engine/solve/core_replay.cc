#include "engine/solve/core_replay.h"

#include <cstddef>
#include <vector>

#include "engine/ir/int_map.h"

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
      Key& key = find_key(problem_.write(w).key);
      if (vertex == events_.start(txn) && events_.excludes_overlap(txn)) {
        commits_at_start_.find_or_add(w, key.commits);
      }
      if (vertex == events_.commit(txn)) {
        commit(w, key);
      }
    }
  }

  Key& find_key(KeyId key) {
    const std::uint32_t at =
        numbers_.find_or_add(key.value, static_cast<std::uint32_t>(keys_.size()));
    if (at == keys_.size()) {
      keys_.emplace_back();
    }
    return keys_[at];
  }

  void read(std::uint32_t r) {
    const WriteRef current = find_key(problem_.reads()[r].key).current;
    const WriteRef writer = chosen_.writer_of(r);
    if (current != writer && current != kInitialState && chosen_.may_move(writer)) {
      wrong_.emplace_back(problem_.writer_id(writer).value, problem_.write(current).txn);
    }
  }

  void commit(WriteRef w, Key& key) {
    // A transaction that started before the core found the key without commits.
    const bool excludes_overlap = events_.excludes_overlap(problem_.write(w).txn);
    if (excludes_overlap && commits_at_start_.find_or_add(w, 0) != key.commits) {
      wrong_.emplace_back(problem_.write(w).txn, problem_.write(key.current).txn);
    }
    key.current = w;
    ++key.commits;
  }

  const OrderProblem& problem_;
  const EventMap& events_;
  const ChosenParts& chosen_;
  IntMap numbers_;  // places in keys_, by key
  std::vector<Key> keys_;
  IntMap commits_at_start_;  // by write
  std::vector<WriterPair> wrong_;
};

}  // namespace

std::vector<WriterPair> find_wrong_pairs(const OrderProblem& problem, const EventMap& events,
                                         std::span<const std::uint32_t> order,
                                         const ChosenParts& chosen) {
  return Replay(problem, events, chosen).run(order);
}

}  // namespace elapid
