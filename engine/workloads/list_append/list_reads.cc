// Reads of list elements that no committed state contains (docs/elle-rules.md).
#include <algorithm>
#include <map>

#include "engine/infer/hidden_writes.h"
#include "engine/infer/list_reads.h"
#include "engine/workloads/list_append/list_anomalies.h"

namespace elapid {

namespace {

bool contains(std::span<const ValueId> elements, ValueId element) {
  return std::find(elements.begin(), elements.end(), element) != elements.end();
}

class BadListReads {
 public:
  explicit BadListReads(const ListContext& context)
      : context_(context),
        suspicious_(context.history, [&context](KeyId key, std::span<const ValueId> list) {
          ListPlaces places;
          for (std::uint32_t i = 0; i < list.size(); ++i) {
            const WriteEntry* entry = context.versions.writes().find(key, list[i]);
            if (entry == nullptr || aborted_writer(context.history, *entry)) {
              places.push_back(i);
            }
          }
          return places;
        }) {}

  void run(std::vector<Anomaly>& out) {
    each_list_read(
        context_.history, [&](TxnId txn) { return context_.history.committed(txn); },
        [&](TxnId txn, std::uint32_t mop, Op read) {
          if (!context_.versions.ambiguous(read.key())) {
            report_elements(txn, mop, read, out);
            const Op external = context_.versions.lists().ops(txn)[mop];
            check_last(txn, mop, external.kind() == OpKind::kReadList ? external : read, out);
          }
        });
  }

 private:
  void report_elements(TxnId txn, std::uint32_t mop, Op read, std::vector<Anomaly>& out) {
    for (const std::uint32_t place : suspicious_.of(read)) {
      const ValueId element = context_.history.elements(read)[place];
      const WriteEntry* entry = context_.versions.writes().find(read.key(), element);
      const AnomalyType type = entry == nullptr ? AnomalyType::kGarbageRead : AnomalyType::kG1a;
      const auto writer =
          entry == nullptr ? std::nullopt : aborted_writer(context_.history, *entry);
      out.push_back({type, ReadEvidence{txn, mop, element, writer}});
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
  BadElements suspicious_;
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
  BadElements repeated(context.history,
                       [](KeyId, auto elements) { return repeated_places(elements); });
  each_list_read(
      context.history, [&](TxnId txn) { return context.versions.believed(txn); },
      [&](TxnId txn, std::uint32_t mop, Op read) {
        const bool says_nothing =
            context.versions.ambiguous(read.key()) ||
            context.versions.lists().ops(txn)[mop].kind() != OpKind::kReadList;
        if (says_nothing) {
          return;
        }
        std::map<ValueId, std::uint32_t> counts;
        for (const std::uint32_t place : repeated.of(read)) {
          counts.try_emplace(context.history.elements(read)[place], 1).first->second++;
        }
        if (!counts.empty()) {
          out.push_back({AnomalyType::kDuplicateElements,
                         DuplicateElementsEvidence{txn, mop, {counts.begin(), counts.end()}}});
        }
      });
}

}  // namespace elapid
