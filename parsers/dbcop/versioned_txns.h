// The common part of dbcop's JSON and text: transactions that read and write versions; null or `?`
// is the initial version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

class VersionedTxns {
 public:
  /// Borrows the options.
  explicit VersionedTxns(const ReadOptions& options);

  [[nodiscard]] HistoryBuilder& builder() { return builder_; }

  /// Transactions added so far.
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Adds an operation to the current transaction. No version: the initial one.
  void read(KeyId key, std::optional<std::uint64_t> version);
  void write(KeyId key, std::uint64_t version);
  /// Ends the current transaction, which is the next one of its session, and begins another.
  Status end_txn(std::uint64_t session, bool has_committed, std::uint64_t offset);

  /// The result of finish_trace(). The size is that of the input in bytes.
  Result<History> finish(Sources& sources, std::uint64_t source_bytes) &&;

 private:
  const ReadOptions& options_;
  HistoryBuilder builder_;
  ValueId initial_ = ValueId::nil();
  std::vector<MopInput> mops_;
  std::size_t count_ = 0;
};

}  // namespace elapid
