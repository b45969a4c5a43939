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
  Number number = 0;
  for (std::size_t i = sizeof number; i > 0; --i) {
    number = static_cast<Number>(number << 8) |
             static_cast<Number>(static_cast<unsigned char>(bytes[i - 1]));
  }
  return number;
}

std::uint32_t u32(const char* bytes) {
  return little_endian<std::uint32_t>(bytes);
}

std::uint64_t u64(const char* bytes) {
  return little_endian<std::uint64_t>(bytes);
}

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

/// The bytes of the rest of a record; null if the log ends before.
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

/// T and S.
bool LogScanner::begin(Transaction& txn) {
  txn.offset = window_.offset();
  if (peek() != 'T') {
    return fail(txn.offset, "expected a transaction's record `T`, found " + byte_words(peek()));
  }
  const char* record = take(21, "a transaction's record");
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
  Head head;
  return read_head(txn, head);
}

/// Type, statement and times.
bool LogScanner::read_head(const Transaction& txn, Head& head) {
  head.offset = window_.offset();
  const char* record = take(21, "a record");
  if (record == nullptr) {
    return false;
  }
  head.oid = u32(record + 1);
  const std::uint64_t start = u64(record + 5);
  const std::uint64_t end = u64(record + 13);
  if (end < start || start < txn.start || end > txn.end) {
    return fail(head.offset, "expected times within those of transaction " +
                                 std::to_string(txn.tid) + ", " + std::to_string(txn.start) +
                                 " to " + std::to_string(txn.end) + ", found " +
                                 std::to_string(start) + " to " + std::to_string(end));
  }
  return true;
}

/// Up to C or A, or to where the next transaction or the end shows that neither is there.
bool LogScanner::read_records(Transaction& txn) {
  while (!window_.at_end()) {
    const char type = peek();
    Head head;
    switch (type) {
      case 'C':
      case 'A':
        txn.status = type == 'C' ? TxnStatus::kCommitted : TxnStatus::kAborted;
        return read_head(txn, head);
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
  Head head;
  if (!read_head(txn, head)) {
    return false;
  }
  const bool is_predicate = type == 'P';
  const char* rest = take(type == 'R' ? 16 : 20, "a record");
  if (rest == nullptr) {
    return false;
  }
  Record record = {.type = type, .offset = head.offset, .oid = head.oid};
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
  }
  if (is_predicate && !read_matched(record, txn)) {
    return false;
  }
  txn.records.push_back(record);
  return true;
}

/// A piece at a time, so that a count that is wrong takes no memory. Passes over the versions.
bool LogScanner::read_matched(Record& record, Transaction& txn) {
  constexpr std::size_t kPiece = std::size_t{1} << 12;
  record.key_begin = txn.keys.size();
  const auto each_piece = [&](std::size_t width, auto take_piece) {
    for (std::size_t left = record.key_count; left > 0;) {
      const std::size_t piece = std::min(left, kPiece);
      const char* bytes = take(piece * width, "the rows that a predicate matched");
      if (bytes == nullptr) {
        return false;
      }
      take_piece(bytes, piece);
      left -= piece;
    }
    return true;
  };
  return each_piece(8,
                    [&](const char* bytes, std::size_t piece) {
                      for (std::size_t i = 0; i < piece; ++i) {
                        txn.keys.push_back(u64(bytes + 8 * i));
                      }
                    }) &&
         each_piece(8, [](const char*, std::size_t) {});
}

}  // namespace elapid::vbox
