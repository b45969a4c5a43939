#include "parsers/vbox/records.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/byte_words.h"

namespace elapid::vbox {

namespace {

template <class Number>
Number little_endian(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

std::uint32_t u32(const char* bytes) {
  return little_endian<std::uint32_t>(bytes);
}

std::uint64_t u64(const char* bytes) {
  return little_endian<std::uint64_t>(bytes);
}

// Sizes of records: the head of all but T, then R, W, and P without its rows.
constexpr std::size_t kHead = 21;
constexpr std::size_t kRead = kHead + 16;
constexpr std::size_t kWrite = kHead + 20;

// Keys or versions of rows are read in pieces, so that a wrong count takes no memory.
constexpr std::size_t kPiece = std::size_t{1} << 12;

constexpr std::uint64_t kLatest = std::uint64_t{1}
                                  << 62;  // of times, and of what follows from them

}  // namespace

bool LogScanner::fail(std::uint64_t offset, std::string message) {
  if (status_.ok()) {
    status_ = window_.error() ? Status(*window_.error()) : malformed_at(offset, std::move(message));
  }
  return false;
}

/// The next byte; '\0' at the end.
char LogScanner::peek() {
  const std::string_view ahead = window_.ahead(1);
  return ahead.empty() ? '\0' : ahead.front();
}

/// The rest of a record; null if the log ends before.
const char* LogScanner::take(std::size_t bytes, const char* what) {
  const std::string_view ahead = window_.ahead(bytes);
  if (ahead.size() < bytes) {
    fail(window_.offset(), "expected the rest of " + std::string(what) + ", found the end");
    return nullptr;
  }
  window_.skip(bytes);
  return ahead.data();
}

bool LogScanner::next(Transaction& txn) {
  txn.records.clear();
  txn.keys.clear();
  txn.status = TxnStatus::kIndeterminate;
  return status_.ok() && !window_.at_end() ? begin(txn) && read_records(txn)
         : window_.error()                 ? fail(window_.offset(), "")
                                           : false;
}

/// Reads the records T and S.
bool LogScanner::begin(Transaction& txn) {
  txn.offset = window_.offset();
  if (peek() != 'T') {
    return fail(txn.offset, "expected a transaction's record `T`, found " + byte_words(peek()));
  }
  const char* record = take(kHead, "a transaction's record");
  if (record == nullptr) {
    return false;
  }
  txn.tid = u32(record + 1);
  txn.start = u64(record + 5);
  txn.end = u64(record + 13);
  if (txn.tid == 0) {
    return fail(txn.offset, "expected a transaction's id from 1 on, found 0");
  }
  if (txn.end < txn.start || txn.end > kLatest) {
    return fail(txn.offset, "expected a transaction that ends after its start, found the times " +
                                std::to_string(txn.start) + " and " + std::to_string(txn.end));
  }
  const std::uint64_t second = window_.offset();
  if (peek() != 'S') {
    return fail(second, "expected the record `S` of BEGIN, found " +
                            (window_.at_end() ? "the end" : byte_words(peek())));
  }
  return read_head(txn);
}

/// Reads a record of type, statement and times only.
bool LogScanner::read_head(const Transaction& txn) {
  const std::uint64_t offset = window_.offset();
  const char* record = take(kHead, "a record");
  return record != nullptr && check_times(record, offset, txn);
}

bool LogScanner::check_times(const char* record, std::uint64_t offset, const Transaction& txn) {
  const std::uint64_t start = u64(record + 5);
  const std::uint64_t end = u64(record + 13);
  if (end < start || start < txn.start || end > txn.end) {
    return fail(offset, "expected times within those of transaction " + std::to_string(txn.tid) +
                            ", " + std::to_string(txn.start) + " to " + std::to_string(txn.end) +
                            ", found " + std::to_string(start) + " to " + std::to_string(end));
  }
  return true;
}

/// Reads records up to C or A, or until the next transaction or the end shows that both are
/// missing.
bool LogScanner::read_records(Transaction& txn) {
  while (!window_.at_end()) {
    const char type = peek();
    switch (type) {
      case 'C':
      case 'A':
        txn.status = type == 'C' ? TxnStatus::kCommitted : TxnStatus::kAborted;
        return read_head(txn);
      case 'R':
      case 'W':
      case 'P':
        if (!read_record(type, txn)) {
          return false;
        }
        break;
      case 'T':
        return true;
      default:
        return fail(window_.offset(), "expected a record R, W, P, C or A of transaction " +
                                          std::to_string(txn.tid) + ", found " + byte_words(type));
    }
  }
  return !window_.error() || fail(window_.offset(), "");
}

bool LogScanner::read_record(char type, Transaction& txn) {
  const std::uint64_t offset = window_.offset();
  const char* bytes = take(type == 'R' ? kRead : kWrite, "a record");
  if (bytes == nullptr || !check_times(bytes, offset, txn)) {
    return false;
  }
  const char* rest = bytes + kHead;
  Record& record = txn.records.emplace_back();
  record.type = type;
  record.offset = offset;
  record.oid = u32(bytes + 1);
  if (type == 'R') {
    record.key = u64(rest);
    record.version = {u32(rest + 8), u32(rest + 12)};
  } else if (type == 'W') {
    record.key = u64(rest);
    record.column = u64(rest + 8);
    record.value = u32(rest + 16);
  } else {
    record.column = u64(rest);
    record.low = u32(rest + 8);
    record.high = u32(rest + 12);
    record.key_count = u32(rest + 16);
    record.key_begin = txn.keys.size();
    return read_keys(record.key_count, txn.keys) && pass_over_versions(record.key_count);
  }
  return true;
}

bool LogScanner::read_keys(std::size_t count, std::vector<std::uint64_t>& keys) {
  while (count > 0) {
    const std::size_t piece = std::min(count, kPiece);
    const char* bytes = take(piece * 8, "the rows that a predicate matched");
    if (bytes == nullptr) {
      return false;
    }
    for (std::size_t i = 0; i < piece; ++i) {
      keys.push_back(u64(bytes + 8 * i));
    }
    count -= piece;
  }
  return true;
}

bool LogScanner::pass_over_versions(std::size_t count) {
  while (count > 0) {
    const std::size_t piece = std::min(count, kPiece);
    if (take(piece * 8, "the rows that a predicate matched") == nullptr) {
      return false;
    }
    count -= piece;
  }
  return true;
}

}  // namespace elapid::vbox
