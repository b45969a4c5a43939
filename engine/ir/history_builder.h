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
// A reader calls either add_event/skip_event for every event in the order of the input, or
// add_transaction for every transaction, session by session or interleaved, and then build() once.
// After an error the builder must not be used further.
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

/// What a completion of this type, or an invocation without one, tells of its transaction.
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
  bool is_condition = false;  ///< of kRead: the value is a condition, known although nothing was
                              ///< answered; as of a compare-and-set
};

/// One line of a Jepsen history.
struct EventInput {
  EventType type = EventType::kInvoke;
  std::optional<std::int64_t> process = {};  ///< absent: an operation without :process
  std::optional<std::int64_t> index = {};    ///< as the source numbers it
  std::optional<std::int64_t> time = {};     ///< ns
  SourcePosition position = {};
  TxnWords::Number level = TxnWords::kNone;  ///< of levels(); a completion's, else its invocation's
  TxnWords::Number name = TxnWords::kNone;   ///< of names(), likewise
  std::span<const MopInput> mops = {};       ///< borrowed for the call
  std::span<const ValueId> elements = {};    ///< what the list reads' ranges refer to
};

/// An event of something that is not a client (a nemesis): counted, otherwise ignored.
struct SkippedEventInput {
  std::optional<std::int64_t> index = {};
  std::optional<std::int64_t> time = {};
  SourcePosition position = {};
};

/// A transaction of a session trace. The transactions of a session come in session order, unless
/// BuilderOptions::sorts_sessions.
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

/// How much fits into one history. What its arrays can hold; tests ask for less.
struct HistoryRoom {
  std::uint32_t keys = Op::kMaxKeys;
  std::uint32_t operations = 0xffffffffU;
  std::uint32_t events = EventId::none().value;
  std::uint32_t values = ValueId::kMaxInterned;      ///< texts, and integers that are not inline
  std::uint64_t elements = ListStore::kMaxElements;  ///< of lists
};

struct BuilderOptions {
  /// Operations without :process: true drops them, as Elle does; false makes each invocation, with
  /// the completion that follows it, a session of its own.
  bool drop_processless = false;
  /// A second invocation of a busy process: false is an error, since which completion belongs to
  /// which invocation would be a guess; true pairs as Elle before 0.2.8 did, the first invocation
  /// never completed, with a remark.
  bool tolerate_overlaps = false;
  /// An indeterminate completion without operations: true takes it for a completion of what was
  /// invoked, so that its writes may have happened; false, as Elle does, for one that did nothing.
  bool believe_invocations = true;
  /// A first transaction that is alone in its session, only writes, and writes every key once is
  /// HistoryInfo::initial_txn, and nothing else is initial. Exception: some read shows the value
  /// that would otherwise be initial, in a key to which no transaction writes it.
  bool find_initial_txn = false;
  /// The order of a session is that in which its transactions were invoked, whatever the order in
  /// which they are added; with a remark on those that overlap. Requires that all of them have both
  /// times.
  bool sorts_sessions = false;
  /// Reads of this value mean the initial nil in keys to which no transaction writes it.
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

  /// The key of this name, made if it is new. Beyond HistoryRoom::keys, add_event and build fail.
  KeyId key(ValueId name);

  /// The words for levels and names of transactions, which inputs give by number.
  [[nodiscard]] TxnWords& levels() { return history_.levels_; }

  [[nodiscard]] TxnWords& names() { return history_.names_; }

  /// The session that events and transactions name by this number has a name in the source. Its
  /// number will be another, which no session has.
  void name_session(std::int64_t session, std::string_view name);

  /// Error kMalformed, as of add_transaction() and build(): there is no room in one history.
  Status add_event(const EventInput& event);
  Status skip_event(const SkippedEventInput& event);
  Status add_transaction(const TxnInput& txn);
  /// Room for about that many operations, where it is known beforehand, and for as many
  /// transactions as they make at the rate of the first ones.
  void reserve(std::size_t ops);

  /// How long the input is, if it is one file: room for all of it is made as soon as its beginning
  /// tells how many operations there are to a byte.
  void expect_bytes(std::uint64_t bytes) { expected_bytes_ = bytes; }

  /// Keeps an event of a process that has a name. It orders nothing: a source of events gives it to
  /// skip_event() too.
  void note_nemesis(NemesisEvent event);

  /// Something the reader noticed.
  void remark(Remark::Kind kind, SourcePosition position, std::string message,
              std::optional<SourcePosition> other = {});

  /// The finished history. `info` brings format, files, assumptions and initial value; counts,
  /// remarks, has_real_time and has_process are filled in here, and the nemesis, if
  /// any of its events were noted.
  Result<History> build(HistoryInfo info) &&;

 private:
  struct Words {
    TxnWords::Number level = TxnWords::kNone;
    TxnWords::Number name = TxnWords::kNone;
  };

  /// An invocation that waits for its completion; its buffers are used again and again.
  struct Open {
    EventId id;  // none(): nothing is open
    std::optional<std::int64_t> time;
    SourcePosition position;
    Words words;
    std::vector<MopInput> mops;
    std::vector<ValueId> elements;
  };

  /// One end of a transaction about to be stored.
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
  /// When a transaction was invoked, when it completed, and a timestamp.
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
  std::int64_t last_session_name_ = 0;  // the session looked up last
  SessionId last_session_;
  std::int64_t next_processless_ = -1;  // names of made-up sessions count down
  SessionId processless_;               // the made-up session whose operation is open
  bool any_process_ = false;
  bool any_processless_ = false;
  bool any_transaction_ = false;  // add_transaction was used
  bool all_timed_ = true;         // and each had both times

  std::uint32_t events_ = 0;
  bool indexed_ = false;
  bool unordered_ = false;  // some index is below that of an event before
  std::unordered_set<std::int64_t, SeededHash> indices_;  // all of them, if unordered
  bool sparse_ = false;  // some index differs from the event's place
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
