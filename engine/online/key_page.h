// A part of a key's timeline: its versions and reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/online/atom.h"
#include "engine/online/moment.h"
#include "engine/online/page_allocator.h"

namespace elapid {

/// The version that a transaction left at its commit. Versions of a key are ordered by moment, then
/// by the writers' names.
struct OnlineVersion {
  Moment at = {};
  Timestamp start = {};  ///< time of the writer's reads
  Atom writer = {};
  Atom value = {};  ///< none() for lists

  /// The time from start to commit, in units of the physical part.
  [[nodiscard]] std::uint64_t duration() const {
    return static_cast<std::uint64_t>(at.physical) - static_cast<std::uint64_t>(start.physical);
  }
};

enum class ReadState : std::uint8_t {
  kRight,
  kWrong,
  kTied,   ///< the candidate versions have no order
  kMaybe,  ///< its value was written at an unknown time
};

/// A read of another transaction's write.
struct OnlineRead {
  Moment at = {};
  Atom reader = {};
  Atom value = {};
  std::uint32_t mop = 0;
  ReadState state = ReadState::kRight;
  Atom next = {};  ///< the key of the reader's next read; after its last read, the key of the first
};

/// A value that its own transaction overwrote.
struct PassingValue {
  Moment at = {};  ///< the moment of the version that the transaction left
  Atom writer = {};
  Atom value = {};
};

/// A page's list of entries.
template <class Entry>
using Entries = std::vector<Entry, PageAllocator<Entry>>;

/// All versions and reads from `begin` until the next page begins.
struct KeyPage {
  Moment begin = Moment::first();
  bool is_dirty = true;
  bool is_floor_tied = false;
  std::optional<OnlineVersion> floor = {};  ///< the last version before the page
  /// An upper bound of duration() over the writers of the versions.
  std::uint64_t longest = 0;
  Entries<OnlineVersion> versions = {};           ///< by moment and writer
  Entries<OnlineRead> reads = {};                 ///< by moment, reader and mop
  std::vector<PassingValue> passing_values = {};  ///< almost always empty

  /// The version that a read at a moment of this page should show.
  struct Current {
    const OnlineVersion* version = nullptr;  ///< null: the initial one
    bool is_tied = false;                    ///< the version and another one have no order
  };

  [[nodiscard]] Current current(Moment moment) const;

  /// The same for a read; also tied if another transaction writes at the same moment. One binary
  /// search.
  [[nodiscard]] Current current_for(Moment moment, Atom reader) const;

  /// The version of a transaction at a moment; null if it is not in this page.
  [[nodiscard]] const OnlineVersion* version_of(Moment moment, Atom writer) const;

  /// The read of a transaction at a moment; null if there is none.
  [[nodiscard]] const OnlineRead* read_of(Moment moment, Atom reader) const;

  /// Sets the page's floor: the last version before it.
  void rest_on(Current before);

  /// Whether all versions and reads are before a moment.
  [[nodiscard]] bool is_before(Moment moment) const {
    return (versions.empty() || versions.back().at < moment) &&
           (reads.empty() || reads.back().at < moment);
  }

  [[nodiscard]] std::size_t size() const { return versions.size() + reads.size(); }

  /// Bytes used.
  [[nodiscard]] std::size_t memory() const {
    return sizeof(KeyPage) + versions.capacity() * sizeof(OnlineVersion) +
           reads.capacity() * sizeof(OnlineRead) + passing_values.capacity() * sizeof(PassingValue);
  }

  [[nodiscard]] bool has_entries_before(Moment moment) const;
  [[nodiscard]] std::optional<Moment> cut(bool is_last) const;
  [[nodiscard]] KeyPage split(Moment from);
  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static KeyPage decode(Moment begin, std::string_view bytes);

 private:
  [[nodiscard]] Current left_before(Entries<OnlineVersion>::const_iterator after) const;
};

}  // namespace elapid
