// A transaction of RocksDB at its level, one operation at a time.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>

#include <array>
#include <cstring>

#include "harness/drive/driver.h"

namespace elapid {

enum class RocksReads : std::uint8_t { kLatest, kSnapshot, kLocked };

/// The prefix of all keys of a run. Nothing else in the database is touched.
inline constexpr std::string_view kRocksPrefix = "elapid/";
inline constexpr std::string_view kRocksBehindPrefix = "elapid0";

using RocksKey = std::array<char, kRocksPrefix.size() + sizeof(std::int64_t)>;

/// Numbers are in the machine's own format: the database does not interpret them.
inline RocksKey rocks_key(std::int64_t key) {
  RocksKey text = {};
  std::memcpy(text.data(), kRocksPrefix.data(), kRocksPrefix.size());
  std::memcpy(text.data() + kRocksPrefix.size(), &key, sizeof key);
  return text;
}

inline rocksdb::Slice as_slice(const RocksKey& key) {
  return {key.data(), key.size()};
}

inline rocksdb::Slice as_slice(const std::int64_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// The error for a status of RocksDB.
inline TxnError error_of(const rocksdb::Status& status) {
  if (status.IsDeadlock()) {
    return TxnError::kDeadlock;
  }
  if (status.IsTimedOut()) {
    return TxnError::kLockTimeout;
  }
  return status.IsBusy() || status.IsTryAgain() ? TxnError::kConflict : TxnError::kOther;
}

/// The differences between the two kinds of transactional databases.
struct RocksHandles {
  rocksdb::TransactionDB* pessimistic = nullptr;
  rocksdb::OptimisticTransactionDB* optimistic = nullptr;

  [[nodiscard]] rocksdb::DB* db() const {
    return pessimistic != nullptr ? static_cast<rocksdb::DB*>(pessimistic) : optimistic;
  }
};

/// The settings of a run.
struct RocksSettings {
  explicit RocksSettings(const DatabaseRequest& request)
      : reads(request.level == "read-committed"       ? RocksReads::kLatest
              : request.level == "snapshot-isolation" ? RocksReads::kSnapshot
                                                      : RocksReads::kLocked),
        is_optimistic(request.uri.parameter("transactions", "pessimistic") == "optimistic"),
        has_atomic_appends(request.uri.parameter("append", "in-place") == "in-place"),
        has_log(request.uri.parameter("wal", "on") == "on"),
        patience(request.patience) {}

  RocksReads reads;
  bool is_optimistic;
  bool has_atomic_appends;
  bool has_log;
  std::chrono::milliseconds patience;
};

class RocksTransaction {
 public:
  RocksTransaction(const RocksHandles& handles, const RocksSettings& settings)
      : handles_(handles),
        reads_(settings.reads),
        reads_for_append_(settings.has_atomic_appends ? RocksReads::kLocked : settings.reads) {
    write_options_.disableWAL = !settings.has_log;
    pessimistic_options_.deadlock_detect = true;
    pessimistic_options_.lock_timeout = settings.patience.count();
    pessimistic_options_.set_snapshot = reads_ == RocksReads::kSnapshot;
    optimistic_options_.set_snapshot = reads_ == RocksReads::kSnapshot;
  }

  void begin() {
    rocksdb::Transaction* const used = txn_.release();
    txn_.reset(
        handles_.pessimistic != nullptr
            ? handles_.pessimistic->BeginTransaction(write_options_, pessimistic_options_, used)
            : handles_.optimistic->BeginTransaction(write_options_, optimistic_options_, used));
    read_options_.snapshot = txn_->GetSnapshot();
  }

  rocksdb::Status read(std::int64_t key, Seen& seen) {
    bool is_there = false;
    rocksdb::Status status = get(rocks_key(key), reads_, is_there);
    if (is_there) {
      std::memcpy(&seen.emplace(), value_.data(), sizeof(std::int64_t));
    }
    return status;
  }

  rocksdb::Status read(std::int64_t key, std::vector<std::int64_t>& elements) {
    bool is_there = false;
    rocksdb::Status status = get(rocks_key(key), reads_, is_there);
    elements.resize(is_there ? value_.size() / sizeof(std::int64_t) : 0);
    if (!elements.empty()) {
      std::memcpy(elements.data(), value_.data(), value_.size());
    }
    return status;
  }

  rocksdb::Status write(std::int64_t key, std::int64_t value) {
    return txn_->Put(as_slice(rocks_key(key)), as_slice(value));
  }

  rocksdb::Status append(std::int64_t key, std::int64_t value) {
    bool is_there = false;
    rocksdb::Status status = get(rocks_key(key), reads_for_append_, is_there);
    if (!status.ok()) {
      return status;
    }
    if (!is_there) {
      value_.clear();
    }
    value_.append(as_slice(value).data(), sizeof value);
    return txn_->Put(as_slice(rocks_key(key)), value_);
  }

  /// RocksDB's transaction; null before the first begin().
  [[nodiscard]] rocksdb::Transaction* operator->() const { return txn_.get(); }

 private:
  rocksdb::Status get(const RocksKey& key, RocksReads how, bool& is_there) {
    const rocksdb::Status status = how == RocksReads::kLocked
                                       ? txn_->GetForUpdate(read_options_, as_slice(key), &value_)
                                       : txn_->Get(read_options_, as_slice(key), &value_);
    is_there = status.ok();
    return status.IsNotFound() ? rocksdb::Status::OK() : status;
  }

  RocksHandles handles_;
  RocksReads reads_;
  RocksReads reads_for_append_;
  rocksdb::WriteOptions write_options_ = {};
  rocksdb::ReadOptions read_options_ = {};
  rocksdb::TransactionOptions pessimistic_options_ = {};
  rocksdb::OptimisticTransactionOptions optimistic_options_ = {};
  std::unique_ptr<rocksdb::Transaction> txn_ = {};  // reused for each transaction
  std::string value_ = {};
};

}  // namespace elapid
