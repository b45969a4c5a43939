// Reads of list elements that no committed state contains (docs/elle-rules.md).
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <unordered_set>

#include "engine/infer/hidden_writes.h"
#include "engine/workloads/list_append/list_anomalies.h"

namespace elapid {

namespace {

bool contains(std::span<const ValueId> elements, ValueId element) {
  return std::find(elements.begin(), elements.end(), element) != elements.end();
}

/// For each list that a read can show, the length from which on it has a bad element. Each list of
/// the history is scanned once, however often it was read.
class FirstBadElement {
 public:
  /// `bad(key, elements, i)`: whether elements[i] is bad, given those before it.
  template <class Bad>
  FirstBadElement(const History& history, Bad bad)
      : history_(history),
        in_trunk_(history.key_count()),
        in_literal_(history.literal_list_count(), kUnknown) {
    scan_ = [bad, &history](KeyId key, std::span<const ValueId> elements) {
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (bad(key, elements, i)) {
          return i;
        }
      }
      return kNever;
    };
    for (std::uint32_t k = 0; k < in_trunk_.size(); ++k) {
      in_trunk_[k] = scan_({k}, history.trunk({k}));
    }
  }

  /// Whether the list read has a bad element.
  [[nodiscard]] bool in(Op read) {
    if (read.list().is_prefix()) {
      return in_trunk_[read.key().index()] < read.list().length();
    }
    std::size_t& first = in_literal_[read.list().literal_index()];
    if (first == kUnknown) {
      first = scan_(read.key(), history_.elements(read));
    }
    return first != kNever;
  }

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-2);

  const History& history_;
  std::function<std::size_t(KeyId, std::span<const ValueId>)> scan_;
  std::vector<std::size_t> in_trunk_;    // by key
  std::vector<std::size_t> in_literal_;  // by literal list
};

/// Calls `visit(txn, mop, op)` for every list read of the transactions that `includes` accepts.
template <class Includes, class Visit>
void each_list_read(const History& history, Includes includes, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (!includes(TxnId{t})) {
      continue;
    }
    const std::span<const Op> ops = history.ops({t});
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        visit(TxnId{t}, mop, ops[mop]);
      }
    }
  }
}

class BadListReads {
 public:
  explicit BadListReads(const ListContext& context)
      : context_(context),
        suspicious_(context.history,
                    [&context](KeyId key, std::span<const ValueId> list, std::size_t i) {
                      const WriteEntry* entry = context.versions.writes().find(key, list[i]);
                      return entry == nullptr || aborted_writer(context.history, *entry);
                    }) {}

  void run(std::vector<Anomaly>& out) {
    each_list_read(
        context_.history, [&](TxnId txn) { return context_.history.committed(txn); },
        [&](TxnId txn, std::uint32_t mop, Op read) {
          if (!context_.versions.ambiguous(read.key())) {
            if (suspicious_.in(read)) {
              check_elements(txn, mop, read, out);
            }
            const Op external = context_.versions.lists().ops(txn)[mop];
            check_last(txn, mop, external.kind() == OpKind::kReadList ? external : read, out);
          }
        });
  }

 private:
  void check_elements(TxnId txn, std::uint32_t mop, Op read, std::vector<Anomaly>& out) const {
    for (const ValueId element : context_.history.elements(read)) {
      const WriteEntry* entry = context_.versions.writes().find(read.key(), element);
      if (entry == nullptr) {
        out.push_back({AnomalyType::kGarbageRead, ReadEvidence{txn, mop, element, std::nullopt}});
      } else if (const auto writer = aborted_writer(context_.history, *entry)) {
        out.push_back({AnomalyType::kG1a, ReadEvidence{txn, mop, element, writer}});
      }
    }
  }

  void check_last(TxnId txn, std::uint32_t mop, Op read, std::vector<Anomaly>& out) const {
    const std::span<const ValueId> elements = context_.versions.lists().elements(read);
    if (elements.empty()) {
      return;
    }
    const WriteEntry* entry = context_.versions.writes().find(read.key(), elements.back());
    if (entry == nullptr || !entry->intermediate) {
      return;
    }
    const auto writer = intermediate_writer(context_.history, *entry, read.key(), OpKind::kAppend);
    if (writer && writer->txn != txn) {
      out.push_back({AnomalyType::kG1b, ReadEvidence{txn, mop, elements.back(), writer}});
    }
  }

  const ListContext& context_;
  FirstBadElement suspicious_;
};

/// The first read of the transaction, before `append`, that contains what it appends; or nothing.
std::optional<std::uint32_t> read_before(const ListContext& context, std::span<const Op> ops,
                                         std::uint32_t append) {
  for (std::uint32_t mop = 0; mop < append; ++mop) {
    const Op op = ops[mop];
    if (op.kind() == OpKind::kReadList && op.key() == ops[append].key() &&
        contains(context.history.elements(op), ops[append].value())) {
      return mop;
    }
  }
  return std::nullopt;
}

}  // namespace

void find_list_bad_reads(const ListContext& context, std::vector<Anomaly>& out) {
  BadListReads(context).run(out);
}

void find_list_future_reads(const ListContext& context, std::vector<Anomaly>& out) {
  std::vector<std::uint32_t> read_by(context.history.key_count(), TxnId::none().value);
  for (std::uint32_t t = 0; t < context.history.txn_count(); ++t) {
    if (!context.history.committed({t})) {
      continue;
    }
    const std::span<const Op> ops = context.history.ops({t});
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const Op op = ops[mop];
      if (op.kind() == OpKind::kReadList) {
        read_by[op.key().index()] = t;
      }
      const bool candidate = op.kind() == OpKind::kAppend && read_by[op.key().index()] == t &&
                             !context.versions.ambiguous(op.key());
      const auto read = candidate ? read_before(context, ops, mop) : std::nullopt;
      if (read) {
        out.push_back(
            {AnomalyType::kFutureRead, ReadEvidence{{t}, *read, op.value(), EventRef{{t}}}});
        break;
      }
    }
  }
}

void find_duplicate_elements(const ListContext& context, std::vector<Anomaly>& out) {
  std::unordered_set<ValueId> before;
  FirstBadElement repeated(context.history,
                           [&before](KeyId, std::span<const ValueId> list, std::size_t i) {
                             if (i == 0) {
                               before.clear();
                             }
                             return !before.insert(list[i]).second;
                           });
  each_list_read(
      context.history, [&](TxnId txn) { return context.versions.believed(txn); },
      [&](TxnId txn, std::uint32_t mop, Op read) {
        const bool says_nothing =
            context.versions.ambiguous(read.key()) ||
            context.versions.lists().ops(txn)[mop].kind() != OpKind::kReadList;
        if (says_nothing || !repeated.in(read)) {
          return;
        }
        std::map<ValueId, std::uint32_t> counts;
        for (const ValueId element : context.history.elements(read)) {
          ++counts[element];
        }
        DuplicateElementsEvidence evidence{txn, mop, {}};
        std::copy_if(counts.begin(), counts.end(), std::back_inserter(evidence.counts),
                     [](const auto& count) { return count.second > 1; });
        out.push_back({AnomalyType::kDuplicateElements, std::move(evidence)});
      });
}

}  // namespace elapid
