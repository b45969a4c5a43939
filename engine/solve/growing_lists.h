// Lists with repeated elements, while events are carried out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/problem.h"

namespace elapid {

/// Each list grows along its line (list_places.h), place after place.
class GrowingLists {
 public:
  explicit GrowingLists(const OrderProblem& problem);

  /// Whether only the certain lines count.
  [[nodiscard]] bool is_feasible() const { return is_feasible_; }

  /// A list that the transaction must wait for. For a start: the list is not yet as the transaction
  /// reads it. For a claim: its place is not yet the next one. For a commit: readers of the current
  /// list are still to come.
  [[nodiscard]] std::optional<KeyId> find_obstacle(std::uint32_t txn, bool starts, bool claims,
                                                   bool commits) const;

  /// Notes its reads. Calls `changed(KeyId)` if the version has no readers left.
  template <class Changed>
  void start(std::uint32_t txn, Changed changed) {
    for (const std::uint32_t r : readings_of(txn)) {
      const ListPlaces::Reading& reading = lists_.readings()[r];
      if (--left_[reading.line][reading.length] == 0) {
        changed(lists_.lines()[reading.line].key);
      }
    }
  }

  /// Notes its appends.
  void commit(std::uint32_t txn);

  // These undo start() and commit(), in reverse order of transactions.

  void take_back_start(std::uint32_t txn);
  void take_back_commit(std::uint32_t txn);

 private:
  static constexpr std::uint32_t kBehind = 0xffffffffU;

  [[nodiscard]] std::span<const std::uint32_t> readings_of(std::uint32_t txn) const {
    return lists_.empty() ? std::span<const std::uint32_t>() : lists_.readings_of(txn);
  }

  [[nodiscard]] std::span<const std::uint32_t> stands_of(std::uint32_t txn) const {
    return lists_.empty() ? std::span<const std::uint32_t>() : lists_.stands_of(txn);
  }

  [[nodiscard]] const ListPlaces::Place* place_at(const ListPlaces::Stand& stand,
                                                  std::uint32_t length) const;
  [[nodiscard]] bool comes_next(const ListPlaces::Stand& stand) const;
  [[nodiscard]] bool others_read(const ListPlaces::Stand& stand, bool starts) const;

  const ListPlaces& lists_;
  bool is_feasible_ = true;
  std::vector<std::uint32_t> length_;         // by line
  std::vector<std::uint32_t> length_before_;  // by commit in a certain line, for take_back_commit
  std::vector<std::vector<std::uint32_t>> left_;  // by line and length: readers still to come
};

}  // namespace elapid
