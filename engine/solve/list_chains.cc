#include "engine/solve/list_chains.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace elapid {

namespace {

constexpr std::uint32_t kNotShown = std::numeric_limits<std::uint32_t>::max();

struct Append {
  KeyId key;
  ValueId element;
  std::uint32_t txn = 0;
  std::uint32_t ordinal = 0;        // among the transaction's operations
  std::uint32_t place = kNotShown;  // in the longest list
};

/// A list that a read shows, with its elements.
struct LongestList {
  TxnId reader = TxnId::none();
  std::uint32_t mop = Touch::kNoMop;
  std::span<const ValueId> elements;
};

class ChainFinder {
 public:
  ChainFinder(const History& history, std::span<const ShownList> shown)
      : history_(history),
        shown_(shown),
        longest_(history.key_count()),
        is_repetitive_(history.key_count(), false),
        took_effect_(history.txn_count(), false) {
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      took_effect_[t] = history.committed({t});
    }
  }

  ListChains find() {
    collect_appends();
    find_repetitive();
    do {
      longest_.assign(longest_.size(), {});
      find_longest();
    } while (find_observed());
    compare_with_longest();
    find_ambiguous();
    for (std::uint32_t k = 0; k < history_.key_count(); ++k) {
      follow({k});
    }
    check_own_orders();
    std::sort(out_.links.begin(), out_.links.end(), [](const auto& a, const auto& b) {
      return std::tie(a.txn, a.key) < std::tie(b.txn, b.key);
    });
    return std::move(out_);
  }

 private:
  void collect_appends() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.status({t}) == TxnStatus::kAborted) {
        continue;
      }
      const std::span<const Op> ops = history_.ops({t});
      for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
        if (ops[mop].kind() == OpKind::kAppend) {
          appends_.push_back({ops[mop].key(), ops[mop].value(), t, mop});
        }
      }
    }
    std::sort(appends_.begin(), appends_.end(), [](const Append& a, const Append& b) {
      return std::tie(a.key, a.element, a.txn, a.ordinal) <
             std::tie(b.key, b.element, b.txn, b.ordinal);
    });
  }

  static bool is_same_element(const Append& a, const Append& b) {
    return a.key == b.key && a.element == b.element;
  }

  /// Finds the lists that show an element which was appended twice. A repeated element that no read
  /// shows does not matter.
  void find_repetitive() {
    if (std::ranges::adjacent_find(appends_, is_same_element) == appends_.end()) {
      return;
    }
    std::unordered_map<const ValueId*, std::size_t> passed;  // by the address of the list
    for (const ShownList& shown : shown_) {
      const std::span<const ValueId> elements = elements_of(shown);
      std::size_t& place = passed[elements.data()];
      for (; place < elements.size(); ++place) {
        const Append* append = find(shown.key, elements[place]);
        const Append* end = appends_.data() + appends_.size();
        if (append != nullptr && append + 1 != end && is_same_element(append[0], append[1])) {
          is_repetitive_[shown.key.index()] = true;
        }
      }
    }
  }

  [[nodiscard]] std::span<const ValueId> elements_of(const ShownList& shown) const {
    const Op read = history_.ops(shown.reader)[shown.mop];
    return shown_list(history_, read).first(shown.length);
  }

  template <class Visit>
  void each_list(Visit visit) {
    for (const ShownList& shown : shown_) {
      if (took_effect_[shown.reader.index()]) {
        visit(shown.key, LongestList{shown.reader, shown.mop, elements_of(shown)});
      }
    }
  }

  /// Whether the longest lists show that more transactions took effect than was known.
  bool find_observed() {
    bool is_news = false;
    for (std::uint32_t k = 0; k < longest_.size(); ++k) {
      if (longest_[k].elements.empty() || is_repetitive_[k]) {
        continue;
      }
      for (const ValueId element : longest_[k].elements) {
        const Append* append = find({k}, element);
        if (append != nullptr && !took_effect_[append->txn]) {
          took_effect_[append->txn] = true;
          is_news = true;
        }
      }
    }
    return is_news;
  }

  void find_longest() {
    each_list([this](KeyId key, const LongestList& list) {
      LongestList& longest = longest_[key.index()];
      if (longest.mop == Touch::kNoMop || list.elements.size() > longest.elements.size()) {
        longest = list;
      }
    });
  }

  void compare_with_longest() {
    each_list([this](KeyId key, const LongestList& list) {
      const std::span<const ValueId> longest = longest_[key.index()].elements;
      const bool is_prefix =
          list.elements.size() <= longest.size() &&
          (list.elements.data() == longest.data() ||
           std::equal(list.elements.begin(), list.elements.end(), longest.begin()));
      if (!is_prefix) {
        out_.contradiction = "reads of key " + history_.shown_key(key) + " contradict one another";
      }
    });
  }

  /// Finds the lists with more than one possible order of appends. A repeated element leaves open
  /// which transactions took effect, and so which reads count.
  void find_ambiguous() {
    is_ambiguous_ = is_repetitive_;
    if (std::ranges::find(is_repetitive_, true) == is_repetitive_.end()) {
      return;
    }
    for (const ShownList& shown : shown_) {
      if (!took_effect_[shown.reader.index()]) {
        is_ambiguous_[shown.key.index()] = true;
      }
    }
  }

  void keep_open(KeyId key, const LongestList& shown) {
    out_.ambiguous.push_back({key, shown.reader, shown.elements});
    for (const ValueId element : shown.elements) {
      const Append* append = find(key, element);
      if (append == nullptr) {
        out_.unexplained.push_back({shown.reader, shown.mop, key, element});
        return;
      }
      if (!is_repetitive_[key.index()]) {
        out_.observed.push_back(append->txn);
      }
    }
  }

  void follow(KeyId key) {
    const LongestList& shown = longest_[key.index()];
    if (is_ambiguous_[key.index()]) {
      keep_open(key, shown);
      return;
    }
    const Append* previous = nullptr;
    std::uint32_t place = 0;
    for (const ValueId element : shown.elements) {
      Append* append = find(key, element);
      if (append == nullptr) {
        out_.unexplained.push_back({shown.reader, shown.mop, key, element});
        return;
      }
      if (append->place != kNotShown) {
        out_.contradiction = "element " + history_.shown_text(element) + " of key " +
                             history_.shown_key(key) + " was read twice in one list";
        return;
      }
      append->place = place++;
      if (previous == nullptr || previous->txn != append->txn) {
        out_.links.push_back(
            {append->txn, previous == nullptr ? 0 : previous->txn, key, previous == nullptr});
        out_.observed.push_back(append->txn);
      }
      previous = append;
    }
    if (previous != nullptr) {
      place_unobserved(key, previous->txn);
    }
  }

  /// The append of an element, or one of several; nullptr if no transaction appended it.
  Append* find(KeyId key, ValueId element) {
    const auto at = std::lower_bound(
        appends_.begin(), appends_.end(), std::tie(key, element),
        [](const Append& a, const auto& wanted) { return std::tie(a.key, a.element) < wanted; });
    if (at == appends_.end() || at->key != key || at->element != element) {
      return nullptr;
    }
    return &*at;
  }

  /// The elements of one transaction must stand in the order of its appends. Elements that no read
  /// shows come last.
  void check_own_orders() {
    std::vector<const Append*> own;
    for (const Append& append : appends_) {
      if (took_effect_[append.txn]) {
        own.push_back(&append);
      }
    }
    std::sort(own.begin(), own.end(), [](const Append* a, const Append* b) {
      return std::tie(a->key, a->txn, a->ordinal) < std::tie(b->key, b->txn, b->ordinal);
    });
    for (std::size_t i = 1; i < own.size(); ++i) {
      if (own[i]->key == own[i - 1]->key && own[i]->txn == own[i - 1]->txn &&
          own[i]->place < own[i - 1]->place) {
        out_.contradiction =
            "reads show the elements of one transaction in the wrong order in key " +
            history_.shown_key(own[i]->key);
      }
    }
  }

  void place_unobserved(KeyId key, std::uint32_t last) {
    auto at = std::lower_bound(appends_.begin(), appends_.end(), key,
                               [](const Append& a, KeyId k) { return a.key < k; });
    for (; at != appends_.end() && at->key == key; ++at) {
      if (at->place == kNotShown && took_effect_[at->txn] && at->txn != last) {
        out_.unobserved.push_back({last, at->txn, key});
      }
    }
  }

  const History& history_;
  std::span<const ShownList> shown_;
  std::vector<LongestList> longest_;  // by key
  std::vector<bool> is_repetitive_;   // by key: a list shows an element that was appended twice
  std::vector<bool> is_ambiguous_;    // by key
  std::vector<bool> took_effect_;     // by transaction: for certain
  std::vector<Append> appends_;       // by key and element
  ListChains out_;
};

}  // namespace

std::vector<ShownList> lists_shown(const History& history, const Footprints& footprints) {
  std::vector<ShownList> lists;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (footprints.contradicts_itself({t})) {
      continue;
    }
    for (const Touch& touch : footprints.of({t})) {
      if (touch.read_mop != Touch::kNoMop) {
        lists.push_back({{t}, touch.key, touch.read_mop, touch.external_length});
      }
    }
  }
  return lists;
}

ListChains find_list_chains(const History& history, std::span<const ShownList> shown) {
  return ChainFinder(history, shown).find();
}

}  // namespace elapid
