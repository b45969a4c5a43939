// The data of one piece of a history about the keys of one partition, as stored on disk.
//
// Values are words: small integers as they are, all others as their place among the segment's
// texts. A list is a length if it is a prefix of its key's longest list in the piece. So a list
// that grows is written once a piece, however often it is read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/spill_file.h"
#include "parsers/partitions/peers.h"

namespace elapid {

/// A micro-operation on a key of the segment.
struct SegmentOp {
  std::uint32_t kind = 0;     ///< OpKind; with kAttempt: invoked, but not completed in that form
  std::uint32_t mop = 0;      ///< its place in the transaction
  std::uint32_t key = 0;      ///< among the segment's keys
  std::uint32_t payload = 0;  ///< a word, or ListId::bits()

  static constexpr std::uint32_t kAttempt = 8;

  [[nodiscard]] OpKind op_kind() const { return static_cast<OpKind>(kind % kAttempt); }

  [[nodiscard]] bool is_attempt() const { return kind >= kAttempt; }
};

/// A transaction with operations on keys of the segment.
struct SegmentTxn {
  std::uint32_t number = 0;     ///< in the whole history
  std::uint32_t invoked = 0;    ///< EventId
  std::uint32_t completed = 0;  ///< EventId, or none()
  std::uint32_t status = 0;     ///< TxnStatus; with kAttempted: another invocation is known
  std::uint32_t op_begin = 0;   ///< its operations end where the next one's begin
  std::uint32_t session = 0;    ///< the low bits of History::session_name()

  static constexpr std::uint32_t kAttempted = 4;

  [[nodiscard]] TxnStatus txn_status() const { return static_cast<TxnStatus>(status % kAttempted); }

  [[nodiscard]] bool is_attempted() const { return status >= kAttempted; }

  [[nodiscard]] bool is_completed() const { return completed != EventId::none().value; }
};

struct SegmentKey {
  std::uint32_t name = 0;  ///< a word
  std::uint32_t trunk_begin = 0;
  std::uint64_t rank = 0;  ///< lower for keys that come earlier in the input
};

struct SegmentLiteral {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
};

struct Segment {
  std::vector<char> texts = {};
  std::vector<std::uint32_t> text_begin = {};
  std::vector<SegmentKey> keys = {};
  std::vector<std::uint32_t> trunks = {};  ///< words of the keys' longest lists
  std::vector<SegmentLiteral> literals = {};
  std::vector<std::uint32_t> literal_elements = {};
  std::vector<SegmentTxn> txns = {};
  std::vector<SegmentOp> ops = {};

  [[nodiscard]] std::span<const SegmentOp> ops_of(std::size_t txn) const;
  /// The longest list of a key.
  [[nodiscard]] std::span<const std::uint32_t> trunk_of(std::uint32_t key) const;
  /// The printed EDN of a word.
  [[nodiscard]] std::string text(std::uint32_t word) const;

  /// A segment with only the operations on these keys.
  [[nodiscard]] Segment only(const std::vector<bool>& is_kept) const;

  void append_to(Bytes& bytes) const;
  /// The number of bytes that the segment takes.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Reads the segment that begins at `offset` of a file or of bytes; `offset` advances.
  static Result<Segment> read(const SpillFile& file, std::uint64_t& offset);
  static Segment read(std::span<const char> bytes, std::uint64_t& offset);
};

/// Bytes that are written one after the other, with few system calls.
class ScratchFile {
 public:
  explicit ScratchFile(std::string folder) : file_(std::move(folder)) {}

  /// Adds the entries, as their bytes in memory.
  template <class Entry>
  Status append(std::span<const Entry> entries) {
    static_assert(std::is_trivially_copyable_v<Entry>);
    const auto* bytes = reinterpret_cast<const char*>(entries.data());
    buffer_.insert(buffer_.end(), bytes, bytes + entries.size_bytes());
    return buffer_.size() < kBuffer ? Status() : flush();
  }

  Status flush();

  /// The bytes that were flushed.
  [[nodiscard]] const SpillFile& file() const { return file_; }

  /// At most `count` entries from number `first` on; fewer at the end.
  template <class Entry>
  Result<std::vector<Entry>> read(std::uint64_t first, std::size_t count) const {
    std::vector<Entry> entries(count);
    const Result<std::size_t> bytes = file_.read_at(
        first * sizeof(Entry), {reinterpret_cast<char*>(entries.data()), count * sizeof(Entry)});
    if (!bytes) {
      return bytes.error();
    }
    entries.resize(bytes.value() / sizeof(Entry));
    return entries;
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;
  SpillFile file_;
  std::vector<char> buffer_;
};

/// Makes words of a history's values.
class SegmentWriter {
 public:
  SegmentWriter(const History& history, Segment& segment) : history_(history), segment_(segment) {}

  std::uint32_t word(ValueId value);

  /// Adds the key with its longest list; returns its place.
  std::uint32_t add_key(KeyId key, std::uint64_t rank);
  void add_op(Op op, std::uint32_t key, std::uint32_t mop, bool is_attempt);

 private:
  const History& history_;
  Segment& segment_;
  std::unordered_map<ValueId, std::uint32_t> texts_;
  std::unordered_map<std::uint32_t, std::uint32_t> literals_;
};

/// Makes input for a builder from a segment.
class SegmentMops {
 public:
  /// `elements` has the lists of all segments that share it.
  SegmentMops(const Segment& segment, HistoryBuilder& builder, std::vector<ValueId>& elements);

  [[nodiscard]] KeyId key(std::uint32_t place);
  [[nodiscard]] MopInput mop(const SegmentOp& op);

 private:
  [[nodiscard]] ValueId value(std::uint32_t word) const;
  std::uint32_t list_at(std::span<const std::uint32_t> words, std::uint32_t& known);

  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  const Segment& segment_;
  HistoryBuilder& builder_;
  std::vector<ValueId>& elements_;
  std::vector<ValueId> texts_;
  std::vector<KeyId> keys_;              // none(): not needed yet
  std::vector<std::uint32_t> trunk_at_;  // the place of a key's longest list in the elements
  std::vector<std::uint32_t> literal_at_;
};

}  // namespace elapid
