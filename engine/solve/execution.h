// Carries out events one by one, with the current version of each key, the transactions that must
// still read it, and the obstacles of an event.
//
// Example: T2 writes x, and T1 has yet to read the version before. T2's commit waits (kReaders)
// until T1's start was carried out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/solve/event_map.h"
#include "engine/solve/growing_lists.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Carries out the events of certain transactions. Every step can be undone, the last one
/// first.
class Execution {
 public:
  Execution(const OrderProblem& problem, const EventMap& events);

  /// The obstacle of an event; it concerns one key.
  enum class Wait : std::uint8_t {
    kVersion,  ///< a version that it reads is not current, or a list is too short
    kReaders,  ///< others must read the version that it would replace
    kClaim,    ///< another writer has started and not committed (EventMap::excludes_overlap)
  };

  struct Obstacle {
    Wait wait = Wait::kVersion;
    KeyId key;
    /// For kReaders: no other transaction may write the key before this one. It has claimed the
    /// key, or it reads the version that it replaces in the same event.
    bool is_next = false;
  };

  /// False if only a search can determine the lists that count.
  [[nodiscard]] bool is_feasible() const { return lists_.is_feasible(); }

  /// Whether the vertex is an event of a certain transaction; other vertices have no effect.
  [[nodiscard]] bool is_effective(std::uint32_t vertex) const {
    return events_.is_of_txn(vertex) && problem_.is_certain(events_.txn(vertex));
  }

  /// The obstacle of an effective event, if it has one. O(its reads and writes, and the logarithm
  /// of candidates); steps() counts them.
  [[nodiscard]] std::optional<Obstacle> find_obstacle(std::uint32_t vertex);

  /// Carries out an effective event. Calls `changed(KeyId)` if others may now be able to go on.
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

  /// Undoes the last event. Calls `changed(KeyId)` as above.
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

  /// The transaction that started and will write the key, or kNoTxn.
  [[nodiscard]] std::uint32_t claimed_by(KeyId key) const { return keys_[key.index()].claimed_by; }

  static constexpr std::uint32_t kNoTxn = 0xffffffffU;

  /// The number of reads of the current version that are still to come.
  [[nodiscard]] std::uint32_t readers_left(KeyId key) const {
    return left_[row(current(key), key)];
  }

  /// Whether some writer of the key may be able to go on.
  [[nodiscard]] bool is_free(KeyId key) const {
    return claimed_by(key) == kNoTxn && (events_.any_excludes_overlap() || readers_left(key) == 0);
  }

  /// Up to this number, the readers may be the writing transaction itself, which need not wait.
  static constexpr std::uint32_t kFewReaders = 2;

  /// The number of reads and writes looked at.
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

  /// Initial states are numbered after the writes.
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
  /// By write: its transaction's reads of the key, with the event that commits.
  std::vector<std::array<std::uint32_t, kFewReaders>> own_reads_;
  std::vector<WriteRef> replaced_;  // by install, for uninstall
  GrowingLists lists_;
  std::uint64_t steps_ = 0;
};

}  // namespace elapid
