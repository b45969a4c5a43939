// The versions of each row, by the rules of Elle's closed-predicate test (docs/elle-rules.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"

namespace elapid::elle {

/// The content of a row: a value, or nothing.
struct RowVersion {
  enum class State : std::uint8_t { kUnborn, kDead, kValue };
  State state = State::kUnborn;
  ValueId value = ValueId::none();
  friend auto operator<=>(const RowVersion&, const RowVersion&) = default;
};

/// The versions of rows that a predicate read selected.
using VersionSet = std::vector<std::pair<KeyId, RowVersion>>;

/// Elle takes the order of writes to a row, by ok and info completions, as the order of its
/// versions. Borrows the history.
class RowVersions {
 public:
  explicit RowVersions(const History& history);

  /// The exception of Elle, or the operation that Elle does not have.
  [[nodiscard]] const std::optional<std::string>& exception() const { return exception_; }

  /// Completions of ok and info, in the order of the history.
  [[nodiscard]] const std::vector<TxnId>& possible() const { return possible_; }

  [[nodiscard]] const rows::RowOp& op(Op op) const { return rows_.op(op); }

  /// Written rows, by first write.
  [[nodiscard]] const std::vector<KeyId>& written() const { return written_; }

  /// All versions in order. The first one is unborn if the row did not exist at first.
  [[nodiscard]] std::span<const RowVersion> all(KeyId row) const { return versions_[row.index()]; }

  /// The version that an operation writes; nothing if it writes none by Elle's rules.
  [[nodiscard]] static std::optional<RowVersion> written_by(const rows::Rows& rows,
                                                            const rows::RowOp& op);

  [[nodiscard]] std::optional<RowVersion> written_by(Op op) const {
    return written_by(rows_, rows_.op(op));
  }

  /// The last version that the transaction wrote of each row.
  [[nodiscard]] std::vector<std::pair<KeyId, RowVersion>> final_writes(TxnId txn) const;

  /// The transaction that left the version behind, or none().
  [[nodiscard]] TxnId writer(KeyId row, RowVersion version) const;

  /// The version that a read of the row shows. For nil: unborn or dead, if only one of them is
  /// possible.
  [[nodiscard]] std::optional<RowVersion> shown(const rows::RowOp& read) const;

  [[nodiscard]] std::optional<RowVersion> before(KeyId row, RowVersion version) const;
  [[nodiscard]] std::optional<RowVersion> after(KeyId row, RowVersion version) const;
  /// All later versions; empty if `version` is not one of the row.
  [[nodiscard]] std::span<const RowVersion> all_after(KeyId row, RowVersion version) const;

  [[nodiscard]] bool matches(const rows::RowOp& read, RowVersion version) const;

  /// The certain part of a predicate read's selection: the rows that it shows, and for each other
  /// row its only version that does not match, or unborn if all match.
  [[nodiscard]] VersionSet selected(const rows::RowOp& read) const;

  /// The row's version in the read's result, if it is there.
  [[nodiscard]] std::optional<RowVersion> found(const rows::RowOp& read, KeyId row) const;

 private:
  void refuse();
  void note(TxnId txn);

  const History& history_;
  const rows::Rows& rows_;
  std::optional<std::string> exception_;
  std::vector<TxnId> possible_;
  std::vector<KeyId> written_;
  std::vector<std::vector<RowVersion>> versions_;  // by row
  std::map<std::pair<KeyId, RowVersion>, TxnId> writers_;
};

}  // namespace elapid::elle
