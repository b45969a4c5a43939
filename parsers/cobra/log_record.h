// The records of Cobra's logs: one byte, then big-endian 64-bit numbers.
//
//   S txn                                   a transaction starts
//   R writer-txn write key-hash value-hash  it reads a write of that transaction
//   W write key-hash value-hash             it writes
//   C txn                                   it has committed
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace elapid::cobra {

/// Special numbers in the place of ids of transactions and writes.
enum SpecialId : std::uint64_t {
  kInitialId = 0xbebeebee,    ///< the state before the recording began
  kNullId = 0xdeadbeef,       ///< a missing key
  kDeleteId = 0xabcdefab,     ///< every deletion
  kUniversalId = 0xabddefee,  ///< every write, if only values tell writes apart
  kGcTrueId = 0x23332333,     ///< the two values of the garbage collector's key
  kGcFalseId = 0x66666666,
};

/// Whether this id of a transaction or write means the state before the first write.
constexpr bool is_initial(std::uint64_t id) {
  return id == kInitialId || id == kNullId;
}

/// The variants of logs, chosen when the writing program is built.
struct Layout {
  bool has_times = false;      ///< ids of S and C are followed by the time in ms
  bool has_key_texts = false;  ///< keys are texts with 32-bit lengths, not hashes
  friend bool operator==(Layout, Layout) = default;
};

struct OpRecord {
  bool is_write = false;
  std::uint64_t writer = 0;  ///< of a write: the transaction itself
  std::uint64_t write = 0;
  std::uint64_t key = 0;  ///< hash; or the text's place: LogBlock::key_text()
  std::uint64_t value_hash = 0;
};

struct TxnRecord {
  std::uint64_t id = 0;
  std::uint64_t offset = 0;  ///< of its S
  std::int64_t start_ms = 0;
  std::int64_t commit_ms = 0;
  std::size_t first_op = 0;  ///< in LogBlock::ops
  std::size_t op_count = 0;
};

/// A block of whole transactions of a log.
struct LogBlock {
  std::vector<TxnRecord> txns = {};
  std::vector<OpRecord> ops = {};
  std::string key_texts = {};

  void clear() {
    txns.clear();
    ops.clear();
    key_texts.clear();
  }

  /// OpRecord::key of a text at the end of key_texts.
  [[nodiscard]] std::uint64_t last_key_text(std::size_t length) const {
    return std::uint64_t{key_texts.size() - length} << 32 | length;
  }

  [[nodiscard]] std::string_view key_text(std::uint64_t key) const {
    return std::string_view(key_texts).substr(key >> 32, key & 0xffffffffU);
  }
};

/// For messages: `0x100000001`.
inline std::string hex(std::uint64_t id) {
  std::array<char, 16> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), id, 16);
  return "0x" + std::string(digits.data(), result.ptr);
}

}  // namespace elapid::cobra
