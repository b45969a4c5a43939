// What dbcop's JSON and text have in common: transactions that read and write versions, where null
// or `?` is the initial one.
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

  /// The current transaction's next operation. Nothing: the initial version.
  void read(KeyId key, std::optional<std::uint64_t> version);
  void write(KeyId key, std::uint64_t version);
  /// Ends the current transaction, which is the next one of its session; another one begins.
  Status end_txn(std::uint64_t session, bool has_committed, std::uint64_t offset);

  /// What finish_trace() makes of all. The size is that of the input in bytes.
  Result<History> finish(Sources& sources, std::uint64_t source_bytes) &&;

 private:
  const ReadOptions& options_;
  HistoryBuilder builder_;
  ValueId initial_ = ValueId::nil();
  std::vector<MopInput> mops_;
  std::size_t count_ = 0;
};

}  // namespace elapid
