// Lists with repeated elements: the possible places of each transaction's elements.
//
// A list that was read consists of the elements of transactions, one transaction after another,
// each with all its elements in a row. If an element was appended several times, several
// transactions may have one place: a choice, like the writer that a read of a register saw. Exactly
// one transaction covers each position of a list that was read. A transaction that took effect but
// has no place in the list came later.
//
// Example: T1 and T3 append 1, T2 appends 2, and T4 reads [1 2 1]. T1 and T3 may each be at
// position 0 or 2; T2 is at 1. If T1 is known to follow T2, T3 is at position 0.
//
// Each key has one line, the longest list that was certainly read. The prefixes of a line are
// versions. A longer list that an indeterminate transaction read is a line of its own. It continues
// the first line, and counts only if its reader took effect.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/ir/history.h"
#include "engine/solve/footprints.h"

namespace elapid {

/// A key whose lists alone do not determine who appended which element: an element was appended
/// more than once, or the reader of a list may not have taken effect.
struct AmbiguousList {
  KeyId key;
  TxnId reader = TxnId::none();           ///< the reader of the longest list
  std::span<const ValueId> longest = {};  ///< without the reader's own elements
};

class ListPlaces {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Line {
    KeyId key;
    std::uint32_t reader = kNone;  ///< the reader of the line's list
    bool is_certain = true;  ///< the line of its key; else it counts only if the reader took effect
    std::uint32_t trunk = 0;  ///< the certain line of the key
    std::uint32_t base = 0;   ///< where it leaves the trunk: at the trunk's end
    std::uint32_t length = 0;
    std::uint32_t first_version = 0;
    std::uint32_t first_position = 0;
  };

  enum class State : std::uint8_t { kOpen, kTaken, kStruck };

  /// The possible place of the elements of `txn` in the line's list: from `begin` to `end`.
  struct Place {
    std::uint32_t line = 0;
    std::uint32_t txn = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    State state = State::kOpen;
  };

  /// A transaction that appends to the line's key, and its places in the line.
  struct Stand {
    enum class State : std::uint8_t { kOpen, kInside, kBehind };
    std::uint32_t line = 0;
    std::uint32_t txn = 0;
    std::uint32_t first_place = 0;
    std::uint32_t place_count = 0;
    std::uint32_t open = 0;  ///< places that are not excluded
    State state = State::kOpen;
  };

  /// A transaction that read the first `length` elements of the line.
  struct Reading {
    std::uint32_t txn = 0;
    std::uint32_t line = 0;
    std::uint32_t length = 0;
    bool is_certain = true;  ///< the reader was known to have taken effect from the beginning
    bool appends = false;    ///< it also appends to the key
  };

  ListPlaces() = default;

  /// `certain`, `possible`: by transaction, whether it took effect, and may have. Excludes places
  /// by single positions. O(places x their lengths); calls `keep_going` now and then.
  ListPlaces(const History& history, const Footprints& footprints,
             std::span<const AmbiguousList> keys, const std::vector<bool>& certain,
             const std::vector<bool>& possible, const std::function<bool()>& keep_going = {});

  [[nodiscard]] bool is_ambiguous(KeyId key) const {
    return !is_ambiguous_.empty() && is_ambiguous_[key.index()];
  }

  [[nodiscard]] bool empty() const { return lines_.empty(); }

  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

  [[nodiscard]] const std::vector<Stand>& stands() const { return stands_; }

  [[nodiscard]] const std::vector<Reading>& readings() const { return readings_; }

  /// By transaction: the numbers of its readings, or of its stands.
  [[nodiscard]] std::span<const std::uint32_t> readings_of(std::uint32_t txn) const {
    return readings_of_.of(txn);
  }

  [[nodiscard]] std::span<const std::uint32_t> stands_of(std::uint32_t txn) const {
    return stands_of_.of(txn);
  }

  /// The readings of the first `length` elements of the line: numbers from first to before second.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> readings_at(std::uint32_t line,
                                                                    std::uint32_t length) const;

  /// The places in the line that cover a position.
  [[nodiscard]] std::span<const std::uint32_t> covering(std::uint32_t line,
                                                        std::uint32_t position) const {
    return covering_.of(lines_[line].first_position + position - lines_[line].base);
  }

  /// The stand of the same transaction in the trunk.
  [[nodiscard]] const Stand& trunk_stand(const Stand& stand) const;

  /// Versions are numbered: each prefix of a line once, and after the prefixes of a trunk once
  /// more, as the vertices of unread().
  [[nodiscard]] std::uint32_t version_count() const { return version_count_; }

  [[nodiscard]] std::uint32_t version(std::uint32_t line, std::uint32_t length) const;
  /// A vertex that follows all readers of the line that saw at most its first `length` elements.
  [[nodiscard]] std::uint32_t unread(std::uint32_t line, std::uint32_t length) const;

  [[nodiscard]] std::uint32_t line_of_version(std::uint32_t version) const {
    return line_of_version_[version];
  }

  /// Whether the version is a vertex of unread().
  [[nodiscard]] bool is_unread(std::uint32_t version) const;

  // Facts that become settled.

  /// The transaction does not have this place.
  void exclude(std::uint32_t place);

  /// The transaction took effect. If it has no place in the list, it comes after the list.
  void note_certain(std::uint32_t txn);

  /// Whether some position cannot be covered by any transaction.
  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

  /// The key of this position.
  [[nodiscard]] KeyId contradiction() const { return contradiction_; }

  /// The settled stands, in the order of settling.
  [[nodiscard]] const std::vector<std::uint32_t>& settled() const { return settled_; }

  /// The place of a stand that is in the list.
  [[nodiscard]] const Place& place_of(const Stand& stand) const;

  /// The reason why there are too many possibilities; empty if there are not.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }

  /// Whether the reason is that `keep_going` returned false.
  [[nodiscard]] bool was_stopped() const { return was_stopped_; }

  /// Indeterminate transactions whose lists contradict the certain ones.
  [[nodiscard]] const std::vector<std::uint32_t>& impossible() const { return impossible_; }

 private:
  class Builder;

  void strike(std::uint32_t place);
  void take(std::uint32_t place);
  void work_off();

  std::vector<bool> is_ambiguous_;  // by key
  std::vector<bool> certain_;
  std::vector<Line> lines_;
  std::vector<Place> places_;      // by stand
  std::vector<Stand> stands_;      // by line and transaction
  std::vector<Reading> readings_;  // by line and length
  Adjacency readings_of_;
  Adjacency stands_of_;
  Adjacency covering_;
  std::vector<std::uint32_t> line_of_version_;
  std::uint32_t version_count_ = 0;
  std::vector<std::uint32_t> open_at_;  // by position: places that are not excluded
  std::vector<std::uint32_t> stand_of_place_;
  std::vector<std::pair<std::uint32_t, State>> work_;
  std::vector<std::uint32_t> settled_;
  std::vector<std::uint32_t> impossible_;
  bool is_contradictory_ = false;
  KeyId contradiction_ = {};
  std::string unclear_;
  bool was_stopped_ = false;
};

}  // namespace elapid
