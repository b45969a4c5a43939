// Vbox's logs: packed little-endian records, without header or padding.
//
//   T tid u32, start u64, end u64                     a transaction; ns since 1970
//   S oid u32, start u64, end u64                     BEGIN
//   R oid, start, end, key u64, tid u32, oid u32      a row read, with its version
//   W oid, start, end, key u64, column u64, value u32 a column of a row written
//   P oid, start, end, column u64, low u32, high u32, n u32, keys u64[n], tids u32[n], oids u32[n]
//                                                     low <= column <= high matched these rows
//   C oid, start, end                                 COMMIT
//   A oid, start, end                                 ROLLBACK, or failure
//
// A log is ( T S (R|W|P)* (C|A) )*. `oid` numbers statements: all records of a statement have the
// same. The versions in P are wrong in all known files (P repeats tids in place of oids), so they
// are ignored: R has them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/bytes/window.h"

namespace elapid::vbox {

/// A row's version: the transaction and the statement that last wrote it; 0:0 is the initial one.
struct Version {
  std::uint32_t tid = 0;
  std::uint32_t oid = 0;
  friend bool operator==(const Version&, const Version&) = default;
};

/// R, W or P.
struct Record {
  char type = 'R';
  std::uint32_t oid = 0;
  std::uint64_t offset = 0;
  std::uint64_t key = 0;        ///< R, W
  std::uint64_t column = 0;     ///< W, P
  std::uint32_t value = 0;      ///< W
  Version version = {};         ///< R
  std::uint32_t low = 0;        ///< P
  std::uint32_t high = 0;       ///< P
  std::uint32_t key_count = 0;  ///< P
  std::size_t key_begin = 0;    ///< P: in Transaction::keys
};

struct Transaction {
  std::uint64_t offset = 0;
  std::uint32_t tid = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  TxnStatus status = TxnStatus::kIndeterminate;
  std::vector<Record> records = {};
  std::vector<std::uint64_t> keys = {};  ///< that predicates matched

  [[nodiscard]] std::span<const std::uint64_t> matched(const Record& predicate) const {
    return std::span(keys).subspan(predicate.key_begin, predicate.key_count);
  }
};

/// The transactions of one log, one after the other.
class LogScanner {
 public:
  /// Borrows the window.
  explicit LogScanner(Window& window) : window_(window) {}

  /// Replaces `txn` by the next transaction. False at the end, and after an error.
  bool next(Transaction& txn);

  /// The error in the log, with a byte offset.
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  bool begin(Transaction& txn);
  bool read_records(Transaction& txn);
  bool read_record(char type, Transaction& txn);
  bool read_keys(std::size_t count, std::vector<std::uint64_t>& keys);
  bool pass_over_versions(std::size_t count);
  bool read_head(const Transaction& txn);
  bool check_times(const char* record, std::uint64_t offset, const Transaction& txn);
  const char* take(std::size_t bytes, const char* what);
  bool fail(std::uint64_t offset, std::string message);
  [[nodiscard]] char peek();

  Window& window_;
  Status status_;
};

}  // namespace elapid::vbox
