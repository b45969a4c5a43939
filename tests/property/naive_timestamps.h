// The axioms of timestamps, read word for word: every transaction is compared with every other.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/timed_history.h"

namespace elapid {

/// What a key holds: of a register one value or none (nil), of a list its elements.
using Contents = std::vector<std::int64_t>;

/// Whether a read of a register that shows this may show the initial state, by one of its names.
[[nodiscard]] bool is_initial(const TimedHistory& history, const Contents& shown);

/// The axioms at snapshot isolation or serializability, with sessions and, where the history has
/// it, real time. Quadratic.
class NaiveTimestamps {
 public:
  NaiveTimestamps(const TimedHistory& history, bool serial)
      : history_(history), txns_(history.txns), serial_(serial) {}

  /// Violations as lines, such as `ext 3 0 before` (transaction and operation), `noconflict 1 2 x`;
  /// origins of registers only.
  [[nodiscard]] std::set<std::string> violations(bool with_origins) const;

  /// Whether something is undefined.
  [[nodiscard]] bool has_doubt() const;

  /// The right result of the first read of the key before own writes; nothing if it is undefined.
  [[nodiscard]] std::optional<Contents> expected(std::size_t reader, char key) const;

 private:
  [[nodiscard]] bool writes(std::size_t txn) const;
  [[nodiscard]] bool writes(std::size_t txn, char key) const;
  [[nodiscard]] bool is_placed(std::size_t txn) const;
  [[nodiscard]] bool has_placed_writes(std::size_t txn) const;
  [[nodiscard]] bool is_maybe(std::size_t txn) const;
  [[nodiscard]] bool maybe_wrote(char key, std::int64_t value) const;
  [[nodiscard]] bool is_explained(char key, const Contents& shown, const Contents& wanted) const;
  [[nodiscard]] std::int64_t commit(std::size_t txn) const;
  [[nodiscard]] std::int64_t point(std::size_t txn) const;
  [[nodiscard]] bool is_instant(std::size_t txn) const;
  [[nodiscard]] bool is_seen(std::size_t writer, std::size_t reader) const;
  [[nodiscard]] bool is_tied(std::size_t a, std::size_t b) const;
  [[nodiscard]] std::string origin(std::size_t reader, std::size_t mop) const;
  void judge_reads(std::size_t txn, bool with_origins, std::set<std::string>& found,
                   bool& doubt) const;
  void judge_pairs(std::size_t a, std::size_t b, std::set<std::string>& found) const;

  const TimedHistory& history_;
  const std::vector<TimedTxn>& txns_;
  bool serial_;
};

}  // namespace elapid
