#include "engine/workloads/list_append/external_lists.h"

#include <algorithm>
#include <cstdint>

namespace elapid {

/// Cuts the lists of one transaction after the other.
class ExternalLists::Cutter {
 public:
  explicit Cutter(ExternalLists& out) : out_(out), own_(out.history_.key_count()) {}

  void cut(TxnId txn) {
    const std::span<const Op> ops = out_.history_.ops(txn);
    for (std::size_t mop = 0; mop < ops.size(); ++mop) {
      const Op op = ops[mop];
      Own& own = own_[op.key().index()];
      if (op.kind() == OpKind::kAppend) {
        if (own.txn != txn) {
          own.txn = txn;
          own.elements.clear();
        }
        own.elements.push_back(op.value());
      } else if (op.is_read() && own.txn == txn) {
        cut_read(txn, mop, op, own.elements);
      }
    }
  }

 private:
  struct Own {
    TxnId txn = TxnId::none();
    std::vector<ValueId> elements;
  };

  void cut_read(TxnId txn, std::size_t mop, Op read, const std::vector<ValueId>& own) {
    if (read.kind() == OpKind::kRead && !out_.history_.committed(txn)) {
      return;  // the result is unknown
    }
    const std::span<const ValueId> seen = read.kind() == OpKind::kReadList
                                              ? out_.history_.elements(read)
                                              : std::span<const ValueId>();
    const bool ends_in_own =
        seen.size() >= own.size() && std::equal(own.rbegin(), own.rend(), seen.rbegin());
    if (!ends_in_own) {
      replace(txn, mop, Op(OpKind::kOther, read.key(), ValueId::nil()));
    } else if (read.list().is_prefix()) {
      replace(txn, mop,
              Op(read.key(), ListId::prefix(static_cast<std::uint32_t>(seen.size() - own.size()))));
    } else {
      replace(txn, mop,
              Op(read.key(), out_.id_of(read.key(), seen.first(seen.size() - own.size()))));
    }
  }

  void replace(TxnId txn, std::size_t mop, Op op) {
    if (out_.ops_.empty()) {
      out_.ops_.assign(out_.history_.all_ops().begin(), out_.history_.all_ops().end());
    }
    out_.ops_[out_.history_.first_op(txn) + mop] = op;
  }

  ExternalLists& out_;
  std::vector<Own> own_;  // by key: appends of the current transaction
};

ExternalLists::ExternalLists(const History& history) : history_(history) {
  Cutter cutter(*this);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    cutter.cut({t});
  }
}

/// Without the reader's own end, a literal list may be a prefix of the trunk.
ListId ExternalLists::id_of(KeyId key, std::span<const ValueId> elements) {
  const std::span<const ValueId> trunk = history_.trunk(key);
  if (elements.size() <= trunk.size() &&
      std::equal(elements.begin(), elements.end(), trunk.begin())) {
    return ListId::prefix(static_cast<std::uint32_t>(elements.size()));
  }
  const auto next = static_cast<std::uint32_t>(literal_list_count());
  const auto [id, is_new] =
      id_of_cut_.try_emplace({elements.data(), elements.size()}, ListId::literal(next));
  if (is_new) {
    cut_.push_back(elements);
  }
  return id->second;
}

}  // namespace elapid
