// One schedule, operation by operation, and the results of its reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// The version that a read sees, if its transaction has not written the item; else it sees its own.
enum class CooPolicy : std::uint8_t {
  kReadCommitted,    ///< the latest one of a transaction that has committed by then
  kReadUncommitted,  ///< the latest one of a transaction that has not aborted by then
  kRepeatableRead,   ///< the one that its transaction saw before, else as kReadCommitted
};

inline constexpr std::size_t kCooItems = 26;

/// A version of each item.
using CooVersions = std::array<std::uint32_t, kCooItems>;

/// A read or write in a schedule, or a scan. Versions count the writes to an item from 1 on; 0 is
/// the initial version.
struct CooAccess {
  enum class Kind : std::uint8_t { kRead, kWrite, kScan };

  Kind kind = Kind::kRead;
  std::size_t item = 0;       ///< of a scan: its place in CooTxn::scans
  std::uint32_t version = 0;  ///< not of a scan
};

struct CooTxn {
  TxnStatus status = TxnStatus::kIndeterminate;  ///< until it ends
  std::uint64_t offset = 0;                      ///< of its first operation in the input
  std::int64_t begin = 0;                        ///< the time of that operation
  std::int64_t end = 0;                          ///< the time of its end
  std::vector<CooAccess> accesses = {};
  std::vector<CooVersions> scans = {};  ///< the versions that each scan looked at

  [[nodiscard]] bool has_ended() const { return status != TxnStatus::kIndeterminate; }
};

class CooSchedule {
 public:
  static constexpr std::size_t kTxns = 10;

  explicit CooSchedule(CooPolicy policy) : policy_(policy) {}

  /// Transaction `number`, which begins here if it is new.
  CooTxn& txn(std::size_t number, std::uint64_t offset, std::int64_t now);

  /// Whether some operation so far is on this item.
  [[nodiscard]] bool has_item(std::size_t item) const { return has_item_[item]; }

  /// The transactions in the order of their beginnings.
  [[nodiscard]] std::span<const std::size_t> txns() const { return begun_; }

  [[nodiscard]] const CooTxn& txn(std::size_t number) const { return *txns_[number]; }

  // Requires that the transaction has begun and not ended.
  void access(std::size_t txn, std::size_t item, bool is_write);
  void scan(std::size_t txn);
  void finish(std::size_t txn, TxnStatus status, std::int64_t now);

 private:
  using Versions = std::array<std::uint32_t, kTxns>;

  [[nodiscard]] std::uint32_t latest(std::size_t item) const;
  [[nodiscard]] std::uint32_t see(std::size_t txn, std::size_t item);

  CooPolicy policy_;
  std::array<std::optional<CooTxn>, kTxns> txns_;
  std::vector<std::size_t> begun_;
  std::array<bool, kCooItems> has_item_ = {};
  CooVersions writes_ = {};                       // so far
  std::array<Versions, kCooItems> written_ = {};  // the last by each transaction; 0: none
  std::array<std::array<std::optional<std::uint32_t>, kTxns>, kCooItems> seen_;  // first reads
};

}  // namespace elapid
