#include "harness/minimize/neighbourhood.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "engine/rows/rows.h"

namespace elapid {

namespace {

/// The versions that some transactions read.
struct VersionsRead {
  std::unordered_set<std::uint64_t> last;      // registers' values, and the last elements of lists
  std::unordered_set<std::uint64_t> elements;  // those, and all other elements of lists
};

VersionsRead versions_read(const History& history, std::span<const TxnId> txns) {
  VersionsRead read;
  for (const TxnId txn : txns) {
    for (const Op op : history.ops(txn)) {
      if (op.kind() == OpKind::kRead) {
        read.last.insert(packed(op.key(), op.value()));
      } else if (op.kind() == OpKind::kReadList) {
        const std::span<const ValueId> elements = history.elements(op);
        for (const ValueId element : elements) {
          read.elements.insert(packed(op.key(), element));
        }
        if (!elements.empty()) {
          read.last.insert(packed(op.key(), elements.back()));
        }
      }
    }
  }
  read.elements.insert(read.last.begin(), read.last.end());
  return read;
}

/// The transactions with a chosen operation, attempted or completed.
template <class IsChosen>
std::vector<TxnId> txns_with(const History& history, IsChosen is_chosen) {
  std::vector<TxnId> txns;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const auto attempt = history.aborted_attempt({t});
    if (std::ranges::any_of(history.ops({t}), is_chosen) ||
        (attempt && std::ranges::any_of(*attempt, is_chosen))) {
      txns.push_back({t});
    }
  }
  return txns;
}

std::vector<TxnId> merged(std::vector<TxnId> txns, std::span<const TxnId> more) {
  txns.insert(txns.end(), more.begin(), more.end());
  std::ranges::sort(txns);
  txns.erase(std::unique(txns.begin(), txns.end()), txns.end());
  return txns;
}

std::vector<TxnId> writers(const History& history, const std::unordered_set<std::uint64_t>& of) {
  return txns_with(
      history, [&of](Op op) { return op.is_write() && of.contains(packed(op.key(), op.value())); });
}

/// Visits the rows that an operation uses or shows.
template <class Visit>
void for_each_row(const History& history, Op op, Visit visit) {
  const rows::Rows& rows = *history.info().rows;
  const rows::RowOp& of = rows.op(op);
  if (!of.row.is_none()) {
    visit(of.row);
  }
  for (const rows::ShownRow& shown : rows.shown(of)) {
    if (!shown.row.is_none()) {
      visit(shown.row);
    }
  }
}

/// The writers of single rows that these transactions write or saw, and the transactions that saw
/// or wrote those rows.
std::vector<std::vector<TxnId>> row_neighbourhoods(const History& history,
                                                   std::span<const TxnId> named) {
  std::vector<std::vector<TxnId>> sets = {merged({}, named)};
  for (const bool with_readers : {false, true}) {
    std::unordered_set<KeyId> rows;
    for (const TxnId txn : sets.back()) {
      for (const Op op : history.ops(txn)) {
        for_each_row(history, op, [&](KeyId row) { rows.insert(row); });
      }
    }
    sets.push_back(merged(txns_with(history,
                                    [&](Op op) {
                                      bool is_near = false;
                                      const bool counts =
                                          with_readers || !history.info().rows->op(op).is_read();
                                      for_each_row(history, op, [&](KeyId row) {
                                        is_near = is_near || (counts && rows.contains(row));
                                      });
                                      return is_near;
                                    }),
                          named));
  }
  return sets;
}

}  // namespace

std::vector<std::vector<TxnId>> neighbourhoods(const History& history,
                                               std::span<const TxnId> named) {
  if (named.empty()) {
    return {};
  }
  std::vector<std::vector<TxnId>> sets;
  if (history.info().rows) {
    sets = row_neighbourhoods(history, named);
    std::erase_if(sets, [&](const auto& set) { return set.size() == history.txn_count(); });
    return sets;
  }
  sets.push_back(merged({}, named));
  const VersionsRead read = versions_read(history, named);
  sets.push_back(merged(writers(history, read.last), named));
  sets.push_back(merged(writers(history, read.elements), named));
  std::vector<bool> is_touched(history.key_count(), false);
  for (const TxnId txn : sets[1]) {
    for (const Op op : history.ops(txn)) {
      if (op.kind() != OpKind::kOther) {
        is_touched[op.key().index()] = true;
      }
    }
  }
  sets.push_back(merged(
      txns_with(history,
                [&](Op op) { return op.kind() != OpKind::kOther && is_touched[op.key().index()]; }),
      named));
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  std::erase_if(sets, [&](const auto& set) { return set.size() == history.txn_count(); });
  return sets;
}

}  // namespace elapid
