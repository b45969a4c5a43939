// Reads that no state between transactions explains.
#include <algorithm>
#include <map>

#include "engine/elle/list_anomalies.h"
#include "engine/infer/list_reads.h"

namespace elapid::elle {

namespace {

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
  BadElements failed(history, [&](KeyId key, std::span<const ValueId> elements) {
    ListPlaces places;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
      const Write* write = writes.find(key, elements[i]);
      if (write != nullptr && !write->failed.is_none()) {
        places.push_back(i);
      }
    }
    return places;
  });
  each_list_read(
      history, [&](TxnId txn) { return history.has_completion(txn) && history.committed(txn); },
      [&](TxnId txn, std::uint32_t mop, Op read) {
        const std::span<const ValueId> elements = history.elements(read);
        for (const std::uint32_t place : failed.of(read)) {
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
  BadElements repeated(history, [](KeyId, auto elements) { return repeated_places(elements); });
  each_list_read(
      history, [&](TxnId txn) { return is_possible(history, txn); },
      [&](TxnId txn, std::uint32_t mop, Op read) {
        const std::span<const ValueId> elements = history.elements(read);
        std::map<ValueId, std::uint32_t> counts;
        for (const std::uint32_t place : repeated.of(read)) {
          counts.try_emplace(elements[place], 1).first->second++;
        }
        if (!counts.empty()) {
          out.push_back({AnomalyType::kDuplicateElements,
                         DuplicateElementsEvidence{txn, mop, {counts.begin(), counts.end()}}});
        }
      });
}

}  // namespace elapid::elle
