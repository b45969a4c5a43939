// Sessions of RocksDB that go one step at a time, and the locks that they wait for.
//
// A TransactionDB gives the transactions that one waits for (Transaction::GetWaitingTxns, which its
// search for deadlocks uses). They are as old as the waiter's last look. If such a transaction has
// ended since, the waiter does not wait any more: it has not been woken yet.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "harness/drive/drivers/rocksdb_transaction.h"

namespace elapid {

/// The open transactions by session. Safe from any thread.
class RocksLocks {
 public:
  void opened(std::size_t session, const rocksdb::Transaction* txn) {
    const std::lock_guard lock(mutex_);
    open_[session] = txn;
  }

  void ended(std::size_t session) {
    const std::lock_guard lock(mutex_);
    open_.erase(session);
  }

  /// Whether each of these sessions waits for an open transaction.
  bool all_wait(std::span<const std::size_t> sessions) {
    const std::lock_guard lock(mutex_);
    return std::ranges::all_of(sessions, [this](std::size_t session) {
      const auto txn = open_.find(session);
      return txn != open_.end() && waits(*txn->second);
    });
  }

 private:
  [[nodiscard]] bool waits(const rocksdb::Transaction& txn) const {
    std::uint32_t column_family = 0;
    std::string key;
    const std::vector<rocksdb::TransactionID> holders = txn.GetWaitingTxns(&column_family, &key);
    return !holders.empty() && std::ranges::all_of(holders, [this](rocksdb::TransactionID id) {
      return std::ranges::any_of(open_,
                                 [&](const auto& open) { return open.second->GetID() == id; });
    });
  }

  std::mutex mutex_ = {};
  std::map<std::size_t, const rocksdb::Transaction*> open_ = {};
};

class RocksStepSession : public StepSession {
 public:
  /// Borrows `locks`.
  RocksStepSession(const RocksHandles& handles, const RocksSettings& settings, RocksLocks& locks,
                   std::size_t session)
      : txn_(handles, settings),
        locks_(locks),
        session_(session),
        has_locks_(handles.pessimistic != nullptr) {}

  ~RocksStepSession() override { locks_.ended(session_); }

  StepReply carry_out(const StepRequest& request) override {
    StepReply reply;
    rocksdb::Status status;
    switch (request.kind) {
      case StepRequest::Kind::kBegin:
        locks_.ended(session_);
        txn_.begin();
        if (has_locks_) {
          locks_.opened(session_, txn_.operator->());
        }
        return reply;
      case StepRequest::Kind::kOperation:
        status = carry_out(request.operation, reply);
        break;
      default:
        // This may let other sessions go on before it returns: the transaction has already ended.
        locks_.ended(session_);
        status = request.kind == StepRequest::Kind::kCommit ? txn_->Commit() : txn_->Rollback();
    }
    if (!status.ok()) {
      reply.error = error_of(status);
      reply.message = status.ToString();
      // After a disk error it is unknown how far a commit came.
      reply.is_lost =
          request.kind != StepRequest::Kind::kOperation && reply.error == TxnError::kOther;
    }
    return reply;
  }

 private:
  rocksdb::Status carry_out(const RequestStep& step, StepReply& reply) {
    rocksdb::Status status;
    StepRow row(1);
    switch (step.kind) {
      case OpKind::kWrite:
        return txn_.write(step.key, step.value);
      case OpKind::kAppend:
        return txn_.append(step.key, step.value);
      case OpKind::kRead: {
        Seen seen;
        status = txn_.read(step.key, seen);
        row.front() = seen ? std::optional(std::to_string(*seen)) : std::nullopt;
        break;
      }
      default: {
        std::vector<std::int64_t> elements;
        status = txn_.read(step.key, elements);
        std::string& list = row.front().emplace();
        for (const std::int64_t element : elements) {
          list += (list.empty() ? "" : ",") + std::to_string(element);
        }
      }
    }
    reply.rows.push_back(std::move(row));
    return status;
  }

  RocksTransaction txn_;
  RocksLocks& locks_;
  std::size_t session_;
  bool has_locks_;  // an optimistic transaction never waits
};

}  // namespace elapid
