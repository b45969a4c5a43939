// RocksDB, in this process.
//
// Its transactions promise what the client asks of each read, which is the whole difference between
// the levels:
//
//   read-committed       Get: the latest committed version, and nobody hears of the read
//   snapshot-isolation   SetSnapshot at the beginning, and every Get at that snapshot; a write of a
//                        key that has changed since is refused
//   serializable         GetForUpdate: what is read is locked (TransactionDB), or must not have
//                        changed until the commit (OptimisticTransactionDB)
//
// An append is a read of the list and a Put of it with one element more. So that it is atomic, as
// an UPDATE is in SQL, the read is a GetForUpdate at every level; with `append=read-write` it is a
// read as the level has it, as of a program that knows no better: then read-committed loses
// appends.
//
// A TransactionDB tells the sequence number that a commit began with (Transaction::GetId after
// Commit: the write policy WRITE_COMMITTED sets it, pessimistic_transaction.cc), and a snapshot the
// last one that it shows. Numbers are doubled here, and those of snapshots odd, so that a snapshot
// comes behind the commits that it shows and before all others. A transaction that has locked all
// that it read, and writes nothing, can be put where the database is at its commit. An
// OptimisticTransactionDB does not tell, and at read-committed reads are of many moments: there is
// no order then.
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>
#include <rocksdb/version.h>

#include <array>
#include <cstring>

#include "harness/drive/plugin.h"

namespace elapid {

namespace {

enum class RocksReads : std::uint8_t { kLatest, kSnapshot, kLocked };

constexpr std::array kRocksLevels = {
    DriverLevel{"read-committed", "Get without a snapshot"},
    DriverLevel{"snapshot-isolation", "SetSnapshot, and every Get at it"},
    DriverLevel{"serializable", "GetForUpdate"},
};

constexpr std::array kRocksParameters = {
    DriverParameter{"transactions", "pessimistic, optimistic",
                    "TransactionDB, which locks, or OptimisticTransactionDB"},
    DriverParameter{"append", "in-place, read-write",
                    "Whether appends lock what they read, at any level"},
    DriverParameter{"wal", "on, off", "Whether commits go to the write-ahead log"},
};

constexpr DriverInfo kRocksInfo = {
    .name = "rocksdb",
    .address = "rocksdb:[PATH]",
    .about = "RocksDB in this process; without PATH in a temporary folder",
    .levels = kRocksLevels,
    .parameters = kRocksParameters,
    .order = "sequence numbers, of transactions=pessimistic at the two upper levels",
};

/// All keys of a run are behind these letters, and nothing else of a database is touched.
constexpr std::string_view kRocksPrefix = "elapid/";
constexpr std::string_view kRocksBehindPrefix = "elapid0";

using RocksKey = std::array<char, kRocksPrefix.size() + sizeof(std::int64_t)>;

/// Numbers are stored as this machine has them: the database does not look at them.
RocksKey rocks_key(std::int64_t key) {
  RocksKey text = {};
  std::memcpy(text.data(), kRocksPrefix.data(), kRocksPrefix.size());
  std::memcpy(text.data() + kRocksPrefix.size(), &key, sizeof key);
  return text;
}

rocksdb::Slice as_slice(const RocksKey& key) {
  return {key.data(), key.size()};
}

rocksdb::Slice as_slice(const std::int64_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

TxnOutcome failure_of(const rocksdb::Status& status) {
  TxnOutcome outcome = {.fate = TxnFate::kAborted, .message = status.ToString()};
  if (status.IsDeadlock()) {
    outcome.error = TxnError::kDeadlock;
  } else if (status.IsTimedOut()) {
    outcome.error = TxnError::kLockTimeout;
  } else if (status.IsBusy() || status.IsTryAgain()) {
    outcome.error = TxnError::kConflict;
  } else {
    outcome.error = TxnError::kOther;
  }
  return outcome;
}

/// What the two kinds of transactional databases do differently.
struct RocksHandles {
  rocksdb::TransactionDB* pessimistic = nullptr;
  rocksdb::OptimisticTransactionDB* optimistic = nullptr;

  [[nodiscard]] rocksdb::DB* db() const {
    return pessimistic != nullptr ? static_cast<rocksdb::DB*>(pessimistic) : optimistic;
  }
};

/// What a run asks for.
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

class RocksConnection : public Connection {
 public:
  RocksConnection(const RocksHandles& handles, const RocksSettings& settings)
      : handles_(handles),
        reads_(settings.reads),
        reads_for_append_(settings.has_atomic_appends ? RocksReads::kLocked : settings.reads) {
    write_options_.disableWAL = !settings.has_log;
    pessimistic_options_.deadlock_detect = true;
    pessimistic_options_.lock_timeout = settings.patience.count();
    pessimistic_options_.set_snapshot = reads_ == RocksReads::kSnapshot;
    optimistic_options_.set_snapshot = reads_ == RocksReads::kSnapshot;
  }

  TxnOutcome run(DriverTxn& txn) override {
    begin();
    for (std::size_t i = 0; i < txn.size(); ++i) {
      bool goes_on = true;
      const rocksdb::Status status = carry_out(txn, i, goes_on);
      if (!status.ok() || !goes_on) {
        txn_->Rollback();
        return goes_on ? failure_of(status) : given_up();
      }
    }
    return commit(txn.only_reads());
  }

 private:
  void begin() {
    rocksdb::Transaction* const used = txn_.release();
    txn_.reset(
        handles_.pessimistic != nullptr
            ? handles_.pessimistic->BeginTransaction(write_options_, pessimistic_options_, used)
            : handles_.optimistic->BeginTransaction(write_options_, optimistic_options_, used));
    read_options_.snapshot = txn_->GetSnapshot();
    begun_at_ = read_options_.snapshot != nullptr ? read_options_.snapshot->GetSequenceNumber()
                                                  : handles_.db()->GetLatestSequenceNumber();
  }

  rocksdb::Status carry_out(DriverTxn& txn, std::size_t i, bool& goes_on) {
    const RequestStep step = txn.step(i);
    const RocksKey key = rocks_key(step.key);
    if (step.kind == OpKind::kWrite) {
      return txn_->Put(as_slice(key), as_slice(step.value));
    }
    bool is_there = false;
    rocksdb::Status status =
        get(key, step.kind == OpKind::kAppend ? reads_for_append_ : reads_, is_there);
    if (!status.ok()) {
      return status;
    }
    switch (step.kind) {
      case OpKind::kRead: {
        Seen seen;
        if (is_there) {
          std::memcpy(&seen.emplace(), value_.data(), sizeof(std::int64_t));
        }
        goes_on = txn.saw(i, seen);
        break;
      }
      case OpKind::kReadList:
        elements_.resize(is_there ? value_.size() / sizeof(std::int64_t) : 0);
        if (!elements_.empty()) {
          std::memcpy(elements_.data(), value_.data(), value_.size());
        }
        txn.saw_list(i, elements_);
        break;
      default:
        if (!is_there) {
          value_.clear();
        }
        value_.append(as_slice(step.value).data(), sizeof step.value);
        status = txn_->Put(as_slice(key), value_);
    }
    return status;
  }

  rocksdb::Status get(const RocksKey& key, RocksReads how, bool& is_there) {
    const rocksdb::Status status = how == RocksReads::kLocked
                                       ? txn_->GetForUpdate(read_options_, as_slice(key), &value_)
                                       : txn_->Get(read_options_, as_slice(key), &value_);
    is_there = status.ok();
    return status.IsNotFound() ? rocksdb::Status::OK() : status;
  }

  TxnOutcome commit(bool only_reads) {
    const bool tells_order = handles_.pessimistic != nullptr && reads_ != RocksReads::kLatest;
    const auto now = tells_order ? handles_.db()->GetLatestSequenceNumber() : 0;
    const rocksdb::Status status = txn_->Commit();
    if (!status.ok()) {
      TxnOutcome outcome = failure_of(status);
      // Of errors of the disk nobody knows how far they let the commit come.
      outcome.fate =
          outcome.error == TxnError::kOther ? TxnFate::kIndeterminate : TxnFate::kAborted;
      txn_->Rollback();
      return outcome;
    }
    TxnOutcome outcome;
    if (tells_order) {
      const std::int64_t start = behind(begun_at_);
      const std::int64_t read_at = reads_ == RocksReads::kSnapshot ? start : behind(now);
      outcome.order = {start, only_reads ? read_at : 2 * static_cast<std::int64_t>(txn_->GetId())};
    }
    return outcome;
  }

  static std::int64_t behind(rocksdb::SequenceNumber number) {
    return 2 * static_cast<std::int64_t>(number) + 1;
  }

  RocksHandles handles_;
  RocksReads reads_;
  RocksReads reads_for_append_;
  rocksdb::WriteOptions write_options_ = {};
  rocksdb::ReadOptions read_options_ = {};
  rocksdb::TransactionOptions pessimistic_options_ = {};
  rocksdb::OptimisticTransactionOptions optimistic_options_ = {};
  std::unique_ptr<rocksdb::Transaction> txn_ = {};  // used again and again
  rocksdb::SequenceNumber begun_at_ = 0;
  std::string value_ = {};
  std::vector<std::int64_t> elements_ = {};
};

class RocksDatabase : public Database {
 public:
  explicit RocksDatabase(const DatabaseRequest& request) : settings_(request) {}

  Status open(const DatabaseRequest& request) {
    const std::string path =
        request.uri.address.empty() ? request.scratch + "/rocksdb" : request.uri.address;
    rocksdb::Options options;
    options.create_if_missing = true;
    options.keep_log_file_num = 1;
    // An optimistic transaction looks for conflicts in memory: what it needs must still be there.
    options.max_write_buffer_size_to_maintain = std::int64_t{64} << 20;
    rocksdb::Status status;
    if (settings_.is_optimistic) {
      rocksdb::OptimisticTransactionDB* db = nullptr;
      status = rocksdb::OptimisticTransactionDB::Open(options, path, &db);
      optimistic_.reset(db);
    } else {
      rocksdb::TransactionDB* db = nullptr;
      status = rocksdb::TransactionDB::Open(options, {}, path, &db);
      pessimistic_.reset(db);
    }
    if (!status.ok()) {
      return unreadable(path, status);
    }
    status = begin_anew(request.initial);
    return status.ok() ? Status() : unreadable(path, status);
  }

  Result<std::unique_ptr<Connection>> connect(std::size_t /*session*/) override {
    return std::unique_ptr<Connection>(std::make_unique<RocksConnection>(handles(), settings_));
  }

  std::vector<DatabaseFact> facts() override {
    return {{"database", "RocksDB"},
            {"version", std::to_string(ROCKSDB_MAJOR) + '.' + std::to_string(ROCKSDB_MINOR) + '.' +
                            std::to_string(ROCKSDB_PATCH)},
            {"transactions", settings_.is_optimistic ? "optimistic" : "pessimistic"},
            {"append", settings_.has_atomic_appends ? "in-place" : "read-write"},
            {"wal", settings_.has_log ? "on" : "off"}};
  }

 private:
  static Error unreadable(const std::string& path, const rocksdb::Status& status) {
    return {.kind = ErrorKind::kUnreadable,
            .message = "RocksDB does not open it: " + status.ToString(),
            .file = path};
  }

  [[nodiscard]] RocksHandles handles() const { return {pessimistic_.get(), optimistic_.get()}; }

  rocksdb::Status begin_anew(const std::vector<RequestStep>& initial) {
    rocksdb::DB* const base =
        settings_.is_optimistic ? optimistic_->GetBaseDB() : pessimistic_->GetBaseDB();
    rocksdb::Status status = base->DeleteRange(
        {}, base->DefaultColumnFamily(), {kRocksPrefix.data(), kRocksPrefix.size()},
        {kRocksBehindPrefix.data(), kRocksBehindPrefix.size()});
    for (const RequestStep& write : initial) {
      if (status.ok()) {
        const RocksKey key = rocks_key(write.key);
        status = handles().db()->Put({}, as_slice(key), as_slice(write.value));
      }
    }
    return status;
  }

  RocksSettings settings_;
  std::unique_ptr<rocksdb::TransactionDB> pessimistic_ = {};
  std::unique_ptr<rocksdb::OptimisticTransactionDB> optimistic_ = {};
};

class RocksDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kRocksInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    auto database = std::make_unique<RocksDatabase>(request);
    if (Status status = database->open(request); !status.ok()) {
      return std::move(status.error());
    }
    return std::unique_ptr<Database>(std::move(database));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::RocksDriver)
