#include "engine/timestamps/sweep.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/share_work.h"
#include "engine/timestamps/list_judge.h"

namespace elapid {

namespace {

// Judges reads and writes of registers in the order of time.

/// A key's state is its last committed version, and the value that the last transaction to touch it
/// expects. 24 bytes a key, constant time an operation.
class RegisterJudge {
 public:
  explicit RegisterJudge(const JudgeContext& context)
      : context_(context), keys_(context.history.key_count(), State{.value = initial()}) {}

  /// Begins the reads of a transaction.
  void begin(TxnId /*txn*/) {}

  /// Judges an operation of the transaction, before its writes take effect.
  void look_at(TxnId txn, std::uint32_t mop, Op op) {
    State& state = keys_[op.key().index()];
    if (op.is_read()) {
      if (state.toucher == txn) {
        if (state.own != op.value()) {
          judge_repeated(state, txn, mop, op);
        }
      } else if (state.value != op.value() || !tied_.empty()) {
        judge_external(state, txn, mop, op);
      }
    }
    state.toucher = txn;
    state.own = op.value();
  }

  /// Installs a write; the transaction read at `started`.
  void install(TxnId txn, Op op, std::int64_t time, std::int64_t started) {
    State& state = keys_[op.key().index()];
    if (state.writer != txn) {
      if (!state.writer.is_none() && state.time >= started) {
        note_overlap(state, txn, op.key(), time, started);
      } else {
        tied_.settle(op.key());
      }
      state.writer = txn;
      state.time = time;
    }
    state.value = op.value();
  }

  [[nodiscard]] TiedKeys& tied() { return tied_; }

  /// What was found since the last call.
  [[nodiscard]] SweepFindings take() { return std::exchange(found_, {}); }

 private:
  struct State {
    std::int64_t time = 0;          // of the version
    TxnId writer = TxnId::none();   // of the version; none(): it is the initial one
    ValueId value = {};             // the version
    TxnId toucher = TxnId::none();  // the last transaction that looked at it
    ValueId own = {};               // the last value that this one read or wrote
  };

  [[nodiscard]] ValueId initial() const {
    const ValueId declared = context_.history.info().initial;
    return declared.is_none() ? ValueId::nil() : declared;
  }

  /// Whether a read of the value shows the version. The initial one has two names, what was
  /// written one.
  [[nodiscard]] bool explains(const State& state, ValueId value) const {
    return state.value == value || (state.writer.is_none() && context_.history.is_initial(value));
  }

  void judge_repeated(const State& state, TxnId txn, std::uint32_t mop, Op op);
  void judge_external(const State& state, TxnId txn, std::uint32_t mop, Op op);
  void note_overlap(const State& state, TxnId txn, KeyId key, std::int64_t time,
                    std::int64_t started);
  void report(TimestampAxiom axiom, TxnId txn, std::uint32_t mop, Op op, ValueId expected,
              TxnId expected_writer = TxnId::none());

  const JudgeContext& context_;
  std::vector<State> keys_;
  TiedKeys tied_;
  SweepFindings found_;
};

/// A read that shows another value than the transaction's last operation on the key. If it is the
/// other name of the initial state, and the transaction wrote nothing, the version decides.
void RegisterJudge::judge_repeated(const State& state, TxnId txn, std::uint32_t mop, Op op) {
  const History& history = context_.history;
  const bool has_own = std::ranges::any_of(history.ops(txn).first(mop), [&](Op before) {
    return before.is_write() && before.key() == op.key();
  });
  if (!has_own && history.is_initial(state.own) && history.is_initial(op.value())) {
    judge_external(state, txn, mop, op);
  } else {
    report(TimestampAxiom::kInt, txn, mop, op, state.own);
  }
}

void RegisterJudge::judge_external(const State& state, TxnId txn, std::uint32_t mop, Op op) {
  if (tied_.contains(txn, op.key())) {
    found_.tied.add(txn);
  } else if (explains(state, op.value())) {
    return;
  } else if (context_.maybe_writes.contains(op.key(), op.value())) {
    found_.maybe.add(txn);
  } else {
    report(TimestampAxiom::kExt, txn, mop, op, state.value, state.writer);
  }
}

/// The previous version was committed after the transaction started, or at the same time as this
/// one.
void RegisterJudge::note_overlap(const State& state, TxnId txn, KeyId key, std::int64_t time,
                                 std::int64_t started) {
  if (state.time > started) {
    found_.conflicting.emplace_back(txn, key);
  }
  if (state.time == time && context_.are_tied(state.writer, txn)) {
    tied_.add_version(key);
  } else {
    tied_.settle(key);
  }
}

void RegisterJudge::report(TimestampAxiom axiom, TxnId txn, std::uint32_t mop, Op op,
                           ValueId expected, TxnId expected_writer) {
  found_.reads.push_back(context_.wrong_read(
      axiom, txn, mop, op, {.kind = ExpectedRead::Kind::kScalar, .scalar = expected},
      expected_writer));
}

using TimelineKind = TimelineEvent::Kind;

constexpr std::size_t kEventsBetweenQuestions = 1 << 16;

/// The sweep over the events of a range.
template <class Judge>
class Sweep {
 public:
  explicit Sweep(const JudgeContext& context) : context_(context), judge_(context) {}

  /// Up to the end, or until told to stop. The range begins with a time of its own.
  SweepFindings run(IndexRange range, const std::function<bool()>& keep_going) {
    const std::span<const TimelineEvent> events = context_.timeline.events();
    const auto goes_on = [&](std::size_t i) {
      return i % kEventsBetweenQuestions != 0 || keep_going();
    };
    for (std::size_t i = 0; i < range.begin && goes_on(i); ++i) {
      write(events[i]);
    }
    const SweepFindings of_others = judge_.take();
    for (std::size_t i = range.begin; i < range.end && goes_on(i); ++i) {
      if (i == 0 || !is_together(events[i - 1], events[i])) {
        enter_group(events.subspan(i));
      }
      read(events[i]);
      write(events[i]);
    }
    return judge_.take();
  }

 private:
  static bool is_together(const TimelineEvent& a, const TimelineEvent& b) {
    const bool can_be = a.kind == TimelineKind::kWhole || a.kind == TimelineKind::kInstant;
    return can_be && a.kind == b.kind && a.time == b.time;
  }

  /// Transactions that read and write at one time have no order, so the writes of all must be known
  /// before any of them reads. The group begins with the first of `events`, and is mostly one
  /// event.
  void enter_group(std::span<const TimelineEvent> events) {
    judge_.tied().end_group();
    if (events.size() < 2 || !is_together(events[0], events[1])) {
      return;
    }
    for (const TimelineEvent& event : events) {
      if (!is_together(events[0], event)) {
        break;
      }
      for (const Op op : context_.history.ops(event.txn)) {
        if (op.is_write()) {
          judge_.tied().add_group_write(event.txn, op.key());
        }
      }
    }
  }

  void read(const TimelineEvent& event) {
    if (event.kind == TimelineKind::kCommit ||
        context_.timeline.placement(event.txn) != Placement::kPlaced) {
      return;
    }
    judge_.begin(event.txn);
    const std::span<const Op> ops = context_.history.ops(event.txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      judge_.look_at(event.txn, mop, ops[mop]);
    }
  }

  void write(const TimelineEvent& event) {
    if (event.kind == TimelineKind::kStart) {
      return;
    }
    const std::int64_t started = context_.timeline.reads_at(event.txn);
    for (const Op op : context_.history.ops(event.txn)) {
      if (op.is_write()) {
        judge_.install(event.txn, op, event.time, started);
      }
    }
  }

  const JudgeContext& context_;
  Judge judge_;
};

void append(SweepFindings& all, SweepFindings part) {
  std::ranges::move(part.reads, std::back_inserter(all.reads));
  std::ranges::copy(part.conflicting, std::back_inserter(all.conflicting));
  all.tied.add(part.tied);
  all.maybe.add(part.maybe);
}

/// Ranges that begin with a time of their own: what happens at one time is not torn apart.
std::vector<IndexRange> ranges_of_time(const History& history,
                                       std::span<const TimelineEvent> events) {
  constexpr double kPriceOfWrites = 0.4;  // of all operations
  const std::size_t bytes =
      history.has_lists() ? 48 * history.key_count() + 2 * sizeof(ValueId) * history.op_count()
                          : 24 * history.key_count();  // as the judges say; lists grow
  std::vector<IndexRange> ranges = ranges_to_catch_up(events.size(), kPriceOfWrites, bytes);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    std::uint32_t& begin = ranges[i].begin;
    begin = std::max(begin, ranges[i - 1].begin);
    while (begin > 0 && begin < events.size() && events[begin].time == events[begin - 1].time) {
      ++begin;
    }
    ranges[i - 1].end = begin;
  }
  return ranges;
}

template <class Judge>
SweepFindings sweep_parts(const JudgeContext& context, const std::function<bool()>& keep_going) {
  const std::vector<IndexRange> ranges = ranges_of_time(context.history, context.timeline.events());
  std::vector<SweepFindings> found(ranges.size());
  share_work(ranges.size(),
             [&](std::size_t i) { found[i] = Sweep<Judge>(context).run(ranges[i], keep_going); });
  SweepFindings all;
  for (SweepFindings& part : found) {
    append(all, std::move(part));
  }
  return all;
}

}  // namespace

std::optional<SweepFindings> sweep(const History& history, const Timeline& timeline,
                                   const MaybeWrites& maybe_writes,
                                   const std::function<bool()>& keep_going) {
  const JudgeContext context = {
      .history = history, .timeline = timeline, .maybe_writes = maybe_writes};
  std::atomic<bool> is_stopped = false;
  const auto ask = [&] {
    if (!keep_going()) {
      is_stopped = true;
    }
    return !is_stopped;
  };
  SweepFindings found = history.has_lists() ? sweep_parts<ListJudge>(context, ask)
                                            : sweep_parts<RegisterJudge>(context, ask);
  return is_stopped ? std::nullopt : std::optional(std::move(found));
}

}  // namespace elapid
