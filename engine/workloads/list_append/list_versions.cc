#include "engine/workloads/list_append/list_versions.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

namespace elapid {

namespace {

/// Sorts by length, then in the order of reads.
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

namespace {

/// Finds the believed transactions: an indeterminate one is believed if a believed one read its
/// write.
class Belief {
 public:
  Belief(const ExternalLists& lists, const WriteIndex& writes, const std::vector<bool>& ambiguous)
      : history_(lists.history()),
        lists_(lists),
        writes_(writes),
        ambiguous_(ambiguous),
        believed_(history_.txn_count(), false),
        observed_(history_.key_count(), 0),
        literal_observed_(lists.literal_list_count(), false) {}

  std::vector<bool> run() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed({t})) {
        believe({t});
      }
    }
    while (!pending_.empty()) {
      const TxnId txn = pending_.back();
      pending_.pop_back();
      observe_reads(txn);
    }
    return std::move(believed_);
  }

 private:
  void believe(TxnId txn) {
    if (!believed_[txn.index()]) {
      believed_[txn.index()] = true;
      pending_.push_back(txn);
    }
  }

  void observe_reads(TxnId txn) {
    for (const Op op : lists_.ops(txn)) {
      if (op.kind() == OpKind::kReadList && !ambiguous_[op.key().index()]) {
        observe(op);
      }
    }
  }

  void observe(Op read) {
    std::span<const ValueId> elements = lists_.elements(read);
    if (read.list().is_prefix()) {
      std::uint32_t& seen = observed_[read.key().index()];
      elements = elements.subspan(std::min<std::size_t>(seen, elements.size()));
      seen = std::max(seen, read.list().length());
    } else if (literal_observed_[read.list().literal_index()]) {
      return;
    } else {
      literal_observed_[read.list().literal_index()] = true;
    }
    for (const ValueId element : elements) {
      const WriteEntry* entry = writes_.find(read.key(), element);
      if (entry != nullptr && !entry->writer.is_none()) {
        believe(entry->writer);
      }
    }
  }

  const History& history_;
  const ExternalLists& lists_;
  const WriteIndex& writes_;
  const std::vector<bool>& ambiguous_;
  std::vector<bool> believed_;
  std::vector<std::uint32_t>
      observed_;  // by key: length of the longest prefix of the trunk observed
  std::vector<bool> literal_observed_;
  std::vector<TxnId> pending_;
};

}  // namespace

void LongestLists::add(Op op) {
  if (op.kind() != OpKind::kReadList) {
    return;
  }
  ListId& longest = longest_[op.key().index()];
  const auto length = [this, op](ListId list) {
    return list.is_prefix() ? list.length() : lists_.elements(op.key(), list).size();
  };
  if (length(op.list()) > length(longest)) {
    longest = op.list();
  }
}

std::optional<ListId> LongestLists::of(KeyId key) const {
  const ListId longest = longest_[key.index()];
  return longest == ListId::prefix(0) ? std::nullopt : std::optional(longest);
}

ListVersions::ListVersions(const History& history)
    : history_(history),
      lists_(history),
      writes_(history, OpKind::kAppend),
      ambiguous_(history.key_count(), false) {
  find_ambiguous();
  find_believed();
  contested_ = distinct_lists(lists_, believed_);
  std::erase_if(contested_, [this](const auto& entry) { return ambiguous(entry.first); });
  find_orders();
  find_torn();
  mark_observed();
}

void ListVersions::find_ambiguous() {
  for (std::uint32_t k = 0; k < history_.key_count(); ++k) {
    const auto entries = writes_.of({k});
    ambiguous_[k] =
        std::any_of(entries.begin(), entries.end(), [](const WriteEntry& e) { return e.repeated; });
  }
}

void ListVersions::find_believed() {
  believed_ = Belief(lists_, writes_, ambiguous_).run();
}

void ListVersions::find_orders() {
  LongestLists longest(lists_);
  // A key that was never seen non-empty has a known order only if there was a single append.
  std::vector<std::uint32_t> appends(history_.key_count(), 0);
  std::vector<ValueId> last_append(history_.key_count());
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (!believed_[t]) {
      continue;
    }
    for (const Op op : lists_.ops({t})) {
      longest.add(op);
      if (op.kind() == OpKind::kAppend) {
        ++appends[op.key().index()];
        last_append[op.key().index()] = op.value();
      }
    }
  }
  order_begin_.reserve(history_.key_count() + 1);
  order_is_trunk_.resize(history_.key_count());
  for (std::uint32_t k = 0; k < history_.key_count(); ++k) {
    const auto lists = contested_.find({k});
    if (lists != contested_.end() && !lists->second.empty()) {
      add_order({k}, lists->second.back().id, std::nullopt);
    } else if (!ambiguous_[k]) {
      add_order({k}, longest.of({k}),
                appends[k] == 1 ? std::optional(last_append[k]) : std::nullopt);
    }
    order_begin_.push_back(static_cast<std::uint32_t>(order_.size()));
  }
}

void ListVersions::find_torn() {
  for (const auto& [key, lists] : contested_) {
    for (const SeenList& list : lists) {
      const std::span<const ValueId> longest = lists.back().elements;
      const auto differs = std::ranges::mismatch(list.elements, longest);
      if (list.elements.size() == longest.size() && differs.in2 != longest.end()) {
        const std::set<ValueId> shared(longest.begin(), differs.in2);
        const auto agreed = static_cast<std::uint32_t>(shared.size());
        std::uint32_t& least = torn_.try_emplace(key, agreed).first->second;
        least = std::min(least, agreed);
      }
    }
  }
}

std::map<KeyId, std::vector<std::vector<TxnId>>> ListVersions::tied_orders() const {
  std::map<KeyId, std::vector<std::vector<TxnId>>> tied;
  for (const auto& [key, agreed] : torn_) {
    const std::vector<SeenList>& lists = contested_.at(key);
    for (auto list = lists.rbegin();
         list != lists.rend() && list->elements.size() == lists.back().elements.size(); ++list) {
      std::vector<TxnId>& order = tied[key].emplace_back();
      std::set<ValueId> seen;
      for (const ValueId element : list->elements) {
        const TxnId writer = writer_of(writes_.find(key, element));
        if (!writer.is_none() && seen.insert(element).second) {
          order.push_back(writer);
        }
      }
    }
  }
  return tied;
}

/// The elements of lists that may not be in their key's version order.
void ListVersions::mark_observed() {
  for (const auto& [key, lists] : contested_) {
    for (const SeenList& list : lists) {
      for (const ValueId element : list.elements) {
        if (WriteEntry* entry = writes_.find(key, element)) {
          entry->observed = true;
        }
      }
    }
  }
}

bool ListVersions::unobserved(Op append) const {
  const WriteEntry* entry = writes_.find(append.key(), append.value());
  return entry == nullptr || (entry->position == kNowhere && !entry->observed);
}

void ListVersions::add_order(KeyId key, std::optional<ListId> longest,
                             std::optional<ValueId> only_append) {
  std::span<const ValueId> elements;
  if (longest) {
    elements = lists_.elements(key, *longest);
  } else if (only_append) {
    elements = std::span(&*only_append, 1);
  }
  const std::size_t begin = order_.size();
  std::uint32_t last_written = kInitial;
  std::unordered_set<ValueId> unwritten;
  for (const ValueId element : elements) {
    WriteEntry* entry = writes_.find(key, element);
    const bool is_new =
        entry != nullptr ? entry->position == kNowhere : unwritten.insert(element).second;
    if (!is_new) {
      continue;  // only its first place counts
    }
    if (entry != nullptr) {
      entry->position = static_cast<std::uint32_t>(order_.size() - begin);
    }
    order_.push_back(element);
    order_writer_.push_back(writer_of(entry));
    if (!order_writer_.back().is_none()) {
      last_written = static_cast<std::uint32_t>(order_.size() - begin) - 1;
    }
    last_written_.push_back(last_written);
  }
  order_is_trunk_[key.index()] =
      longest && longest->is_prefix() && order_.size() - begin == elements.size();
}

TxnId ListVersions::writer_of(const WriteEntry* entry) const {
  const bool known =
      entry != nullptr && !entry->writer.is_none() && believed_[entry->writer.index()];
  return known ? entry->writer : TxnId::none();
}

KeyId ListVersions::key_without_writer() const {
  const auto unknown = std::ranges::find(order_writer_, TxnId::none());
  if (unknown == order_writer_.end()) {
    return KeyId::none();
  }
  const auto behind = std::ranges::upper_bound(
      order_begin_, static_cast<std::uint32_t>(unknown - order_writer_.begin()));
  return {static_cast<std::uint32_t>(behind - order_begin_.begin()) - 1};
}

TxnId ListVersions::writer_read(Op read) const {
  const std::uint32_t version = version_read(read);
  if (version == kInitial) {
    return TxnId::none();
  }
  return version == kNowhere ? writer_of(writes_.find(read.key(), lists_.elements(read).back()))
                             : writer_at(read.key(), version);
}

std::uint32_t ListVersions::position(KeyId key, ValueId element) const {
  const WriteEntry* entry = writes_.find(key, element);
  if (entry != nullptr) {
    return entry->position;
  }
  // No transaction appended it, but a read may show it.
  const auto elements = order(key);
  const auto found = std::find(elements.begin(), elements.end(), element);
  return found == elements.end() ? kNowhere : static_cast<std::uint32_t>(found - elements.begin());
}

std::uint32_t ListVersions::version_read(Op read) const {
  if (read.kind() != OpKind::kReadList) {
    return kInitial;
  }
  if (order_is_trunk_[read.key().index()] && read.list().is_prefix() && read.list().length() > 0) {
    const std::uint32_t last = read.list().length() - 1;
    if (last < order(read.key()).size()) {
      return last;
    }
  }
  const std::span<const ValueId> elements = lists_.elements(read);
  if (elements.empty()) {
    return kInitial;
  }
  return position(read.key(), elements.back());
}

}  // namespace elapid
