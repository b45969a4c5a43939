// internal (docs/elle-rules.md): within a transaction, a list must equal the transaction's last
// read of it, plus its own appends since. Without an earlier read, it must end in these appends.
#include <algorithm>

#include "engine/workloads/list_append/list_anomalies.h"

namespace elapid {

namespace {

class InternalCheck {
 public:
  explicit InternalCheck(const ListContext& context)
      : context_(context), known_(context.history.key_count()) {}

  void run(std::vector<Anomaly>& out) {
    for (std::uint32_t t = 0; t < context_.history.txn_count(); ++t) {
      if (context_.history.committed({t})) {
        check({t}, out);
      }
    }
  }

 private:
  /// What the current transaction knows of a key.
  struct Known {
    std::uint32_t txn = TxnId::none().value;
    bool read = false;        // a read is known; otherwise only a suffix of appends
    std::uint32_t since = 0;  // operation of the read, or of the first append
  };

  void check(TxnId txn, std::vector<Anomaly>& out) {
    ops_ = context_.history.ops(txn);
    for (std::uint32_t mop = 0; mop < ops_.size(); ++mop) {
      const Op op = ops_[mop];
      Known& known = known_[op.key().index()];
      if (known.txn != txn.value) {
        known = {txn.value, op.is_read(), mop};
      } else if (op.is_read()) {
        if (!matches(known, mop)) {
          out.push_back({AnomalyType::kInternal, InternalEvidence{txn, mop, expected(known, mop)}});
          return;
        }
        known = {txn.value, true, mop};
      }
    }
  }

  [[nodiscard]] std::span<const ValueId> elements(Op read) const {
    return read.kind() == OpKind::kReadList ? context_.history.elements(read)
                                            : std::span<const ValueId>();
  }

  /// The transaction's appends to the key of ops_[mop] since the known read or append.
  [[nodiscard]] std::vector<ValueId> appended(const Known& known, std::uint32_t mop) const {
    std::vector<ValueId> values;
    for (std::uint32_t i = known.since; i < mop; ++i) {
      if (ops_[i].kind() == OpKind::kAppend && ops_[i].key() == ops_[mop].key()) {
        values.push_back(ops_[i].value());
      }
    }
    return values;
  }

  [[nodiscard]] bool matches(const Known& known, std::uint32_t mop) const {
    const std::vector<ValueId> own = appended(known, mop);
    const std::span<const ValueId> seen = elements(ops_[mop]);
    if (seen.size() < own.size() ||
        !std::equal(own.begin(), own.end(), seen.end() - static_cast<std::ptrdiff_t>(own.size()))) {
      return false;
    }
    return !known.read || extends(ops_[known.since], ops_[mop], own.size());
  }

  /// Whether `later` without its last `own` elements is what `earlier` read.
  [[nodiscard]] bool extends(Op earlier, Op later, std::size_t own) const {
    const std::span<const ValueId> before = elements(earlier);
    const std::span<const ValueId> after = elements(later);
    if (after.size() != before.size() + own) {
      return false;
    }
    const bool share_trunk = earlier.kind() == OpKind::kReadList &&
                             later.kind() == OpKind::kReadList && earlier.list().is_prefix() &&
                             later.list().is_prefix();
    return share_trunk || std::equal(before.begin(), before.end(), after.begin());
  }

  [[nodiscard]] ExpectedRead expected(const Known& known, std::uint32_t mop) const {
    ExpectedRead expected{.kind =
                              known.read ? ExpectedRead::Kind::kList : ExpectedRead::Kind::kSuffix};
    const std::vector<ValueId> own = appended(known, mop);
    if (known.read) {
      const Op read = ops_[known.since];
      if (read.kind() == OpKind::kRead && own.empty()) {
        expected.kind = ExpectedRead::Kind::kScalar;  // nil
        return expected;
      }
      const std::span<const ValueId> before = elements(read);
      expected.elements.assign(before.begin(), before.end());
    }
    expected.elements.insert(expected.elements.end(), own.begin(), own.end());
    return expected;
  }

  const ListContext& context_;
  std::vector<Known> known_;  // by key
  std::span<const Op> ops_;
};

}  // namespace

void find_list_internal(const ListContext& context, std::vector<Anomaly>& out) {
  InternalCheck(context).run(out);
}

}  // namespace elapid
