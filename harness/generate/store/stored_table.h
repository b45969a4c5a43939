// The store's data of a table of rows, and the changes of a transaction.
//
// Rows have the columns of PlainRowOp. A row stays in its group: a second insert of a key uses the
// same group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/generate/store/seen_set.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// A row at one moment.
struct RowContents {
  bool is_alive = false;
  std::int64_t group = 0;
  std::int64_t value = 0;
  std::int64_t unique = 0;
  friend bool operator==(const RowContents&, const RowContents&) = default;
};

/// Whether a read sees a commit.
using SeesCommit = std::function<bool(CommitId)>;

/// The versions of all rows, as far back as a transaction may look.
class StoredTable {
 public:
  /// The visible version of a row; not alive if there is none.
  [[nodiscard]] RowContents row(std::int64_t key, const SeesCommit& sees) const;

  /// The keys of rows that an operation may concern, ascending. They satisfy the part of its
  /// predicate that an index answers.
  [[nodiscard]] std::vector<std::int64_t> candidates(const PlainRowOp& op) const;

  /// The last commit that wrote the row; 0 if there is none.
  [[nodiscard]] CommitId last_commit(std::int64_t key) const;

  void write(std::int64_t key, CommitId commit, const RowContents& contents);

  /// Drops versions that no read of the state after `horizon`, or of a later state, needs, and rows
  /// that have been dead since.
  void prune(CommitId horizon);

  [[nodiscard]] std::size_t version_count() const;

 private:
  struct Version {
    CommitId commit = 0;
    RowContents contents = {};
  };

  std::map<std::int64_t, std::vector<Version>> rows_ = {};          // oldest version first
  std::map<std::int64_t, std::set<std::int64_t>> by_group_ = {};    // keys
  std::deque<std::pair<CommitId, std::int64_t>> overwritten_ = {};  // commit and row
};

/// The changes of a transaction to rows so far.
class RowWork {
 public:
  /// Runs an operation on the visible rows with the transaction's own changes, and appends the
  /// result in the form of a PlainMop to `found`: for a read the key and columns of each row by
  /// key, for a write by a predicate the keys. False if it inserts an existing row.
  bool carry_out(const StoredTable& table, const PlainRowOp& op, const SeesCommit& sees,
                 std::vector<std::int64_t>& found);

  /// Whether all operations have the same results on the state after these commits.
  [[nodiscard]] bool is_repeatable(const StoredTable& table, const SeesCommit& sees) const;

  /// Whether each changed row exists, or not, as it did before its first change.
  [[nodiscard]] bool fits(const StoredTable& table, const SeesCommit& sees) const;

  struct Change {
    bool needs_row = false;  ///< else there must be none
    RowContents now = {};
    friend bool operator==(const Change&, const Change&) = default;
  };

  /// By key.
  [[nodiscard]] const std::map<std::int64_t, Change>& changes() const { return changes_; }

  void clear() { *this = {}; }

 private:
  struct Step {
    PlainRowOp op = {};
    std::vector<std::int64_t> found = {};
  };

  void change(std::int64_t key, const RowContents& from, const RowContents& to);

  std::map<std::int64_t, Change> changes_ = {};
  std::vector<Step> steps_ = {};
};

}  // namespace elapid
