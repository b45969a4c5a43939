#include "engine/ir/history_builder.h"

#include <algorithm>
#include <numeric>

namespace elapid {

namespace {

/// Keys named by integers below this are found by their index; at most 16 MiB of table.
constexpr std::int64_t kSmallKeys = std::int64_t{1} << 22;

/// The same of sessions.
constexpr std::int64_t kSmallSessions = std::int64_t{1} << 12;

constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << 48) - 1;

constexpr std::uint64_t pack(SourcePosition position) {
  return (std::uint64_t{position.file} << 48) | position.offset;
}

Error malformed(SourcePosition position, std::string message) {
  Error error;
  error.message = std::move(message);
  error.byte_offset = position.offset;
  return error;
}

/// Whether a completion's operation is the one that was invoked; the result of a read does not
/// matter.
bool same_shape(Op invoked, Op completed) {
  if (invoked.is_read() && completed.is_read()) {
    return invoked.key() == completed.key();
  }
  if (invoked.kind() == OpKind::kRow && completed.kind() == OpKind::kRow) {
    return invoked.key() == completed.key();  // each has a number of its own
  }
  return invoked == completed;
}

/// Whether the invocation tells nothing that the completion does not tell.
bool says_nothing_more(Op invoked, Op completed) {
  const bool is_unknown_read = (invoked.kind() == OpKind::kRead && invoked.value().is_nil()) ||
                               invoked.kind() == OpKind::kRow;
  return same_shape(invoked, completed) && (is_unknown_read || invoked == completed);
}

template <class Predicate>
bool all_pairs(std::span<const Op> a, std::span<const Op> b, Predicate holds) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), holds);
}

/// The entry of a small number in a table that grows with the numbers, up to `most` entries.
template <class Id>
Id& entry_of(std::int64_t number, std::vector<Id>& table, std::int64_t most) {
  const auto at = static_cast<std::size_t>(number);
  if (at >= table.size()) {
    table.resize(std::max(at + 1, std::min(table.size() * 2, static_cast<std::size_t>(most))));
  }
  return table[at];
}

/// How far the input has been read. The last transaction may have begun long before, so several are
/// asked.
std::uint64_t latest_offset(std::span<const std::uint64_t> positions) {
  constexpr std::size_t kAsked = 64;
  std::uint64_t offset = 0;
  for (const std::uint64_t position : positions.last(std::min(positions.size(), kAsked))) {
    offset = std::max(offset, position & kOffsetMask);
  }
  return offset;
}

}  // namespace

HistoryBuilder::HistoryBuilder(BuilderOptions options)
    : options_(options), lists_(options.room.elements) {
  history_.values_ = ValuePool(options.room.values);
  history_.op_begin_.push_back(0);
  remark_counts_.resize(static_cast<std::size_t>(Remark::Kind::kOther) + 1);
}

KeyId HistoryBuilder::key(ValueId name) {
  const bool is_small =
      name.is_integer() && name.as_integer() >= 0 && name.as_integer() < kSmallKeys;
  KeyId* known = nullptr;
  if (is_small) {
    known = &entry_of(name.as_integer(), small_keys_, kSmallKeys);
  } else {
    known = &other_keys_[name];
  }
  if (known->is_none()) {
    *known = {static_cast<std::uint32_t>(history_.key_values_.size())};
    history_.key_values_.push_back(name);
  }
  return *known;
}

inline Status HistoryBuilder::note_index(std::optional<std::int64_t> index,
                                         SourcePosition position) {
  if (events_ == 0) {
    indexed_ = index.has_value();
  } else if (indexed_ && !index) {
    return malformed(position,
                     "expected an integer :index, as the first operation has one; found none");
  }
  const std::int64_t place = events_;
  if (!indexed_) {
    if (index && *index != place) {
      return malformed(position, "found :index " + std::to_string(*index) + " at place " +
                                     std::to_string(place) +
                                     " of a history whose first operation has no :index");
    }
    return {};
  }
  if (!sparse_ && *index != place) {
    sparse_ = true;
    history_.event_index_.resize(events_);
    std::iota(history_.event_index_.begin(), history_.event_index_.end(), std::int64_t{0});
  }
  if (events_ > 0 && *index < last_index_ && !unordered_) {
    unordered_ = true;
    indices_.insert(history_.event_index_.begin(), history_.event_index_.end());
    remark(Remark::Kind::kOther, position,
           ":index " + std::to_string(*index) + " follows " + std::to_string(last_index_) +
               ": the order of the file counts, not that of the indices");
  }
  // Ascending indices are unique; others are compared with all before.
  const bool is_new =
      unordered_ ? indices_.insert(*index).second : events_ == 0 || *index != last_index_;
  if (!is_new) {
    return malformed(position, "found :index " + std::to_string(*index) + " a second time");
  }
  last_index_ = *index;
  if (sparse_) {
    history_.event_index_.push_back(*index);
  }
  return {};
}

inline Status HistoryBuilder::number_event(std::optional<std::int64_t> index,
                                           std::optional<std::int64_t> time,
                                           SourcePosition position, EventId& id) {
  if (events_ == options_.room.events) {
    return malformed(position, "expected no more than " + std::to_string(events_) +
                                   " events in one history, found more");
  }
  ELAPID_RETURN_IF_ERROR(note_index(index, position));
  if (time) {
    if (*time < last_time_) {
      remark(Remark::Kind::kTimeBackwards, position,
             ":time " + std::to_string(*time) + " is before that of the operation above, " +
                 std::to_string(last_time_));
    }
    last_time_ = *time;
  }
  id = {events_++};
  return {};
}

SessionId HistoryBuilder::session(std::int64_t name) {
  if (!last_session_.is_none() && name == last_session_name_) {
    return last_session_;
  }
  const bool is_small = name >= 0 && name < kSmallSessions;
  SessionId& known =
      is_small ? entry_of(name, small_sessions_, kSmallSessions) : session_ids_[name];
  if (known.is_none()) {
    known = {static_cast<std::uint32_t>(history_.session_names_.size())};
    history_.session_names_.push_back(name);
    open_.emplace_back();
  }
  last_session_name_ = name;
  last_session_ = known;
  return last_session_;
}

/// The session an event belongs to. Without :process, an invocation starts one, and the next
/// completion ends it.
inline SessionId HistoryBuilder::session_of(const EventInput& event) {
  if (event.process) {
    any_process_ = true;
    return session(*event.process);
  }
  if (!any_processless_) {
    any_processless_ = true;
    remark(Remark::Kind::kNoProcess, event.position,
           "operations without :process: each invocation, with the completion that follows it, is "
           "a session of its own");
  }
  const bool overlaps = event.type == EventType::kInvoke && !processless_.is_none();
  if (overlaps && !options_.tolerate_overlaps) {
    return processless_;  // still busy: open() refuses it
  }
  if (event.type == EventType::kInvoke || processless_.is_none()) {
    processless_ = session(next_processless_--);
  }
  const SessionId current = processless_;
  if (event.type != EventType::kInvoke) {
    processless_ = SessionId::none();
  }
  return current;
}

/// A message if a history would have too much of something.
std::optional<std::string> HistoryBuilder::lack_of_room(std::size_t more_ops) const {
  const HistoryRoom& room = options_.room;
  const bool is_enough = history_.key_values_.size() <= room.keys &&
                         history_.ops_.size() + more_ops <= room.operations &&
                         !history_.values_.is_overfull() && !lists_.is_overfull();
  if (is_enough) {
    return std::nullopt;
  }
  const auto no_more_than = [](std::uint64_t most, std::string_view what) {
    return "expected no more than " + std::to_string(most) + ' ' + std::string(what) +
           " in one history, found more";
  };
  if (history_.key_values_.size() > room.keys) {
    return no_more_than(room.keys, "keys");
  }
  if (history_.ops_.size() + more_ops > room.operations) {
    return no_more_than(room.operations, "operations");
  }
  if (history_.values_.is_overfull()) {
    return no_more_than(room.values, "different texts, and as many large integers,");
  }
  return lists_.is_overfull() ? std::optional(no_more_than(room.elements, "elements of lists"))
                              : std::nullopt;
}

Status HistoryBuilder::check_room(const SourcePosition& position, std::size_t more_ops) const {
  std::optional<std::string> lack = lack_of_room(more_ops);
  return lack ? Status(malformed(position, std::move(*lack))) : Status();
}

Status HistoryBuilder::add_event(const EventInput& event) {
  if (!event.process && options_.drop_processless) {
    return skip_event({.index = event.index, .time = event.time, .position = event.position});
  }
  EventId id;
  ELAPID_RETURN_IF_ERROR(number_event(event.index, event.time, event.position, id));
  ELAPID_RETURN_IF_ERROR(check_room(event.position, event.mops.size()));
  const SessionId session = session_of(event);
  if (event.type == EventType::kInvoke) {
    return open(event, id, session);
  }
  complete(event, id, session);
  return {};
}

Status HistoryBuilder::skip_event(const SkippedEventInput& event) {
  EventId id;
  return number_event(event.index, event.time, event.position, id);
}

inline Status HistoryBuilder::open(const EventInput& event, EventId id, SessionId session) {
  Open& slot = open_[session.index()];
  if (!slot.id.is_none()) {
    const std::string who =
        event.process ? "process " + std::to_string(*event.process) + " invokes an operation"
                      : std::string("an operation without :process is invoked");
    const std::string message = who + " before an earlier one has completed";
    if (!options_.tolerate_overlaps) {
      return malformed(event.position,
                       message + ", invoked at byte " + std::to_string(slot.position.offset));
    }
    remark(Remark::Kind::kOverlappingProcess, event.position, message, slot.position);
    close_unanswered(session, {});
  }
  slot.id = id;
  slot.time = event.time;
  slot.position = event.position;
  slot.words = {event.level, event.name};
  slot.mops.assign(event.mops.begin(), event.mops.end());
  slot.elements.assign(event.elements.begin(), event.elements.end());
  return {};
}

inline void HistoryBuilder::complete(const EventInput& event, EventId id, SessionId session) {
  Open& slot = open_[session.index()];
  if (slot.id.is_none()) {
    remark(Remark::Kind::kMissingInvocation, event.position,
           "a completion without an invocation before it");
  }
  if (event.type == EventType::kInfo && event.mops.empty() && options_.believe_invocations &&
      !slot.id.is_none()) {
    close_unanswered(session, {id, event.time, event.position});
    return;
  }
  const TxnId txn{txn_count()};
  append_mops(event.mops, event.elements, history_.ops_);
  const Words invoked = slot.id.is_none() ? Words() : slot.words;
  if (invoked.level != event.level && invoked.level != TxnWords::kNone &&
      event.level != TxnWords::kNone) {
    remark(Remark::Kind::kShapeMismatch, slot.position,
           "the completion names another level than the invocation, and its own counts",
           event.position);
  }
  append_txn(session, status_of(event.type),
             {event.level == TxnWords::kNone ? invoked.level : event.level,
              event.name == TxnWords::kNone ? invoked.name : event.name},
             {slot.id, slot.time, slot.position}, {id, event.time, event.position});
  if (!slot.id.is_none()) {
    keep_differing_invocation(txn, slot);
    slot.id = EventId::none();
  }
}

/// The operations that this session invoked may have happened; the results of its reads are
/// unknown. The completion is empty if there is none.
void HistoryBuilder::close_unanswered(SessionId session, const End& completion) {
  Open& slot = open_[session.index()];
  const TxnId txn{txn_count()};
  const Open invoked = options_.believe_invocations ? Open() : slot;
  for (MopInput& mop : slot.mops) {
    const bool is_read = mop.kind == OpKind::kReadList || mop.kind == OpKind::kRead;
    if (is_read && !mop.is_condition) {
      mop.kind = OpKind::kRead;
      mop.value = ValueId::nil();
    }
  }
  append_mops(slot.mops, slot.elements, history_.ops_);
  append_txn(session, TxnStatus::kIndeterminate, slot.words, {slot.id, slot.time, slot.position},
             completion);
  if (!options_.believe_invocations) {
    keep_differing_invocation(txn, invoked);  // with the values that its reads claim
  }
  slot.id = EventId::none();
}

inline void HistoryBuilder::append_mops(std::span<const MopInput> mops,
                                        std::span<const ValueId> elements, std::vector<Op>& out) {
  if (const std::size_t count = out.size() + mops.size(); count > out.capacity()) {
    // One transaction may be most of the history. Room for it is made once. Doubling would keep two
    // copies when memory is scarce.
    out.reserve(std::max(count, &out == &history_.ops_ ? room_for_ops(out.size()) : 0));
  }
  for (const MopInput& mop : mops) {
    if (mop.kind == OpKind::kReadList) {
      out.emplace_back(mop.key,
                       lists_.add(mop.key, elements.subspan(mop.list_begin, mop.list_length)));
    } else {
      out.emplace_back(mop.kind, mop.key, mop.value);
    }
  }
}

void HistoryBuilder::keep_differing_invocation(TxnId txn, const Open& invocation) {
  if (!options_.keeps_invocations) {
    return;
  }
  scratch_ops_.clear();
  append_mops(invocation.mops, invocation.elements, scratch_ops_);
  const std::span<const Op> completed = history_.ops(txn);
  if (all_pairs(scratch_ops_, completed, says_nothing_more)) {
    return;
  }
  // A client's next operation on rows may depend on what it found: it may stop early.
  const bool may_stop = !scratch_ops_.empty() && scratch_ops_.front().kind() == OpKind::kRow;
  const std::size_t done =
      may_stop ? std::min(scratch_ops_.size(), completed.size()) : scratch_ops_.size();
  if (!all_pairs(std::span(scratch_ops_).first(done), completed, same_shape)) {
    remark(Remark::Kind::kShapeMismatch, invocation.position,
           "invocation and completion differ in functions, keys or written values",
           history_.event(txn, EventKind::kCompletion).position);
  }
  history_.differing_invocations_.emplace(txn.value, scratch_ops_);
}

/// Stores one transaction whose operations are already at the end of the operations.
inline void HistoryBuilder::append_txn(SessionId session, TxnStatus status, Words words,
                                       const End& invocation, const End& completion) {
  const TxnId txn{txn_count()};
  if (history_.status_.size() == history_.status_.capacity()) {
    make_room_for_txns();
  }
  history_.status_.push_back(status);
  history_.session_.push_back(session);
  history_.levels_.push_back(words.level);
  history_.names_.push_back(words.name);
  history_.op_begin_.push_back(static_cast<std::uint32_t>(history_.ops_.size()));
  history_.invocation_.push_back(invocation.id);
  history_.completion_.push_back(completion.id);
  append_times(txn, invocation.id.is_none() ? completion : invocation, completion);
}

inline void HistoryBuilder::append_times(TxnId txn, const End& first, const End& second) {
  const std::uint64_t first_position = pack(first.position);
  const std::uint64_t second_position =
      second.id.is_none() ? first_position : pack(second.position);
  history_.first_position_.push_back(first_position);
  const std::uint64_t distance = second_position - first_position;
  const bool is_near = second_position >= first_position && distance < History::kFar;
  history_.position_span_.push_back(is_near ? static_cast<std::uint32_t>(distance) : History::kFar);
  if (!is_near) {
    history_.far_completion_position_.emplace(txn.value, second_position);
  }

  const std::int64_t first_time = first.time.value_or(History::kNoTime);
  const std::int64_t second_time =
      second.id.is_none() ? first_time : second.time.value_or(History::kNoTime);
  if (history_.first_time_.empty()) {
    if (first_time == History::kNoTime && second_time == History::kNoTime) {
      return;
    }
    history_.first_time_.reserve(history_.status_.capacity());
    history_.time_span_.reserve(history_.status_.capacity());
    history_.first_time_.assign(txn.index(), History::kNoTime);
    history_.time_span_.assign(txn.index(), 0);
  }
  history_.first_time_.push_back(first_time);
  const std::uint64_t span =
      static_cast<std::uint64_t>(second_time) - static_cast<std::uint64_t>(first_time);
  const bool is_short = second_time >= first_time && span < History::kFar;
  history_.time_span_.push_back(is_short ? static_cast<std::uint32_t>(span) : History::kFar);
  if (!is_short) {
    history_.far_completion_time_.emplace(txn.value, second_time);
  }
}

/// The room for operations if there are `count`: twice the room so far, or, once, an estimate for
/// the whole input from its beginning. An operation takes 16 bytes of most inputs, so a wrong
/// estimate costs no more than the input's size.
std::size_t HistoryBuilder::room_for_ops(std::size_t count) {
  constexpr std::size_t kTelling = 1 << 14;
  constexpr std::uint64_t kBytesOfOp = 16;
  std::size_t room = 2 * history_.ops_.capacity();
  if (expected_bytes_ > 0 && count >= kTelling) {
    const double share = static_cast<double>(latest_offset(history_.first_position_)) /
                         static_cast<double>(expected_bytes_);
    if (share > 0 && share < 1) {
      const std::uint64_t most = expected_bytes_ / kBytesOfOp;
      const auto expected = static_cast<std::uint64_t>(static_cast<double>(count) / share * 1.05);
      room = std::max<std::size_t>(room, std::min(expected, most));
    }
    expected_bytes_ = 0;
  }
  return room;
}

void HistoryBuilder::reserve(std::size_t ops) {
  history_.ops_.reserve(ops);
}

/// Lets the columns of transactions grow. If the number of operations is known, this costs less
/// than doubling each column.
void HistoryBuilder::make_room_for_txns() {
  constexpr std::size_t kFewest = 16;
  constexpr std::size_t kTelling = 1024;  // so many show the rate of operations
  const std::size_t count = txn_count();
  std::size_t room = std::max(2 * count, kFewest);
  if (const std::size_t ops = history_.ops_.size(); count >= kTelling && ops > count) {
    const std::size_t expected = count * history_.ops_.capacity() / ops;
    room = std::max(room, expected + expected / kFewest);
  }
  const auto reserve_all = [room](auto&... columns) { (columns.reserve(room), ...); };
  reserve_all(history_.status_, history_.session_, history_.invocation_, history_.completion_,
              history_.first_position_, history_.position_span_);
  history_.op_begin_.reserve(room + 1);
  if (!history_.first_time_.empty()) {
    reserve_all(history_.first_time_, history_.time_span_);
  }
  for (auto* const timestamps : {&history_.start_timestamp_, &history_.commit_timestamp_}) {
    timestamps->reserve(timestamps->empty() ? 0 : room + 1);
  }
}

Status HistoryBuilder::add_transaction(const TxnInput& txn) {
  for (const auto& time :
       {txn.invocation_time, txn.completion_time, txn.start_timestamp, txn.commit_timestamp}) {
    if (time == History::kNoTime) {
      return malformed(txn.position, "expected times greater than -2^63, found it");
    }
  }
  any_transaction_ = true;
  all_timed_ = all_timed_ && txn.invocation_time && txn.completion_time;
  ELAPID_RETURN_IF_ERROR(check_room(txn.position, txn.mops.size()));
  EventId invocation;
  EventId completion;
  for (EventId* event : {&invocation, &completion}) {
    ELAPID_RETURN_IF_ERROR(number_event({}, {}, txn.position, *event));
  }
  const auto keep_timestamp = [this](std::vector<std::int64_t>& column,
                                     std::optional<std::int64_t> timestamp) {
    if (timestamp && column.empty()) {
      column.reserve(history_.status_.capacity() + 1);
      column.assign(txn_count(), History::kNoTime);
    }
    if (timestamp || !column.empty()) {
      column.push_back(timestamp.value_or(History::kNoTime));
    }
  };
  keep_timestamp(history_.start_timestamp_, txn.start_timestamp);
  keep_timestamp(history_.commit_timestamp_, txn.commit_timestamp);
  append_mops(txn.mops, txn.elements, history_.ops_);
  append_txn(session(txn.session), txn.status, {txn.level, txn.name},
             {invocation, txn.invocation_time, txn.position},
             {completion, txn.completion_time, txn.position});
  return {};
}

void HistoryBuilder::name_session(std::int64_t session_number, std::string_view name) {
  const SessionId id = session(session_number);
  history_.given_names_.try_emplace(id.value, name);
}

void HistoryBuilder::note_nemesis(NemesisEvent event) {
  if (!nemesis_) {
    nemesis_ = std::make_shared<NemesisLog>();
  }
  nemesis_->add(std::move(event));
}

void HistoryBuilder::remark(Remark::Kind kind, SourcePosition position, std::string message,
                            std::optional<SourcePosition> other) {
  if (remark_counts_[static_cast<std::size_t>(kind)]++ < HistoryInfo::kMaxRemarks) {
    history_.info_.remarks.push_back({kind, position, std::move(message), other});
  }
}

}  // namespace elapid
