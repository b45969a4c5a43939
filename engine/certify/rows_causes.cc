#include "engine/certify/rows_causes.h"

#include <algorithm>

namespace elapid::certify {

bool has(const RowsProofStep& step, const RowsChoice& choice) {
  return std::ranges::find(step.clause, choice) != step.clause.end();
}

bool RowsCauses::precedes(TxnId a, TxnId b) const {
  const TxnId initial = history_.info().initial_txn;
  if (a == b || !history_.committed(a)) {
    return false;
  }
  if (!initial.is_none() && history_.committed(initial) && (a == initial || b == initial)) {
    return a == initial;
  }
  return (level_.sessions && history_.session(a) == history_.session(b) && a < b) ||
         (level_.real_time && history_.info().has_real_time && history_.has_invocation(b) &&
          history_.completion_id(a) < history_.invocation_id(b));
}

bool RowsCauses::leaves_out(const RowsProofStep& step, TxnId txn) const {
  return history_.committed(txn) || has(step, took_effect(txn, false));
}

KnownRow RowsCauses::before_txn(const RowsProofStep& step, TxnId reader, KeyId key) const {
  KnownRow row;
  for (const LastWriter& cause : step.causes) {
    if (cause.row == key && cause.reader == reader) {
      put_part(row, cause.writer.is_none() ? unborn_row() : after(step, cause.writer, key).row,
               cause.part);
    }
  }
  return row;
}

CarriedOut RowsCauses::after(const RowsProofStep& step, TxnId txn, KeyId key) const {
  if (memo_of_ != &step) {
    memo_.clear();
    memo_of_ = &step;
  }
  const auto [known, is_new] = memo_.try_emplace({txn, key});
  const std::size_t count = history_.ops(txn).size();
  if (!is_new) {
    return known->second ? *known->second : effects_.carried_out(txn, count, key, {});
  }
  if (depth_ == kMostDepth) {
    return effects_.carried_out(txn, count, key, {});
  }
  ++depth_;
  CarriedOut result = effects_.carried_out(txn, count, key, before_txn(step, txn, key));
  --depth_;
  memo_[{txn, key}] = result;
  return result;
}

const char* RowsCauses::flaw_of_cause(const RowsProofStep& step, const LastWriter& cause,
                                      const NoBetter& is_no_better) const {
  const TxnId writer = cause.writer;
  const TxnId reader = cause.reader;
  if (!writer.is_none()) {
    if (writer == reader || (after(step, writer, cause.row).sure & part_bit(cause.part)) == 0) {
      return "a transaction does not write what it is said to have written last";
    }
    if (!leaves_out(step, writer)) {
      return "the writer may not have taken effect";
    }
    if (!precedes(writer, reader) && !has(step, before(start(reader), {writer, true}))) {
      return "the writer may come later";
    }
  }
  for (const TxnId other : effects_.writers_of(cause.row)) {
    if (other == reader || other == writer ||
        (after(step, other, cause.row).maybe & part_bit(cause.part)) == 0 ||
        precedes(reader, other) || (!writer.is_none() && precedes(other, writer))) {
      continue;
    }
    if (!is_no_better(other) && !has_between(step, reader, writer, other)) {
      return "another transaction may have written the row in between";
    }
  }
  return nullptr;
}

bool RowsCauses::has_between(const RowsProofStep& step, TxnId reader, TxnId writer,
                             TxnId other) const {
  const OrderEvent reading = start(reader);
  if (has(step, before({other, true}, reading)) || has(step, took_effect(other, true)) ||
      (!writer.is_none() && has(step, before({writer, true}, {other, true})))) {
    return true;  // each of these is implied
  }
  return std::ranges::any_of(step.clause, [&](const RowsChoice& choice) {
    return choice.kind == RowsChoice::Kind::kBetween && choice.holds &&
           choice.first.txn == writer && choice.middle == other && choice.second == reading;
  });
}

}  // namespace elapid::certify
