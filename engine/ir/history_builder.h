// The only way to make a History: pairs invocations with completions, interns, validates.
//
// A reader of Jepsen histories hands over one event after the other:
//
// ```cpp
// HistoryBuilder builder;
// const KeyId x = builder.key(ValueId::integer(7));
// const MopInput append = {.kind = OpKind::kAppend, .key = x, .value = ValueId::integer(1)};
// CHECK(builder.add_event({.type = EventType::kInvoke, .process = 0, .mops = {&append, 1}}).ok());
// CHECK(builder.add_event({.type = EventType::kOk, .process = 0, .mops = {&append, 1}}).ok());
// const Result<History> history = std::move(builder).build({.format = "edn"});
// REQUIRE(history.ok());
// CHECK(history.value().txn_count() == 1);
// CHECK(history.value().committed({0}));
// ```
//
// A reader calls add_event or skip_event for every event, in the order of the input. Or it calls
// add_transaction for every transaction, session by session or interleaved. Then it calls build()
// once. After an error the builder must not be used further.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/list_store.h"
#include "engine/ir/nemesis.h"
#include "engine/ir/result.h"
#include "engine/ir/seeded_hash.h"

namespace elapid {

/// Jepsen's :type.
enum class EventType : std::uint8_t { kInvoke, kOk, kFail, kInfo };

/// The status of a transaction with a completion of this type, or with an invocation alone.
constexpr TxnStatus status_of(EventType type) {
  switch (type) {
    case EventType::kOk:
      return TxnStatus::kCommitted;
    case EventType::kFail:
      return TxnStatus::kAborted;
    default:
      return TxnStatus::kIndeterminate;
  }
}

/// A micro-operation as a reader hands it over.
struct MopInput {
  OpKind kind = OpKind::kRead;
  KeyId key = {};
  ValueId value = ValueId::nil();  ///< not for kReadList
  std::uint32_t list_begin = 0;    ///< for kReadList: range of `elements` beside the mops
  std::uint32_t list_length = 0;
  bool is_condition = false;  ///< of kRead: the value is a condition, as of a compare-and-set; it
                              ///< is known without an answer
};

/// One line of a Jepsen history.
struct EventInput {
  EventType type = EventType::kInvoke;
  std::optional<std::int64_t> process = {};  ///< absent: an operation without :process
  std::optional<std::int64_t> index = {};    ///< as the source numbers it
  std::optional<std::int64_t> time = {};     ///< ns
  SourcePosition position = {};
  TxnWords::Number level = TxnWords::kNone;  ///< of levels(); a completion's, else its invocation's
  TxnWords::Number name = TxnWords::kNone;   ///< of names(), the same way
  std::span<const MopInput> mops = {};       ///< borrowed for the call
  std::span<const ValueId> elements = {};    ///< the list reads' ranges are parts of it
};

/// An event of a process that is no client (a nemesis). It is counted, otherwise ignored.
struct SkippedEventInput {
  std::optional<std::int64_t> index = {};
  std::optional<std::int64_t> time = {};
  SourcePosition position = {};
};

/// A transaction of a session trace. The transactions of a session come in session order, unless
/// BuilderOptions::sorts_sessions is set.
struct TxnInput {
  std::int64_t session = 0;
  TxnStatus status = TxnStatus::kCommitted;
  std::optional<std::int64_t> invocation_time =
      {};  ///< ns; with completion_time, and in all transactions or in none
  std::optional<std::int64_t> completion_time = {};
  std::optional<std::int64_t> start_timestamp = {};
  std::optional<std::int64_t> commit_timestamp = {};
  SourcePosition position = {};
  TxnWords::Number level = TxnWords::kNone;  ///< of levels()
  TxnWords::Number name = TxnWords::kNone;   ///< of names()
  std::span<const MopInput> mops = {};
  std::span<const ValueId> elements = {};
};

/// The limits of a history: the most that its arrays hold. Tests set smaller ones.
struct HistoryRoom {
  std::uint32_t keys = Op::kMaxKeys;
  std::uint32_t operations = 0xffffffffU;
  std::uint32_t events = EventId::none().value;
  std::uint32_t values = ValueId::kMaxInterned;      ///< texts, and integers that are not inline
  std::uint64_t elements = ListStore::kMaxElements;  ///< of lists
};

/// When a first transaction that is alone in its session, only writes, and writes one value once to
/// every key is HistoryInfo::initial_txn.
enum class FirstTxn : std::uint8_t {
  kOrdinary,     ///< never
  kMarked,       ///< always: the format marks it
  kZeros,        ///< if the value is 0: a convention, which the history may not follow
  kZerosOrOnes,  ///< the same, or if the value is 1 and there are several keys
};

struct BuilderOptions {
  /// Operations without :process. true: drop them, as Elle does. false: each invocation, with the
  /// completion that follows it, is a session of its own.
  bool drop_processless = false;
  /// A second invocation of a process with an open one. false: an error, since pairing completions
  /// with invocations would be a guess. true: pair as Elle before 0.2.8 did, so that the first
  /// invocation never completes, and add a remark.
  bool tolerate_overlaps = false;
  /// An indeterminate completion without operations. true: it completes the invoked operations, so
  /// their writes may have happened. false, as Elle does: the transaction did nothing.
  bool believe_invocations = true;
  /// Whether the first transaction is the initial state. If so, no other state is initial.
  /// Exception: a read shows the otherwise initial value, and no transaction writes that value to
  /// the key.
  FirstTxn first_txn = FirstTxn::kOrdinary;
  /// The order of a session is the order of its transactions' invocations, not that of the calls
  /// that add them. Overlapping transactions get a remark. Requires both times in all transactions
  /// of the history.
  bool sorts_sessions = false;
  /// Reads of this value mean the initial nil in keys to which no transaction writes the value.
  std::optional<ValueId> read_as_initial = {};
  /// Whether History::differing_invocation() is kept.
  bool keeps_invocations = true;
  HistoryRoom room = {};
};

class HistoryBuilder {
 public:
  explicit HistoryBuilder(BuilderOptions options = {});
  HistoryBuilder(const HistoryBuilder&) = delete;
  HistoryBuilder& operator=(const HistoryBuilder&) = delete;

  [[nodiscard]] ValuePool& values() { return history_.values_; }

  [[nodiscard]] const ValuePool& values() const { return history_.values_; }

  /// The key of this name; a new one if needed. Beyond HistoryRoom::keys, add_event and build fail.
  KeyId key(ValueId name);

  /// The words for levels and names of transactions. Inputs refer to them by number.
  [[nodiscard]] TxnWords& levels() { return history_.levels_; }

  [[nodiscard]] TxnWords& names() { return history_.names_; }

  /// Gives a name to the session that events and transactions call by this number. The history
  /// gives the session another number, which no other session has.
  void name_session(std::int64_t session, std::string_view name);

  /// Error kMalformed, as of add_transaction() and build(): one history has no room for it.
  Status add_event(const EventInput& event);
  Status skip_event(const SkippedEventInput& event);
  Status add_transaction(const TxnInput& txn);
  /// Reserves room for about that many operations. Room for transactions follows from the number of
  /// operations that the first ones have.
  void reserve(std::size_t ops);

  /// The length of the input, if it is one file. Room for the whole file is reserved once its
  /// beginning shows the number of operations per byte.
  void expect_bytes(std::uint64_t bytes) { expected_bytes_ = bytes; }

  /// Keeps an event of a process with a name. The event orders nothing. A reader of events passes
  /// the event to skip_event() too.
  void note_nemesis(NemesisEvent event);

  /// Adds a remark of the reader.
  void remark(Remark::Kind kind, SourcePosition position, std::string message,
              std::optional<SourcePosition> other = {});

  /// The finished history. `info` has the format, files, assumptions and initial value. build()
  /// sets counts, remarks, has_real_time and has_process, and the nemesis if any of its events were
  /// noted.
  Result<History> build(HistoryInfo info) &&;

 private:
  struct Words {
    TxnWords::Number level = TxnWords::kNone;
    TxnWords::Number name = TxnWords::kNone;
  };

  /// An invocation that waits for its completion. Buffers are reused.
  struct Open {
    EventId id;  // none(): nothing is open
    std::optional<std::int64_t> time;
    SourcePosition position;
    Words words;
    std::vector<MopInput> mops;
    std::vector<ValueId> elements;
  };

  /// An event of a transaction that is about to be stored.
  struct End {
    EventId id;
    std::optional<std::int64_t> time;
    SourcePosition position;
  };

  [[nodiscard]] std::optional<std::string> lack_of_room(std::size_t more_ops) const;
  [[nodiscard]] Status check_room(const SourcePosition& position, std::size_t more_ops) const;
  Status number_event(std::optional<std::int64_t> index, std::optional<std::int64_t> time,
                      SourcePosition position, EventId& id);
  Status note_index(std::optional<std::int64_t> index, SourcePosition position);
  SessionId session(std::int64_t name);
  SessionId session_of(const EventInput& event);
  Status open(const EventInput& event, EventId id, SessionId session);
  void complete(const EventInput& event, EventId id, SessionId session);
  void close_unanswered(SessionId session, const End& completion);
  void append_txn(SessionId session, TxnStatus status, Words words, const End& invocation,
                  const End& completion);
  void append_times(TxnId txn, const End& first, const End& second);
  void make_room_for_txns();
  [[nodiscard]] std::size_t room_for_ops(std::size_t count);
  void append_mops(std::span<const MopInput> mops, std::span<const ValueId> elements,
                   std::vector<Op>& out);
  void keep_differing_invocation(TxnId txn, const Open& invocation);
  [[nodiscard]] bool order_events_by_time();
  [[nodiscard]] bool knows_beginnings() const;
  [[nodiscard]] std::vector<bool> keys_written_with(ValueId value) const;
  [[nodiscard]] bool is_read_unwritten(ValueId value) const;
  void find_initial_reads();
  void find_initial_txn(HistoryInfo& info) const;
  /// The times of a transaction's invocation and completion, and a timestamp.
  using SessionPlace = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  [[nodiscard]] SessionPlace session_place(std::uint32_t txn) const;
  [[nodiscard]] bool sessions_are_sorted() const;
  void sort_sessions();
  void note_overlaps();
  void permute_txns(const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to);
  [[nodiscard]] Workload workload_of_operations() const;
  void finish_names();
  void finish_sessions();
  void finish_keys();
  void finish_lists();

  [[nodiscard]] std::uint32_t txn_count() const {
    return static_cast<std::uint32_t>(history_.status_.size());
  }

  BuilderOptions options_;
  History history_;
  std::uint64_t expected_bytes_ = 0;       // expect_bytes(), until room was made
  std::vector<SessionId> small_sessions_;  // those with small natural numbers, by number
  std::unordered_map<std::int64_t, SessionId, SeededHash> session_ids_;  // all others
  std::vector<Open> open_;                                               // by session
  std::int64_t last_session_name_ = 0;  // the session of the last look-up
  SessionId last_session_;
  std::int64_t next_processless_ = -1;  // names of made-up sessions count down
  SessionId processless_;               // the made-up session whose operation is open
  bool any_process_ = false;
  bool any_processless_ = false;
  bool any_transaction_ = false;  // add_transaction was used
  bool all_timed_ = true;         // and each had both times

  std::uint32_t events_ = 0;
  bool indexed_ = false;
  bool unordered_ = false;  // an index is below that of an earlier event
  std::unordered_set<std::int64_t, SeededHash> indices_;  // all indices, if unordered
  bool sparse_ = false;                                   // an index differs from the event's place
  std::int64_t last_index_ = 0;
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();

  std::vector<KeyId> small_keys_;  // keys named by small non-negative integers, by that integer
  std::unordered_map<ValueId, KeyId> other_keys_;
  ListStore lists_;
  std::vector<Op> scratch_ops_;
  std::shared_ptr<NemesisLog> nemesis_;  // null before its first event
  std::vector<std::uint32_t> remark_counts_;
};

}  // namespace elapid
