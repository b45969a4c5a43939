#include "engine/solve/list_chains.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace elapid {

namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

struct Append {
  KeyId key;
  ValueId element;
  std::uint32_t txn = 0;
  std::uint32_t ordinal = 0;      // among the transaction's operations
  std::uint32_t place = kUnseen;  // in the longest list
};

/// A list that a transaction read, without its own elements.
struct ShownList {
  TxnId reader = TxnId::none();
  std::uint32_t mop = Touch::kNoMop;
  std::span<const ValueId> elements;
};

class Chains {
 public:
  Chains(const History& history, const Footprints& footprints)
      : history_(history),
        footprints_(footprints),
        longest_(history.key_count()),
        is_repetitive_(history.key_count(), false),
        took_effect_(history.txn_count(), false) {
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      took_effect_[t] = history.committed({t});
    }
  }

  ListChains find() {
    collect_appends();
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
      const std::span<const Op> ops = Footprints::ops(history_, {t});
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
    for (std::size_t i = 1; i < appends_.size(); ++i) {
      if (appends_[i].key == appends_[i - 1].key &&
          appends_[i].element == appends_[i - 1].element) {
        is_repetitive_[appends_[i].key.index()] = true;
      }
    }
  }

  template <class Visit>
  void each_list(Visit visit) {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      for (const Touch& touch : footprints_.of({t})) {
        if (took_effect_[t] && touch.read_mop != Touch::kNoMop) {
          const Op read = Footprints::ops(history_, {t})[touch.read_mop];
          visit(touch.key,
                ShownList{{t},
                          touch.read_mop,
                          Footprints::list(history_, read).first(touch.external_length)});
        }
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
    each_list([this](KeyId key, const ShownList& list) {
      ShownList& longest = longest_[key.index()];
      if (longest.mop == Touch::kNoMop || list.elements.size() > longest.elements.size()) {
        longest = list;
      }
    });
  }

  void compare_with_longest() {
    each_list([this](KeyId key, const ShownList& list) {
      const std::span<const ValueId> longest = longest_[key.index()].elements;
      const bool is_prefix =
          list.elements.size() <= longest.size() &&
          (list.elements.data() == longest.data() ||
           std::equal(list.elements.begin(), list.elements.end(), longest.begin()));
      if (!is_prefix) {
        out_.contradiction = "reads of key " + history_.key_text(key) + " contradict one another";
      }
    });
  }

  /// What repeats keeps open who took effect, and with that whose reads count.
  void find_ambiguous() {
    is_ambiguous_ = is_repetitive_;
    if (std::ranges::find(is_repetitive_, true) == is_repetitive_.end()) {
      return;
    }
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      for (const Touch& touch : footprints_.of({t})) {
        if (!took_effect_[t] && touch.read_mop != Touch::kNoMop) {
          is_ambiguous_[touch.key.index()] = true;
        }
      }
    }
  }

  void keep_open(KeyId key, const ShownList& shown) {
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
    const ShownList& shown = longest_[key.index()];
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
      if (append->place != kUnseen) {
        out_.contradiction = "element " + history_.text(element) + " of key " +
                             history_.key_text(key) + " was read twice in one list";
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

  /// The append of an element, or one of several; nullptr if nobody did.
  Append* find(KeyId key, ValueId element) {
    const auto at = std::lower_bound(
        appends_.begin(), appends_.end(), std::tie(key, element),
        [](const Append& a, const auto& wanted) { return std::tie(a.key, a.element) < wanted; });
    if (at == appends_.end() || at->key != key || at->element != element) {
      return nullptr;
    }
    return &*at;
  }

  /// Elements of one transaction stand in its order; those that nobody saw, last.
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
        out_.contradiction = "elements of one transaction are seen out of order in key " +
                             history_.key_text(own[i]->key);
      }
    }
  }

  void place_unobserved(KeyId key, std::uint32_t last) {
    auto at = std::lower_bound(appends_.begin(), appends_.end(), key,
                               [](const Append& a, KeyId k) { return a.key < k; });
    for (; at != appends_.end() && at->key == key; ++at) {
      if (at->place == kUnseen && took_effect_[at->txn] && at->txn != last) {
        out_.unobserved.push_back({last, at->txn, key});
      }
    }
  }

  const History& history_;
  const Footprints& footprints_;
  std::vector<ShownList> longest_;   // by key
  std::vector<bool> is_repetitive_;  // by key: one element was appended twice
  std::vector<bool> is_ambiguous_;   // by key
  std::vector<bool> took_effect_;    // by transaction: for certain
  std::vector<Append> appends_;      // by key and element
  ListChains out_;
};

}  // namespace

ListChains find_list_chains(const History& history, const Footprints& footprints) {
  return Chains(history, footprints).find();
}

}  // namespace elapid
