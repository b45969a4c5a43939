// The one intermediate representation: each reader produces it, and each engine consumes it.
//
// A history is a list of transactions. A transaction has its operations in order, its session, its
// status (committed, aborted or indeterminate) and its two events. The example in history_builder.h
// makes one.
//
// A History is immutable flat arrays: about 40 bytes a transaction and 8 bytes an operation, plus
// each key's longest list once. It owns all data that it refers to. Spans and string views into it
// live as long as it does. Several threads may read it at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/nemesis.h"
#include "engine/ir/txn_words.h"
#include "engine/ir/value_pool.h"
#include "engine/ir/workload.h"

namespace elapid {

namespace rows {
class Rows;  // engine/rows/rows.h
}

/// The outcome of a transaction.
enum class TxnStatus : std::uint8_t {
  kCommitted,      ///< Jepsen's :ok
  kAborted,        ///< Jepsen's :fail
  kIndeterminate,  ///< Jepsen's :info, or no completion at all
};

/// The kind of an operation; takes three bits.
enum class OpKind : std::uint8_t {
  kRead,      ///< value: the register's value read; nil is the initial state, or unknown if not
              ///< committed
  kReadList,  ///< list: the elements read, never nil
  kWrite,     ///< value: the register's new value
  kAppend,    ///< value: the element appended
  kOther,     ///< a micro-operation of another workload; value: its name (as `:rp`)
  kRow,       ///< something done to rows of tables; value: its number among HistoryInfo::rows
};

/// The elements of a list read. If the list is a prefix of its key's longest list: the length.
/// Otherwise: an entry of the table of literal lists.
class ListId {
 public:
  constexpr ListId() = default;

  /// The length of a list, and the place of a literal list, is below this.
  static constexpr std::uint32_t kMax = std::uint32_t{1} << 31;

  static constexpr ListId prefix(std::uint32_t length) { return ListId(length); }

  static constexpr ListId literal(std::uint32_t index) { return ListId(index | kLiteralBit); }

  static constexpr ListId from_bits(std::uint32_t bits) { return ListId(bits); }

  [[nodiscard]] constexpr bool is_prefix() const { return (bits_ & kLiteralBit) == 0; }

  [[nodiscard]] constexpr std::uint32_t length() const { return bits_; }  ///< requires is_prefix()

  [[nodiscard]] constexpr std::uint32_t literal_index() const { return bits_ & ~kLiteralBit; }

  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }

  friend constexpr auto operator<=>(ListId, ListId) = default;

 private:
  static constexpr std::uint32_t kLiteralBit = kMax;

  constexpr explicit ListId(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_ = 0;
};

/// A micro-operation in 8 bytes.
class Op {
 public:
  static constexpr std::uint32_t kMaxKeys = (std::uint32_t{1} << 29) - 1;

  constexpr Op() = default;

  constexpr Op(OpKind kind, KeyId key, ValueId value)
      : kind_and_key_((key.value << 3) | static_cast<std::uint32_t>(kind)),
        payload_(value.bits()) {}

  constexpr Op(KeyId key, ListId list)
      : kind_and_key_((key.value << 3) | static_cast<std::uint32_t>(OpKind::kReadList)),
        payload_(list.bits()) {}

  [[nodiscard]] constexpr OpKind kind() const { return static_cast<OpKind>(kind_and_key_ & 7U); }

  [[nodiscard]] constexpr KeyId key() const { return {kind_and_key_ >> 3}; }

  [[nodiscard]] constexpr ValueId value() const {
    return ValueId::from_bits(payload_);
  }  ///< not for kReadList

  [[nodiscard]] constexpr ListId list() const {
    return ListId::from_bits(payload_);
  }  ///< for kReadList only

  [[nodiscard]] constexpr bool is_read() const {
    return kind() == OpKind::kRead || kind() == OpKind::kReadList;
  }

  [[nodiscard]] constexpr bool is_write() const {
    return kind() == OpKind::kWrite || kind() == OpKind::kAppend;
  }

  friend constexpr bool operator==(Op, Op) = default;

 private:
  std::uint32_t kind_and_key_ = 0;
  std::uint32_t payload_ = 0;
};

/// A position in the input: a file of History::files(), and a byte offset of 48 bits into the file
/// after decompression.
struct SourcePosition {
  std::uint16_t file = 0;
  std::uint64_t offset = 0;
  friend bool operator==(SourcePosition, SourcePosition) = default;
};

/// An invocation or a completion of a transaction.
struct Event {
  EventId id;                        ///< place in the history; none() if the event is absent
  std::int64_t index = 0;            ///< Jepsen's :index; the id if the source has no numbers
  std::optional<std::int64_t> time;  ///< ns, as in the source
  SourcePosition position;
};

/// The two ends of a transaction.
enum class EventKind : std::uint8_t { kInvocation, kCompletion };

/// A defect of the input that a reader accepted. It makes verdicts doubtful, or a stricter tool
/// would refuse the input.
struct Remark {
  enum class Kind : std::uint8_t {
    kMissingInvocation,   ///< a completion whose process had nothing open
    kOverlappingProcess,  ///< a process invoked again before its operation completed
    kShapeMismatch,       ///< invocation and completion differ in functions, keys or written values
    kTimeBackwards,       ///< :time smaller than that of the event before
    kNoProcess,           ///< operations without :process became sessions of their own
    kOddProcess,          ///< a process that is not an integer, taken as not a client
    kUnknownOperation,    ///< an operation that the workload does not know
    kByteOrderMark,       ///< skipped at the start of the input
    kSalvaged,            ///< the input breaks off here; the part before was read
    kOther,
  };

  Kind kind = Kind::kOther;
  SourcePosition position;
  std::string message;
  std::optional<SourcePosition> other = {};  ///< of a second event in the message
};

/// The format's meaning of its records, one phrase each; for people.
struct FormatRules {
  std::string_view initial = {};        ///< the value of a key before the first write
  std::string_view reads = {};          ///< how a read identifies the write that it saw
  std::string_view aborted = {};        ///< how the format records aborted transactions, if it does
  std::string_view indeterminate = {};  ///< the same for transactions of unknown outcome
};

/// The size of a history.
struct HistorySize {
  std::array<std::uint64_t, 3> by_status = {};  ///< transactions, by TxnStatus
  std::uint64_t operations = 0;
  std::uint64_t keys = 0;
  std::uint64_t sessions = 0;
  std::uint64_t events = 0;

  [[nodiscard]] std::uint64_t transactions() const {
    return by_status[0] + by_status[1] + by_status[2];
  }

  friend bool operator==(const HistorySize&, const HistorySize&) = default;
};

/// Properties of a history beyond its transactions; the reader sets them.
struct HistoryInfo {
  std::string format = {};  ///< as `edn`
  std::optional<Workload> workload =
      {};  ///< absent until the history is built; then the operations determine it
  std::vector<std::string> files = {};  ///< names of the inputs, by SourcePosition::file
  std::vector<std::string> assumptions =
      {};  ///< the reader's assumptions about the input, one sentence each
  std::vector<Remark> remarks = {};   ///< in order of position; at most kMaxRemarks of a kind
  FormatRules rules = {};             ///< of the format; the texts live as long as the program
  ValueId initial = ValueId::nil();   ///< a key's value before the first write; none() if keys have
                                      ///< only the values that initial_txn wrote
  TxnId initial_txn = TxnId::none();  ///< a recorded transaction that wrote every key's first value
  bool is_initial_txn_assumed = false;  ///< by a convention that the history may not follow
  ValueId f = ValueId::none();    ///< :f of all client events; none() if unknown or if they differ
  bool has_real_time = true;      ///< the order of events means real time
  bool failed_cas_shows = false;  ///< a failed compare-and-set found another value
  bool has_process = true;        ///< sessions are real processes, not made up by the reader
  bool is_session_trace = false;  ///< transactions came whole, without invocations of their own
  unsigned logical_bits = 0;      ///< the low bits of timestamps that are a logical clock; the high
                                  ///< bits are the physical clock
  std::uint64_t event_count = 0;  ///< all events read, also those of processes that are no clients
  std::uint64_t source_bytes = 0;  ///< decompressed size of the input
  /// For workload rows: the effects of operations of kind kRow. Otherwise null.
  std::shared_ptr<const rows::Rows> rows = {};
  /// Events of processes that are no clients; null if there are none.
  std::shared_ptr<const NemesisLog> nemesis = {};
  // Parts of the input that the history does not hold.
  std::uint64_t extra_fields = 0;  ///< client operations with further fields, such as :error
  std::uint64_t tombstones = 0;    ///< deletions, or reads of deleted rows, held as other values
  std::uint64_t predicates = 0;    ///< reads of ranges and scans; only their rows are kept
  /// If this history has only the operations on some keys of a larger one: the larger one's size.
  std::optional<HistorySize> part_of = {};

  static constexpr std::size_t kMaxRemarks = 1000;
};

class History {
 public:
  History(History&&) noexcept = default;
  History& operator=(History&&) noexcept = default;
  History(const History&) = delete;
  History& operator=(const History&) = delete;
  ~History() = default;

  [[nodiscard]] std::size_t txn_count() const { return status_.size(); }

  /// Operations of completions (or of invocations that never completed).
  [[nodiscard]] std::size_t op_count() const { return ops_.size(); }

  [[nodiscard]] std::size_t key_count() const { return key_values_.size(); }

  [[nodiscard]] std::size_t session_count() const { return session_names_.size(); }

  [[nodiscard]] const HistoryInfo& info() const { return info_; }

  /// The size of the history that was read. This history may hold only a part of it.
  [[nodiscard]] HistorySize size_read() const;

  [[nodiscard]] Workload workload() const { return *info_.workload; }

  /// Whether a register may have this value before the first write: nil and HistoryInfo::initial
  /// are two names of one state.
  [[nodiscard]] bool is_initial(ValueId value) const {
    return value.is_nil() || value == info_.initial;
  }

  /// Whether transactions append to lists. Otherwise they write and read registers.
  [[nodiscard]] bool has_lists() const { return workload().has_lists(); }

  // Transactions.
  [[nodiscard]] TxnStatus status(TxnId txn) const { return status_[txn.index()]; }

  [[nodiscard]] bool committed(TxnId txn) const { return status(txn) == TxnStatus::kCommitted; }

  [[nodiscard]] SessionId session(TxnId txn) const { return session_[txn.index()]; }

  /// The operations that every engine uses: those of the completion, also if the invocation
  /// differs. For an indeterminate transaction whose completion is missing or has no operations:
  /// those of the invocation, with unknown read results. The operations of an aborted transaction
  /// did not happen.
  [[nodiscard]] std::span<const Op> ops(TxnId txn) const {
    return std::span(ops_).subspan(op_begin_[txn.index()],
                                   op_begin_[txn.index() + 1] - op_begin_[txn.index()]);
  }

  /// Position of the transaction's first operation in all_ops().
  [[nodiscard]] std::size_t first_op(TxnId txn) const { return op_begin_[txn.index()]; }

  [[nodiscard]] std::span<const Op> all_ops() const { return ops_; }

  /// The invoked operations, if they differ from ops() in more than the values read. Nothing if
  /// there is no invocation, or if it has the same shape. Reports show them to people. Engines use
  /// them only as aborted_attempt().
  [[nodiscard]] std::optional<std::span<const Op>> differing_invocation(TxnId txn) const;

  /// The invoked operations of an aborted transaction, if its completion has others. Neither they
  /// nor ops() happened.
  [[nodiscard]] std::optional<std::span<const Op>> aborted_attempt(TxnId txn) const {
    return status(txn) == TxnStatus::kAborted ? differing_invocation(txn) : std::nullopt;
  }

  [[nodiscard]] bool has_invocation(TxnId txn) const { return !invocation_[txn.index()].is_none(); }

  [[nodiscard]] bool has_completion(TxnId txn) const { return !completion_[txn.index()].is_none(); }

  [[nodiscard]] EventId invocation_id(TxnId txn) const { return invocation_[txn.index()]; }

  [[nodiscard]] EventId completion_id(TxnId txn) const { return completion_[txn.index()]; }

  /// The invocation or completion with all its fields; id is none() if the event is missing.
  [[nodiscard]] Event event(TxnId txn, EventKind kind) const;
  /// The event that stands for the transaction in evidence: the completion, else the invocation.
  [[nodiscard]] Event representative(TxnId txn) const;
  /// Jepsen's :index of an event; its id if the source has no numbers.
  [[nodiscard]] std::int64_t event_index(EventId event) const;
  /// The database's timestamps, if the format records them (ns or logical).
  [[nodiscard]] std::optional<std::int64_t> start_timestamp(TxnId txn) const;
  [[nodiscard]] std::optional<std::int64_t> commit_timestamp(TxnId txn) const;

  // Words.
  /// The level that each transaction asked for, in the source's words; see levels_of_txns().
  [[nodiscard]] const TxnWords& levels() const { return levels_; }

  /// Jepsen's :f of each transaction, without the colon, if the format has it.
  [[nodiscard]] const TxnWords& names() const { return names_; }

  /// Replaces the levels that transactions ask for by those that the user names. One word a
  /// transaction.
  void set_levels(TxnWords levels) { levels_ = std::move(levels); }

  // Sessions.
  /// The session's transactions in session order.
  [[nodiscard]] std::span<const TxnId> session_txns(SessionId session) const {
    return std::span(session_txns_)
        .subspan(session_begin_[session.index()],
                 session_begin_[session.index() + 1] - session_begin_[session.index()]);
  }

  /// The process number, or the format's number of the session. For a session with a name: a number
  /// that no other session has.
  [[nodiscard]] std::int64_t session_name(SessionId session) const {
    return session_names_[session.index()];
  }

  /// The session's name in reports: its number, or the name that the source gives it, as
  /// `client-1`. A name of more than letters, digits and `._:/@-` is in JSON's quotes. A long name
  /// is cut.
  [[nodiscard]] std::string session_text(SessionId session) const;

  /// The name that the source gives the session, unless it is a number.
  [[nodiscard]] std::optional<std::string_view> session_given_name(SessionId session) const;

  // Keys, values and lists.
  [[nodiscard]] ValueId key_value(KeyId key) const { return key_values_[key.index()]; }

  /// The key with this name, or none().
  [[nodiscard]] KeyId find_key(ValueId name) const;

  [[nodiscard]] const ValuePool& values() const { return values_; }

  /// A value as printed EDN, such as `:x`, `"x"`, `12`, `[1 2]`.
  [[nodiscard]] std::string text(ValueId value) const { return values_.text(value); }

  [[nodiscard]] std::string key_text(KeyId key) const { return values_.text(key_value(key)); }

  // The same for evidence, which cuts long names: see shown_name().
  [[nodiscard]] std::string shown_text(ValueId value) const { return values_.shown_text(value); }

  [[nodiscard]] std::string shown_key(KeyId key) const {
    return values_.shown_text(key_value(key));
  }

  /// The elements of a kReadList operation.
  [[nodiscard]] std::span<const ValueId> elements(Op read) const {
    return elements(read.key(), read.list());
  }

  [[nodiscard]] std::span<const ValueId> elements(KeyId key, ListId list) const;

  /// The list whose prefixes are this key's prefix ListIds. Literal lists of a key may be longer.
  [[nodiscard]] std::span<const ValueId> trunk(KeyId key) const {
    return std::span(trunk_elements_)
        .subspan(trunk_begin_[key.index()],
                 trunk_begin_[key.index() + 1] - trunk_begin_[key.index()]);
  }

  /// The distinct lists that are no prefix of their key's trunk.
  [[nodiscard]] std::size_t literal_list_count() const { return literals_.size(); }

  /// The bytes in all arrays. Reserved space beyond is never touched, and takes no memory.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class HistoryBuilder;
  History() = default;

  // One entry a transaction.
  std::vector<TxnStatus> status_;
  std::vector<SessionId> session_;
  std::vector<std::uint32_t> op_begin_;  // one more than transactions
  std::vector<EventId> invocation_;
  std::vector<EventId> completion_;
  // Times and positions: the first event in full, the second as a difference (kFar: in the table).
  std::vector<std::int64_t> first_time_;       // empty if no event has a time
  std::vector<std::uint32_t> time_span_;       // ns from invocation to completion
  std::vector<std::uint64_t> first_position_;  // file << 48 | offset
  std::vector<std::uint32_t> position_span_;   // bytes from invocation to completion
  std::unordered_map<std::uint32_t, std::int64_t> far_completion_time_;
  std::unordered_map<std::uint32_t, std::uint64_t> far_completion_position_;
  std::vector<std::int64_t> event_index_;  // empty if every index equals the event's id
  std::vector<std::int64_t> start_timestamp_;
  std::vector<std::int64_t> commit_timestamp_;
  TxnWords levels_;
  TxnWords names_;

  std::vector<Op> ops_;
  std::unordered_map<std::uint32_t, std::vector<Op>> differing_invocations_;

  std::vector<std::int64_t> session_names_;
  std::unordered_map<std::uint32_t, std::string> given_names_;  // of sessions that have one
  std::vector<std::uint32_t> session_begin_;
  std::vector<TxnId> session_txns_;

  std::vector<ValueId> key_values_;
  std::vector<KeyId> keys_by_value_;  // sorted by key_values_
  std::vector<std::uint32_t> trunk_begin_;
  std::vector<ValueId> trunk_elements_;

  // A literal list is a prefix of one of its key's branches: lists that left the trunk.
  struct LiteralList {
    std::uint32_t branch = 0;
    std::uint32_t length = 0;
  };

  std::vector<LiteralList> literals_;
  std::vector<std::uint32_t> branch_begin_;
  std::vector<ValueId> branch_elements_;

  ValuePool values_;
  HistoryInfo info_;

  static constexpr std::uint32_t kFar = 0xffffffffU;
  static constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();
};

}  // namespace elapid
