#include "parsers/partitions/part_history.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace elapid {

namespace {

/// An operation of the part of the history.
struct KeptOp {
  std::uint32_t number = 0;  // of its transaction
  bool is_attempt = false;
  std::uint32_t place = 0;
  MopInput mop;
};

class PartBuilder {
 public:
  PartBuilder(const PartData& data, HistoryBuilder& builder) : data_(data), builder_(builder) {}

  Result<PartHistory> run(std::uint32_t sample, const std::vector<Remark>& remarks,
                          HistoryInfo info) {
    name_keys();
    collect_ops();
    collect_events(sample);
    add_remarks(remarks);
    if (Status status = add_events(); !status) {
      return status.error();
    }
    Result<History> built = std::move(builder_).build(std::move(info));
    if (!built) {
      return std::move(built.error());
    }
    std::vector<std::uint32_t> numbers = numbers_of(built.value());
    return PartHistory{std::move(built).value(), std::move(numbers)};
  }

 private:
  struct Kept {
    std::uint32_t number = 0;
    TxnRecord record;
    std::size_t begin = 0;  // of its operations
    std::size_t end = 0;
  };

  struct KeptEvent {
    std::uint32_t event = 0;
    EventKind kind = EventKind::kInvocation;
    std::size_t txn = 0;
  };

  /// Keys are numbered by first appearance.
  void name_keys() {
    std::map<std::string, std::uint64_t> rank_of;
    for (const Segment& segment : data_.segments) {
      for (const SegmentKey& key : segment.keys) {
        std::uint64_t& rank = rank_of.try_emplace(segment.text(key.name), key.rank).first->second;
        rank = std::min(rank, key.rank);
      }
    }
    std::map<std::uint64_t, std::string_view> by_rank;
    for (const auto& [name, rank] : rank_of) {
      by_rank.emplace(rank, name);
    }
    for (const auto& [rank, name] : by_rank) {
      builder_.key(builder_.values().intern(name));
    }
  }

  void collect_ops() {
    for (const Segment& segment : data_.segments) {
      SegmentMops mops(segment, builder_, elements_);
      for (std::size_t t = 0; t < segment.txns.size(); ++t) {
        for (const SegmentOp& op : segment.ops_of(t)) {
          ops_.push_back({segment.txns[t].number, op.is_attempt(), op.mop, mops.mop(op)});
        }
      }
    }
    std::ranges::sort(ops_, [](const KeptOp& a, const KeptOp& b) {
      return std::tie(a.number, a.is_attempt, a.place) < std::tie(b.number, b.is_attempt, b.place);
    });
  }

  void collect_events(std::uint32_t sample) {
    bool has_sample = false;
    for (std::size_t begin = 0; begin < ops_.size();) {
      const std::uint32_t number = ops_[begin].number;
      std::size_t end = begin;
      while (end < ops_.size() && ops_[end].number == number) {
        ++end;
      }
      keep({.number = number, .record = {}, .begin = begin, .end = end});
      has_sample = has_sample || number == sample;
      begin = end;
    }
    if (!has_sample) {
      keep({.number = sample, .record = {}});
    }
    std::ranges::sort(events_, {}, &KeptEvent::event);
  }

  void keep(Kept kept) {
    kept.record = data_.records.at(kept.number);
    events_.push_back({kept.record.invoked, EventKind::kInvocation, txns_.size()});
    if (kept.record.completed != EventId::none().value) {
      events_.push_back({kept.record.completed, EventKind::kCompletion, txns_.size()});
    }
    txns_.push_back(kept);
  }

  Status add_events() {
    std::vector<MopInput> mops;
    for (const KeptEvent& event : events_) {
      const Kept& txn = txns_[event.txn];
      const TxnRecord& record = txn.record;
      const bool is_invocation = event.kind == EventKind::kInvocation;
      const std::int64_t time = is_invocation ? record.invocation_time : record.completion_time;
      mops.clear();
      collect_mops(txn, event.kind, mops);
      Status status = builder_.add_event(
          {.type = is_invocation ? EventType::kInvoke : type_of(record),
           .process = record.session,
           .index = is_invocation ? record.invocation_index : record.completion_index,
           .time = time == TxnRecord::kNoTime ? std::nullopt : std::optional(time),
           .position = {.offset =
                            is_invocation ? record.invocation_offset : record.completion_offset},
           .mops = mops,
           .elements = elements_});
      if (!status) {
        return status;
      }
    }
    return {};
  }

  /// Adds remarks, except those that the builder makes again on the given events.
  void add_remarks(const std::vector<Remark>& remarks) {
    std::set<std::uint64_t> given;
    for (const Kept& txn : txns_) {
      given.insert({txn.record.invocation_offset, txn.record.completion_offset});
    }
    for (const Remark& remark : remarks) {
      if (!given.contains(remark.position.offset)) {
        builder_.remark(remark.kind, remark.position, remark.message, remark.other);
      }
    }
  }

  [[nodiscard]] static EventType type_of(const TxnRecord& record) {
    switch (static_cast<TxnStatus>(record.status % SegmentTxn::kAttempted)) {
      case TxnStatus::kCommitted:
        return EventType::kOk;
      case TxnStatus::kAborted:
        return EventType::kFail;
      default:
        return EventType::kInfo;
    }
  }

  /// Whether the invocation has operations of its own. The builder takes an indeterminate
  /// transaction with an empty completion for what was invoked; here a completion may be empty
  /// because it has no operations on keys of the part.
  [[nodiscard]] bool uses_attempt(const Kept& txn) const {
    const auto begin = ops_.begin() + static_cast<std::ptrdiff_t>(txn.begin);
    const auto end = ops_.begin() + static_cast<std::ptrdiff_t>(txn.end);
    return txn.record.status >= SegmentTxn::kAttempted &&
           (type_of(txn.record) != EventType::kInfo ||
            std::any_of(begin, end, [](const KeptOp& op) { return !op.is_attempt; }));
  }

  /// The operations of an event. Without a separate invocation they come from the completion.
  void collect_mops(const Kept& txn, EventKind kind, std::vector<MopInput>& mops) const {
    const bool is_attempted = uses_attempt(txn);
    const bool is_invocation = kind == EventKind::kInvocation;
    for (std::size_t i = txn.begin; i < txn.end; ++i) {
      if (ops_[i].is_attempt != (is_attempted && is_invocation)) {
        continue;
      }
      mops.push_back(ops_[i].mop);
      if (is_invocation && !is_attempted && mops.back().kind == OpKind::kReadList) {
        mops.back() = {.kind = OpKind::kRead, .key = mops.back().key};
      }
    }
  }

  /// Finds the numbers of transactions by the places of their invocations.
  [[nodiscard]] std::vector<std::uint32_t> numbers_of(const History& history) const {
    std::map<std::uint64_t, std::uint32_t> by_offset;
    for (const Kept& txn : txns_) {
      by_offset.emplace(txn.record.invocation_offset, txn.number);
    }
    std::vector<std::uint32_t> numbers;
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      numbers.push_back(by_offset.at(history.event(txn, EventKind::kInvocation).position.offset));
    }
    return numbers;
  }

  const PartData& data_;
  HistoryBuilder& builder_;
  std::vector<ValueId> elements_;
  std::vector<KeptOp> ops_;
  std::vector<Kept> txns_;
  std::vector<KeptEvent> events_;
};

}  // namespace

Result<PartHistory> part_history(const PartData& data, std::uint32_t sample,
                                 const std::vector<Remark>& remarks, HistoryBuilder& builder,
                                 HistoryInfo info) {
  return PartBuilder(data, builder).run(sample, remarks, std::move(info));
}

}  // namespace elapid
