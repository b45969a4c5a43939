// RocksDB, in this process.
//
// RocksDB's transactions promise what the client asks for at each read. The levels differ only in
// what the client asks for:
//
//   read-committed       Get: the latest committed version; the read leaves no trace
//   snapshot-isolation   SetSnapshot at the beginning, and every Get at that snapshot; a write of a
//                        key that has changed since is refused
//   serializable         GetForUpdate: what is read is locked (TransactionDB), or must not have
//                        changed until the commit (OptimisticTransactionDB)
//
// An append is a read of the list and a Put of the list with one more element. For an append to
// be atomic, as an UPDATE in SQL, the read is a GetForUpdate at every level. With
// `append=read-write` it is a read of the level, as in a naive program: then read-committed loses
// appends.
//
// A TransactionDB gives the sequence number at which a commit began (Transaction::GetId after
// Commit: the write policy WRITE_COMMITTED sets it, pessimistic_transaction.cc), and the last
// number that a snapshot shows. Here numbers are doubled, and those of snapshots are odd, so that a
// snapshot follows the commits that it shows and precedes all others. What a transaction locked has
// not changed up to its commit, so its snapshot stands right before that. A commit that writes
// nothing has no number: it stands at its snapshot. There is no order for an
// OptimisticTransactionDB, which gives no numbers, and at read-committed, where reads are of many
// moments.
#include <rocksdb/options.h>
#include <rocksdb/version.h>

#include <algorithm>
#include <array>

#include "harness/drive/drivers/rocksdb_steps.h"
#include "harness/drive/drivers/rocksdb_transaction.h"
#include "harness/drive/plugin.h"

namespace elapid {

namespace {

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

TxnOutcome failure_of(const rocksdb::Status& status) {
  return {.fate = TxnFate::kAborted, .error = error_of(status), .message = status.ToString()};
}

class RocksConnection : public Connection {
 public:
  RocksConnection(const RocksHandles& handles, const RocksSettings& settings)
      : handles_(handles), reads_(settings.reads), txn_(handles, settings) {}

  TxnOutcome run(DriverTxn& txn) override {
    txn_.begin();
    for (std::size_t i = 0; i < txn.size(); ++i) {
      bool goes_on = true;
      const rocksdb::Status status = carry_out(txn, i, goes_on);
      if (!status.ok() || !goes_on) {
        txn_->Rollback();
        return goes_on ? failure_of(status) : given_up();
      }
    }
    return commit(std::ranges::any_of(txn.steps(), [](const RequestStep& step) {
      return step.kind == OpKind::kWrite || step.kind == OpKind::kAppend;
    }));
  }

 private:
  rocksdb::Status carry_out(DriverTxn& txn, std::size_t i, bool& goes_on) {
    const RequestStep step = txn.step(i);
    rocksdb::Status status;
    switch (step.kind) {
      case OpKind::kWrite:
        return txn_.write(step.key, step.value);
      case OpKind::kRead: {
        Seen seen;
        status = txn_.read(step.key, seen);
        goes_on = !status.ok() || txn.saw(i, seen);
        return status;
      }
      case OpKind::kReadList:
        status = txn_.read(step.key, elements_);
        if (status.ok()) {
          txn.saw_list(i, elements_);
        }
        return status;
      default:
        return txn_.append(step.key, step.value);
    }
  }

  TxnOutcome commit(bool writes) {
    const rocksdb::Snapshot* const snapshot = txn_->GetSnapshot();
    const rocksdb::SequenceNumber shown = snapshot != nullptr
                                              ? snapshot->GetSequenceNumber()
                                              : handles_.db()->GetLatestSequenceNumber();
    const rocksdb::Status status = txn_->Commit();
    if (!status.ok()) {
      TxnOutcome outcome = failure_of(status);
      // After a disk error it is unknown how far the commit came.
      outcome.fate =
          outcome.error == TxnError::kOther ? TxnFate::kIndeterminate : TxnFate::kAborted;
      txn_->Rollback();
      return outcome;
    }
    TxnOutcome outcome;
    if (handles_.pessimistic != nullptr && reads_ != RocksReads::kLatest) {
      const std::int64_t committed = 2 * static_cast<std::int64_t>(txn_->GetId());
      const std::int64_t start = writes && reads_ == RocksReads::kLocked
                                     ? committed - 1
                                     : 2 * static_cast<std::int64_t>(shown) + 1;
      outcome.order = {start, writes ? committed : start};
    }
    return outcome;
  }

  RocksHandles handles_;
  RocksReads reads_;
  RocksTransaction txn_;
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
    // An optimistic transaction finds conflicts in memory, so recent writes must stay there.
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
    return begin_anew(request.initial);
  }

  /// Removes all keys of an earlier run, and writes the initial ones.
  Status begin_anew(const std::vector<RequestStep>& initial) {
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
    return status.ok() ? Status() : unreadable(base->GetName(), status);
  }

  [[nodiscard]] RocksHandles handles() const { return {pessimistic_.get(), optimistic_.get()}; }

  [[nodiscard]] const RocksSettings& settings() const { return settings_; }

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

  RocksSettings settings_;
  std::unique_ptr<rocksdb::TransactionDB> pessimistic_ = {};
  std::unique_ptr<rocksdb::OptimisticTransactionDB> optimistic_ = {};
};

/// Sessions that run step by step.
class RocksStepDatabase : public StepDatabase {
 public:
  explicit RocksStepDatabase(const DatabaseRequest& request) : database_(request) {}

  Status open(const DatabaseRequest& request) { return database_.open(request); }

  [[nodiscard]] const SqlSpelling* spelling() const override { return nullptr; }

  Status prepare(std::span<const std::string> /*sql*/) override { return database_.begin_anew({}); }

  Result<std::unique_ptr<StepSession>> connect(std::size_t session,
                                               std::span<const std::string> settings) override {
    if (!settings.empty()) {
      return usage_error("sessions of RocksDB begin with no statements");
    }
    auto made = std::make_unique<RocksStepSession>(database_.handles(), database_.settings(),
                                                   locks_, session);
    return std::unique_ptr<StepSession>(std::move(made));
  }

  Result<bool> all_wait(std::span<const std::size_t> sessions) override {
    return locks_.all_wait(sessions);
  }

  [[nodiscard]] std::vector<DatabaseFact> facts() override { return database_.facts(); }

 private:
  RocksDatabase database_;
  RocksLocks locks_ = {};
};

class RocksDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kRocksInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    auto database = std::make_unique<RocksDatabase>(request);
    ELAPID_RETURN_IF_ERROR(database->open(request));
    return std::unique_ptr<Database>(std::move(database));
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& request, std::function<void()> /*news*/) const override {
    auto database = std::make_unique<RocksStepDatabase>(request);
    ELAPID_RETURN_IF_ERROR(database->open(request));
    return std::unique_ptr<StepDatabase>(std::move(database));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::RocksDriver)
