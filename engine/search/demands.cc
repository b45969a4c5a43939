#include "engine/search/demands.h"

#include <algorithm>
#include <unordered_set>

namespace elapid::search {

Versions::Versions(const History& history) : history_(history), trunks_(history.key_count()) {
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    versions_.push_back({{k}, kNone, ValueId::none()});
    trunks_[k].push_back(k);
  }
}

Index Versions::child(Index version, ValueId element) const {
  const auto found = children_.find(name(version, element));
  return found == children_.end() ? kNone : found->second;
}

Index Versions::add_child(Index version, ValueId element) {
  const auto [at, is_new] = children_.try_emplace(name(version, element), count());
  if (is_new) {
    versions_.push_back({versions_[version].key, version, element});
  }
  return at->second;
}

Index Versions::add_list(Op read, std::uint32_t length) {
  const std::span<const ValueId> elements = history_.elements(read);
  if (!read.list().is_prefix()) {
    Index version = root(read.key());
    for (const ValueId element : elements.first(length)) {
      version = add_child(version, element);
    }
    return version;
  }
  std::vector<Index>& trunk = trunks_[read.key().index()];
  while (trunk.size() <= length) {
    trunk.push_back(add_child(trunk.back(), elements[trunk.size() - 1]));
  }
  return trunk[length];
}

/// Fills in Demands step by step.
class DemandsBuilder {
 public:
  explicit DemandsBuilder(Demands& out)
      : history_(out.history_), out_(out), view_of_(out.history_.key_count(), kNone) {}

  void build() {
    out_.roles_.assign(history_.txn_count(), Role::kAbsent);
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.status(txn) != TxnStatus::kAborted) {
        read(txn);
      }
      out_.begin_.push_back(static_cast<Index>(out_.accesses_.size()));
    }
    for (std::uint32_t k = 0; k < history_.key_count(); ++k) {
      out_.names_of_root_.emplace_back(out_.versions_.child(k, ValueId::nil()),
                                       out_.versions_.child(k, history_.info().initial));
    }
    drop_useless();
    if (out_.is_list_) {
      find_ways();
    } else {
      check_registers();
    }
  }

 private:
  /// What the current transaction has seen and done of a key.
  struct View {
    KeyId key;
    bool has_read = false;
    ValueId seen = ValueId::none();  ///< of a register: the first read
    bool is_unwritten = false;       ///< a register showed both names of the initial state
    ValueId own = ValueId::none();   ///< of a register: the last write
    Op list = {};                    ///< of a list: the first read
    std::uint32_t length = 0;        ///< the number of its elements that are not the reader's own
    std::vector<ValueId> appended = {};
  };

  void read(TxnId txn) {
    views_.clear();
    const bool is_committed = history_.committed(txn);
    bool is_consistent = true;
    for (const Op op : history_.ops(txn)) {
      if (op.kind() != OpKind::kOther) {
        View& view = view_at(op.key());
        is_consistent = (out_.is_list_ ? list_op(op, is_committed, view)
                                       : register_op(op, is_committed, view)) &&
                        is_consistent;
      }
    }
    for (const View& view : views_) {
      view_of_[view.key.index()] = kNone;
    }
    if (is_consistent) {
      out_.roles_[txn.index()] = is_committed ? Role::kCommitted : Role::kOptional;
      for (const View& view : views_) {
        add(view);
      }
    } else if (is_committed) {
      out_.unservable_.push_back(txn);
    }
  }

  View& view_at(KeyId key) {
    Index& view = view_of_[key.index()];
    if (view == kNone) {
      view = static_cast<Index>(views_.size());
      views_.push_back({.key = key});
    }
    return views_[view];
  }

  /// Returns false if the operation contradicts earlier ones.
  bool register_op(Op op, bool is_committed, View& view) {
    if (op.kind() == OpKind::kWrite) {
      view.own = op.value();
      return true;
    }
    if (op.kind() != OpKind::kRead) {
      out_.unclear_ = "an operation on a register is not a read or a write";
      return true;
    }
    const ValueId value = op.value();
    if (value.is_nil() && !is_committed) {
      return true;  // the result is unknown
    }
    if (!view.own.is_none()) {
      return value == view.own;
    }
    if (!view.has_read) {
      view.has_read = true;
      view.seen = value;
      return true;
    }
    view.is_unwritten = view.is_unwritten || value != view.seen;
    return !view.is_unwritten || (history_.is_initial(value) && history_.is_initial(view.seen));
  }

  bool list_op(Op op, bool is_committed, View& view) {
    if (op.kind() == OpKind::kAppend) {
      view.appended.push_back(op.value());
      return true;
    }
    if (op.kind() == OpKind::kWrite || (op.kind() == OpKind::kRead && !op.value().is_nil())) {
      out_.unclear_ = "an operation on a list is not an append or a read of a list";
      return true;
    }
    if (op.kind() == OpKind::kRead && !is_committed) {
      return true;  // the result is unknown
    }
    const std::span<const ValueId> shown = elements(op);
    if (shown.size() < view.appended.size() ||
        !std::equal(view.appended.rbegin(), view.appended.rend(), shown.rbegin())) {
      return false;
    }
    const std::size_t length = shown.size() - view.appended.size();
    if (view.has_read) {
      return std::ranges::equal(shown.first(length), elements(view.list).first(view.length));
    }
    view.has_read = true;
    view.list = op;
    view.length = static_cast<std::uint32_t>(length);
    return true;
  }

  /// The elements of a read; none for nil, the empty list.
  [[nodiscard]] std::span<const ValueId> elements(Op read) const {
    return read.kind() == OpKind::kReadList ? history_.elements(read) : std::span<const ValueId>();
  }

  void add(const View& view) {
    Versions& versions = out_.versions_;
    const Index root = Versions::root(view.key);
    Access access = {.key = view.key};
    if (out_.is_list_) {
      if (view.has_read) {
        access.want = view.length == 0 ? root : versions.add_list(view.list, view.length);
      }
      access.append_begin = static_cast<Index>(out_.appended_.size());
      access.append_count = static_cast<Index>(view.appended.size());
      out_.appended_.insert(out_.appended_.end(), view.appended.begin(), view.appended.end());
      if (!view.appended.empty()) {
        access.write = versions.add_child(root, view.appended.front());
      }
    } else {
      if (view.has_read) {
        access.want = view.is_unwritten ? root : versions.add_child(root, view.seen);
      }
      if (!view.own.is_none()) {
        access.write = versions.add_child(root, view.own);
      }
    }
    if (access.reads() || access.writes()) {
      out_.accesses_.push_back(access);
    }
  }

  template <class Visit>
  void each_access(Visit visit) const {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (out_.role(txn) != Role::kAbsent) {
        for (const Access& access : out_.accesses(txn)) {
          visit(txn, access);
        }
      }
    }
  }

  /// Drops indeterminate transactions whose writes no read needs. They need not have taken effect.
  void drop_useless() {
    std::vector<Index> wanted(out_.versions_.count(), 0);    // the number of reads
    std::unordered_set<std::uint64_t, SeededHash> elements;  // elements of lists that reads show
    each_access([&](TxnId, const Access& access) {
      for (Index v = access.want; access.reads() && v != kNone; v = out_.versions_[v].parent) {
        if (wanted[v]++ > 0 && out_.is_list_) {
          break;  // the versions before it were counted already
        }
        elements.insert(packed(access.key, out_.versions_[v].element));
      }
    });
    const auto is_useful = [&](const Access& access) {
      const std::span<const ValueId> appended = out_.appended(access);
      return out_.is_list_
                 ? std::ranges::any_of(appended,
                                       [&](ValueId element) {
                                         return elements.contains(packed(access.key, element));
                                       })
                 : access.writes() &&
                       wanted[access.write] > (access.want == access.write ? 1U : 0U);
    };
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (out_.role(txn) == Role::kOptional &&
          std::ranges::none_of(out_.accesses(txn), is_useful)) {
        out_.roles_[txn.index()] = Role::kAbsent;
      }
    }
  }

  /// A list grows in one way only: through all versions that committed transactions read.
  void find_ways() {
    std::unordered_set<std::uint64_t, SeededHash> written;
    each_access([&](TxnId, const Access& access) {
      for (const ValueId element : out_.appended(access)) {
        written.insert(packed(access.key, element));
      }
    });
    std::vector<Index>& next = out_.next_wanted_;
    next.assign(out_.versions_.count(), kNone);
    each_access([&](TxnId txn, const Access& access) {
      if (!access.reads() || out_.role(txn) != Role::kCommitted) {
        return;
      }
      for (Index v = access.want; !out_.versions_.is_root(v); v = out_.versions_[v].parent) {
        Index& way = next[out_.versions_[v].parent];
        if (way == v) {
          break;
        }
        if (way != kNone || !written.contains(packed(access.key, out_.versions_[v].element))) {
          out_.unservable_.push_back(txn);
          break;
        }
        way = v;
      }
    });
  }

  /// Checks that each version that a committed transaction reads is the initial one or left by
  /// another transaction.
  void check_registers() {
    std::vector<Index> writers(out_.versions_.count(), 0);
    each_access([&](TxnId, const Access& access) {
      writers[access.writes() ? access.write : access.want] += access.writes() ? 1U : 0U;
    });
    each_access([&](TxnId txn, const Access& access) {
      if (!access.reads() || out_.role(txn) != Role::kCommitted) {
        return;
      }
      const bool is_there = out_.accepts(access.want, Versions::root(access.key));
      const Index own = access.write == access.want ? 1U : 0U;
      if (!is_there && writers[access.want] == own) {
        out_.unservable_.push_back(txn);
      }
    });
  }

  const History& history_;
  Demands& out_;
  std::vector<Index> view_of_;  // by key, in views_
  std::vector<View> views_;     // of the current transaction
};

Demands::Demands(const History& history)
    : history_(history), is_list_(history.has_lists()), versions_(history) {
  DemandsBuilder(*this).build();
}

}  // namespace elapid::search
