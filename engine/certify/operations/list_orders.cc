#include "engine/certify/operations/list_orders.h"

#include <algorithm>
#include <utility>

#include "engine/certify/operations/external_reads.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

ShownLists::ShownLists(const History& history, const Effects& effects) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (!effects.contradicts_itself({t})) {
      for (const ExternalRead& read : effects.reads({t})) {
        lists_.push_back({read.key(), effects.list(read)});
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(lists_.size()));
  }
}

ShownLists::ShownLists(const History& history, const TxnLevels& levels) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const bool counts = is_participant(history, {t}) && !levels.reads_anything({t});
    const auto reads = counts ? external_reads(history, {t}, levels.of({t})) : std::nullopt;
    for (const KeyRead& read : reads.value_or(std::vector<KeyRead>())) {
      if (read.op.kind() == OpKind::kReadList) {
        const std::span<const ValueId> list = history.elements(read.op);
        lists_.push_back({read.op.key(), list.first(list.size() - read.own)});
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(lists_.size()));
  }
}

ListOrders::ListOrders(const History& history, const Effects& effects, const ShownLists& shown)
    : history_(history),
      effects_(effects),
      shown_(shown),
      is_certain_(history.txn_count()),
      is_seen_(history.txn_count()),
      is_fit_(history.key_count(), true),
      longest_(history.key_count()) {
  if (!effects.has_lists()) {
    return;
  }
  index_appends();
  find_unfit_keys();
  mark_seen();
  find_longest();
  check_prefixes();
  place_elements();
  check_own_orders();
}

void ListOrders::index_appends() {
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (!is_participant(history_, TxnId{t})) {
      continue;
    }
    for (const Op op : effective_ops(history_, TxnId{t})) {
      if (op.is_write()) {
        appends_.push_back({op.key(), op.value(), TxnId{t}});
      }
    }
  }
  const auto what = [](const Append& append) { return std::pair(append.key, append.element); };
  std::ranges::stable_sort(appends_, {}, what);
  has_repetitions_ = std::ranges::adjacent_find(appends_, {}, what) != appends_.end();
}

/// A list does not show which append of an element it holds.
void ListOrders::find_unfit_keys() {
  for (std::uint32_t t = 0; t < history_.txn_count() && has_repetitions_; ++t) {
    for (const ShownLists::Shown& shown : shown_.of(TxnId{t})) {
      for (const ValueId element : fresh_elements(shown.list)) {
        const Append* first = find(shown.key, element);
        const bool is_repeated = first != nullptr &&
                                 first + 1 != appends_.data() + appends_.size() &&
                                 first[1].key == shown.key && first[1].element == element;
        is_fit_[shown.key.index()] = is_fit_[shown.key.index()] && !is_repeated;
      }
    }
  }
  passed_.clear();
}

const ListOrders::Append* ListOrders::find(KeyId key, ValueId element) const {
  const auto found = std::ranges::lower_bound(
      appends_, std::pair(key, element), {},
      [](const Append& append) { return std::pair(append.key, append.element); });
  const bool is_there = found != appends_.end() && found->key == key && found->element == element;
  return is_there ? &*found : nullptr;
}

std::span<const ValueId> ListOrders::fresh_elements(std::span<const ValueId> list) {
  if (list.empty()) {
    return {};
  }
  std::size_t& passed = passed_[list.data()];
  const std::span<const ValueId> fresh = list.subspan(std::min(passed, list.size()));
  passed = std::max(passed, list.size());
  return fresh;
}

void ListOrders::mark_seen() {
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    for (const Op op : effective_ops(history_, TxnId{t})) {
      if (op.kind() != OpKind::kReadList) {
        continue;
      }
      for (const ValueId element : fresh_elements(history_.elements(op))) {
        const auto same = std::ranges::equal_range(
            appends_, std::pair(op.key(), element), {},
            [](const Append& append) { return std::pair(append.key, append.element); });
        for (const Append& append : same) {
          is_seen_[append.txn.index()] = true;
        }
      }
    }
  }
  passed_.clear();
}

/// Follows lists from transactions that took effect to those that wrote what they show.
void ListOrders::find_longest() {
  std::vector<TxnId> pending;
  const auto believe = [&](TxnId txn) {
    if (!is_certain_[txn.index()]) {
      is_certain_[txn.index()] = true;
      pending.push_back(txn);
    }
  };
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (history_.committed(TxnId{t})) {
      believe(TxnId{t});
    }
  }
  while (!pending.empty()) {
    const TxnId reader = pending.back();
    pending.pop_back();
    for (const ShownLists::Shown& shown : shown_.of(reader)) {
      std::span<const ValueId>& longest = longest_[shown.key.index()];
      if (shown.list.size() > longest.size()) {
        longest = shown.list;
      }
      for (const ValueId element : fresh_elements(shown.list)) {
        const Append* append = find(shown.key, element);
        if (append != nullptr && is_fit_[shown.key.index()]) {
          believe(append->txn);
        }
      }
    }
  }
  passed_.clear();
}

void ListOrders::check_prefixes() {
  struct Agreement {
    const ValueId* list = nullptr;
    std::size_t length = 0;
  };

  std::vector<Agreement> agreements(history_.key_count());
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (!is_certain_[t]) {
      continue;
    }
    for (const auto& [key, list] : shown_.of(TxnId{t})) {
      const std::span<const ValueId> longest = longest_[key.index()];
      Agreement& agreed = agreements[key.index()];
      if (agreed.list != list.data()) {
        agreed = {list.data(), list.data() == longest.data() ? longest.size() : 0};
      }
      while (agreed.length < list.size() && list[agreed.length] == longest[agreed.length]) {
        ++agreed.length;
      }
      is_contradictory_ = is_contradictory_ || agreed.length < list.size();
    }
  }
}

/// Whether every element of the key's longest list was appended as often as that shows it.
bool ListOrders::has_enough(KeyId key) const {
  std::vector<ValueId> shown(longest_[key.index()].begin(), longest_[key.index()].end());
  std::ranges::sort(shown);
  auto append = std::ranges::lower_bound(appends_, key, {}, &Append::key);
  for (const ValueId element : shown) {
    while (append != appends_.end() && append->key == key && append->element < element) {
      ++append;
    }
    if (append == appends_.end() || append->key != key || append->element != element) {
      return false;
    }
    ++append;
  }
  return true;
}

void ListOrders::place_elements() {
  for (std::uint32_t key = 0; key < longest_.size(); ++key) {
    const std::span<const ValueId> list = longest_[key];
    if (!is_fit_[key] && !has_enough({key})) {
      is_contradictory_ = true;
      return;
    }
    for (std::uint32_t i = 0; i < list.size() && is_fit_[key]; ++i) {
      const Append* append = find(KeyId{key}, list[i]);
      if (append == nullptr || append->place != kUnseen) {
        is_contradictory_ = true;
        return;
      }
      appends_[static_cast<std::size_t>(append - appends_.data())].place = i;
    }
  }
}

/// Elements of one transaction must stand in its order, and those that no read shows last.
void ListOrders::check_own_orders() {
  std::vector<std::uint32_t> reached(history_.key_count());
  std::vector<TxnId> by(history_.key_count());
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (!is_certain_[t]) {
      continue;
    }
    for (const Op op : effective_ops(history_, TxnId{t})) {
      if (!op.is_write() || !is_fit_[op.key().index()]) {
        continue;
      }
      const std::uint32_t place = find(op.key(), op.value())->place;
      const bool is_first = by[op.key().index()] != TxnId{t};
      is_contradictory_ = is_contradictory_ || (!is_first && place < reached[op.key().index()]);
      by[op.key().index()] = TxnId{t};
      reached[op.key().index()] = place;
    }
  }
}

/// Ordered by key.
std::vector<ListOrders::Extent> ListOrders::extents(TxnId txn) const {
  std::vector<Extent> extents;
  for (const FinalWrite& write : effects_.writes(txn)) {
    if (is_fit_[write.key.index()]) {
      extents.push_back({.key = write.key});
    }
  }
  for (const Op op : effective_ops(history_, txn)) {
    if (!op.is_write() || !is_fit_[op.key().index()]) {
      continue;
    }
    const auto extent = std::ranges::lower_bound(extents, op.key(), {}, &Extent::key);
    const std::uint32_t place = find(op.key(), op.value())->place;
    extent->first = std::min(extent->first, place);
    extent->last = std::max(extent->last, place);
  }
  return extents;
}

bool ListOrders::before(TxnId first, TxnId second) const {
  if (appends_.empty()) {
    return false;
  }
  const std::vector<Extent> others = extents(second);
  return std::ranges::any_of(extents(first), [&](const Extent& extent) {
    const auto other = std::ranges::lower_bound(others, extent.key, {}, &Extent::key);
    return other != others.end() && other->key == extent.key && extent.first < other->last;
  });
}

std::optional<TxnId> ListOrders::overwritten_by(TxnId txn, KeyId key) const {
  if (appends_.empty()) {
    return std::nullopt;
  }
  const std::vector<Extent> all = extents(txn);
  const auto extent = std::ranges::find(all, key, &Extent::key);
  if (extent == all.end() || extent->first == kUnseen) {
    return std::nullopt;
  }
  if (extent->first == 0) {
    return TxnId::none();
  }
  return find(key, longest_[key.index()][extent->first - 1])->txn;
}

}  // namespace elapid::certify
