#include "engine/timestamps/register_judge.h"

namespace elapid {

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

/// The version before was not committed when the transaction started, or at the same time as now.
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

}  // namespace elapid
