#include "engine/timestamps/sweep.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/thread.h"
#include "engine/timestamps/list_judge.h"

namespace elapid {

namespace {

// Judges reads and writes of registers in the order of time.

/// A key's state is its last committed version, and the value that the last transaction to touch it
/// expects. 24 bytes a key, constant time an operation.
class RegisterJudge {
 public:
  explicit RegisterJudge(const JudgeContext& context)
      : context_(context), keys_(context.key_places(), State{.value = initial()}) {}

  /// Begins the reads of a transaction.
  void begin(TxnId /*txn*/) {}

  /// Judges an operation of the transaction, before its writes take effect.
  void look_at(TxnId txn, std::uint32_t mop, Op op) {
    State& state = keys_[context_.place(op.key())];
    const ValueId value = normal(op.value());
    if (op.is_read()) {
      if (state.toucher == txn) {
        if (state.own != value) {
          report(TimestampAxiom::kInt, txn, mop, op, state.own);
        }
      } else if (state.value != value || !tied_.empty()) {
        judge_external(state, txn, mop, op, value);
      }
    }
    state.toucher = txn;
    state.own = value;
  }

  /// Installs a write; the transaction read at `started`.
  void install(TxnId txn, Op op, std::int64_t time, std::int64_t started) {
    State& state = keys_[context_.place(op.key())];
    if (state.writer != txn) {
      if (!state.writer.is_none() && state.time >= started) {
        note_overlap(state, txn, op.key(), time, started);
      } else {
        tied_.settle(op.key());
      }
      state.writer = txn;
      state.time = time;
    }
    state.value = normal(op.value());
  }

  [[nodiscard]] TiedKeys& tied() { return tied_; }

  [[nodiscard]] SweepFindings take() && { return std::move(found_); }

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

  /// Nil stands for the initial value.
  [[nodiscard]] ValueId normal(ValueId value) const { return value.is_nil() ? initial_ : value; }

  void judge_external(const State& state, TxnId txn, std::uint32_t mop, Op op, ValueId value);
  void note_overlap(const State& state, TxnId txn, KeyId key, std::int64_t time,
                    std::int64_t started);
  void report(TimestampAxiom axiom, TxnId txn, std::uint32_t mop, Op op, ValueId expected,
              TxnId expected_writer = TxnId::none());

  const JudgeContext& context_;
  ValueId initial_ = initial();
  std::vector<State> keys_;
  TiedKeys tied_;
  SweepFindings found_;
};

void RegisterJudge::judge_external(const State& state, TxnId txn, std::uint32_t mop, Op op,
                                   ValueId value) {
  if (tied_.contains(txn, op.key())) {
    found_.tied.add(txn);
  } else if (state.value == value) {
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

using Kind = TimelineEvent::Kind;

constexpr std::size_t kEventsBetweenQuestions = 1 << 16;

/// The sweep over the keys whose low bits are `part`.
template <class Judge>
class Sweep {
 public:
  Sweep(const JudgeContext& context, std::uint32_t part)
      : context_(context), part_(part), mask_((1U << context.key_shift) - 1), judge_(context) {}

  /// Runs to the end, or until `keep_going` returns false.
  SweepFindings run(const std::function<bool()>& keep_going) {
    const std::span<const TimelineEvent> events = context_.timeline.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i % kEventsBetweenQuestions == 0 && !keep_going()) {
        break;
      }
      if (i == 0 || !is_together(events[i - 1], events[i])) {
        enter_group(events.subspan(i));
      }
      carry_out(events[i]);
    }
    return std::move(judge_).take();
  }

 private:
  [[nodiscard]] bool is_mine(Op op) const { return (op.key().value & mask_) == part_; }

  static bool is_together(const TimelineEvent& a, const TimelineEvent& b) {
    const bool can_be = a.kind == Kind::kWhole || a.kind == Kind::kInstant;
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
        if (op.is_write() && is_mine(op)) {
          judge_.tied().add_group_write(event.txn, op.key());
        }
      }
    }
  }

  void carry_out(const TimelineEvent& event) {
    if (event.kind != Kind::kCommit &&
        context_.timeline.placement(event.txn) == Placement::kPlaced) {
      read(event.txn);
    }
    if (event.kind != Kind::kStart) {
      write(event);
    }
  }

  void read(TxnId txn) {
    judge_.begin(txn);
    const std::span<const Op> ops = context_.history.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (is_mine(ops[mop])) {
        judge_.look_at(txn, mop, ops[mop]);
      }
    }
  }

  void write(const TimelineEvent& event) {
    const std::int64_t started = context_.timeline.reads_at(event.txn);
    for (const Op op : context_.history.ops(event.txn)) {
      if (op.is_write() && is_mine(op)) {
        judge_.install(event.txn, op, event.time, started);
      }
    }
  }

  const JudgeContext& context_;
  std::uint32_t part_;
  std::uint32_t mask_;
  Judge judge_;
};

void append(SweepFindings& all, SweepFindings part) {
  std::ranges::move(part.reads, std::back_inserter(all.reads));
  std::ranges::copy(part.conflicting, std::back_inserter(all.conflicting));
  all.tied.add(part.tied);
  all.maybe.add(part.maybe);
}

/// Sweeps all parts, each in a thread of its own.
template <class Judge>
SweepFindings sweep_keys(const JudgeContext& context, const std::function<bool()>& keep_going) {
  std::vector<SweepFindings> found(std::size_t{1} << context.key_shift);
  std::vector<Thread> threads;
  for (std::uint32_t part = 1; part < found.size(); ++part) {
    threads.emplace_back([&, part] { found[part] = Sweep<Judge>(context, part).run(keep_going); });
  }
  found[0] = Sweep<Judge>(context, 0).run(keep_going);
  std::ranges::for_each(threads, &Thread::join);
  SweepFindings all;
  for (SweepFindings& part : found) {
    append(all, std::move(part));
  }
  return all;
}

}  // namespace

std::optional<SweepFindings> sweep(const History& history, const Timeline& timeline,
                                   const MaybeWrites& maybe_writes, std::size_t threads,
                                   const std::function<bool()>& keep_going) {
  const JudgeContext context = {
      .history = history,
      .timeline = timeline,
      .maybe_writes = maybe_writes,
      .key_shift = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(threads, 1))) - 1};
  std::atomic<bool> is_stopped = false;
  const auto ask = [&] {
    if (!keep_going()) {
      is_stopped = true;
    }
    return !is_stopped;
  };
  SweepFindings found = history.has_lists() ? sweep_keys<ListJudge>(context, ask)
                                            : sweep_keys<RegisterJudge>(context, ask);
  return is_stopped ? std::nullopt : std::optional(std::move(found));
}

}  // namespace elapid
