// Lists that contradict one another, and versions built on aborted ones (docs/elle-rules.md).
#include <algorithm>
#include <iterator>

#include "engine/infer/dirty_walk.h"
#include "engine/infer/list_reads.h"
#include "engine/workloads/list_append/list_anomalies.h"

namespace elapid {

namespace {

bool is_prefix(std::span<const ValueId> a, std::span<const ValueId> b) {
  return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// The longest list of each key that a believed transaction read.
LongestLists longest_lists(const ListContext& context) {
  const ExternalLists& lists = context.versions.lists();
  LongestLists longest(lists);
  for (std::uint32_t t = 0; t < context.history.txn_count(); ++t) {
    if (context.versions.believed({t})) {
      for (const Op op : lists.ops({t})) {
        longest.add(op);
      }
    }
  }
  return longest;
}

/// The last completion, in history order, that appended a version.
TxnId completed_writer(const WriteEntry* entry) {
  if (entry == nullptr) {
    return TxnId::none();
  }
  if (entry->writer.is_none() || entry->aborted.is_none()) {
    return entry->writer.is_none() ? entry->aborted : entry->writer;
  }
  return std::max(entry->writer, entry->aborted);
}

}  // namespace

void find_incompatible_orders(const ListContext& context, std::vector<Anomaly>& out) {
  for (const auto& [key, lists] : context.versions.contested()) {
    const auto clash = std::adjacent_find(
        lists.begin(), lists.end(),
        [](const SeenList& a, const SeenList& b) { return !is_prefix(a.elements, b.elements); });
    if (clash != lists.end()) {
      const SeenList& longer = *std::next(clash);
      out.push_back({AnomalyType::kIncompatibleOrder,
                     IncompatibleOrderEvidence{
                         key, {clash->reader}, clash->mop, {longer.reader}, longer.mop}});
    }
  }
}

void find_dirty_updates(const ListContext& context, std::vector<Anomaly>& out) {
  const LongestLists longest = longest_lists(context);
  for (std::uint32_t k = 0; k < context.history.key_count(); ++k) {
    const KeyId key{k};
    const std::optional<ListId> list = longest.of(key);
    if (!list || context.versions.ambiguous(key)) {
      continue;
    }
    DirtyWalk walk(context.history, key, out);
    for (const ValueId element :
         without_repetitions(context.versions.lists().elements(key, *list))) {
      const TxnId writer = completed_writer(context.versions.writes().find(key, element));
      if (writer.is_none()) {
        walk.forget();
      } else {
        walk.step(element, writer);
      }
    }
  }
}

}  // namespace elapid
