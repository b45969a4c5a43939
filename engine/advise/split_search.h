// Searches for split schedules: every counterexample to robustness has one of this form.
//
//   T1 up to b1 | T2 | T3 | ... | Tm | the rest of T1
//
// T2 ... Tm run one after the other, each conflicts with the next; b1 reads what T2 overwrites, and
// Tm conflicts with T1 so that it comes before it. An allocation lets some schedule be not
// serializable if and only if it allows one of this form (Vandevoort, Ketsman, Neven, PODS 2023).
// Which schedules are allowed depends on the level of T1; if T1 is serializable, also on the levels
// of the others:
//
//   read committed   no write up to b1 is of an item that T2 ... Tm write. Tm closes the cycle by
//                    a read of what T1 writes, or by a write of what T1 reads or writes after b1
//   snapshot         nothing that T1 writes is written by T2 ... Tm; Tm reads what T1 writes
//   serializable     the same, and no serializable Tj, Ti, j <= i, such that T1 reads what Tj
//   writes
//                    and Ti reads what T1 writes. Without a transaction on a cycle it stays
//                    allowed, so that a shortest one has only T2 and Tm that are not both
//                    serializable
//
// T1 alone decides the first two, so the lowest allocation is cheap to find (lowest.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/advise/application.h"

namespace elapid::advise {

/// The schedule above. If transactions run any number of times, `others` may name T1: that is
/// another transaction of the same program on the same keys.
struct Split {
  std::uint32_t first = 0;                 ///< T1
  std::size_t prefix = 0;                  ///< number of T1's operations before the others
  std::vector<std::uint32_t> others = {};  ///< T2 ... Tm
};

/// Each question costs O(operations of the application) for each read of T1.
class SplitSearch {
 public:
  /// `application` must outlive it.
  explicit SplitSearch(const Application& application);

  /// A split of `first` that this allocation (a level for each program) allows. It has as few
  /// others as possible, except at kSerializable, where the first of two searches may find a longer
  /// one.
  std::optional<Split> find(std::uint32_t first, std::span<const Level> levels);

  /// Adds to `programs` (flags by program) those that must be serializable so that no split of
  /// `first` is allowed: the programs of T2 and Tm of shortest cycles. Requires that `first` is
  /// serializable.
  void add_partners(std::uint32_t first, std::vector<bool>& programs);

 private:
  /// The role of a transaction in a schedule with T1.
  enum Role : std::uint8_t { kNone = 0, kOut = 1, kIn = 2, kBlocked = 4 };

  struct Accessors {
    std::vector<std::uint32_t> readers = {};
    std::vector<std::uint32_t> writers = {};
  };

  struct Accessed {
    std::vector<ItemId> read = {};
    std::vector<ItemId> written = {};
  };

  void clear_roles();
  void add_role(std::span<const std::uint32_t> transactions, Role role);
  void cast_at_snapshot(std::uint32_t first);
  void cast_at_read_committed(std::uint32_t first, std::size_t read);
  std::optional<Split> shortest(std::uint32_t first);
  template <class Visit>
  std::optional<std::uint32_t> spread(Role from, Role avoided, Visit visit);
  template <class See>
  void see_neighbours(std::uint32_t transaction, See see);
  [[nodiscard]] std::size_t prefix_before(std::uint32_t first, std::uint32_t second) const;

  const Application& application_;
  std::vector<Accessors> accessors_;         // by item
  std::vector<Accessed> accessed_;           // by transaction, its operations together
  std::vector<std::uint8_t> roles_;          // by transaction
  std::vector<std::uint32_t> cast_ = {};     // those with a role
  std::vector<std::uint32_t> seen_;          // by transaction: the round in which it was
  std::vector<std::uint32_t> parents_;       // by transaction
  std::vector<std::uint32_t> readers_seen_;  // by item: the round in which all were
  std::vector<std::uint32_t> writers_seen_;
  std::uint32_t round_ = 0;
};

}  // namespace elapid::advise
