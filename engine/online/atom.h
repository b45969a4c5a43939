// Names of transactions, sessions and keys, and values: 64 bits each, however long a stream is.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/ir/seeded_hash.h"

namespace elapid {

// A list whose entries never move, so that one thread can read them while another adds more.

/// Blocks of 1, 2, 4... entries. One thread adds. Another may read the entries that were added
/// before it was told of them (by a mutex, say), whatever is added meanwhile.
template <class Entry>
class StableList {
 public:
  void push_back(Entry entry) {
    const auto [block, index] = place_of(size_);
    if (index == 0) {
      blocks_[block] = std::make_unique<Entry[]>(std::size_t{1} << block);
    }
    blocks_[block][index] = std::move(entry);
    ++size_;
  }

  [[nodiscard]] const Entry& operator[](std::size_t i) const {
    const auto [block, index] = place_of(i);
    return blocks_[block][index];
  }

  /// For the thread that adds.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static std::pair<std::size_t, std::size_t> place_of(std::size_t i) {
    const auto block = static_cast<std::size_t>(std::bit_width(i + 1) - 1);
    return {block, i + 1 - (std::size_t{1} << block)};
  }

  std::array<std::unique_ptr<Entry[]>, 64> blocks_;
  std::size_t size_ = 0;
};

/// An integer, a text, a literal, nil or nothing at all. Integers of 62 bits are held as they are,
/// texts that end in a number ("txn-17") by what comes before it, of which there are few; so that
/// only other texts take memory, in the AtomTable that made them. Equal iff what they stand for is
/// equal.
class Atom {
 public:
  constexpr Atom() = default;

  static constexpr Atom none() { return Atom(kNone); }

  static constexpr Atom nil() { return Atom(kNil); }

  /// The number 0.
  static constexpr Atom zero() { return Atom(0); }

  static constexpr Atom from_bits(std::uint64_t bits) { return Atom(bits); }

  [[nodiscard]] constexpr bool is_none() const { return bits_ == kNone; }

  [[nodiscard]] constexpr bool is_nil() const { return bits_ == kNil; }

  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }

  friend constexpr auto operator<=>(Atom, Atom) = default;

 private:
  friend class AtomTable;
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kNil = kNone - 1;

  explicit constexpr Atom(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = kNone;
};

/// Makes atoms, and knows what they stand for. While one thread makes atoms, another may ask for
/// the JSON of those that it was handed.
class AtomTable {
 public:
  [[nodiscard]] Atom integer(std::int64_t number);

  [[nodiscard]] Atom text(std::string_view text);

  /// What is neither: a number with a fraction, a truth value, or whatever else a text stands for
  /// that is not its own string. An integer in digits is that integer.
  [[nodiscard]] Atom literal(std::string_view text);

  /// As JSON: `null`, a number or a string; literals as they are if they are JSON's, else as
  /// strings.
  [[nodiscard]] std::string json(Atom atom) const;
  void append_json(std::string& out, Atom atom) const;

  /// The texts and literals that were needed so far, in the order of their first use.
  struct Entry {
    std::string text = {};
    bool is_literal = false;
  };

  [[nodiscard]] const StableList<Entry>& entries() const { return entries_; }

  /// How much is in a table.
  struct Extent {
    std::size_t entries = 0;
    std::size_t memory = 0;  ///< bytes, roughly
  };

  /// For the thread that makes atoms; others may know it as it was.
  [[nodiscard]] Extent extent() const { return {entries_.size(), memory_}; }

  /// What entries() said: makes the same atoms stand for the same things again, in an empty table.
  void restore(Entry entry);

 private:
  [[nodiscard]] std::uint64_t intern(std::string_view text, bool is_literal);

  StableList<Entry> entries_;
  std::unordered_map<std::string, std::uint64_t, SeededHash>
      places_;  // of entries, by tag and text
  std::size_t memory_ = 0;
};

}  // namespace elapid

/// An input chooses which atoms it has.
template <>
struct std::hash<elapid::Atom> {
  std::size_t operator()(elapid::Atom atom) const { return elapid::seeded_hash(atom.bits()); }
};
