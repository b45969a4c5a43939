// The writers of each value: (key, value) -> transactions, for all writes of a history.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/seeded_hash.h"

namespace elapid {

/// The writes of one value to one key.
struct WriteEntry {
  ValueId value = ValueId::none();  ///< none(): a free slot
  TxnId writer = {};     ///< the last committed or indeterminate transaction that wrote it
  TxnId aborted = {};    ///< the last aborted one
  TxnId attempted = {};  ///< the last aborted one that only its invocation says wrote it
  std::uint32_t position = kNowhere;  ///< in the key's version order
  bool repeated = false;              ///< written by two transactions, or twice by one
  bool intermediate = false;          ///< a transaction that wrote it overwrote it
  bool observed = false;              ///< a believed read shows it

  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  [[nodiscard]] bool known() const { return !value.is_none(); }
};

/// The slot of a value in a table of so many slots, if that slot is free.
[[nodiscard]] inline std::size_t place_of_value(ValueId value, std::size_t slots) {
  const std::uint64_t hash = seeded_hash(std::uint64_t{value.bits()}) >> 32;
  return static_cast<std::size_t>(hash * slots >> 32);
}

/// The number of slots in a table of at most so many values.
[[nodiscard]] constexpr std::size_t slots_for(std::size_t values) {
  return values == 0 ? 0 : values + values / 2 + 1;
}

/// Open-addressed tables, one for each key, side by side. O(1) a look-up, 36 bytes a write.
class WriteIndex {
 public:
  /// Indexes all operations of kind `write`, and the attempts of aborted transactions. Transactions
  /// without a completion count as indeterminate writers. WorkThreads share the keys.
  WriteIndex(const History& history, OpKind write);

  /// The entry of a value, or nullptr if no transaction wrote it.
  [[nodiscard]] const WriteEntry* find(KeyId key, ValueId value) const;
  [[nodiscard]] WriteEntry* find(KeyId key, ValueId value);

  /// Prefetches the entry of a value, for find() soon after. Forced inline, since GCC 12 drops
  /// calls of functions that only prefetch.
  [[gnu::always_inline]] void prefetch(KeyId key, ValueId value) const {
    const std::size_t begin = begin_[key.index()];
    __builtin_prefetch(slots_.data() + begin +
                       place_of_value(value, begin_[key.index() + 1] - begin));
  }

  /// The table of a key, with its free slots. The order of entries is random: no output may depend
  /// on it.
  [[nodiscard]] std::span<const WriteEntry> of(KeyId key) const {
    return std::span(slots_).subspan(begin_[key.index()],
                                     begin_[key.index() + 1] - begin_[key.index()]);
  }

 private:
  class LaterWrites;

  void count(const History& history, OpKind write);
  void fill(const History& history, LaterWrites later);
  void add_ops(const History& history, LaterWrites& later, TxnId txn, std::span<const Op> ops,
               bool attempted);
  void add(const History& history, TxnId txn, Op op, bool attempted, bool overwritten);
  [[nodiscard]] std::size_t slot_of(KeyId key, ValueId value) const;

  std::vector<std::size_t> begin_;  // one more than keys; some slot of each table is free
  std::vector<WriteEntry> slots_;
};

}  // namespace elapid
