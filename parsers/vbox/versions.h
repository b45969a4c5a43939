// The versions of rows that logs name, each once, with the ids that the history gives them: so that
// a record of a read costs one look-up, and reads of versions that no log wrote are noticed.
//
// Sessions' logs are read one after the other: a version may be read long before the record that
// wrote it comes.
#ifndef ELAPID_PARSERS_VBOX_VERSIONS_H_
#define ELAPID_PARSERS_VBOX_VERSIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/history_builder.h"
#include "parsers/vbox/records.h"

namespace elapid::vbox {

/// A version as one number.
[[nodiscard]] inline std::int64_t version_number(Version version) {
  return static_cast<std::int64_t>(std::uint64_t{version.tid} << 32 | version.oid);
}

/// A version of a row, and its ids: `value` of the initial version is nil().
struct RowVersion {
  std::uint64_t key = 0;
  Version version = {};
  KeyId row = KeyId::none();
  ValueId value = ValueId::nil();
};

/// The first read of a version.
struct FirstRead {
  std::uint32_t version = 0;  ///< its place in the table
  std::uint16_t file = 0;
  std::uint64_t offset = 0;
};

/// 24 bytes a version, and 11 to 22 of the index.
class VersionTable {
 public:
  /// Borrows the builder, in whose pool values are interned.
  explicit VersionTable(HistoryBuilder& history) : history_(history) {}

  /// Of the reads to come.
  void begin_file(std::uint16_t file) { file_ = file; }

  /// The version that was read at this byte. `make_row(key)` is called for one that is new, before
  /// its value is interned.
  template <class MakeRow>
  RowVersion read(std::uint64_t key, Version version, std::uint64_t offset, MakeRow make_row) {
    const std::size_t known = versions_.size();
    const std::uint32_t at = place(key, version, make_row);
    if (at == known && version.tid != 0) {
      first_reads_.push_back({at, file_, offset});
    }
    return versions_[at];
  }

  /// The version that a record writes.
  template <class MakeRow>
  RowVersion write(std::uint64_t key, Version version, MakeRow make_row) {
    const std::uint32_t at = place(key, version, make_row);
    is_written_[at] = true;
    return versions_[at];
  }

  /// Brings the version nearer, for a look-up soon after.
  [[gnu::always_inline]] void prefetch(std::uint64_t key, Version version) const {
    index_.prefetch(hash(key, version));
  }

  /// When all logs are read: the first read of a version that none of them wrote.
  [[nodiscard]] std::optional<FirstRead> unwritten() const;

  [[nodiscard]] const RowVersion& operator[](std::uint32_t place) const { return versions_[place]; }

 private:
  [[nodiscard]] static std::uint32_t hash(std::uint64_t key, Version version) {
    std::uint64_t mixed = (std::uint64_t{version.tid} << 32 | version.oid) * 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 29) ^ key) * 0xbf58476d1ce4e5b9U;
    return static_cast<std::uint32_t>(mixed >> 32);
  }

  template <class MakeRow>
  std::uint32_t place(std::uint64_t key, Version version, MakeRow make_row) {
    const auto fresh = static_cast<std::uint32_t>(versions_.size());
    const std::uint32_t at = index_.find_or_add(hash(key, version), fresh, [&](std::uint32_t i) {
      return versions_[i].key == key && versions_[i].version == version;
    });
    if (at == fresh) {
      const KeyId row = make_row(key);
      versions_.push_back(
          {key, version, row,
           version.tid == 0 ? ValueId::nil() : history_.values().integer(version_number(version))});
      is_written_.push_back(false);
    }
    return at;
  }

  HistoryBuilder& history_;
  std::uint16_t file_ = 0;
  std::vector<RowVersion> versions_;
  std::vector<bool> is_written_;  // by place in versions_
  HashIndex index_;
  std::vector<FirstRead> first_reads_;  // of versions that were not known before
};

}  // namespace elapid::vbox

#endif  // ELAPID_PARSERS_VBOX_VERSIONS_H_
