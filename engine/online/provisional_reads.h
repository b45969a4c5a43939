// The reads that are wrong by the transactions so far, until their time is final.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/moment.h"
#include "engine/online/page_store.h"

namespace elapid {

/// A thing to test when its time is final: a read of a key, or a place in a session.
struct Pending {
  Moment due = {};
  Moment at = {};
  Atom owner = {};
  Atom txn = {};
  std::uint32_t mop = 0;
  PageOwner::Kind kind = PageOwner::Kind::kKey;
};

/// Nearly all of them become right before their time is final, often within microseconds. So
/// nothing is sorted or searched for these: a small table by hash counts a right read out, and the
/// waiting entry is dropped when its time is near. 64 bytes for each waiting read.
class ProvisionalReads {
 public:
  /// Adds a read that became wrong.
  void add(const Pending& read);

  /// Removes a read that became right, or whose time is final.
  void remove(Atom key, Atom reader, std::uint32_t mop);

  /// Removes all reads whose time is final at the watermark, and perhaps some later ones, and calls
  /// `take` for each. Some of these are not wrong any more, or come more than once.
  template <class Take>
  void take_due(Timestamp watermark, Take take);

  /// The reads that were not taken, in no order; some of them were removed.
  [[nodiscard]] const std::vector<Pending>& waiting() const { return waiting_; }

  [[nodiscard]] std::size_t memory() const {
    return waiting_.size() * sizeof(Pending) + counts_.size() * sizeof(Count);
  }

  /// The state that waiting() does not have.
  [[nodiscard]] std::string encode() const;
  void restore(std::string_view bytes);

 private:
  using Count = std::uint16_t;

  static constexpr std::size_t kSlots = std::size_t{1} << 16;
  static constexpr Count kMany = std::numeric_limits<Count>::max();  // saturated: the count stays

  static std::size_t slot_of(Atom key, Atom reader, std::uint32_t mop) {
    const std::uint64_t mixed =
        (reader.bits() + mop) * 0x9E3779B97F4A7C15U ^ key.bits() * 0xC2B2AE3D27D4EB4FU;
    return (mixed ^ mixed >> 32) % kSlots;
  }

  [[nodiscard]] bool may_be_wrong(const Pending& read) const {
    return counts_[slot_of(read.owner, read.txn, read.mop)] > 0;
  }

  void wait(const Pending& read);

  std::vector<Count> counts_;  // of wrong reads, by hash; empty at first
  std::vector<Pending> waiting_;
  std::vector<Pending> before_;  // a copy of waiting_ during its traversal
  Timestamp first_ = Timestamp::last();
  Timestamp last_ = Timestamp::first();
};

template <class Take>
void ProvisionalReads::take_due(Timestamp watermark, Take take) {
  constexpr std::uint64_t kParts = 8;  // one of this many parts is taken at a time
  if (watermark < first_) {
    return;
  }
  const auto begin = static_cast<std::uint64_t>(watermark.physical);
  const std::uint64_t range =
      last_ <= watermark ? 0 : static_cast<std::uint64_t>(last_.physical) - begin;
  const auto horizon = static_cast<std::int64_t>(begin + range / kParts);
  before_.swap(waiting_);
  waiting_.clear();
  first_ = Timestamp::last();
  last_ = Timestamp::first();
  for (const Pending& read : before_) {
    if (!may_be_wrong(read)) {
      continue;
    }
    if (read.due.physical > horizon) {
      wait(read);
    } else {
      take(read);
    }
  }
}

}  // namespace elapid
