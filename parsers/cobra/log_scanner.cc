#include "parsers/cobra/log_scanner.h"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/byte_words.h"
#include "parsers/traces/is_utf8.h"

namespace elapid::cobra {

namespace {

/// Enough operations for their look-ups to overlap, and few enough for the cache.
constexpr std::size_t kBlockOps = 512;

template <class Number>
Number big_endian(const char* bytes) {
  Number n = 0;
  std::memcpy(&n, bytes, sizeof n);
  if constexpr (std::endian::native == std::endian::little) {
    n = sizeof n == 8 ? static_cast<Number>(__builtin_bswap64(n))
                      : static_cast<Number>(__builtin_bswap32(static_cast<std::uint32_t>(n)));
  }
  return n;
}

std::uint64_t number(const char* bytes) {
  return big_endian<std::uint64_t>(bytes);
}

}  // namespace

bool LogScanner::next(LogBlock& block) {
  block.clear();
  while (status_.ok() && block.txns.size() + block.ops.size() < kBlockOps && !window_.at_end()) {
    const std::size_t ops_before = block.ops.size();
    if (!read_txn(block)) {
      block.ops.resize(ops_before);
    }
  }
  if (status_.ok() && window_.error()) {
    status_ = *window_.error();
  }
  return !block.txns.empty();
}

bool LogScanner::read_txn(LogBlock& block) {
  TxnRecord txn{.offset = window_.offset(), .first_op = block.ops.size()};
  if (!start(txn)) {
    return false;
  }
  for (;;) {
    const std::string_view ahead = window_.ahead(1);
    switch (ahead.empty() ? '\0' : ahead.front()) {
      case 'R':
      case 'W':
        if (!read_op(txn, block)) {
          return false;
        }
        break;
      case 'C':
        if (!commit(txn)) {
          return false;
        }
        txn.op_count = block.ops.size() - txn.first_op;
        block.txns.push_back(txn);
        return true;
      default:
        return fail_in_txn(txn);
    }
  }
}

/// Skips a record of this size, its letter included, and returns its numbers. Null if the input
/// ends.
const char* LogScanner::record(std::size_t bytes) {
  const std::string_view ahead = window_.ahead(bytes);
  if (ahead.size() < bytes) {
    fail_at_end(window_.offset(), "a record `" + std::string(ahead.substr(0, 1)) + "` of " +
                                      std::to_string(bytes) + " bytes");
    return nullptr;
  }
  window_.skip(bytes);
  return ahead.data() + 1;
}

bool LogScanner::start(TxnRecord& txn) {
  const char letter = window_.ahead(1).front();
  if (letter != 'S') {
    const bool is_misplaced = std::string_view("RWCA").find(letter) != std::string_view::npos;
    return fail(txn.offset, "expected the start of a transaction, `S`, found " +
                                byte_words(letter) +
                                (is_misplaced ? " outside of a transaction" : ""));
  }
  const char* numbers = record(layout_.has_times ? 17 : 9);
  if (numbers == nullptr) {
    return false;
  }
  txn.id = number(numbers);
  txn.start_ms = layout_.has_times ? static_cast<std::int64_t>(number(numbers + 8)) : 0;
  return true;
}

bool LogScanner::commit(TxnRecord& txn) {
  const std::uint64_t offset = window_.offset();
  const char* numbers = record(layout_.has_times ? 17 : 9);
  if (numbers == nullptr) {
    return false;
  }
  if (const std::uint64_t id = number(numbers); id != txn.id) {
    return fail(offset, "expected the commit of transaction " + hex(txn.id) +
                            ", found that of transaction " + hex(id));
  }
  if (layout_.has_times) {
    txn.commit_ms = static_cast<std::int64_t>(number(numbers + 8));
    return has_times_in_range(txn);
  }
  return true;
}

/// Whether the times in ms fit into ns.
bool LogScanner::has_times_in_range(const TxnRecord& txn) {
  constexpr std::int64_t kMaxMs = std::numeric_limits<std::int64_t>::max() / 1'000'000;
  for (const std::int64_t ms : {txn.start_ms, txn.commit_ms}) {
    if (ms < 0 || ms > kMaxMs) {
      return fail(txn.offset, "expected times in ms since 1970, found " + std::to_string(ms) +
                                  " in transaction " + hex(txn.id));
    }
  }
  return true;
}

bool LogScanner::read_op(const TxnRecord& txn, LogBlock& block) {
  const bool is_write = window_.ahead(1).front() == 'W';
  const std::size_t ids = is_write ? 8 : 16;
  OpRecord op{.is_write = is_write, .writer = txn.id};
  const char* numbers = record(layout_.has_key_texts ? 1 + ids : 1 + ids + 16);
  if (numbers == nullptr) {
    return false;
  }
  if (!is_write) {
    op.writer = number(numbers);
  }
  op.write = number(numbers + ids - 8);
  if (!layout_.has_key_texts) {
    op.key = number(numbers + ids);
    op.value_hash = number(numbers + ids + 8);
  } else if (!read_key_text(block, op)) {
    return false;
  }
  block.ops.push_back(op);
  return true;
}

/// Reads the rest of an operation whose key is a text.
bool LogScanner::read_key_text(LogBlock& block, OpRecord& op) {
  constexpr std::uint32_t kMaxKeyText = 1U << 20;
  const std::uint64_t offset = window_.offset();
  const std::string_view head = window_.ahead(4);
  const std::uint32_t length = head.size() < 4 ? 0 : big_endian<std::uint32_t>(head.data());
  if (length > kMaxKeyText) {
    return fail(offset, "expected a key of at most 1 MiB, found a length of " +
                            std::to_string(length) + " bytes");
  }
  const std::string_view ahead = window_.ahead(4 + std::size_t{length} + 8);
  if (ahead.size() < 4 + std::size_t{length} + 8) {
    return fail_at_end(offset, "a key of " + std::to_string(length) + " bytes and a value hash");
  }
  if (!is_utf8(ahead.substr(4, length))) {
    return fail(offset, "expected a key in valid UTF-8, found something else");
  }
  block.key_texts.append(ahead.substr(4, length));
  op.key = block.last_key_text(length);
  op.value_hash = number(ahead.data() + 4 + length);
  window_.skip(4 + std::size_t{length} + 8);
  return true;
}

/// Reports an incomplete item at `offset`. Always false.
bool LogScanner::fail_at_end(std::uint64_t offset, const std::string& expected) {
  has_run_out_ = true;
  return fail(offset, "expected " + expected + ", found the end of the log");
}

/// Reports a record that is neither an operation nor a commit.
bool LogScanner::fail_in_txn(const TxnRecord& txn) {
  const std::string_view ahead = window_.ahead(1);
  const std::string where = " in transaction " + hex(txn.id);
  if (ahead.empty()) {
    return fail_at_end(window_.offset(), "a commit" + where);
  }
  switch (ahead.front()) {
    case 'S':
      return fail(window_.offset(), "expected a commit, found the start of another one" + where);
    case 'A':
      return fail(
          window_.offset(),
          "expected a commit, since only committed transactions are logged, found an abort" +
              where);
    default:
      return fail(window_.offset(),
                  "expected R, W or C, found " + byte_words(ahead.front()) + where);
  }
}

/// Always false. An error of reading precedes the error that it causes.
bool LogScanner::fail(std::uint64_t offset, std::string message) {
  status_ = window_.error() ? *window_.error() : malformed_at(offset, std::move(message));
  return false;
}

namespace {

/// Where reading the head by this layout stops: at a break or at the end.
std::uint64_t reach(std::string_view head, Layout layout) {
  const auto source = memory_source("", std::string(head));
  Window window(*source, kLayoutTrialBytes);
  LogScanner scanner(window, layout);
  LogBlock block;
  while (scanner.next(block)) {
  }
  return scanner.status().ok() || scanner.has_run_out()
             ? head.size()
             : scanner.status().error().byte_offset.value_or(0);
}

}  // namespace

Layout find_layout(std::string_view head, std::optional<bool> has_times) {
  constexpr std::size_t kBehindId = 9;
  const bool looks_timed = head.size() > kBehindId && head[kBehindId] == '\0';
  const Layout hashes{.has_times = has_times.value_or(looks_timed)};
  const Layout texts{.has_times = hashes.has_times, .has_key_texts = true};
  return reach(head, texts) > reach(head, hashes) ? texts : hashes;
}

}  // namespace elapid::cobra
