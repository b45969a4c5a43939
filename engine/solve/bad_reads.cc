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
  std::vector<TxnId> left_behind;  // by transactions that did not abort
};

/// Whether one of the reader's own operations wrote the value.
bool wrote_it(std::span<const Op> ops, OpKind write, const BadRead& read) {
  return std::ranges::any_of(ops, [&](Op op) {
    return op.kind() == write && op.key() == read.key && op.value() == read.value;
  });
}

/// Whether several transactions may have appended the element, so that no anomaly has one certain
/// writer: an aborted one and one that appended again later, or two of the latter.
bool is_ambiguous(const BadRead& read, const Writers& writers) {
  std::set<TxnId> others;
  for (const EventRef writer : writers.intermediate) {
    if (writer.txn != read.reader) {
      others.insert(writer.txn);
    }
  }
  return others.size() + (writers.aborted ? 1 : 0) > 1;
}

/// Whether another transaction left the value behind. If other elements follow it in the list, any
/// append by another transaction suffices.
bool may_show(const Writers& writers, TxnId reader, bool is_followed) {
  const auto is_other = [&](TxnId writer) { return writer != reader; };
  return std::ranges::any_of(writers.left_behind, is_other) ||
         (is_followed && std::ranges::any_of(writers.intermediate, is_other, &EventRef::txn));
}

/// Calls `visit(BadRead, is_followed)` for each value that the read shows, except the initial one.
/// `is_followed`: other elements of the list come after it.
template <class Visit>
void each_shown(const History& history, ReadAt at, Visit visit) {
  const Op op = history.ops(at.reader)[at.mop];
  if (op.kind() == OpKind::kReadList) {
    const std::span<const ValueId> elements = history.elements(op);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      visit(BadRead{at.reader, at.mop, op.key(), elements[i]}, i + 1 < elements.size());
    }
  } else if (!history.is_initial(op.value())) {
    visit(BadRead{at.reader, at.mop, op.key(), op.value()}, false);
  }
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

/// Collects the writers of values that were read although no transaction left them behind.
class BadReadSearch {
 public:
  BadReadSearch(const History& history, OpKind write) : history_(history), write_(write) {}

  void want(KeyId key, ValueId value) { writers_[packed(key, value)]; }

  /// Finds the writers of all wanted values.
  void run() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      search({t}, EventKind::kCompletion, history_.ops({t}));
      if (const auto invoked = history_.aborted_attempt({t})) {
        search({t}, EventKind::kInvocation, *invoked);
      }
    }
  }

  [[nodiscard]] const Writers& of(KeyId key, ValueId value) const {
    return writers_.at(packed(key, value));
  }

 private:
  void search(TxnId txn, EventKind kind, std::span<const Op> ops) {
    if (kind == EventKind::kCompletion && !history_.has_completion(txn)) {
      kind = EventKind::kInvocation;
    }
    for (const Op op : ops) {
      if (op.kind() == write_) {
        const auto at = writers_.find(packed(op.key(), op.value()));
        add({txn, kind}, op.key(), at == writers_.end() ? nullptr : &at->second);
      }
    }
    // Not clear(): that takes time for the largest transaction so far.
    for (const auto& [key, writers] : std::exchange(last_, {})) {
      writers->left_behind.push_back(txn);
    }
  }

  /// `writers`: of the value that the transaction writes next; nullptr if it is not wanted.
  void add(EventRef writer, KeyId key, Writers* writers) {
    if (history_.status(writer.txn) == TxnStatus::kAborted) {
      if (writers != nullptr) {
        writers->aborted = writer;
      }
      return;
    }
    const auto before = last_.find(key);
    if (before != last_.end() && before->second != writers) {  // another value
      before->second->intermediate.push_back(writer);
      last_.erase(before);
    }
    if (writers != nullptr) {
      last_[key] = writers;
    }
  }

  const History& history_;
  OpKind write_;
  std::unordered_map<std::uint64_t, Writers, SeededHash> writers_;
  std::unordered_map<KeyId, Writers*> last_;  // of the current transaction: last writes, if wanted
};

}  // namespace

bool explain_bad_reads(const History& history, bool is_list, std::span<const BadRead> reads,
                       std::vector<Anomaly>& out) {
  if (reads.empty()) {
    return true;
  }
  const OpKind write = is_list ? OpKind::kAppend : OpKind::kWrite;
  BadReadSearch search(history, write);
  for (const BadRead& read : reads) {
    search.want(read.key, read.value);
  }
  search.run();
  bool has_names = true;
  for (const BadRead& read : reads) {
    const Writers& writers = search.of(read.key, read.value);
    const std::span<const Op> ops = history.ops(read.reader);
    const bool is_shown_twice = wrote_it(ops.first(read.mop), write, read);
    const bool is_left_behind = std::ranges::any_of(writers.left_behind, [&](TxnId writer) {
      return history.status(writer) == TxnStatus::kIndeterminate;
    });
    if (is_left_behind || is_shown_twice || (is_list && is_ambiguous(read, writers))) {
      has_names = false;
    } else {
      out.push_back(explain(read, writers, wrote_it(ops.subspan(read.mop), write, read)));
    }
  }
  return has_names;
}

std::vector<BadRead> impossible_reads(const History& history, bool is_list,
                                      std::span<const ReadAt> reads) {
  if (reads.empty()) {
    return {};
  }
  const OpKind write = is_list ? OpKind::kAppend : OpKind::kWrite;
  BadReadSearch search(history, write);
  for (const ReadAt& at : reads) {
    each_shown(history, at, [&](const BadRead& read, bool) { search.want(read.key, read.value); });
  }
  search.run();
  std::vector<BadRead> impossible;
  for (const ReadAt& at : reads) {
    const std::span<const Op> before = history.ops(at.reader).first(at.mop);
    std::optional<BadRead> first;
    each_shown(history, at, [&](const BadRead& read, bool is_followed) {
      const bool is_possible =
          may_show(search.of(read.key, read.value), read.reader, is_followed) ||
          wrote_it(before, write, read);
      if (!is_possible && !first) {
        first = read;
      }
    });
    if (first) {
      impossible.push_back(*first);
    }
  }
  return impossible;
}

}  // namespace elapid
