// What the store keeps of a table of rows, and what a transaction does to it.
//
// Rows have the columns of PlainRowOp. A row stays in its group: an insert of a key a second time
// gives it the same one.
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

/// A row at some moment.
struct RowContents {
  bool is_alive = false;
  std::int64_t group = 0;
  std::int64_t value = 0;
  std::int64_t unique = 0;
  friend bool operator==(const RowContents&, const RowContents&) = default;
};

/// Which commits a read sees.
using SeesCommit = std::function<bool(CommitId)>;

/// The versions of all rows, as far back as a transaction may look.
class StoredTable {
 public:
  /// What is seen of a row; not alive where that is nothing.
  [[nodiscard]] RowContents row(std::int64_t key, const SeesCommit& sees) const;

  /// The keys of rows that an operation may be about, ascending; of its predicate the part that
  /// an index answers is met.
  [[nodiscard]] std::vector<std::int64_t> candidates(const PlainRowOp& op) const;

  /// The last commit that wrote the row; 0 if there is none.
  [[nodiscard]] CommitId last_commit(std::int64_t key) const;

  void write(std::int64_t key, CommitId commit, const RowContents& contents);

  /// Forgets versions that no read of the state after `horizon`, or of a later one, needs, and rows
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
  std::deque<std::pair<CommitId, std::int64_t>> overwritten_ = {};  // when, and which row
};

/// What a transaction has done to rows so far.
class RowWork {
 public:
  /// Carries an operation out on what is seen, with what was done before it laid over, and appends
  /// what a PlainMop tells of it to `found`: of a read the key and columns of each row by key, of a
  /// write by a predicate the keys. False if it inserts a row that is there.
  bool carry_out(const StoredTable& table, const PlainRowOp& op, const SeesCommit& sees,
                 std::vector<std::int64_t>& found);

  /// Whether all of it comes to the same on what these commits left.
  [[nodiscard]] bool is_repeatable(const StoredTable& table, const SeesCommit& sees) const;

  /// Whether each row that was changed is there, or not, as it was when it was changed first.
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
