#include "engine/infer/distinct_lists.h"

#include <algorithm>
#include <utility>

#include "engine/graph/champ_order.h"

namespace elapid {

namespace {

/// Java's hash code of a vector of integers; other elements count by their number in the pool.
std::int32_t hash_code(std::span<const ValueId> elements) {
  std::uint32_t hash = 1;
  for (const ValueId element : elements) {
    const auto n =
        static_cast<std::uint64_t>(element.is_integer() ? element.as_integer() : element.bits());
    hash = 31 * hash + static_cast<std::uint32_t>(n ^ (n >> 32));
  }
  return static_cast<std::int32_t>(hash);
}

std::vector<SeenList> in_set_order(const std::map<ListId, SeenList>& lists) {
  std::vector<SeenList> all;
  std::vector<std::uint32_t> hashes;
  for (const auto& [id, list] : lists) {
    all.push_back(list);
    hashes.push_back(champ_mix(hash_code(list.elements)));
  }
  std::vector<SeenList> ordered;
  ordered.reserve(all.size());
  for (const std::uint32_t position : champ_order_of_hashes(hashes, BelowRoot::kDescending)) {
    ordered.push_back(all[position]);
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const SeenList& a, const SeenList& b) {
    return a.elements.size() < b.elements.size();
  });
  return ordered;
}

template <class Visit>
void each_list_read(const History& history, const std::vector<bool>& included, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops = history.ops({t});
    for (std::uint32_t mop = 0; included[t] && mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        visit(TxnId{t}, mop, ops[mop]);
      }
    }
  }
}

}  // namespace

std::map<KeyId, std::vector<SeenList>> distinct_lists(const History& history,
                                                      const std::vector<bool>& included) {
  std::map<KeyId, std::map<ListId, SeenList>> lists;
  if (history.literal_list_count() == 0) {
    return {};
  }
  each_list_read(history, included, [&](TxnId, std::uint32_t, Op read) {
    if (!read.list().is_prefix()) {
      lists[read.key()];
    }
  });
  each_list_read(history, included, [&](TxnId txn, std::uint32_t mop, Op read) {
    const auto of_key = lists.find(read.key());
    const std::span<const ValueId> elements = history.elements(read);
    if (of_key != lists.end() && !elements.empty()) {
      of_key->second.try_emplace(read.list(), SeenList{read.list(), elements, txn, mop});
    }
  });
  std::map<KeyId, std::vector<SeenList>> result;
  for (const auto& [key, seen] : lists) {
    result.emplace(key, in_set_order(seen));
  }
  return result;
}

}  // namespace elapid
