#include "engine/certify/rows/rows_causes.h"

#include <algorithm>

#include "engine/rows/rows.h"

namespace elapid::certify {

bool has(const RowsProofStep& step, const RowsChoice& choice) {
  return std::ranges::find(step.clause, choice) != step.clause.end();
}

void RowsCauses::add_proved(const std::vector<RowsChoice>& clause) {
  if (clause.size() == 1 && clause.front().kind == RowsChoice::Kind::kBefore) {
    known_.add(clause.front().first, clause.front().second);
  }
}

bool RowsCauses::leaves_out(const RowsProofStep& step, TxnId txn) const {
  return history_.committed(txn) || has(step, took_effect(txn, false));
}

KnownRow RowsCauses::before_txn(const RowsProofStep& step, TxnId reader, KeyId key) const {
  KnownRow row;
  for (const LastWriter& cause : step.causes) {
    if (cause.row == key && cause.reader == reader) {
      put_part(row,
               cause.writer.is_none() ? beginning_.assumed_row(step, key)
                                      : after(step, cause.writer, key).row,
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
    return known->second ? *known->second : effects_.carried_out(txn, count, key, {}, &step);
  }
  if (depth_ == kMostDepth) {
    return effects_.carried_out(txn, count, key, {}, &step);
  }
  ++depth_;
  CarriedOut result = effects_.carried_out(txn, count, key, before_txn(step, txn, key), &step);
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
      return "a transaction does not write the part of the row that the step names";
    }
    if (!leaves_out(step, writer)) {
      return "the writer may not have taken effect";
    }
    if (!precedes(writer, reader) && !has_reader_first(step, cause)) {
      return "the writer may come later";
    }
  }
  const std::vector<Undisturbed> undisturbed = this->undisturbed(step, cause);
  for (const TxnId other : effects_.writers_of(cause.row)) {
    if (other == reader || other == writer ||
        (after(step, other, cause.row).maybe & part_bit(cause.part)) == 0 ||
        known_.precedes(start(reader), {other, true}) ||
        (!writer.is_none() && known_.precedes({other, true}, {writer, true}))) {
      continue;
    }
    if (!has_between(step, reader, writer, other) && !would_be_found(cause, other, undisturbed) &&
        !is_no_better(other)) {
      return "another transaction may have written the row in between";
    }
  }
  return nullptr;
}

bool RowsCauses::has_reader_first(const RowsProofStep& step, const LastWriter& cause) const {
  const OrderEvent writing = {cause.writer, true};
  return std::ranges::any_of(step.clause, [&](const RowsChoice& choice) {
    return choice.kind == RowsChoice::Kind::kBefore && choice.first == start(cause.reader) &&
           (choice.second == writing || known_.precedes(writing, choice.second));
  });
}

std::vector<RowsCauses::Undisturbed> RowsCauses::undisturbed(const RowsProofStep& step,
                                                             const LastWriter& cause) const {
  std::vector<Undisturbed> all;
  const std::size_t part_count = kFirstColumn + history_.info().rows->column_count();
  for (const LaterFinding& found : step.later) {
    const rows::RowOp& op = history_.info().rows->op(history_.ops(found.txn)[found.mop]);
    const OrderEvent reading = start(found.txn);
    const bool is_own = found.txn == cause.reader;
    const bool is_later = is_own || known_.precedes(start(cause.reader), reading);
    if ((!is_later && !is_successor(step, cause, found.txn)) || cause.writer.is_none() ||
        !history_.committed(found.txn) || effects_.may_be_old(op) ||
        effects_.carried_out(found.txn, found.mop, cause.row, {}).maybe != 0) {
      continue;
    }
    for (std::uint32_t part = 0; part < part_count; ++part) {
      // Each transaction that can have left this value comes before the writer or after the reader.
      const bool is_certain = std::ranges::all_of(effects_.writers_of(cause.row), [&](TxnId other) {
        return other == cause.writer || other == found.txn ||
               !may_have_left(other, cause.row, part, found) ||
               known_.precedes({other, true}, {cause.writer, true}) ||
               known_.precedes(reading, {other, true}) ||
               (is_own && has_between(step, cause.reader, cause.writer, other));
      });
      if (is_certain) {
        all.push_back({found, part, !is_later});
      }
    }
  }
  return all;
}

bool RowsCauses::is_successor(const RowsProofStep& step, const LastWriter& cause, TxnId txn) const {
  return !cause.writer.is_none() && txn != cause.writer &&
         known_.precedes({cause.writer, true}, start(txn)) &&
         (known_.precedes(start(cause.reader), {txn, true}) ||
          has_between(step, cause.reader, cause.writer, txn));
}

bool RowsCauses::exclude_one_another(TxnId a, TxnId b, KeyId row) const {
  const auto is_sure = [&](TxnId txn) {
    return effects_.carried_out(txn, history_.ops(txn).size(), row, {}).sure != 0;
  };
  return !has_two_events(level_.visibility) || (is_sure(a) && is_sure(b));
}

bool RowsCauses::may_have_left(TxnId txn, KeyId row, std::uint32_t part,
                               const LaterFinding& found) const {
  const rows::RowOp& op = history_.info().rows->op(history_.ops(found.txn)[found.mop]);
  return std::ranges::any_of(effects_.may_leave(txn, row, part), [&](const KnownRow& made) {
    return !findings_.is_impossible(op, row, made);
  });
}

bool RowsCauses::would_be_found(const LastWriter& cause, TxnId other,
                                std::span<const Undisturbed> undisturbed) const {
  return std::ranges::any_of(undisturbed, [&](const Undisturbed& one) {
    return other != one.found.txn && effects_.writes_with(other, cause.row, cause.part, one.part) &&
           (!one.by_successor || exclude_one_another(other, one.found.txn, cause.row)) &&
           !may_have_left(other, cause.row, one.part, one.found);
  });
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
