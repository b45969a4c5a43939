#include "parsers/coo/coo_schedule.h"

#include <algorithm>

namespace elapid {

CooTxn& CooSchedule::txn(std::size_t number, std::uint64_t offset, std::int64_t now) {
  std::optional<CooTxn>& txn = txns_[number];
  if (!txn) {
    txn.emplace(CooTxn{.offset = offset, .begin = now, .end = now});
    begun_.push_back(number);
  }
  return *txn;
}

/// The latest version of an item that the policy shows to any transaction now.
std::uint32_t CooSchedule::latest(std::size_t item) const {
  std::uint32_t version = 0;
  for (const std::size_t writer : begun_) {
    const TxnStatus status = txns_[writer]->status;
    const bool is_visible = policy_ == CooPolicy::kReadUncommitted
                                ? status != TxnStatus::kAborted
                                : status == TxnStatus::kCommitted;
    version = std::max(version, is_visible ? written_[item][writer] : 0);
  }
  return version;
}

/// The version that a read by this transaction sees now.
std::uint32_t CooSchedule::see(std::size_t txn, std::size_t item) {
  if (const std::uint32_t own = written_[item][txn]; own > 0) {
    return own;
  }
  std::optional<std::uint32_t>& seen = seen_[item][txn];
  if (!seen || policy_ != CooPolicy::kRepeatableRead) {
    seen = latest(item);
  }
  return *seen;
}

void CooSchedule::access(std::size_t txn, std::size_t item, bool is_write) {
  has_item_[item] = true;
  if (is_write) {
    written_[item][txn] = ++writes_[item];
  }
  const std::uint32_t version = is_write ? writes_[item] : see(txn, item);
  txns_[txn]->accesses.push_back(
      {.kind = is_write ? CooAccess::Kind::kWrite : CooAccess::Kind::kRead,
       .item = item,
       .version = version});
}

void CooSchedule::scan(std::size_t txn) {
  CooTxn& by = *txns_[txn];
  by.accesses.push_back({.kind = CooAccess::Kind::kScan, .item = by.scans.size()});
  CooVersions& versions = by.scans.emplace_back();
  for (std::size_t item = 0; item < versions.size(); ++item) {
    versions[item] = see(txn, item);
  }
}

void CooSchedule::finish(std::size_t txn, TxnStatus status, std::int64_t now) {
  txns_[txn]->status = status;
  txns_[txn]->end = now;
}

}  // namespace elapid
