// The ids of transactions that have arrived already, so that a repeated one is noticed.
#ifndef ELAPID_ENGINE_ONLINE_ID_SET_H_
#define ELAPID_ENGINE_ONLINE_ID_SET_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/online/atom.h"
#include "engine/online/byte_codec.h"

namespace elapid {

/// A set of atoms, as ranges without gaps: names that are numbered on take nothing, whatever the
/// order in which they come. O(log ranges) each; about 64 bytes a range.
class IdSet {
 public:
  [[nodiscard]] bool contains(Atom id) const {
    const auto behind = ranges_.upper_bound(number_of(id));
    return behind != ranges_.begin() && number_of(id) <= std::prev(behind)->second;
  }

  /// False if it is in already.
  bool insert(Atom id) {
    const std::uint64_t number = number_of(id);
    auto behind = ranges_.upper_bound(number);
    const auto range = behind == ranges_.begin() ? ranges_.end() : std::prev(behind);
    if (range != ranges_.end() && number <= range->second) {
      return false;
    }
    const bool joins_before = range != ranges_.end() && range->second + 1 == number;
    const bool joins_behind = behind != ranges_.end() && behind->first == number + 1;
    const std::uint64_t last = joins_behind ? behind->second : number;
    if (joins_behind) {
      ranges_.erase(behind);
    }
    if (joins_before) {
      range->second = last;
    } else {
      ranges_.emplace(number, last);
    }
    return true;
  }

  [[nodiscard]] std::size_t memory() const { return ranges_.size() * kNode; }

  [[nodiscard]] std::string encode() const {
    ByteWriter out;
    for (const auto& [first, last] : ranges_) {
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
      set.ranges_.emplace_hint(set.ranges_.end(), first, first + in.number());
    }
    return set;
  }

 private:
  static constexpr std::size_t kNode = 64;

  /// Neighbouring numbers differ in the bits above the tag.
  static std::uint64_t number_of(Atom id) { return std::rotr(id.bits(), 2); }

  std::map<std::uint64_t, std::uint64_t> ranges_;  // first and last
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_ONLINE_ID_SET_H_
