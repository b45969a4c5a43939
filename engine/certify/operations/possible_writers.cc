#include "engine/certify/operations/possible_writers.h"

#include <algorithm>
#include <tuple>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

PossibleWriters::PossibleWriters(const History& history, const TxnLevels& levels)
    : history_(history), levels_(levels) {
  for (const UnexplainedRead& read : unexplained_reads(history, levels)) {
    impossible_.push_back(read.reader);
  }
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (!is_participant(history, {t}) || (!history.committed({t}) && !reads({t}))) {
      continue;
    }
    const std::span<const Op> ops = effective_ops(history, {t});
    each_key(ops, [&](std::span<const std::uint32_t> places) {
      const auto last = std::find_if(places.rbegin(), places.rend(),
                                     [&](std::uint32_t i) { return ops[i].is_write(); });
      if (last != places.rend()) {
        writes_.push_back({ops[*last].key(), ops[*last].value(), {t}});
      }
      return true;
    });
  }
  std::ranges::sort(writes_);
}

std::optional<std::vector<KeyRead>> PossibleWriters::reads(TxnId txn) const {
  if (levels_.reads_anything(txn)) {
    return std::vector<KeyRead>();
  }
  return is_participant(history_, txn) && !std::ranges::binary_search(impossible_, txn)
             ? external_reads(history_, txn, levels_.of(txn))
             : std::nullopt;
}

std::vector<TxnId> PossibleWriters::of(TxnId reader, const KeyRead& read) const {
  std::vector<TxnId> writers;
  const auto found = std::ranges::equal_range(
      writes_, std::tuple(read.op.key(), read.seen), {},
      [](const Write& write) { return std::tuple(write.key, write.value); });
  for (const Write& write : found) {
    if (write.txn != reader && !read.is_unwritten) {
      writers.push_back(write.txn);
    }
  }
  if (may_be_initial(history_, read)) {
    writers.push_back(TxnId::none());
  }
  return writers;
}

}  // namespace elapid::certify
