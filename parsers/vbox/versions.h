// The versions of rows in the logs, each once, with its ids in the history. So a record of a read
// costs one look-up, and reads of versions that no log wrote are noticed.
//
// Sessions' logs are read one after the other, so a version may be read long before the record that
// wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history_builder.h"
#include "parsers/vbox/records.h"

namespace elapid::vbox {

/// A version as one number.
[[nodiscard]] inline std::int64_t version_number(Version version) {
  return static_cast<std::int64_t>(std::uint64_t{version.tid} << 32 | version.oid);
}

/// A version of a row, and its ids.
struct RowVersion {
  std::uint64_t key = 0;
  Version version = {};
  KeyId row = KeyId::none();
  ValueId value = ValueId::nil();  ///< nil() for the initial version
  bool is_written = false;         ///< a record writes it
};

/// The first read of a version.
struct FirstRead {
  std::uint64_t key = 0;
  Version version = {};
  std::uint64_t offset = 0;
  std::uint16_t file = 0;
};

/// Open addressing, 32 bytes a slot, at most four fifths full: every look-up in a large table
/// misses the cache, and should miss only once.
class VersionTable {
 public:
  /// Borrows the builder, whose pool interns the values.
  explicit VersionTable(HistoryBuilder& history) : history_(history), slots_(kFirstSlots) {}

  /// Sets the file of the reads to come.
  void begin_file(std::uint16_t file) { file_ = file; }

  /// The version that was read at this byte. For a new version `make_row(key)` is called before its
  /// value is interned. Valid until the next call.
  template <class MakeRow>
  const RowVersion& read(std::uint64_t key, Version version, std::uint64_t offset,
                         MakeRow make_row) {
    const std::size_t known = size_;
    const RowVersion& found = find_or_add(key, version, make_row);
    if (size_ > known && version.tid != 0) {
      first_reads_.push_back({key, version, offset, file_});
    }
    return found;
  }

  /// The version that a record writes; otherwise as read().
  template <class MakeRow>
  const RowVersion& write(std::uint64_t key, Version version, MakeRow make_row) {
    RowVersion& found = find_or_add(key, version, make_row);
    found.is_written = true;
    return found;
  }

  /// Prefetches the version, for a look-up soon after. GCC 12 drops calls of a function that only
  /// prefetches, so inlining is forced.
  [[gnu::always_inline]] void prefetch(std::uint64_t key, Version version) const {
    __builtin_prefetch(&slots_[home_of(key, version)]);
    if (version.tid != 0) {
      history_.values().prefetch(version_number(version));
    }
  }

  /// After all logs were read: the first read of a version that none of them wrote.
  [[nodiscard]] std::optional<FirstRead> unwritten() const;

 private:
  static constexpr std::size_t kFirstSlots = 64;  // a power of two, as all numbers of slots

  [[nodiscard]] std::size_t home_of(std::uint64_t key, Version version) const {
    const std::uint64_t name = std::uint64_t{version.tid} << 32 | version.oid;
    return static_cast<std::size_t>(seeded_hash(seeded_hash(name) ^ key)) & (slots_.size() - 1);
  }

  /// The slot of the version, or the free slot for it.
  [[nodiscard]] std::size_t slot_of(std::uint64_t key, Version version) const {
    std::size_t at = home_of(key, version);
    while (!slots_[at].row.is_none() && !(slots_[at].key == key && slots_[at].version == version)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }

  template <class MakeRow>
  RowVersion& find_or_add(std::uint64_t key, Version version, MakeRow make_row) {
    std::size_t at = slot_of(key, version);
    if (slots_[at].row.is_none()) {
      if ((size_ + 1) * 5 > slots_.size() * 4) {
        grow();
        at = slot_of(key, version);
      }
      ++size_;
      slots_[at].key = key;
      slots_[at].version = version;
      slots_[at].row = make_row(key);
      slots_[at].value =
          version.tid == 0 ? ValueId::nil() : history_.values().integer(version_number(version));
    }
    return slots_[at];
  }

  void grow();

  HistoryBuilder& history_;
  std::uint16_t file_ = 0;
  std::vector<RowVersion> slots_;  // row none(): free
  std::size_t size_ = 0;
  std::vector<FirstRead> first_reads_;  // of versions that were new then
};

}  // namespace elapid::vbox
