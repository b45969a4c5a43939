// Lists that contradict one another, and versions built on aborted ones (elle-semantics.md, B.7 to
// B.9).
#include <algorithm>
#include <map>

#include "engine/infer/list_anomalies.h"

namespace elapid {

namespace {

/// A list of a key with the first operation that read it.
struct SeenList {
  std::span<const ValueId> elements;
  TxnId reader;
  std::uint32_t mop;
};

/// The distinct non-empty lists that believed transactions read of the keys which have literal
/// lists. Keys without have only prefixes of one list, which agree.
std::map<KeyId, std::vector<SeenList>> lists_of_suspects(const ListContext& context) {
  std::map<KeyId, std::map<ListId, SeenList>> lists;
  const auto each_read = [&context](auto visit) {
    for (std::uint32_t t = 0; t < context.history.txn_count(); ++t) {
      const std::span<const Op> ops = context.history.ops({t});
      for (std::uint32_t mop = 0; context.versions.believed({t}) && mop < ops.size(); ++mop) {
        if (ops[mop].kind() == OpKind::kReadList && !context.versions.ambiguous(ops[mop].key())) {
          visit(TxnId{t}, mop, ops[mop]);
        }
      }
    }
  };
  if (context.history.literal_list_count() == 0) {
    return {};
  }
  each_read([&](TxnId, std::uint32_t, Op read) {
    if (!read.list().is_prefix()) {
      lists[read.key()];
    }
  });
  each_read([&](TxnId txn, std::uint32_t mop, Op read) {
    const auto of_key = lists.find(read.key());
    const std::span<const ValueId> elements = context.history.elements(read);
    if (of_key != lists.end() && !elements.empty()) {
      of_key->second.try_emplace(read.list(), SeenList{elements, txn, mop});
    }
  });
  std::map<KeyId, std::vector<SeenList>> result;
  for (const auto& [key, seen] : lists) {
    for (const auto& [id, list] : seen) {
      result[key].push_back(list);
    }
  }
  return result;
}

bool is_prefix(std::span<const ValueId> a, std::span<const ValueId> b) {
  return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// Elle's walk along a version order: which aborted version, if any, the next committed one builds
/// on.
class DirtyWalk {
 public:
  DirtyWalk(const ListContext& context, KeyId key, std::vector<Anomaly>& out)
      : context_(context), key_(key), out_(out) {}

  void step(ValueId element, TxnId writer) {
    values_.push_back(element);
    switch (context_.history.status(writer)) {
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

  /// An element whose writer is unknown: what it was built on cannot be told.
  void forget() {
    values_.clear();
    aborted_ = TxnId::none();
  }

 private:
  const ListContext& context_;
  KeyId key_;
  std::vector<Anomaly>& out_;
  TxnId aborted_;
  std::vector<ValueId> values_;  // since the last decided version, that one included
};

/// The longest list each key was read as: by anybody under elle_compat, else by believed
/// transactions.
LongestLists longest_lists(const ListContext& context) {
  LongestLists longest(context.history);
  for (std::uint32_t t = 0; t < context.history.txn_count(); ++t) {
    if (!context.elle_compat && !context.versions.believed({t})) {
      continue;
    }
    for (const Op op : context.history.ops({t})) {
      longest.add(op);
    }
    if (const auto invoked =
            context.elle_compat ? context.history.differing_invocation({t}) : std::nullopt) {
      for (const Op op : *invoked) {
        longest.add(op);
      }
    }
  }
  return longest;
}

/// The completion that appended a version, the last one in history order.
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
  for (auto& [key, lists] : lists_of_suspects(context)) {
    std::stable_sort(lists.begin(), lists.end(), [](const SeenList& a, const SeenList& b) {
      return a.elements.size() < b.elements.size();
    });
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

std::optional<std::string> find_dirty_updates(const ListContext& context,
                                              std::vector<Anomaly>& out) {
  const LongestLists longest = longest_lists(context);
  for (std::uint32_t k = 0; k < context.history.key_count(); ++k) {
    const KeyId key{k};
    const std::optional<ListId> list = longest.of(key);
    if (!list || context.versions.ambiguous(key)) {
      continue;
    }
    DirtyWalk walk(context, key, out);
    for (const ValueId element : context.history.elements(key, *list)) {
      const TxnId writer = completed_writer(context.versions.writes().find(key, element));
      if (!writer.is_none()) {
        walk.step(element, writer);
      } else if (context.elle_compat) {
        return "AssertionError: No transaction wrote " + context.history.key_text(key) + " = " +
               context.history.text(element);
      } else {
        walk.forget();
      }
    }
  }
  return std::nullopt;
}

}  // namespace elapid
