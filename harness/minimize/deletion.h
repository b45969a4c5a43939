// Deletes a part of a draft, and its traces in what other transactions read.
//
// To delete only a write would turn the reads of its value into garbage reads: a new anomaly. So a
// deletion is consistent. An element that no transaction appends any more disappears from all lists
// read. A register read of such a value is deleted, or becomes a read of the initial state. A read
// of a value that no transaction wrote in the first place stays.
//
// ```cpp
// const History whole = list_history("ax1; ax2; rx12");
// const Draft draft = draft_of(whole);
// const Draft rest = Deleter(draft).without(Unit::kTxn, 1, 2, Orphans::kDropReads);
// CHECK(rest.txns[1]->mops[0].elements.size() == 1);  // [1]
// ```
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "harness/minimize/draft.h"
#include "harness/minimize/row_deletion.h"

namespace elapid {

/// What happens to a register read when a write of its value is deleted.
enum class Orphans : std::uint8_t {
  kDropReads,      ///< the read goes too, if that was the last such write
  kReadInitial,    ///< likewise, but reads the initial state if there is one; of a counter, a read
                   ///< beside a deleted add is taken for one that shows it
  kKeepReads,      ///< the read stays as it is
  kDropUncertain,  ///< the read goes too, even if others wrote the value: else it would
                   ///< say more than before about its writer
};
inline constexpr std::array<Orphans, 3> kOrphans = {Orphans::kDropReads, Orphans::kReadInitial,
                                                    Orphans::kDropUncertain};

/// What can be deleted, from large to small.
enum class Unit : std::uint8_t {
  kSession,  ///< all transactions of one session
  kKey,      ///< all operations on one key, and of a row its place in all results
  kTxn,
  kOp,
  kUnwritten,  ///< an element that no transaction appended, from all lists read
  kColumn,     ///< of rows: one of which no predicate speaks, out of all that is written and shown
  kAttempt,    ///< what a transaction was invoked to do, where that is not what it did
};
inline constexpr std::array<Unit, 7> kUnits = {Unit::kSession, Unit::kKey,    Unit::kTxn,
                                               Unit::kOp,      Unit::kColumn, Unit::kUnwritten,
                                               Unit::kAttempt};

/// How often values were written to keys, whatever became of the transaction.
class WrittenVersions {
 public:
  WrittenVersions() = default;
  explicit WrittenVersions(const Draft& draft);
  explicit WrittenVersions(const History& history);

  [[nodiscard]] bool has(KeyId key, ValueId value) const { return count(key, value) > 0; }

  [[nodiscard]] std::uint32_t count(KeyId key, ValueId value) const {
    const auto at = counts_.find(packed(key, value));
    return at == counts_.end() ? 0 : at->second;
  }

  [[nodiscard]] const RowWrites& rows() const { return rows_; }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
  RowWrites rows_;
};

/// The transactions, in ascending order, as a draft of their own. `written`: by the whole history.
/// A recorded initial transaction that is not among them becomes the initial value.
[[nodiscard]] Draft excerpt(const History& history, const WrittenVersions& written,
                            std::span<const TxnId> txns, Orphans orphans);

/// Leaves out keys that no operation is on.
[[nodiscard]] Draft compact(Draft draft);

/// Deletes from one draft, which must outlive it. Safe to use from several threads.
class Deleter {
 public:
  explicit Deleter(const Draft& draft);

  /// How many there are.
  [[nodiscard]] std::size_t count(Unit unit) const;

  /// The draft without those numbered `begin` to `end` - 1. O(operations and elements read).
  [[nodiscard]] Draft without(Unit unit, std::size_t begin, std::size_t end, Orphans orphans) const;

  /// The draft with these transactions only, by their numbers in it.
  [[nodiscard]] Draft only(const std::vector<bool>& txns, Orphans orphans) const;

 private:
  struct OpPlace {
    std::uint32_t txn = 0;
    std::uint32_t mop = 0;
  };

  /// Different items, numbered in the order in which they were added.
  template <class Item>
  class Numbered {
   public:
    void add(Item item) { numbers_.try_emplace(item, numbers_.size()); }

    [[nodiscard]] std::size_t size() const { return numbers_.size(); }

    [[nodiscard]] bool is_among(Item item, std::size_t begin, std::size_t end) const {
      const auto at = numbers_.find(item);
      return at != numbers_.end() && at->second >= begin && at->second < end;
    }

   private:
    std::unordered_map<Item, std::size_t> numbers_;
  };

  void forget_orphans(Draft& rest, Orphans orphans) const;
  void find_sessions();
  void find_keys_and_ops();
  void find_unwritten();
  void find_attempts();
  template <class IsDeleted>
  [[nodiscard]] Draft without_txns(IsDeleted is_deleted) const;
  template <class IsDeleted>
  [[nodiscard]] Draft without_mops(IsDeleted is_deleted) const;
  [[nodiscard]] Draft without_keys(std::size_t begin, std::size_t end) const;
  [[nodiscard]] Draft without_ops(std::size_t begin, std::size_t end) const;
  [[nodiscard]] Draft without_elements(std::size_t begin, std::size_t end) const;
  [[nodiscard]] Draft without_attempts(std::size_t begin, std::size_t end) const;

  const Draft& draft_;
  WrittenVersions written_;
  Numbered<std::int64_t> sessions_ = {};
  Numbered<std::uint32_t> keys_ = {};
  std::vector<OpPlace> ops_ = {};
  std::vector<KeyId> rows_ = {};
  std::vector<rows::ColumnId> columns_ = {};
  Numbered<std::uint64_t> unwritten_ = {};    // packed
  std::vector<std::uint32_t> attempts_ = {};  // transactions
};

}  // namespace elapid
