// The end of building: what is only known once all events are there.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/ir/history_builder.h"

namespace elapid {

/// Groups transactions by session, in the order of their numbers.
void HistoryBuilder::finish_sessions() {
  std::vector<std::uint32_t>& begin = history_.session_begin_;
  begin.assign(history_.session_count() + 1, 0);
  for (const SessionId session : history_.session_) {
    ++begin[session.index() + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  history_.session_txns_.resize(history_.txn_count());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t txn = 0; txn < txn_count(); ++txn) {
    history_.session_txns_[next[history_.session_[txn].index()]++] = TxnId{txn};
  }
}

void HistoryBuilder::finish_keys() {
  std::vector<KeyId>& keys = history_.keys_by_value_;
  keys.resize(history_.key_count());
  for (std::uint32_t key = 0; key < keys.size(); ++key) {
    keys[key] = {key};
  }
  std::sort(keys.begin(), keys.end(),
            [this](KeyId a, KeyId b) { return history_.key_value(a) < history_.key_value(b); });
}

void HistoryBuilder::finish_lists() {
  const auto flatten = [](const std::vector<std::vector<ValueId>>& lists, std::size_t count,
                          std::vector<std::uint32_t>& begin, std::vector<ValueId>& elements) {
    begin.assign(1, 0);
    begin.reserve(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (i < lists.size()) {
        elements.insert(elements.end(), lists[i].begin(), lists[i].end());
      }
      begin.push_back(static_cast<std::uint32_t>(elements.size()));
    }
  };
  flatten(lists_.trunks(), history_.key_count(), history_.trunk_begin_, history_.trunk_elements_);
  flatten(lists_.branches(), lists_.branches().size(), history_.branch_begin_,
          history_.branch_elements_);
  for (const ListStore::Literal& literal : lists_.literals()) {
    history_.literals_.push_back({literal.branch, literal.length});
  }
}

/// Gives back what the growing of arrays left unused.
void HistoryBuilder::shrink() {
  const auto shrink_all = [](auto&... columns) { (columns.shrink_to_fit(), ...); };
  shrink_all(history_.status_, history_.session_, history_.op_begin_, history_.invocation_,
             history_.completion_, history_.first_time_, history_.time_span_,
             history_.first_position_, history_.position_span_, history_.event_index_,
             history_.ops_, history_.session_names_, history_.key_values_,
             history_.start_timestamp_, history_.commit_timestamp_, history_.trunk_elements_);
}

Result<History> HistoryBuilder::build(HistoryInfo info) && {
  for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
    if (!open_[s].id.is_none()) {
      close_unanswered({s}, {});
    }
  }
  info.remarks = std::move(history_.info_.remarks);
  std::stable_sort(info.remarks.begin(), info.remarks.end(), [](const Remark& a, const Remark& b) {
    return std::tie(a.position.file, a.position.offset) <
           std::tie(b.position.file, b.position.offset);
  });
  info.event_count = events_;
  info.has_process = any_process_ || any_transaction_;
  info.has_real_time = !any_transaction_ || (info.has_real_time && !history_.first_time_.empty());
  history_.info_ = std::move(info);
  finish_sessions();
  finish_keys();
  finish_lists();
  shrink();
  return std::move(history_);
}

}  // namespace elapid
