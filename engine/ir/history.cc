#include "engine/ir/history.h"

#include <algorithm>

#include "engine/ir/json_string.h"
#include "engine/ir/shown_name.h"

namespace elapid {

namespace {

constexpr std::uint64_t kOffsetBits = 48;

SourcePosition unpack(std::uint64_t packed) {
  return {.file = static_cast<std::uint16_t>(packed >> kOffsetBits),
          .offset = packed & ((std::uint64_t{1} << kOffsetBits) - 1)};
}

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

}  // namespace

std::optional<std::span<const Op>> History::differing_invocation(TxnId txn) const {
  const auto found = differing_invocations_.find(txn.value);
  if (found == differing_invocations_.end()) {
    return std::nullopt;
  }
  return std::span<const Op>(found->second);
}

Event History::event(TxnId txn, EventKind kind) const {
  const bool invocation = kind == EventKind::kInvocation;
  const std::size_t i = txn.index();
  Event event{.id = invocation ? invocation_[i] : completion_[i],
              .index = 0,
              .time = std::nullopt,
              .position = {}};
  if (event.id.is_none()) {
    return event;
  }
  event.index = event_index(event.id);
  const bool is_first = invocation || invocation_[i].is_none();
  std::uint64_t position = first_position_[i];
  if (!is_first) {
    position = position_span_[i] != kFar ? position + position_span_[i]
                                         : far_completion_position_.at(txn.value);
  }
  event.position = unpack(position);
  if (first_time_.empty()) {
    return event;
  }
  std::int64_t time = first_time_[i];
  if (!is_first) {
    time = time_span_[i] != kFar ? time + time_span_[i] : far_completion_time_.at(txn.value);
  }
  if (time != kNoTime) {
    event.time = time;
  }
  return event;
}

Event History::representative(TxnId txn) const {
  return event(txn, has_completion(txn) ? EventKind::kCompletion : EventKind::kInvocation);
}

std::int64_t History::event_index(EventId event) const {
  return event_index_.empty() ? std::int64_t{event.value} : event_index_[event.index()];
}

std::optional<std::int64_t> History::start_timestamp(TxnId txn) const {
  if (start_timestamp_.empty() || start_timestamp_[txn.index()] == kNoTime) {
    return std::nullopt;
  }
  return start_timestamp_[txn.index()];
}

std::optional<std::int64_t> History::commit_timestamp(TxnId txn) const {
  if (commit_timestamp_.empty() || commit_timestamp_[txn.index()] == kNoTime) {
    return std::nullopt;
  }
  return commit_timestamp_[txn.index()];
}

std::string History::session_text(SessionId session) const {
  const std::optional<std::string_view> name = session_given_name(session);
  if (!name) {
    return std::to_string(session_name(session));
  }
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._:/@-").find(c) != std::string_view::npos;
  };
  const bool is_number = name->find_first_not_of("0123456789-") == std::string_view::npos;
  const std::string shown = shown_name(*name);
  return std::ranges::all_of(shown, is_plain) && !is_number ? shown : json_quoted(shown);
}

std::optional<std::string_view> History::session_given_name(SessionId session) const {
  const auto found = given_names_.find(session.value);
  return found == given_names_.end() ? std::nullopt
                                     : std::optional<std::string_view>(found->second);
}

KeyId History::find_key(ValueId name) const {
  const auto found =
      std::lower_bound(keys_by_value_.begin(), keys_by_value_.end(), name,
                       [this](KeyId key, ValueId value) { return key_value(key) < value; });
  return found != keys_by_value_.end() && key_value(*found) == name ? *found : KeyId::none();
}

std::span<const ValueId> History::elements(KeyId key, ListId list) const {
  if (list.is_prefix()) {
    return trunk(key).first(list.length());
  }
  const LiteralList& literal = literals_[list.literal_index()];
  return std::span(branch_elements_).subspan(branch_begin_[literal.branch], literal.length);
}

std::size_t History::memory_bytes() const {
  // Hash tables: a node and a bucket an entry, about.
  constexpr std::size_t kNode = 48;
  std::size_t bytes = bytes_of(status_) + bytes_of(session_) + bytes_of(op_begin_) +
                      bytes_of(invocation_) + bytes_of(completion_) + bytes_of(first_time_) +
                      bytes_of(time_span_) + bytes_of(first_position_) + bytes_of(position_span_) +
                      bytes_of(event_index_) + bytes_of(start_timestamp_) +
                      bytes_of(commit_timestamp_) + bytes_of(ops_) + levels_.memory_bytes() +
                      names_.memory_bytes();
  bytes += bytes_of(session_names_) + bytes_of(session_begin_) + bytes_of(session_txns_) +
           bytes_of(key_values_) + bytes_of(keys_by_value_) + bytes_of(trunk_begin_) +
           bytes_of(trunk_elements_) + bytes_of(literals_) + bytes_of(branch_begin_) +
           bytes_of(branch_elements_) + values_.memory_bytes();
  bytes += (far_completion_time_.size() + far_completion_position_.size()) * kNode;
  for (const auto& [txn, ops] : differing_invocations_) {
    bytes += kNode + bytes_of(ops);
  }
  return bytes;
}

HistorySize History::size_read() const {
  if (info_.part_of) {
    return *info_.part_of;
  }
  HistorySize size = {.operations = op_count(),
                      .keys = key_count(),
                      .sessions = session_count(),
                      .events = info_.event_count};
  for (const TxnStatus status : status_) {
    ++size.by_status[static_cast<std::size_t>(status)];
  }
  return size;
}

}  // namespace elapid
