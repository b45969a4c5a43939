// Reads and writes of registers, judged in the order of time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/timestamps/key_judge.h"

namespace elapid {

/// A key's state is its version committed last, and what the transaction that touched it last
/// expects of it. 24 bytes a key, constant time an operation.
class RegisterJudge {
 public:
  explicit RegisterJudge(const JudgeContext& context)
      : context_(context), keys_(context.key_places(), State{.value = initial()}) {}

  /// Begins the reads of a transaction, and ends those of the one before.
  void begin(TxnId /*txn*/) {}

  /// An operation of the transaction, before its writes take effect.
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

  /// A write takes effect; the transaction read at `started`.
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
    ValueId own = {};               // what that one last read or wrote
  };

  [[nodiscard]] ValueId initial() const {
    const ValueId declared = context_.history.info().initial;
    return declared.is_none() ? ValueId::nil() : declared;
  }

  /// Nil is the initial value.
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

}  // namespace elapid
