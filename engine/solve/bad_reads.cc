#include "engine/solve/bad_reads.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace elapid {

namespace {

struct Writers {
  std::optional<EventRef> own;  // that wrote it later itself
  std::optional<EventRef> aborted;
  std::optional<EventRef> intermediate;
  bool is_left_behind = false;  // by an indeterminate one
};

std::uint64_t name_of(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32 | value.bits();
}

Anomaly explain(const BadRead& read, const Writers& writers) {
  const auto anomaly = [&](AnomalyType type, std::optional<EventRef> writer) {
    return Anomaly{type, ReadEvidence{read.reader, read.mop, read.value, writer}};
  };
  if (writers.aborted) {
    return anomaly(AnomalyType::kG1a, writers.aborted);
  }
  if (writers.intermediate && writers.intermediate->txn != read.reader) {
    return anomaly(AnomalyType::kG1b, writers.intermediate);
  }
  if (writers.own && writers.own->txn == read.reader) {
    return anomaly(AnomalyType::kFutureRead, writers.own);
  }
  return anomaly(AnomalyType::kGarbageRead, std::nullopt);
}

/// Collects who wrote the values that were read although nobody left them behind.
class WriterSearch {
 public:
  WriterSearch(const History& history, bool is_list, std::span<const BadRead> reads)
      : history_(history), write_(is_list ? OpKind::kAppend : OpKind::kWrite) {
    for (const BadRead& read : reads) {
      readers_[name_of(read.key, read.value)].push_back(read.reader);
      writers_[name_of(read.key, read.value)];
    }
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      search({t}, EventKind::kCompletion, history.ops({t}));
      if (const auto invoked = history.differing_invocation({t})) {
        search({t}, EventKind::kInvocation, *invoked);
      }
    }
  }

  [[nodiscard]] Writers of(const BadRead& read) const {
    Writers writers = writers_.at(name_of(read.key, read.value));
    const auto own = own_.find(own_name(read.reader, read.key, read.value));
    writers.own = own == own_.end() ? std::nullopt : std::optional(EventRef{read.reader});
    return writers;
  }

 private:
  static std::uint64_t own_name(TxnId txn, KeyId key, ValueId value) {
    return name_of(key, value) * 0x9e3779b97f4a7c15U ^ txn.value;
  }

  void search(TxnId txn, EventKind kind, std::span<const Op> ops) {
    if (kind == EventKind::kCompletion && !history_.has_completion(txn)) {
      kind = EventKind::kInvocation;
    }
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].kind() != write_) {
        continue;
      }
      const auto at = writers_.find(name_of(ops[i].key(), ops[i].value()));
      if (at != writers_.end()) {
        add(txn, kind, ops, i, at->second);
      }
    }
  }

  void add(TxnId txn, EventKind kind, std::span<const Op> ops, std::size_t i, Writers& writers) {
    own_.emplace(own_name(txn, ops[i].key(), ops[i].value()), txn);
    if (history_.status(txn) == TxnStatus::kAborted) {
      writers.aborted = EventRef{txn, kind};
    } else if (!is_overwritten(ops, i)) {
      writers.is_left_behind |= history_.status(txn) == TxnStatus::kIndeterminate;
    } else if (!writers.intermediate || !is_reader(writers_name(ops[i]), txn)) {
      writers.intermediate = EventRef{txn, kind};
    }
  }

  static std::uint64_t writers_name(Op op) { return name_of(op.key(), op.value()); }

  [[nodiscard]] bool is_reader(std::uint64_t name, TxnId txn) const {
    const std::vector<TxnId>& readers = readers_.at(name);
    return readers.size() == 1 && readers.front() == txn;
  }

  [[nodiscard]] bool is_overwritten(std::span<const Op> ops, std::size_t i) const {
    for (std::size_t j = i + 1; j < ops.size(); ++j) {
      if (ops[j].kind() == write_ && ops[j].key() == ops[i].key() &&
          ops[j].value() != ops[i].value()) {
        return true;
      }
    }
    return false;
  }

  const History& history_;
  OpKind write_;
  std::unordered_map<std::uint64_t, Writers> writers_;
  std::unordered_map<std::uint64_t, std::vector<TxnId>> readers_;
  std::unordered_map<std::uint64_t, TxnId> own_;
};

}  // namespace

bool explain_bad_reads(const History& history, bool is_list, std::span<const BadRead> reads,
                       std::vector<Anomaly>& out) {
  if (reads.empty()) {
    return true;
  }
  const WriterSearch search(history, is_list, reads);
  bool has_names = true;
  for (const BadRead& read : reads) {
    const Writers writers = search.of(read);
    Anomaly anomaly = explain(read, writers);
    if (anomaly.type == AnomalyType::kGarbageRead && writers.is_left_behind) {
      has_names = false;
    } else {
      out.push_back(std::move(anomaly));
    }
  }
  return has_names;
}

}  // namespace elapid
