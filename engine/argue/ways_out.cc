#include "engine/argue/ways_out.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace elapid::argue {

using rows::Field;
using rows::RowOp;
using rows::ShownRow;

namespace {

/// The most events that are searched for a later sight.
constexpr std::size_t kMostLater = 4000;
/// The most other writers whose order is looked up.
constexpr std::size_t kMostOthers = 64;

/// The value that the writer certainly leaves in the part, if there is one.
std::optional<ValueId> left_of(const RowWrites& writes, const LastWriter& cause,
                               std::uint32_t part) {
  const RowParts left = writes.left_by(cause.writer, cause.row);
  if (part == kRowExistence && !left.knows(part)) {
    return left.must_exist() ? std::optional(RowParts::existence(true)) : std::nullopt;
  }
  return left.knows(part) ? std::optional(left.part(part)) : std::nullopt;
}

}  // namespace

WaysOut WaysOutSearch::find(const Failure& failure) {
  WaysOut out;
  dropped_.reset();
  std::set<TxnId> readers;
  for (const LastWriter& cause : failure.causes) {
    readers.insert(cause.reader);
  }
  // drop_no_better() serves only one cause: the one with the most other writers.
  std::vector<std::vector<TxnId>> all_others;
  for (const LastWriter& cause : failure.causes) {
    all_others.push_back(others(failure, cause));
  }
  const auto most = std::ranges::max_element(all_others, {}, &std::vector<TxnId>::size);
  for (std::size_t i = 0; i < failure.causes.size(); ++i) {
    const LastWriter& cause = failure.causes[i];
    std::vector<TxnId>& others = all_others[i];
    if (&others == &*most) {
      drop_no_better(failure, cause, others);
    }
    if (writes_.looked() <= most_looked_) {
      drop_overwriters(cause, others, out);
      drop_before_maker(failure, cause, others, out);
      drop_after_successor(cause, others, out);
      drop_by_order(cause, others, out);
    }
    for (const TxnId other : others) {
      out.ways.push_back({cause.writer, other, cause.reader});
    }
  }
  for (const TxnId reader : readers) {
    if (reader != failure.txn) {
      add_reader_first(failure, reader, out);
    }
  }
  add_reader_first(failure, failure.txn, out);
  if (out.ways.empty() && dropped_) {
    out.ways.push_back(*dropped_);  // so that a cycle shows what contradicts it
  }
  return out;
}

/// Other transactions that may have been the last to write the part before its reader.
std::vector<TxnId> WaysOutSearch::others(const Failure& failure, const LastWriter& cause) const {
  std::vector<TxnId> others = writes_.writers(cause.row, cause.part);
  std::erase_if(others, [&](TxnId other) {
    return other == cause.reader || other == cause.writer || fixed_.precedes(cause.reader, other) ||
           (!cause.writer.is_none() && fixed_.precedes(other, cause.writer)) ||
           std::ranges::binary_search(failure.misses, Miss{other, cause.row, cause.part});
  });
  return others;
}

/// If the reader precedes one of the writers, it precedes the last one of those that certainly come
/// in order. So one way out serves for all of these.
void WaysOutSearch::add_reader_first(const Failure& failure, TxnId reader, WaysOut& out) {
  const OrderEvent reading = fixed_.start(reader);
  std::vector<TxnId> writers;
  for (const LastWriter& cause : failure.causes) {
    if (cause.reader == reader && !cause.writer.is_none() &&
        !fixed_.precedes(cause.writer, reader) &&
        std::ranges::find(writers, cause.writer) == writers.end()) {
      writers.push_back(cause.writer);
    }
  }
  if (writers.empty()) {
    return;
  }
  const auto event = [&](TxnId txn) { return fixed_.commit(txn); };
  const TxnId last = *std::ranges::max_element(
      writers, {}, [&](TxnId txn) { return known_.position(event(txn)); });
  const bool is_needed = reader == failure.txn && out.ways.empty();
  const bool may_be_first = is_needed || !known_.precedes(event(last), reading);
  for (const TxnId writer : writers) {
    if (writer == last && may_be_first) {
      out.ways.push_back({writer, TxnId::none(), reader});
    } else if (may_be_first && known_.precedes(event(writer), event(last))) {
      out.precedences.emplace_back(event(writer), event(last));
    } else if (known_.precedes(event(writer), reading)) {
      out.precedences.emplace_back(event(writer), reading);
    } else {
      out.ways.push_back({writer, TxnId::none(), reader});
    }
  }
}

/// Drops writers after which the operation could not have found its result either, if all other
/// causes are true.
void WaysOutSearch::drop_no_better(const Failure& failure, const LastWriter& cause,
                                   std::vector<TxnId>& others) const {
  if (cause.reader != failure.txn) {
    return;
  }
  RowParts row;
  for (const LastWriter& one : failure.causes) {
    if (one.row == cause.row && one.reader == failure.txn) {
      const RowParts left = writes_.left_by(one.writer, one.row);
      if (left.knows(one.part)) {
        row.set_part(one.part, left.part(one.part));
      }
    }
  }
  std::erase_if(others, [&](TxnId other) {
    return std::ranges::none_of(
        writes_.may_leave(other, cause.row, cause.part), [&](ValueId value) {
          RowParts changed = row;
          changed.set_part(cause.part, value);
          writes_.carry_out(failure.txn, failure.mop, cause.row, changed);
          return writes_.may_find(failure.txn, failure.mop, cause.row, changed);
        });
  });
}

/// Drops writers that would have overwritten what a later operation found.
void WaysOutSearch::drop_overwriters(const LastWriter& cause, std::vector<TxnId>& others,
                                     WaysOut& out) {
  if (cause.writer.is_none()) {
    return;
  }
  for (std::uint32_t part = writes_.part_count(); part-- > 0 && !others.empty();) {
    const std::optional<ValueId> value = left_of(writes_, cause, part);
    if (!value || value->is_none() || value->is_nil()) {
      continue;
    }
    Precedences precedences;
    const Sight* sight = sight_after(cause.reader, cause.row, part, *value);
    if (sight == nullptr || !is_last_maker(cause, part, *value, precedences)) {
      continue;
    }
    if (drop_overwriting(*sight, cause, others, [&](TxnId other) { return other != sight->txn; })) {
      out.later.push_back({sight->txn, sight->mop});
      out.precedences.insert(out.precedences.end(), precedences.begin(), precedences.end());
      if (sight->txn != cause.reader) {
        out.precedences.emplace_back(fixed_.start(cause.reader), fixed_.start(sight->txn));
      }
    }
  }
}

/// Only one of the others, the maker, can have left what the failing operation was shown of the
/// row. Other writers that would have overwritten this precede the maker, so the maker is in
/// between, too.
void WaysOutSearch::drop_before_maker(const Failure& failure, const LastWriter& cause,
                                      std::vector<TxnId>& others, WaysOut& out) {
  if (cause.reader != failure.txn || cause.writer.is_none()) {
    return;
  }
  for (const ShownRow& shown : writes_.rows().shown(writes_.op(failure.txn, failure.mop))) {
    for (const Field& field : writes_.rows().fields(shown)) {
      const std::uint32_t part = part_of(field.column);
      const Sight* sight = shown.row == cause.row && others.size() > 1
                               ? sight_of(failure.txn, failure.mop, cause.row, part, field.value)
                               : nullptr;
      if (sight == nullptr) {
        continue;
      }
      const TxnId maker = origins_.only_writer(cause.row, part, field.value);
      if (std::ranges::find(others, maker) != others.end() &&
          drop_overwriting(*sight, cause, others, [&](TxnId other) { return other != maker; })) {
        out.later.push_back({sight->txn, sight->mop});
      }
    }
  }
}

/// One of the others, the successor, found what the writer left, and overwrote it. Other writers
/// that come later follow the successor, so the successor is in between, too.
void WaysOutSearch::drop_after_successor(const LastWriter& cause, std::vector<TxnId>& others,
                                         WaysOut& out) {
  if (cause.writer.is_none()) {
    return;
  }
  for (std::uint32_t part = writes_.part_count(); part-- > 0 && others.size() > 1;) {
    const std::optional<ValueId> value = left_of(writes_, cause, part);
    if (!value || value->is_none() || value->is_nil()) {
      continue;
    }
    const OrderEvent writing = fixed_.commit(cause.writer);
    const std::span<const Sight> sights = origins_.sights(cause.row, part, *value);
    const auto successor = std::ranges::find_if(sights, [&](const Sight& sight) {
      return std::ranges::find(others, sight.txn) != others.end() &&
             excludes(sight.txn, cause.row) && known_.precedes(writing, fixed_.start(sight.txn));
    });
    Precedences precedences;
    if (successor == sights.end() || !is_last_maker(cause, part, *value, precedences)) {
      continue;
    }
    if (drop_overwriting(*successor, cause, others, [&](TxnId other) {
          return other != successor->txn && excludes(other, cause.row);
        })) {
      out.later.push_back({successor->txn, successor->mop});
      out.precedences.insert(out.precedences.end(), precedences.begin(), precedences.end());
      out.precedences.emplace_back(writing, fixed_.start(successor->txn));
    }
  }
}

/// Whether no writer of the row overlaps the transaction: it is sure to write the row, or it starts
/// when it commits.
bool WaysOutSearch::excludes(TxnId txn, KeyId row) const {
  if (fixed_.start(txn) == fixed_.commit(txn)) {
    return true;
  }
  bool does = false;
  writes_.each_write(
      txn, static_cast<std::uint32_t>(history_.ops(txn).size()), row,
      [&](std::uint32_t /*mop*/, const RowOp& /*op*/, bool is_sure) { does = does || is_sure; });
  return does;
}

/// Drops those others that `may` allows and that would have overwritten what was seen. Whether
/// there were any.
template <class May>
bool WaysOutSearch::drop_overwriting(const Sight& sight, const LastWriter& cause,
                                     std::vector<TxnId>& others, May may) {
  return std::erase_if(others, [&](TxnId other) {
           const bool drops =
               may(other) && writes_with(other, cause.row, cause.part, sight.part) &&
               std::ranges::none_of(writes_.may_leave(other, cause.row, sight.part),
                                    [&](ValueId left) {
                                      RowParts row;
                                      row.set_part(sight.part, left);
                                      return writes_.may_find(sight.txn, sight.mop, cause.row, row);
                                    });
           if (drops && !dropped_) {
             dropped_ = {cause.writer, other, cause.reader};
           }
           return drops;
         }) > 0;
}

const Sight* WaysOutSearch::sight_of(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t part,
                                     ValueId value) const {
  const std::span<const Sight> sights = origins_.sights(row, part, value);
  const auto found = std::ranges::find_if(
      sights, [&](const Sight& sight) { return sight.txn == txn && sight.mop == mop; });
  return found == sights.end() ? nullptr : &*found;
}

/// Drops the others that certainly precede the writer or follow the reader.
void WaysOutSearch::drop_by_order(const LastWriter& cause, std::vector<TxnId>& others,
                                  WaysOut& out) {
  if (others.size() > kMostOthers) {
    return;
  }
  const OrderEvent reading = fixed_.start(cause.reader);
  std::erase_if(others, [&](TxnId other) {
    const OrderEvent event = fixed_.commit(other);
    const bool is_later = known_.precedes(reading, event);
    if (!is_later &&
        (cause.writer.is_none() || !known_.precedes(event, fixed_.commit(cause.writer)))) {
      return false;
    }
    out.precedences.push_back(is_later ? std::pair(reading, event)
                                       : std::pair(event, fixed_.commit(cause.writer)));
    dropped_ = {cause.writer, other, cause.reader};
    return true;
  });
}

/// Whether each operation of the transaction that may write a part of the row writes another, too.
bool WaysOutSearch::writes_with(TxnId txn, KeyId row, std::uint32_t part,
                                std::uint32_t also) const {
  bool does = true;
  writes_.each_write(txn, static_cast<std::uint32_t>(history_.ops(txn).size()), row,
                     [&](std::uint32_t /*mop*/, const RowOp& op, bool /*is_sure*/) {
                       const PartSet written = writes_.written(op);
                       does = does && ((written >> part & 1U) == 0 || (written >> also & 1U) != 0);
                     });
  return does;
}

/// The nearest operation, from the reader on, that was shown this value of the part.
const Sight* WaysOutSearch::sight_after(TxnId reader, KeyId row, std::uint32_t part,
                                        ValueId value) {
  note_later(reader);
  const Sight* nearest = nullptr;
  std::uint32_t rank = 0;
  for (const Sight& sight : origins_.sights(row, part, value)) {
    const auto found = later_.find(sight.txn.value);
    if (found != later_.end() && (nearest == nullptr || found->second < rank)) {
      nearest = &sight;
      rank = found->second;
    }
  }
  return nearest;
}

void WaysOutSearch::note_later(TxnId reader) {
  if (later_of_ == reader) {
    return;
  }
  later_of_ = reader;
  later_.clear();
  later_.emplace(reader.value, 0);
  for (const OrderEvent event : known_.some_after(fixed_.start(reader), kMostLater)) {
    if (event == fixed_.start(event.txn)) {
      later_.try_emplace(event.txn.value, static_cast<std::uint32_t>(later_.size()));
    }
  }
}

/// Whether all others that may leave this value in the part certainly precede the writer.
bool WaysOutSearch::is_last_maker(const LastWriter& cause, std::uint32_t part, ValueId value,
                                  Precedences& precedences) {
  if (origins_.only_writer(cause.row, part, value) == cause.writer) {
    return true;
  }
  std::vector<TxnId> makers = writes_.writers(cause.row, part);
  std::erase_if(makers, [&](TxnId maker) {
    const std::vector<ValueId> may_leave = writes_.may_leave(maker, cause.row, part);
    return maker == cause.writer || std::ranges::find(may_leave, value) == may_leave.end();
  });
  return makers.size() <= kMostOthers && std::ranges::all_of(makers, [&](TxnId maker) {
           const bool is_earlier =
               known_.precedes(fixed_.commit(maker), fixed_.commit(cause.writer));
           if (is_earlier) {
             precedences.emplace_back(fixed_.commit(maker), fixed_.commit(cause.writer));
           }
           return is_earlier;
         });
}

}  // namespace elapid::argue
