// The versions of each row as Elle's closed-predicate test sees them (docs/elle-rules.md).
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

/// What a row is: a value, or nothing.
struct RowVersion {
  enum class State : std::uint8_t { kUnborn, kDead, kValue };
  State state = State::kUnborn;
  ValueId value = ValueId::none();
  friend auto operator<=>(const RowVersion&, const RowVersion&) = default;
};

/// Whose predicate read it is, and the versions of rows that it selected.
using VersionSet = std::vector<std::pair<KeyId, RowVersion>>;

/// Elle takes the order in which rows were written, by ok and info completions, for the order of
/// their versions. Borrows the history.
class RowVersions {
 public:
  explicit RowVersions(const History& history);

  /// What Elle throws, or what it has no such operation for.
  [[nodiscard]] const std::optional<std::string>& exception() const { return exception_; }

  /// Completions of ok and info, in the order of the history.
  [[nodiscard]] const std::vector<TxnId>& possible() const { return possible_; }

  [[nodiscard]] const rows::RowOp& op(Op op) const { return rows_.op(op); }

  /// Rows that were written, in the order in which they were written first.
  [[nodiscard]] const std::vector<KeyId>& written() const { return written_; }

  /// All versions, in order; begins with unborn if it was not there at the beginning.
  [[nodiscard]] std::span<const RowVersion> all(KeyId row) const { return versions_[row.index()]; }

  /// What an operation writes; nothing if it does not, as far as Elle knows.
  [[nodiscard]] static std::optional<RowVersion> written_by(const rows::Rows& rows,
                                                            const rows::RowOp& op);

  [[nodiscard]] std::optional<RowVersion> written_by(Op op) const {
    return written_by(rows_, rows_.op(op));
  }

  /// What the transaction wrote last into each row that it wrote.
  [[nodiscard]] std::vector<std::pair<KeyId, RowVersion>> final_writes(TxnId txn) const;

  /// The transaction that left the version behind, or none().
  [[nodiscard]] TxnId writer(KeyId row, RowVersion version) const;

  /// The version that a read of the row shows: of nil unborn or dead, as far as only one of them
  /// is possible.
  [[nodiscard]] std::optional<RowVersion> shown(const rows::RowOp& read) const;

  [[nodiscard]] std::optional<RowVersion> before(KeyId row, RowVersion version) const;
  [[nodiscard]] std::optional<RowVersion> after(KeyId row, RowVersion version) const;
  /// All that follow. Of a version that is not among the row's: none.
  [[nodiscard]] std::span<const RowVersion> all_after(KeyId row, RowVersion version) const;

  [[nodiscard]] bool matches(const rows::RowOp& read, RowVersion version) const;

  /// What a predicate read selected, as far as that is certain: the rows that it shows, and of each
  /// other row its only version that does not match, or unborn if all match.
  [[nodiscard]] VersionSet selected(const rows::RowOp& read) const;

  /// The row as it is shown, if the read shows it.
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
