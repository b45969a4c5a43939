// Events carried out one by one: which version of each key is current, which transactions must
// still read it, and what stands in the way of an event.
//
// Example: T2 writes x, and T1 has still to read the version of x before. T2's commit waits
// (kReaders) until T1's start was carried out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/solve/event_map.h"
#include "engine/solve/growing_lists.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Carries out the events of certain transactions. Every step can be taken back, the last one
/// first.
class Execution {
 public:
  Execution(const OrderProblem& problem, const EventMap& events);

  /// What an event waits for, all of one key.
  enum class Wait : std::uint8_t {
    kVersion,  ///< what it must read to be current, or a list to have grown so far
    kReaders,  ///< others to read the version that it would replace
    kClaim,    ///< the commit of another writer, which has started (EventMap::excludes_overlap)
  };

  struct Obstacle {
    Wait wait = Wait::kVersion;
    KeyId key;
    /// For kReaders: no other transaction may write the key before this one does. It has claimed
    /// the key, or reads the version that it replaces in the same event.
    bool is_next = false;
  };

  /// False where only a search can tell which lists count.
  [[nodiscard]] bool is_feasible() const { return lists_.is_feasible(); }

  /// Whether the vertex is an event of a certain transaction; others do nothing.
  [[nodiscard]] bool is_effective(std::uint32_t vertex) const {
    return events_.is_of_txn(vertex) && problem_.is_certain(events_.txn(vertex));
  }

  /// What stands in the way of an effective event, if anything. O(its reads and writes, and
  /// the logarithm of candidates); steps() counts them.
  [[nodiscard]] std::optional<Obstacle> find_obstacle(std::uint32_t vertex);

  /// Carries an effective event out. Calls `changed(KeyId)` where others may be able to go on.
  template <class Changed>
  void carry_out(std::uint32_t vertex, Changed changed) {
    const std::uint32_t txn = events_.txn(vertex);
    each_known_read_at(vertex, [&](std::uint32_t r, WriteRef writer) {
      const ExternalRead& read = problem_.reads()[r];
      if (--left_[row(writer, read.key)] <= kFewReaders) {
        changed(read.key);
      }
    });
    if (vertex == events_.start(txn)) {
      lists_.start(txn, changed);
      if (events_.excludes_overlap(txn)) {
        claim(txn, true);
      }
    }
    if (vertex == events_.commit(txn)) {
      install(txn);
      for (const WriteRef w : problem_.writes_by(txn)) {
        changed(problem_.write(w).key);
      }
    }
  }

  /// Takes the event back that was carried out last. Calls `changed(KeyId)` likewise.
  template <class Changed>
  void take_back(std::uint32_t vertex, Changed changed) {
    const std::uint32_t txn = events_.txn(vertex);
    if (vertex == events_.commit(txn)) {
      uninstall(txn);
    }
    if (vertex == events_.start(txn)) {
      if (events_.excludes_overlap(txn)) {
        claim(txn, false);
      }
      lists_.take_back_start(txn);
    }
    for (const WriteRef w : problem_.writes_by(txn)) {
      changed(problem_.write(w).key);
    }
    each_known_read_at(vertex, [&](std::uint32_t r, WriteRef writer) {
      ++left_[row(writer, problem_.reads()[r].key)];
    });
  }

  [[nodiscard]] WriteRef current(KeyId key) const { return keys_[key.index()].current; }

  /// The transaction that has started and will write the key, or kNoTxn.
  [[nodiscard]] std::uint32_t claimed_by(KeyId key) const { return keys_[key.index()].claimed_by; }

  static constexpr std::uint32_t kNoTxn = 0xffffffffU;

  /// How many reads of the current version are still to come.
  [[nodiscard]] std::uint32_t readers_left(KeyId key) const {
    return left_[row(current(key), key)];
  }

  /// Whether some writer of the key may be able to go on.
  [[nodiscard]] bool is_free(KeyId key) const {
    return claimed_by(key) == kNoTxn && (events_.any_excludes_overlap() || readers_left(key) == 0);
  }

  /// As many of them may be the transaction's own; it need not wait for those.
  static constexpr std::uint32_t kFewReaders = 2;

  /// Reads and writes looked at.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  struct Key {
    WriteRef current = kInitialState;
    std::uint32_t claimed_by = kNoTxn;
  };

  template <class Visit>
  void each_known_read_at(std::uint32_t vertex, Visit visit) const {
    const std::uint32_t txn = events_.txn(vertex);
    for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
      const WriteRef writer = problem_.writer_of(r);
      if (writer != kOpenWriter && events_.read_event(problem_.reads()[r]) == vertex) {
        visit(r, writer);
      }
    }
  }

  /// Initial states come behind the writes.
  [[nodiscard]] std::size_t row(WriteRef writer, KeyId key) const {
    return writer == kInitialState ? problem_.writes().size() + key.index() : writer;
  }

  void find_updates();
  [[nodiscard]] std::uint32_t own_readers(WriteRef write, WriteRef current) const;
  [[nodiscard]] bool is_served(std::uint32_t read);
  void claim(std::uint32_t txn, bool is_claimed);
  void install(std::uint32_t txn);
  void uninstall(std::uint32_t txn);

  const OrderProblem& problem_;
  const EventMap& events_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> left_;  // by row(): reads still to come
  /// By write: reads of its transaction of the same key, with the event that commits.
  std::vector<std::array<std::uint32_t, kFewReaders>> own_reads_;
  std::vector<WriteRef> replaced_;  // by install, for uninstall
  GrowingLists lists_;
  std::uint64_t steps_ = 0;
};

}  // namespace elapid
