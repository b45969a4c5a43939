// The possible places of each transaction's elements in lists with repeated elements.
//
// A list that was read consists of what transactions appended; the elements of one transaction are
// adjacent. For each key the longest list of a reader that certainly took effect counts, and the
// lists that continue it, of readers that may not have taken effect. In an execution in which a
// list was read, each of its positions belongs to one transaction. A transaction that took effect
// but has no place in the list appended after the list was read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/certify/operations/effects.h"
#include "engine/certify/operations/list_orders.h"
#include "engine/ir/history.h"

namespace elapid::certify {

/// Empty unless an element was appended to a key twice. 16 bytes a place, and 4 for each position
/// in it. Refers to the history.
class ListPlaces {
 public:
  struct Line {
    KeyId key;
    TxnId reader = TxnId::none();  ///< none(): a transaction that certainly took effect
    std::uint32_t base = 0;        ///< the place at which it continues the certain line of the key
    std::span<const ValueId> list = {};
    std::uint32_t first_position = 0;
  };

  /// The elements of `txn` may be those in [`begin`, `end`).
  struct Place {
    std::uint32_t line = 0;
    TxnId txn;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  ListPlaces(const History& history, const Effects& effects, const ListOrders& lists);

  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

  [[nodiscard]] std::uint32_t position_count() const {
    return static_cast<std::uint32_t>(covering_begin_.size()) - 1;
  }

  [[nodiscard]] std::uint32_t line_of_position(std::uint32_t position) const {
    return line_of_position_[position];
  }

  /// The places that cover a position.
  [[nodiscard]] std::span<const std::uint32_t> covering(std::uint32_t position) const {
    return std::span(covering_).subspan(covering_begin_[position],
                                        covering_begin_[position + 1] - covering_begin_[position]);
  }

  /// The first position of a place. The others follow it.
  [[nodiscard]] std::uint32_t first_position(const Place& place) const {
    const Line& line = lines_[place.line];
    return line.first_position + place.begin - line.base;
  }

  /// The numbers of a transaction's places.
  [[nodiscard]] std::span<const std::uint32_t> of(TxnId txn) const;

  /// The certain line of the key, which may be empty; and the line that `reader` read beyond it.
  [[nodiscard]] std::optional<std::uint32_t> line_of(KeyId key) const;
  [[nodiscard]] std::optional<std::uint32_t> line_of(TxnId reader, KeyId key) const;

  /// How much of the key's list `reader` read before any own element; nothing if it read none.
  [[nodiscard]] std::optional<std::uint32_t> length_read(TxnId reader, KeyId key) const;

  /// The place of `txn` that ends after the first `length` elements that `reader` read.
  [[nodiscard]] std::optional<std::uint32_t> find(TxnId reader, KeyId key, TxnId txn,
                                                  std::uint32_t length) const;

  /// Whether a list shows an element more often than it was appended.
  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

  /// Whether the transaction's reads contradict the certain line, so that it did not take effect.
  [[nodiscard]] bool is_impossible(TxnId txn) const {
    return !is_impossible_.empty() && is_impossible_[txn.index()];
  }

  /// Transactions that may not have taken effect, and whose list of a certain line ends in a place.
  [[nodiscard]] std::vector<TxnId> cut_by(std::uint32_t place) const;

  /// The places on certain lines in which lists of this transaction would end.
  [[nodiscard]] std::vector<std::uint32_t> cuts_of(TxnId reader) const;

 private:
  struct Appends {
    KeyId key;
    TxnId txn;
    std::uint32_t read = 0;  // the length of the list that it read, without its elements
    std::vector<ValueId> elements = {};
  };

  /// The part of a certain line that a transaction read which may not have taken effect.
  struct Cut {
    std::uint32_t line = 0;
    std::uint32_t length = 0;
    TxnId reader;
  };

  void add_lines();
  void add_line(TxnId reader, const ExternalRead& read);
  [[nodiscard]] std::vector<Appends> collect_appends() const;
  [[nodiscard]] std::vector<bool> certain_ends(std::uint32_t line) const;
  [[nodiscard]] static bool has_enough(std::span<const ValueId> list,
                                       std::span<const Appends> appends);
  void add_places(std::uint32_t line, std::span<const Appends> all);
  void index();

  const History& history_;
  const Effects& effects_;
  const ListOrders& orders_;
  std::vector<Line> lines_;  // those of keys come first, in their order
  std::vector<Place> places_;
  std::vector<std::uint32_t> by_txn_;
  std::vector<std::uint32_t> txn_begin_;
  std::vector<std::uint32_t> covering_;
  std::vector<std::uint32_t> covering_begin_ = {0};
  std::vector<std::uint32_t> line_of_position_;
  std::vector<Cut> cuts_;
  std::vector<bool> is_impossible_;
  bool is_contradictory_ = false;
};

}  // namespace elapid::certify
