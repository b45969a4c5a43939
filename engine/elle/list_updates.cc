// Lists that contradict one another, and versions built on aborted ones.
#include <algorithm>
#include <iterator>
#include <map>

#include "engine/elle/list_anomalies.h"
#include "engine/elle/list_orders.h"
#include "engine/elle/value_hash.h"

namespace elapid::elle {

namespace {

/// A list of a key with the first operation that read it.
struct SeenList {
  std::span<const ValueId> elements;
  TxnId reader;
  std::uint32_t mop = 0;
};

using ListsByKey = std::map<KeyId, std::map<ListId, SeenList>>;

/// Calls `visit(txn, mop, op)` for every list read of a completion of :ok or :info.
template <class Visit>
void each_possible_read(const History& history, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const bool is_possible =
        history.has_completion({t}) && history.status({t}) != TxnStatus::kAborted;
    const std::span<const Op> ops = is_possible ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        visit(TxnId{t}, mop, ops[mop]);
      }
    }
  }
}

/// The different non-empty lists of those keys of which one was read that is no prefix of the
/// trunk: of all others the lists are prefixes of one another.
ListsByKey contested_lists(const History& history) {
  ListsByKey lists;
  if (history.literal_list_count() == 0) {
    return lists;
  }
  each_possible_read(history, [&](TxnId, std::uint32_t, Op read) {
    if (!read.list().is_prefix()) {
      lists[read.key()];
    }
  });
  each_possible_read(history, [&](TxnId txn, std::uint32_t mop, Op read) {
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

/// Elle's walk along a version order: which aborted version, if any, the next committed one builds
/// on.
class DirtyWalk {
 public:
  DirtyWalk(const History& history, KeyId key, std::vector<Anomaly>& out)
      : history_(history), key_(key), out_(out) {}

  void step(ValueId element, TxnId writer) {
    values_.push_back(element);
    switch (history_.status(writer)) {
      case TxnStatus::kIndeterminate:
        return;
      case TxnStatus::kCommitted:
        if (!aborted_.is_none()) {
          out_.push_back(
              {AnomalyType::kDirtyUpdate, DirtyUpdateEvidence{key_, values_, aborted_, writer}});
        }
        aborted_ = TxnId::none();
        break;
      case TxnStatus::kAborted:
        if (!aborted_.is_none()) {
          return;
        }
        aborted_ = writer;
        break;
    }
    values_.assign(1, element);
  }

 private:
  const History& history_;
  KeyId key_;
  std::vector<Anomaly>& out_;
  TxnId aborted_;
  std::vector<ValueId> values_;  // since the last version decided, that one included
};

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
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    DirtyWalk walk(history, {k}, out);
    for (const ValueId element : orders.of({k})) {
      const Write* write = writes.find({k}, element);
      if (write == nullptr || write->completed.is_none()) {
        return "AssertionError: No transaction wrote " + history.key_text({k}) + " = " +
               history.text(element);
      }
      walk.step(element, write->completed);
    }
  }
  return std::nullopt;
}

}  // namespace elapid::elle
