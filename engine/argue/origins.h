// The transactions that can have left what operations found of rows. A value of a column that only
// one transaction wrote there was left by that transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/argue/argue.h"
#include "engine/argue/row_parts.h"
#include "engine/ir/history.h"
#include "engine/rows/rows.h"

namespace elapid::argue {

/// That an operation of a committed transaction was shown the part of a row like this, or updated a
/// row, which must exist, before the transaction can have written the row itself.
struct Sight {
  KeyId row;
  std::uint32_t part = 0;
  ValueId value = ValueId::none();  ///< of the existence: RowParts::existence()
  TxnId txn;
  std::uint32_t mop = 0;
};

/// Borrows both. About 20 bytes for each column of each row that was shown.
class Origins {
 public:
  /// Sights that may be of old versions tell nothing, and are left out.
  Origins(const History& history, const RowWrites& writes,
          OldVersions old_versions = OldVersions::kOfNone);

  /// All columns that were shown, and rows as such, by row, part and value, and then by
  /// transaction.
  [[nodiscard]] std::span<const Sight> sights() const { return sights_; }

  /// Those of a row's part with this value.
  [[nodiscard]] std::span<const Sight> sights(KeyId row, std::uint32_t part, ValueId value) const;

  /// The only transaction that may have left the part like this, which is not nil; none() if there
  /// are several, or none at all. O(1)
  [[nodiscard]] TxnId only_writer(KeyId row, std::uint32_t part, ValueId value) const;

 private:
  /// A value in a column of a row, or of all rows of a table.
  struct Place {
    std::uint32_t row_or_table = 0;
    std::uint32_t part = 0;
    ValueId value = ValueId::none();
    bool is_table = false;
    friend bool operator==(const Place&, const Place&) = default;
  };

  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  /// One writer, or that there are more.
  struct Writer {
    TxnId txn;
    bool is_only = true;
  };

  void note_writes(TxnId txn);
  void note_write(Place place, TxnId txn);
  void note_sights(TxnId txn);
  [[nodiscard]] bool may_be_own(TxnId txn, std::uint32_t mop, KeyId row) const;
  void note_sight(TxnId txn, std::uint32_t mop, const rows::ShownRow& shown);

  const History& history_;
  const RowWrites& writes_;
  OldVersions old_versions_;
  std::vector<Sight> sights_;
  std::unordered_map<Place, Writer, PlaceHash> writers_;
};

}  // namespace elapid::argue
