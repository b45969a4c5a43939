// The external reads of each transaction, in order, with their writers, and its written keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/unset_vector.h"
#include "engine/solve/problem.h"
#include "engine/solve/txn_reader.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// An external read and the transaction whose write it saw: its last write to the key.
struct Seen {
  static constexpr std::uint32_t kInitial = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kNoTxn = kInitial - 1;    ///< no transaction left the value behind
  static constexpr std::uint32_t kSeveral = kInitial - 2;  ///< see Observations::candidates()

  KeyId key;
  std::uint32_t writer = kNoTxn;  ///< a transaction, or one of the above

  [[nodiscard]] bool is_of_txn() const { return writer < kSeveral; }
};

/// Reads and writes of the transactions that took effect or may have. Near linear in operations: 16
/// bytes each during matching, then 8 a read and 4 a write. WorkThreads share the work.
class Observations {
 public:
  Observations(const History& history, ReadRules rules);

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] std::uint32_t txn_count() const {
    return static_cast<std::uint32_t>(presence_.size());
  }

  /// Whether it committed, or is indeterminate and was seen by a present transaction.
  [[nodiscard]] bool is_present(std::uint32_t txn) const { return presence_[txn] == kCertain; }

  /// Whether it is indeterminate and was perhaps seen.
  [[nodiscard]] bool is_optional(std::uint32_t txn) const { return presence_[txn] == kOptional; }

  /// The external reads of a transaction with a known result, in the order of its operations.
  [[nodiscard]] std::span<const Seen> reads(std::uint32_t txn) const {
    return std::span(reads_).subspan(read_begin_[txn], read_begin_[txn + 1] - read_begin_[txn]);
  }

  /// The place of the transaction's first read among the reads of all.
  [[nodiscard]] std::uint32_t first_read(std::uint32_t txn) const { return read_begin_[txn]; }

  /// The keys it wrote, ascending.
  [[nodiscard]] std::span<const KeyId> written(std::uint32_t txn) const {
    return std::span(written_).subspan(written_begin_[txn],
                                       written_begin_[txn + 1] - written_begin_[txn]);
  }

  [[nodiscard]] bool writes(std::uint32_t txn, KeyId key) const;

  /// The number of keys written, summed over all transactions.
  [[nodiscard]] std::size_t write_count() const { return written_.size(); }

  /// Whether session order leads from one transaction to another. It leads nowhere from an
  /// indeterminate one.
  [[nodiscard]] bool is_in_session(std::uint32_t before, std::uint32_t after) const {
    return before < after && history_.committed({before}) &&
           history_.session({before}) == history_.session({after});
  }

  /// For each transaction, the last committed one before it in its session; else Seen::kNoTxn.
  [[nodiscard]] std::vector<std::uint32_t> session_predecessors() const;

  /// A read of a value that several transactions, or one and the initial state, left behind.
  struct Ambiguous {
    std::uint32_t txn = 0;
    std::uint32_t place = 0;  ///< among all reads
    std::uint32_t value = 0;  ///< number of its (key, value): equal ones share candidates
  };

  /// By place.
  [[nodiscard]] std::span<const Ambiguous> ambiguous() const { return ambiguous_; }

  /// The number of pairs of a key and a value that ambiguous reads saw.
  [[nodiscard]] std::uint32_t value_count() const {
    return static_cast<std::uint32_t>(writers_begin_.size() - 1);
  }

  /// The transactions that left the value behind, ascending; then Seen::kInitial if it is also the
  /// initial value. A reader of the value may be among them, but did not read from itself.
  [[nodiscard]] std::span<const std::uint32_t> writers_of(std::uint32_t value) const {
    return std::span(writers_).subspan(writers_begin_[value],
                                       writers_begin_[value + 1] - writers_begin_[value]);
  }

  /// Makes all other transactions absent. Those that are kept read from no others.
  template <class Predicate>
  void keep_only(Predicate is_kept) {
    for (std::uint32_t t = 0; t < txn_count(); ++t) {
      presence_[t] = is_kept(t) ? presence_[t] : kAbsent;
    }
  }

  /// Drops all ambiguous reads. The remaining facts hold whatever writers these reads saw.
  void drop_ambiguous();

  /// The ambiguous read at a place; nullptr if its writer was clear from the beginning.
  [[nodiscard]] const Ambiguous* find_ambiguous(std::uint32_t place) const {
    const auto at = std::ranges::lower_bound(ambiguous_, place, {}, &Ambiguous::place);
    return at != ambiguous_.end() && at->place == place ? &*at : nullptr;
  }

  /// The number of the transaction's reads of the same key before this one.
  [[nodiscard]] std::uint32_t number_of_read(std::uint32_t txn, std::size_t read) const {
    const std::span<const Seen> all = reads(txn);
    return static_cast<std::uint32_t>(
        std::ranges::count(all.first(read), all[read].key, &Seen::key));
  }

  /// These settle the writer of an ambiguous read, and whether an optional transaction took effect.
  void choose(std::uint32_t place, std::uint32_t writer) { reads_[place].writer = writer; }

  void set_present(std::uint32_t txn, bool is_present) {
    presence_[txn] = is_present ? kCertain : kOptional;
  }

  /// Anomalies of single reads. If there is one, the history satisfies no level.
  [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return anomalies_; }

  /// The reason why no execution has these reads, although none of them alone is an anomaly; empty
  /// if there is none.
  [[nodiscard]] const std::string& contradiction() const { return contradiction_; }

  /// Pairs of transactions: by the reads, the second appended to a list after the first.
  [[nodiscard]] const std::vector<OrderProblem::KnownOrder>& known_orders() const {
    return known_orders_;
  }

  /// The reason why the observations do not describe the whole history; empty if they do.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }

 private:
  friend class ObservationsBuilder;

  enum Presence : std::uint8_t { kAbsent, kOptional, kCertain };

  const History& history_;
  std::vector<Presence> presence_;
  std::vector<std::uint32_t> read_begin_;
  UnsetVector<Seen> reads_;
  std::vector<std::uint32_t> written_begin_;
  UnsetVector<KeyId> written_;
  std::vector<Ambiguous> ambiguous_;
  std::vector<std::uint32_t> writers_begin_ = {0};  // by value
  std::vector<std::uint32_t> writers_;
  std::vector<Anomaly> anomalies_;
  std::string contradiction_;
  std::vector<OrderProblem::KnownOrder> known_orders_;
  std::string unclear_;
};

}  // namespace elapid
