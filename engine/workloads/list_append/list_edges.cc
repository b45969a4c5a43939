#include "engine/workloads/list_append/list_edges.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace elapid {

namespace {

/// The version that an append follows directly. For an unobserved append this is the last observed
/// version. Nothing if its place is unknown.
std::optional<std::uint32_t> version_before(const ListVersions& versions, Op append) {
  const std::uint32_t position = versions.position(append.key(), append.value());
  if (position != ListVersions::kNowhere) {
    return position == 0 ? ListVersions::kInitial : position - 1;
  }
  return versions.unobserved(append) ? std::optional(versions.last_version(append.key()))
                                     : std::nullopt;
}

/// The last version before an append that a believed transaction wrote. Versions by aborted writers
/// or without a writer are skipped. kInitial if there is none, or if longest lists disagree whether
/// it comes before.
std::uint32_t written_before(const ListVersions& versions, Op append, std::uint32_t before) {
  const std::uint32_t agreed = versions.agreed_count(append.key());
  const bool is_agreed = before + 1 < agreed || agreed == versions.order(append.key()).size();
  return is_agreed ? versions.last_written(append.key(), before) : ListVersions::kInitial;
}

/// The version that a believed transaction's read shows, if any. A nil read of an indeterminate
/// transaction shows none: it may not have happened.
std::optional<std::uint32_t> version_shown(const History& history, const ListVersions& versions,
                                           TxnId txn, Op read) {
  const bool unknown = read.kind() == OpKind::kRead && !history.committed(txn);
  if (!read.is_read() || unknown || versions.ambiguous(read.key())) {
    return std::nullopt;
  }
  const std::uint32_t version = versions.version_read(read);
  return version == ListVersions::kNowhere ? std::nullopt : std::optional(version);
}

/// The believed readers of every version, in compressed rows.
class Readers {
 public:
  Readers(const History& history, const ListVersions& versions)
      : begin_(versions.version_count() + 1, 0) {
    each_read(history, versions, [this](std::size_t version, TxnId) { ++begin_[version + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    readers_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    each_read(history, versions,
              [&](std::size_t version, TxnId reader) { readers_[next[version]++] = reader; });
  }

  [[nodiscard]] std::span<const TxnId> of(std::size_t version) const {
    return std::span(readers_).subspan(begin_[version], begin_[version + 1] - begin_[version]);
  }

 private:
  template <class Visit>
  static void each_read(const History& history, const ListVersions& versions, Visit visit) {
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      if (!versions.believed({t})) {
        continue;
      }
      for (const Op op : versions.lists().ops({t})) {
        if (const auto version = version_shown(history, versions, {t}, op)) {
          visit(versions.version_number(op.key(), *version), TxnId{t});
        }
      }
    }
  }

  std::vector<std::uint32_t> begin_;
  std::vector<TxnId> readers_;
};

class ListEdgeMaker {
 public:
  ListEdgeMaker(const History& history, const ListVersions& versions, Inference& inference)
      : history_(history),
        versions_(versions),
        readers_(history, versions),
        inference_(inference),
        last_append_(history.key_count()) {}

  void run() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (!versions_.believed({t})) {
        continue;
      }
      for (const Op op : versions_.lists().ops({t})) {
        if (versions_.ambiguous(op.key())) {
          continue;
        }
        if (op.kind() == OpKind::kAppend) {
          add_append({t}, op);
        } else if (op.is_read()) {
          add_read({t}, op);
        }
      }
    }
    const KeyId unknown = versions_.key_without_writer();
    const auto open = std::ranges::find_if(
        unobserved_, [](const auto& entry) { return entry.second.size() != 1; });
    inference_.version_orders_serial = own_out_of_order_.is_none() && unknown.is_none();
    inference_.version_orders_total = inference_.version_orders_serial && open == unobserved_.end();
    inference_.open_keys = {own_out_of_order_, unknown,
                            open == unobserved_.end() ? KeyId::none() : open->first};
    std::erase(inference_.open_keys, KeyId::none());
    for (auto& [key, writers] : unobserved_) {
      add_unobserved(key, std::move(writers));
    }
  }

 private:
  void add(TxnId from, TxnId to, EdgeLabel label) {
    if (!from.is_none() && from != to) {
      inference_.edges.push_back({from.value, to.value, label});
    }
  }

  /// Notes a transaction whose appends to one key are read in the opposite order. No edge shows
  /// this, since both are its own.
  void note_own_order(TxnId txn, KeyId key, std::uint32_t position) {
    OwnAppend& last = last_append_[key.index()];
    if (last.txn == txn && last.position > position) {
      own_out_of_order_ = std::min(own_out_of_order_, key);
    }
    last = {txn, position};
  }

  void add_append(TxnId txn, Op append) {
    const std::uint32_t position = versions_.position(append.key(), append.value());
    note_own_order(txn, append.key(), position);
    const std::optional<std::uint32_t> before = version_before(versions_, append);
    if (!before) {
      return;
    }
    const std::uint32_t written = written_before(versions_, append, *before);
    if (written != ListVersions::kInitial) {
      add(versions_.writer_at(append.key(), written), txn, kWwEdge);
    }
    if (position == ListVersions::kNowhere) {
      unobserved_[append.key()].push_back(txn);
      return;
    }
    for (const TxnId reader : readers_.of(versions_.version_number(append.key(), *before))) {
      add(reader, txn, kRwEdge);
    }
  }

  void add_read(TxnId txn, Op read) { add(versions_.writer_read(read), txn, kWrEdge); }

  /// The readers of the last version come before the writers of unread appends.
  void add_unobserved(KeyId key, std::vector<TxnId> writers) {
    const auto readers = readers_.of(versions_.version_number(key, versions_.last_version(key)));
    add_bundle({.readers = {readers.begin(), readers.end()}, .writers = std::move(writers)},
               inference_);
  }

  const History& history_;
  const ListVersions& versions_;
  Readers readers_;
  Inference& inference_;
  std::map<KeyId, std::vector<TxnId>> unobserved_;

  struct OwnAppend {
    TxnId txn;
    std::uint32_t position = 0;
  };

  std::vector<OwnAppend> last_append_;  // by key
  KeyId own_out_of_order_;              // the least key with such appends
};

class ListExplainer final : public EdgeExplainer {
 public:
  ListExplainer(const History& history, std::shared_ptr<const ListVersions> versions)
      : history_(history), versions_(std::move(versions)) {}

  [[nodiscard]] Step explain(TxnId from, TxnId to, Relation relation) const override {
    const std::span<const Op> ops = versions_->lists().ops(to);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      std::optional<Step> step;
      if (versions_->ambiguous(ops[mop].key())) {
        continue;
      }
      if (relation == Relation::kWr && ops[mop].is_read()) {
        step = explain_read(from, to, mop);
      } else if (relation != Relation::kWr && ops[mop].kind() == OpKind::kAppend) {
        step = explain_append(from, to, mop, relation);
      }
      if (step) {
        return *step;
      }
    }
    return {.from = from, .to = to, .relation = relation};
  }

 private:
  [[nodiscard]] ValueId element(KeyId key, std::uint32_t version) const {
    return version == ListVersions::kInitial ? ValueId::none() : versions_->order(key)[version];
  }

  [[nodiscard]] std::int32_t append_of(TxnId txn, KeyId key, ValueId value) const {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::size_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop] == Op(OpKind::kAppend, key, value)) {
        return static_cast<std::int32_t>(mop);
      }
    }
    return -1;
  }

  [[nodiscard]] std::optional<Step> explain_read(TxnId from, TxnId to, std::uint32_t mop) const {
    const Op read = versions_->lists().ops(to)[mop];
    if (versions_->writer_read(read) != from) {
      return std::nullopt;
    }
    const ValueId value = versions_->lists().elements(read).back();
    return Step{.from = from,
                .to = to,
                .relation = Relation::kWr,
                .key = read.key(),
                .value = value,
                .from_mop = append_of(from, read.key(), value),
                .to_mop = static_cast<std::int32_t>(mop)};
  }

  [[nodiscard]] std::optional<Step> explain_append(TxnId from, TxnId to, std::uint32_t mop,
                                                   Relation relation) const {
    const Op append = history_.ops(to)[mop];
    const std::optional<std::uint32_t> known = version_before(*versions_, append);
    if (!known) {
      return std::nullopt;
    }
    const std::uint32_t before =
        relation == Relation::kWw ? written_before(*versions_, append, *known) : *known;
    const ValueId value = element(append.key(), before);
    std::int32_t from_mop = -1;
    if (relation == Relation::kRw) {
      from_mop = read_of(from, append.key(), before);
    } else if (before != ListVersions::kInitial &&
               versions_->writer_at(append.key(), before) == from) {
      from_mop = append_of(from, append.key(), value);
    }
    if (from_mop < 0) {
      return std::nullopt;
    }
    return Step{.from = from,
                .to = to,
                .relation = relation,
                .key = append.key(),
                .value = value,
                .value_after = append.value(),
                .from_mop = from_mop,
                .to_mop = static_cast<std::int32_t>(mop)};
  }

  [[nodiscard]] std::int32_t read_of(TxnId txn, KeyId key, std::uint32_t version) const {
    const std::span<const Op> ops = versions_->lists().ops(txn);
    for (std::size_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].key() == key && version_shown(history_, *versions_, txn, ops[mop]) == version) {
        return static_cast<std::int32_t>(mop);
      }
    }
    return -1;
  }

  const History& history_;
  std::shared_ptr<const ListVersions> versions_;
};

}  // namespace

void add_list_edges(const History& history, const ListVersions& versions, Inference& inference) {
  ListEdgeMaker(history, versions, inference).run();
}

std::unique_ptr<EdgeExplainer> list_explainer(const History& history,
                                              std::shared_ptr<const ListVersions> versions) {
  return std::make_unique<ListExplainer>(history, std::move(versions));
}

}  // namespace elapid
