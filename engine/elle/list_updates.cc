// Lists that contradict one another, and versions built on aborted ones.
#include <algorithm>
#include <iterator>
#include <map>

#include "engine/elle/champ_order.h"
#include "engine/elle/list_anomalies.h"
#include "engine/elle/list_orders.h"
#include "engine/elle/value_hash.h"
#include "engine/infer/dirty_walk.h"
#include "engine/infer/list_reads.h"

namespace elapid::elle {

namespace {

/// A list of a key with the first operation that read it.
struct SeenList {
  std::span<const ValueId> elements;
  TxnId reader;
  std::uint32_t mop = 0;
};

using ListsByKey = std::map<KeyId, std::map<ListId, SeenList>>;

/// The different non-empty lists of keys that have a list which is no prefix of the trunk. The
/// lists of other keys are all prefixes of one another.
ListsByKey contested_lists(const History& history) {
  ListsByKey lists;
  if (history.literal_list_count() == 0) {
    return lists;
  }
  const auto counts = [&](TxnId txn) { return is_possible(history, txn); };
  each_list_read(history, counts, [&](TxnId, std::uint32_t, Op read) {
    if (!read.list().is_prefix()) {
      lists[read.key()];
    }
  });
  each_list_read(history, counts, [&](TxnId txn, std::uint32_t mop, Op read) {
    const auto of_key = lists.find(read.key());
    const std::span<const ValueId> elements = history.elements(read);
    if (of_key != lists.end() && !elements.empty()) {
      of_key->second.try_emplace(read.list(), SeenList{elements, txn, mop});
    }
  });
  return lists;
}

/// Shorter lists first, those of one length as Clojure's sets iterate.
std::vector<SeenList> in_elles_order(const History& history,
                                     const std::map<ListId, SeenList>& lists) {
  std::vector<std::pair<std::uint32_t, SeenList>> sorted;
  for (const auto& [id, list] : lists) {
    sorted.emplace_back(clojure_hash(history, list.elements), list);
  }
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) {
    const std::size_t length = a.second.elements.size();
    const std::size_t other = b.second.elements.size();
    return length != other ? length < other : iterates_before(a.first, b.first);
  });
  std::vector<SeenList> ordered;
  for (const auto& [hash, list] : sorted) {
    ordered.push_back(list);
  }
  return ordered;
}

/// Elle's sequence of dirty updates is lazy, and made by mapcat. Before a caller asks for more,
/// Elle has looked at three keys, and at one more than the first key with a dirty update.
constexpr std::size_t kKeysAhead = 3;

/// The keys with a version order as Elle's map of orders iterates: first those whose order follows
/// from a single append, then those that were read, as Bifurcan's map iterates.
std::vector<KeyId> keys_in_elles_order(const History& history, const ListOrders& orders) {
  std::vector<KeyId> appended;
  std::vector<KeyId> read;
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    if (!orders.of({k}).empty()) {
      (orders.has_single_append({k}) ? appended : read).push_back({k});
    }
  }
  std::vector<std::uint32_t> hashes;
  for (const KeyId key : read) {
    const std::uint32_t hash = hash_of(history, history.key_value(key), HashCode::kJava);
    hashes.push_back(champ_mix(static_cast<std::int32_t>(hash)));
  }
  for (const std::uint32_t place : champ_order_of_hashes(hashes)) {
    appended.push_back(read[place]);
  }
  sort_as_map(history, appended);
  return appended;
}

/// Walks along the versions of a key. Returns the first element that no completion appended, at
/// which Elle throws; nothing if there is none.
std::optional<ValueId> walk_updates(const History& history, const Writes& writes, KeyId key,
                                    std::span<const ValueId> elements, std::vector<Anomaly>& out) {
  DirtyWalk walk(history, key, out);
  for (const ValueId element : elements) {
    const Write* write = writes.find(key, element);
    if (write == nullptr || write->completed.is_none()) {
      return element;
    }
    walk.step(element, write->completed);
  }
  return std::nullopt;
}

}  // namespace

void find_incompatible_orders(const History& history, std::vector<Anomaly>& out) {
  for (const auto& [key, seen] : contested_lists(history)) {
    const std::vector<SeenList> lists = in_elles_order(history, seen);
    const auto clash = std::ranges::adjacent_find(lists, [](const SeenList& a, const SeenList& b) {
      return a.elements.size() > b.elements.size() ||
             !std::ranges::equal(a.elements, b.elements.first(a.elements.size()));
    });
    if (clash != lists.end()) {
      const SeenList& longer = *std::next(clash);
      out.push_back({AnomalyType::kIncompatibleOrder,
                     IncompatibleOrderEvidence{
                         key, {clash->reader}, clash->mop, {longer.reader}, longer.mop}});
    }
  }
}

std::optional<std::string> find_dirty_updates(const History& history, const Writes& writes,
                                              std::vector<Anomaly>& out) {
  const ListOrders orders(history, Witnesses::kAll);
  const std::vector<KeyId> keys = keys_in_elles_order(history, orders);
  std::size_t looked_at = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::vector<Anomaly> found;
    const auto unwritten = walk_updates(history, writes, keys[i], orders.of(keys[i]), found);
    if (unwritten && i < looked_at) {
      return "AssertionError: No transaction wrote " + history.key_text(keys[i]) + " = " +
             history.text(*unwritten);
    }
    if (unwritten) {
      continue;
    }
    if (!found.empty() && looked_at == keys.size()) {
      looked_at = std::max(kKeysAhead, i + 2);
    }
    std::ranges::move(found, std::back_inserter(out));
  }
  return std::nullopt;
}

}  // namespace elapid::elle
