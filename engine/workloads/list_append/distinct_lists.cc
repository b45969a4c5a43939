#include "engine/workloads/list_append/distinct_lists.h"

#include <algorithm>
#include <tuple>

namespace elapid {

namespace {

/// Shortest first; those of one length as they were read first.
std::vector<SeenList> by_length(const std::map<ListId, SeenList>& lists) {
  std::vector<SeenList> ordered;
  ordered.reserve(lists.size());
  for (const auto& [id, list] : lists) {
    ordered.push_back(list);
  }
  std::ranges::sort(ordered, [](const SeenList& a, const SeenList& b) {
    return std::tuple(a.elements.size(), a.reader, a.mop) <
           std::tuple(b.elements.size(), b.reader, b.mop);
  });
  return ordered;
}

template <class Visit>
void each_list_read(const ExternalLists& lists, const std::vector<bool>& included, Visit visit) {
  for (std::uint32_t t = 0; t < lists.history().txn_count(); ++t) {
    const std::span<const Op> ops = lists.ops({t});
    for (std::uint32_t mop = 0; included[t] && mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        visit(TxnId{t}, mop, ops[mop]);
      }
    }
  }
}

}  // namespace

std::map<KeyId, std::vector<SeenList>> distinct_lists(const ExternalLists& external,
                                                      const std::vector<bool>& included) {
  std::map<KeyId, std::map<ListId, SeenList>> lists;
  if (external.literal_list_count() == 0) {
    return {};
  }
  each_list_read(external, included, [&](TxnId, std::uint32_t, Op read) {
    if (!read.list().is_prefix()) {
      lists[read.key()];
    }
  });
  each_list_read(external, included, [&](TxnId txn, std::uint32_t mop, Op read) {
    const auto of_key = lists.find(read.key());
    const std::span<const ValueId> elements = external.elements(read);
    if (of_key != lists.end() && !elements.empty()) {
      of_key->second.try_emplace(read.list(), SeenList{read.list(), elements, txn, mop});
    }
  });
  std::map<KeyId, std::vector<SeenList>> result;
  for (const auto& [key, seen] : lists) {
    result.emplace(key, by_length(seen));
  }
  return result;
}

}  // namespace elapid
