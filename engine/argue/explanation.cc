#include "engine/argue/explanation.h"

#include <algorithm>

namespace elapid::argue {

using replay::RowState;
using rows::Predicate;
using rows::RowOp;

void Explanation::add(TxnId reader, std::uint32_t mop, KeyId row, const Parts& parts) {
  queue(reader, mop, row, parts);
  while (!needs_.empty() && !is_too_long()) {
    const Need need = needs_.back();
    needs_.pop_back();
    settle(need);
  }
}

void Explanation::add_unlike(TxnId reader, std::uint32_t mop, KeyId row, std::uint32_t part,
                             ValueId shown) {
  looks_.push_back({reader, mop, row, {part}, shown});
  add(reader, mop, row, {part});
}

void Explanation::add_write(TxnId txn, KeyId row) {
  bool is_sure = false;
  std::optional<std::uint32_t> matching;
  each_own(txn, count_of(txn), row, [&](std::uint32_t mop, const RowOp& op, bool sure) {
    is_sure = is_sure || sure;
    if (!sure && !matching && state_.matches(op, row, state_.view(txn, mop, row))) {
      matching = mop;
    }
  });
  if (!is_sure && matching) {
    add_match(txn, *matching, row);
  }
}

void Explanation::add_own_write(TxnId txn, std::uint32_t mop, KeyId row) {
  bool is_sure = false;
  std::optional<std::uint32_t> taken;
  each_own(txn, mop, row, [&](std::uint32_t at, const RowOp& /*op*/, bool sure) {
    is_sure = is_sure || sure;
    if (!sure && !taken && state_.is_taken(txn, at, row)) {
      taken = at;
    }
  });
  if (!is_sure && taken) {
    noted_decision(txn, *taken, row);
  }
}

void Explanation::move_to(Failure& failure, const FirstContents* contents) {
  if (contents != nullptr) {
    failure.alike = all_alike(*contents);
  }
  move_causes_to(failure);
}

Parts Explanation::why(const RowOp& op, KeyId row, const RowState& state) const {
  Parts parts;
  const bool is_match = state_.matches(op, row, state);
  if (!state.is_alive || !op.has_predicate()) {
    parts.push_back(kRowExistence);
    return parts;
  }
  collect(rows_.predicate(op), row, state.record, is_match, parts);
  const bool has_value = std::ranges::any_of(parts, [&](std::uint32_t part) {
    return !state.record.get(rows::ColumnId{part - kFirstColumn}).is_none();
  });
  if (is_match && !has_value) {
    parts.push_back(kRowExistence);
  }
  return parts;
}

void Explanation::note_confused(const RowState& state) {
  is_confused_ = is_confused_ || (!state.is_alive && !state.record.fields().empty());
}

Parts Explanation::noted_look(TxnId reader, std::uint32_t mop, KeyId row) {
  const RowState state = state_.view(reader, mop, row);
  note_confused(state);
  Parts parts = why(writes_.op(reader, mop), row, state);
  looks_.push_back({reader, mop, row, parts, {}});
  return parts;
}

void Explanation::look(TxnId reader, std::uint32_t mop, KeyId row) {
  Parts parts = noted_look(reader, mop, row);
  add(reader, mop, row, parts);
}

void Explanation::queue(TxnId reader, std::uint32_t mop, KeyId row, const Parts& parts) {
  PartSet& known = told_[std::tuple(reader, mop, row)];
  Need need = {reader, mop, row, 0};
  for (const std::uint32_t part : parts) {
    need.parts |= PartSet{1} << part;
  }
  need.parts &= ~known;
  known |= need.parts;
  if (need.parts != 0) {
    needs_.push_back(need);
  }
}

void Explanation::queue_look(TxnId reader, std::uint32_t mop, KeyId row) {
  queue(reader, mop, row, noted_look(reader, mop, row));
}

void Explanation::settle(const Need& need) {
  PartSet open = need.parts;
  std::vector<std::pair<std::uint32_t, bool>> own;
  each_own(need.reader, need.mop, need.row,
           [&](std::uint32_t mop, const RowOp& /*op*/, bool is_sure) {
             own.emplace_back(mop, is_sure);
           });
  for (auto at = own.rbegin(); at != own.rend() && open != 0; ++at) {
    const RowOp& op = writes_.op(need.reader, at->first);
    const PartSet written = writes_.written(op) & open;
    if (written == 0) {
      continue;
    }
    // That it wrote a row which others then found has to be told, not what itself found then.
    const bool is_before = need.mop < count_of(need.reader);
    bool is_written = at->second;
    if (!is_written && is_before && writes_.ends(op, need.row)) {
      note_confused(state_.view(need.reader, at->first, need.row));
      is_written = true;
    } else if (!is_written && state_.is_told()) {
      is_written = noted_decision(need.reader, at->first, need.row);
    } else if (!is_written) {
      const RowState state = state_.view(need.reader, at->first, need.row);
      is_written = state_.matches(op, need.row, state);
      queue_look(need.reader, at->first, need.row);
    }
    open &= is_written ? ~written : ~PartSet{0};
  }
  for (std::uint32_t part = 0; open >> part != 0; ++part) {
    if ((open >> part & 1U) != 0) {
      add_cause(need.reader, need.row, part);
    }
  }
}

bool Explanation::noted_decision(TxnId txn, std::uint32_t mop, KeyId row) {
  const bool is_taken = state_.is_taken(txn, mop, row);
  decisions_.insert({{txn, mop, row}, is_taken});
  return is_taken;
}

void Explanation::add_cause(TxnId reader, KeyId row, std::uint32_t part) {
  const TxnId writer = state_.last_writer(row, part, state_.read_at(reader));
  if (!seen_.insert(std::tuple(reader, row, part)).second) {
    return;
  }
  causes_.push_back({row, part, writer, reader});
  TrialState::Moment after = 0;
  if (!writer.is_none()) {
    after = state_.committed_at(writer);
    queue(writer, count_of(writer), row, {part});
  }
  for (const TxnId other : writes_.writers(row, part)) {
    const TrialState::Moment at = state_.committed_at(other);
    if (other == reader || at <= after || at > state_.read_at(reader)) {
      continue;
    }
    misses_.emplace(other, row, part);
    each_own(other, count_of(other), row,
             [&](std::uint32_t mop, const RowOp& op, bool /*is_sure*/) {
               if ((writes_.written(op) >> part & 1U) == 0) {
                 return;
               }
               if (state_.is_told()) {
                 noted_decision(other, mop, row);
               } else {
                 queue_look(other, mop, row);
               }
             });
  }
}

void Explanation::collect(const Predicate& predicate, KeyId row, const rows::Record& record,
                          bool is_true, Parts& parts) const {
  using Kind = Predicate::Kind;
  switch (predicate.kind) {
    case Kind::kTrue:
    case Kind::kKeyRange:
      return;
    case Kind::kAnd:
    case Kind::kOr: {
      const bool needs_all = (predicate.kind == Kind::kAnd) == is_true;
      for (const Predicate& part : predicate.parts) {
        const bool holds = part.matches(history_.values(), rows_.key(row), record);
        if (needs_all || holds == is_true) {
          collect(part, row, record, is_true, parts);
          if (!needs_all) {
            return;
          }
        }
      }
      return;
    }
    case Kind::kNot:
      collect_all(predicate, parts);
      return;
    default:
      parts.push_back(part_of(predicate.column));
  }
}

void Explanation::collect_all(const Predicate& predicate, Parts& parts) {
  using Kind = Predicate::Kind;
  if (predicate.kind != Kind::kTrue && predicate.kind != Kind::kKeyRange &&
      predicate.parts.empty() && predicate.kind != Kind::kAnd && predicate.kind != Kind::kOr) {
    parts.push_back(part_of(predicate.column));
  }
  for (const Predicate& part : predicate.parts) {
    collect_all(part, parts);
  }
}

}  // namespace elapid::argue
