#include "engine/solve/bad_reads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace elapid {

namespace {

struct Writers {
  std::optional<EventRef> aborted;
  std::vector<EventRef> intermediate;
  bool is_left_behind = false;  // by an indeterminate one
};

std::uint64_t name_of(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32 | value.bits();
}

/// Whether one of the reader's own operations wrote the value.
bool wrote_it(std::span<const Op> ops, OpKind write, const BadRead& read) {
  return std::ranges::any_of(ops, [&](Op op) {
    return op.kind() == write && op.key() == read.key && op.value() == read.value;
  });
}

/// Whether several transactions may have appended the element, so that none can be named: an
/// aborted one and one that went on to append, or two of the latter.
bool is_ambiguous(const BadRead& read, const Writers& writers) {
  std::set<TxnId> others;
  for (const EventRef writer : writers.intermediate) {
    if (writer.txn != read.reader) {
      others.insert(writer.txn);
    }
  }
  return others.size() + (writers.aborted ? 1 : 0) > 1;
}

Anomaly explain(const BadRead& read, const Writers& writers, bool is_own) {
  const auto anomaly = [&](AnomalyType type, std::optional<EventRef> writer) {
    return Anomaly{type, ReadEvidence{read.reader, read.mop, read.value, writer}};
  };
  if (writers.aborted) {
    return anomaly(AnomalyType::kG1a, writers.aborted);
  }
  const auto other = std::ranges::find_if(
      writers.intermediate, [&](EventRef writer) { return writer.txn != read.reader; });
  if (other != writers.intermediate.end()) {
    return anomaly(AnomalyType::kG1b, *other);
  }
  if (is_own) {
    return anomaly(AnomalyType::kFutureRead, EventRef{read.reader});
  }
  return anomaly(AnomalyType::kGarbageRead, std::nullopt);
}

/// Collects who wrote the values that were read although nobody left them behind.
class WriterSearch {
 public:
  WriterSearch(const History& history, OpKind write, std::span<const BadRead> reads)
      : history_(history), write_(write) {
    for (const BadRead& read : reads) {
      writers_[name_of(read.key, read.value)];
    }
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      search({t}, EventKind::kCompletion, history.ops({t}));
      if (const auto invoked = history.differing_invocation({t})) {
        search({t}, EventKind::kInvocation, *invoked);
      }
    }
  }

  [[nodiscard]] const Writers& of(const BadRead& read) const {
    return writers_.at(name_of(read.key, read.value));
  }

 private:
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
    if (history_.status(txn) == TxnStatus::kAborted) {
      writers.aborted = EventRef{txn, kind};
    } else if (!is_overwritten(ops, i)) {
      writers.is_left_behind |= history_.status(txn) == TxnStatus::kIndeterminate;
    } else {
      writers.intermediate.push_back({txn, kind});
    }
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
};

}  // namespace

bool explain_bad_reads(const History& history, bool is_list, std::span<const BadRead> reads,
                       std::vector<Anomaly>& out) {
  if (reads.empty()) {
    return true;
  }
  const OpKind write = is_list ? OpKind::kAppend : OpKind::kWrite;
  const WriterSearch search(history, write, reads);
  bool has_names = true;
  for (const BadRead& read : reads) {
    const Writers& writers = search.of(read);
    const std::span<const Op> ops = history.ops(read.reader);
    const bool is_shown_twice = wrote_it(ops.first(read.mop), write, read);
    if (writers.is_left_behind || is_shown_twice || (is_list && is_ambiguous(read, writers))) {
      has_names = false;
    } else {
      out.push_back(explain(read, writers, wrote_it(ops.subspan(read.mop), write, read)));
    }
  }
  return has_names;
}

}  // namespace elapid
