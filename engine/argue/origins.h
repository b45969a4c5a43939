// The transactions that can have left what operations found of rows. If only one transaction wrote
// a value in a column, it left that value.
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

/// An operation of a committed transaction was shown this part of a row, or updated the row, which
/// must then exist, before the transaction can have written the row itself.
struct Sight {
  KeyId row;
  std::uint32_t part = 0;
  ValueId value = ValueId::none();  ///< for the existence: RowParts::existence()
  TxnId txn;
  std::uint32_t mop = 0;
};

/// Borrows both. About 20 bytes for each column of each row that was shown.
class Origins {
 public:
  /// Leaves out sights that may be of old versions: they show nothing.
  Origins(const History& history, const RowWrites& writes,
          OldVersions old_versions = OldVersions::kOfNone);

  /// All columns and rows that were shown, by row, part and value, then by
  /// transaction.
  [[nodiscard]] std::span<const Sight> sights() const { return sights_; }

  /// The sights of a row's part with this value.
  [[nodiscard]] std::span<const Sight> sights(KeyId row, std::uint32_t part, ValueId value) const;

  /// The only transaction that may have left this value, which is not nil, in the part; none() if
  /// there are several, or none at all. O(1)
  [[nodiscard]] TxnId only_writer(KeyId row, std::uint32_t part, ValueId value) const;

 private:
  /// A value in a part of a row; of any row if it is none().
  struct Place {
    KeyId row = KeyId::none();
    std::uint32_t part = 0;
    ValueId value = ValueId::none();
    friend bool operator==(const Place&, const Place&) = default;
  };

  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  /// A single writer, or the mark of several.
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
