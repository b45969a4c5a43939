// The ids of the transactions so far, for finding duplicates.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/byte_codec.h"

namespace elapid {

/// A set of atoms, in blocks of 64 neighbours. Full blocks are stored as ranges without gaps, so
/// consecutive names take no memory, in any order of arrival. A block with missing names has a bit
/// for each name: O(1). There are few such blocks at a time, so they stay in the processor's
/// cache. O(log ranges) for the first and the last name of a block; about 64 bytes a range and a
/// block.
class IdSet {
 public:
  [[nodiscard]] bool contains(Atom id) const {
    const std::uint64_t number = number_of(id);
    const auto open = open_.find(number / kBlock);
    return open != open_.end() ? (open->second & bit_of(number)) != 0 : is_full(number / kBlock);
  }

  /// Whether the id is new.
  bool insert(Atom id) {
    const std::uint64_t number = number_of(id);
    const std::uint64_t block = number / kBlock;
    auto open = open_.find(block);
    if (open == open_.end()) {
      if (is_full(block)) {
        return false;
      }
      open = open_.emplace(block, 0).first;
    }
    const bool is_new = (open->second & bit_of(number)) == 0;
    open->second |= bit_of(number);
    if (open->second == kAll) {
      open_.erase(open);
      fill(block, block);
    }
    return is_new;
  }

  [[nodiscard]] std::size_t memory() const { return (full_.size() + open_.size()) * kNode; }

  [[nodiscard]] std::string encode() const {
    ByteWriter out;
    for (const auto& [first, last] : ranges()) {
      out.add_name(Atom::from_bits(first));
      out.add(last - first);
    }
    return std::move(out).take();
  }

  static IdSet decode(std::string_view bytes) {
    IdSet set;
    ByteReader in(bytes);
    while (!in.is_at_end()) {
      const std::uint64_t first = in.name().bits();
      set.insert_range(first, first + in.number());
    }
    return set;
  }

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // first and last

  static constexpr std::uint64_t kBlock = 64;  // names
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};
  static constexpr std::size_t kNode = 64;  // bytes

  /// Neighbouring numbers differ in the bits above the tag.
  static std::uint64_t number_of(Atom id) { return std::rotr(id.bits(), 2); }

  static std::uint64_t bit_of(std::uint64_t number) {
    return std::uint64_t{1} << (number % kBlock);
  }

  [[nodiscard]] bool is_full(std::uint64_t block) const {
    const auto behind = full_.upper_bound(block);
    return behind != full_.begin() && block <= std::prev(behind)->second;
  }

  /// Adds full blocks. None of them was full before.
  void fill(std::uint64_t first, std::uint64_t last) {
    auto behind = full_.upper_bound(first);
    const auto before = behind == full_.begin() ? full_.end() : std::prev(behind);
    if (behind != full_.end() && behind->first == last + 1) {
      last = behind->second;
      full_.erase(behind);
    }
    if (before != full_.end() && before->second + 1 == first) {
      before->second = last;
    } else {
      full_.emplace(first, last);
    }
  }

  /// Adds names. None of them was in the set before.
  void insert_range(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t first_full = (first + kBlock - 1) / kBlock;
    const std::uint64_t behind_full =
        last % kBlock == kBlock - 1 ? last / kBlock + 1 : last / kBlock;
    if (first_full < behind_full) {
      fill(first_full, behind_full - 1);
    }
    for (const std::uint64_t block : {first / kBlock, last / kBlock}) {
      if (block < first_full || block >= behind_full) {
        const std::uint64_t from = std::max(first, block * kBlock) % kBlock;
        const std::uint64_t until = std::min(last, block * kBlock + kBlock - 1) % kBlock;
        open_[block] |= kAll >> (kBlock - 1 - until) & kAll << from;
      }
    }
  }

  /// All names, as ranges without gaps.
  [[nodiscard]] std::vector<Range> ranges() const {
    std::vector<Range> parts;
    for (const auto& [first, last] : full_) {
      parts.emplace_back(first * kBlock, last * kBlock + kBlock - 1);
    }
    for (const auto& [block, bits] : open_) {
      for (std::uint64_t i = 0; i < kBlock; ++i) {
        if ((bits & bit_of(i)) != 0) {
          parts.emplace_back(block * kBlock + i, block * kBlock + i);
        }
      }
    }
    std::ranges::sort(parts);
    std::vector<Range> joined;
    for (const Range& part : parts) {
      if (!joined.empty() && joined.back().second + 1 == part.first) {
        joined.back().second = part.second;
      } else {
        joined.push_back(part);
      }
    }
    return joined;
  }

  std::map<std::uint64_t, std::uint64_t> full_;  // first and last block of a range
  std::unordered_map<std::uint64_t, std::uint64_t, SeededHash>
      open_;  // bits of a block that is not full
};

}  // namespace elapid
