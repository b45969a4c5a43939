// Reads that no state between transactions explains.
#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>

#include "engine/elle/each_list_read.h"
#include "engine/elle/list_anomalies.h"

namespace elapid::elle {

namespace {

/// For each list that was read, the places of its bad elements. An element is bad or not by the
/// elements before it. Each list of the history is looked at once, however often it was read.
class BadElements {
 public:
  using Places = std::vector<std::uint32_t>;

  explicit BadElements(const History& history)
      : history_(history),
        in_trunk_(history.key_count()),
        in_literal_(history.literal_list_count()),
        is_literal_known_(history.literal_list_count(), false) {}

  /// `find(key, elements)` returns all such places of a list.
  template <class Find>
  void find_in_trunks(Find find) {
    for (std::uint32_t k = 0; k < in_trunk_.size(); ++k) {
      in_trunk_[k] = find(KeyId{k}, history_.trunk({k}));
    }
  }

  template <class Find>
  [[nodiscard]] std::span<const std::uint32_t> of(Op read, Find find) {
    if (read.list().is_prefix()) {
      const Places& all = in_trunk_[read.key().index()];
      const auto end = std::lower_bound(all.begin(), all.end(), read.list().length());
      return std::span(all).first(static_cast<std::size_t>(end - all.begin()));
    }
    const std::uint32_t literal = read.list().literal_index();
    if (!is_literal_known_[literal]) {
      is_literal_known_[literal] = true;
      in_literal_[literal] = find(read.key(), history_.elements(read));
    }
    return in_literal_[literal];
  }

 private:
  const History& history_;
  std::vector<Places> in_trunk_;    // by key
  std::vector<Places> in_literal_;  // by literal list
  std::vector<bool> is_literal_known_;
};

/// The first read of the transaction, before `append`, that contains what it appends; or nothing.
std::optional<std::uint32_t> read_before(const History& history, std::span<const Op> ops,
                                         std::uint32_t append) {
  for (std::uint32_t mop = 0; mop < append; ++mop) {
    const Op op = ops[mop];
    if (op.kind() == OpKind::kReadList && op.key() == ops[append].key() &&
        std::ranges::count(history.elements(op), ops[append].value()) > 0) {
      return mop;
    }
  }
  return std::nullopt;
}

}  // namespace

void find_bad_list_reads(const History& history, const Writes& writes, std::vector<Anomaly>& out) {
  const auto find_failed = [&](KeyId key, std::span<const ValueId> elements) {
    BadElements::Places places;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
      const Write* write = writes.find(key, elements[i]);
      if (write != nullptr && !write->failed.is_none()) {
        places.push_back(i);
      }
    }
    return places;
  };
  BadElements failed(history);
  failed.find_in_trunks(find_failed);
  each_list_read(
      history, [&](TxnId txn) { return history.committed(txn); },
      [&](TxnId txn, std::uint32_t mop, Op read) {
        const std::span<const ValueId> elements = history.elements(read);
        for (const std::uint32_t place : failed.of(read, find_failed)) {
          const EventRef writer{writes.find(read.key(), elements[place])->failed};
          out.push_back({AnomalyType::kG1a, ReadEvidence{txn, mop, elements[place], writer}});
        }
        const Write* last = elements.empty() ? nullptr : writes.find(read.key(), elements.back());
        if (const auto writer = last == nullptr ? std::nullopt : intermediate_writer(*last, txn)) {
          out.push_back({AnomalyType::kG1b, ReadEvidence{txn, mop, elements.back(), writer}});
        }
      });
}

void find_future_reads(const History& history, std::vector<Anomaly>& out) {
  std::vector<TxnId> read_by(history.key_count());
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      TxnId& reader = read_by[ops[mop].key().index()];
      if (ops[mop].kind() == OpKind::kReadList) {
        reader = {t};
      } else if (ops[mop].kind() == OpKind::kAppend && reader == TxnId{t}) {
        if (const auto read = read_before(history, ops, mop)) {
          out.push_back({AnomalyType::kFutureRead,
                         ReadEvidence{{t}, *read, ops[mop].value(), EventRef{{t}}}});
          break;
        }
      }
    }
  }
}

void find_duplicate_elements(const History& history, std::vector<Anomaly>& out) {
  const auto find_repeated = [](KeyId, std::span<const ValueId> elements) {
    BadElements::Places places;
    std::unordered_set<ValueId> before;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
      if (!before.insert(elements[i]).second) {
        places.push_back(i);
      }
    }
    return places;
  };
  BadElements repeated(history);
  repeated.find_in_trunks(find_repeated);
  each_list_read(
      history, [&](TxnId txn) { return history.status(txn) != TxnStatus::kAborted; },
      [&](TxnId txn, std::uint32_t mop, Op read) {
        const std::span<const ValueId> elements = history.elements(read);
        std::map<ValueId, std::uint32_t> counts;
        for (const std::uint32_t place : repeated.of(read, find_repeated)) {
          counts.try_emplace(elements[place], 1).first->second++;
        }
        if (!counts.empty()) {
          out.push_back({AnomalyType::kDuplicateElements,
                         DuplicateElementsEvidence{txn, mop, {counts.begin(), counts.end()}}});
        }
      });
}

}  // namespace elapid::elle
