// Names of transactions, sessions and keys, and values: 64 bits each, for streams of any length.
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

// A list with entries that never move. One thread reads them while another one adds more.

/// Blocks of 1, 2, 4... entries. One thread adds. Another thread may read all entries that were
/// added before a handover to it (by a mutex, say), also while more are added.
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

  /// Call only from the thread that adds.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static std::pair<std::size_t, std::size_t> place_of(std::size_t i) {
    const auto block = static_cast<std::size_t>(std::bit_width(i + 1) - 1);
    return {block, i + 1 - (std::size_t{1} << block)};
  }

  std::array<std::unique_ptr<Entry[]>, 64> blocks_;
  std::size_t size_ = 0;
};

/// An integer, a text, a literal, nil, or nothing at all. An integer of up to 62 bits is stored in
/// the atom. A text that ends in a number ("txn-17") is stored as the number and its prefix; there
/// are few prefixes. Only other texts take memory, in the AtomTable that made them. Equal iff the
/// things that they stand for are equal.
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

/// Makes atoms, and knows their meanings. While one thread makes atoms, another one may ask for the
/// JSON of the atoms that it was handed.
class AtomTable {
 public:
  [[nodiscard]] Atom integer(std::int64_t number);

  [[nodiscard]] Atom text(std::string_view text);

  /// An atom for a literal: a number with a fraction, a truth value, or any text that is not a
  /// string. If the text is an integer in digits, the atom is that integer.
  [[nodiscard]] Atom literal(std::string_view text);

  /// The atom as JSON: `null`, a number or a string. A literal that is JSON stays as it is; any
  /// other literal becomes a string.
  [[nodiscard]] std::string json(Atom atom) const;
  void append_json(std::string& out, Atom atom) const;

  /// The texts and literals used so far, in the order of their first use.
  struct Entry {
    std::string text = {};
    bool is_literal = false;
  };

  [[nodiscard]] const StableList<Entry>& entries() const { return entries_; }

  /// The size of a table.
  struct Extent {
    std::size_t entries = 0;
    std::size_t memory = 0;  ///< bytes, roughly
  };

  /// Call from the thread that makes atoms; other threads may keep the result.
  [[nodiscard]] Extent extent() const { return {entries_.size(), memory_}; }

  /// Adds an entry of entries() to an empty table, so that the same atoms get the same meanings.
  void restore(Entry entry);

 private:
  [[nodiscard]] std::uint64_t intern(std::string_view text, bool is_literal);

  StableList<Entry> entries_;
  std::unordered_map<std::string, std::uint64_t, SeededHash>
      places_;  // places of entries, by tag and text
  std::size_t memory_ = 0;
};

}  // namespace elapid

/// The hash is seeded, since an input chooses its atoms.
template <>
struct std::hash<elapid::Atom> {
  std::size_t operator()(elapid::Atom atom) const { return elapid::seeded_hash(atom.bits()); }
};
