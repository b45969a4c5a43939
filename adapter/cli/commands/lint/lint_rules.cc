#include "adapter/cli/commands/lint/lint_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "engine/levels/asked_levels.h"

namespace elapid {
namespace {

std::uint64_t pack(KeyId key, ValueId value) {
  return (std::uint64_t{key.value} << 32) | value.bits();
}

auto order(SourcePosition position) {
  return std::tuple(position.file, position.offset);
}

template <class Function>
void for_each_txn(const History& history, Function function) {
  for (std::uint32_t txn = 0; txn < history.txn_count(); ++txn) {
    function(TxnId{txn});
  }
}

/// Every value that some event wrote, aborted and indeterminate ones included.
class WritesOfValues {
 public:
  explicit WritesOfValues(const History& history) {
    add(history.all_ops());
    for_each_txn(history, [&](TxnId txn) {
      if (const auto invoked = history.differing_invocation(txn)) {
        add(*invoked);
      }
    });
    std::sort(written_.begin(), written_.end());
  }

  [[nodiscard]] bool contains(KeyId key, ValueId value) const {
    return std::binary_search(written_.begin(), written_.end(), pack(key, value));
  }

 private:
  void add(std::span<const Op> ops) {
    for (const Op op : ops) {
      if (op.is_write()) {
        written_.push_back(pack(op.key(), op.value()));
      }
    }
  }

  std::vector<std::uint64_t> written_;
};

/// Walks over reads and keeps the first sight of each value that no transaction wrote.
class GarbageSearch {
 public:
  explicit GarbageSearch(const History& history)
      : history_(history), written_(history), trunk_seen_(history.key_count(), 0) {}

  void look_at(TxnId txn) {
    for (const Op op : history_.ops(txn)) {
      if (op.kind() == OpKind::kRead && !history_.is_initial(op.value())) {
        look_at(txn, op.key(), op.value());
      } else if (op.kind() == OpKind::kReadList) {
        for (const ValueId element : unseen(op)) {
          look_at(txn, op.key(), element);
        }
      }
    }
  }

  std::vector<LintFinding> take() { return std::move(findings_); }

 private:
  /// Elements of a list that no earlier list showed. The trunk's known prefix only grows.
  std::span<const ValueId> unseen(Op read) {
    const std::span<const ValueId> elements = history_.elements(read);
    if (!read.list().is_prefix()) {
      const bool is_new = literals_seen_.insert(read.list().literal_index()).second;
      return is_new ? elements : std::span<const ValueId>();
    }
    std::size_t& seen = trunk_seen_[read.key().index()];
    const auto fresh = elements.subspan(std::min(seen, elements.size()));
    seen = std::max(seen, elements.size());
    return fresh;
  }

  void look_at(TxnId txn, KeyId key, ValueId value) {
    if (written_.contains(key, value) || !reported_.insert(pack(key, value)).second) {
      return;
    }
    findings_.push_back(
        {.rule = "unwritten-value",
         .position = history_.representative(txn).position,
         .message = fmt::format("reads {} of key {}, which no operation wrote",
                                history_.shown_text(value), history_.shown_key(key))});
  }

  const History& history_;
  const WritesOfValues written_;
  std::vector<std::size_t> trunk_seen_;
  std::unordered_set<std::uint32_t> literals_seen_;
  std::unordered_set<std::uint64_t, SeededHash> reported_;
  std::vector<LintFinding> findings_;
};

struct Write {
  std::uint64_t key_and_value;
  SourcePosition position;
};

/// All writes, each transaction's once: as invoked where the invocation differs from the
/// completion.
std::vector<Write> all_writes(const History& history) {
  std::vector<Write> writes;
  for_each_txn(history, [&](TxnId txn) {
    const bool invoked = history.has_invocation(txn);
    const Event event =
        history.event(txn, invoked ? EventKind::kInvocation : EventKind::kCompletion);
    for (const Op op : history.differing_invocation(txn).value_or(history.ops(txn))) {
      if (op.is_write()) {
        writes.push_back({pack(op.key(), op.value()), event.position});
      }
    }
  });
  return writes;
}

constexpr std::array<std::string_view, 11> kDoubtfulErrors = {
    "timeout", "time-out",    "timed out",   "timed-out",   "deadline",     "reset",
    "closed",  "broken pipe", "broken-pipe", "interrupted", "indeterminate"};

bool is_doubtful(std::string_view error) {
  std::string lower(error);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::any_of(kDoubtfulErrors.begin(), kDoubtfulErrors.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// The beginning of an error message.
std::string excerpt(const std::string& error) {
  constexpr std::size_t kMost = 80;
  return error.size() <= kMost ? error : error.substr(0, kMost) + "...";
}

std::string_view rule_of(Remark::Kind kind) {
  constexpr std::array<std::string_view, 10> kRules = {"missing-invocation", "overlapping-process",
                                                       "shape-mismatch",     "time-backwards",
                                                       "no-process",         "odd-process",
                                                       "unknown-operation",  "byte-order-mark",
                                                       "salvaged",           "remark"};
  return kRules.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::vector<LintFinding> garbage_reads(const History& history) {
  GarbageSearch search(history);
  for_each_txn(history, [&](TxnId txn) {
    if (history.committed(txn)) {
      search.look_at(txn);
    }
  });
  return search.take();
}

std::vector<LintFinding> duplicate_writes(const History& history) {
  std::vector<Write> writes = all_writes(history);
  std::sort(writes.begin(), writes.end(), [](const Write& a, const Write& b) {
    return std::tuple(a.key_and_value, order(a.position)) <
           std::tuple(b.key_and_value, order(b.position));
  });
  std::vector<LintFinding> findings;
  for (std::size_t i = 1, first = 0; i < writes.size(); ++i) {
    if (writes[i].key_and_value != writes[first].key_and_value) {
      first = i;
      continue;
    }
    const KeyId key{static_cast<std::uint32_t>(writes[i].key_and_value >> 32)};
    const ValueId value = ValueId::from_bits(static_cast<std::uint32_t>(writes[i].key_and_value));
    findings.push_back({.rule = "duplicate-write",
                        .position = writes[i].position,
                        .message = fmt::format("writes {} to key {} again",
                                               history.shown_text(value), history.shown_key(key)),
                        .other = writes[first].position});
  }
  return findings;
}

Result<std::vector<LintFinding>> doubtful_failures(const History& history,
                                                   const ErrorText& error_text) {
  std::vector<LintFinding> findings;
  for (std::uint32_t i = 0; i < history.txn_count(); ++i) {
    const TxnId txn{i};
    if (history.status(txn) != TxnStatus::kAborted) {
      continue;
    }
    const SourcePosition position = history.representative(txn).position;
    ELAPID_ASSIGN_OR_RETURN(const std::optional<std::string> error, error_text(position));
    if (error && is_doubtful(*error)) {
      findings.push_back({.rule = "doubtful-fail",
                          .position = position,
                          .message = fmt::format(
                              ":fail with error {}, which does not exclude that it took effect: "
                              "should it be :info?",
                              excerpt(*error))});
    }
  }
  return findings;
}

std::vector<LintFinding> doubtful_levels(const History& history) {
  const TxnWords& words = history.levels();
  std::vector<LintFinding> findings;
  std::vector<bool> is_told(words.words().size() + 1, words.is_empty());
  for_each_txn(history, [&](TxnId txn) {
    const TxnWords::Number number = words.number_of(txn);
    if (is_told[number] ||
        (number == TxnWords::kNone && history.status(txn) == TxnStatus::kAborted)) {
      return;
    }
    is_told[number] = true;
    const Result<Model> level = find_level_in_mix(std::string(words.of(txn)));
    if (!level) {
      findings.push_back({.rule = "doubtful-level",
                          .position = history.representative(txn).position,
                          .message = number == TxnWords::kNone
                                         ? "asks for no level, as other transactions do"
                                         : level.error().message});
    }
  });
  return findings;
}

std::vector<LintFinding> reader_findings(const History& history) {
  std::vector<LintFinding> findings;
  for (const Remark& remark : history.info().remarks) {
    findings.push_back({.rule = rule_of(remark.kind),
                        .position = remark.position,
                        .message = remark.message,
                        .other = remark.other});
  }
  return findings;
}

Result<std::vector<LintFinding>> lint(const History& history, const ErrorText& error_text) {
  Result<std::vector<LintFinding>> all = doubtful_failures(history, error_text);
  if (!all) {
    return all;
  }
  std::vector<LintFinding>& findings = all.value();
  const auto add = [&](std::vector<LintFinding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(findings));
  };
  const Workload workload = history.workload();
  // Values of objects may be sums and may repeat; so may values of other single operations.
  if (!workload.has_objects() && !workload.has_own_values()) {
    add(garbage_reads(history));
    add(duplicate_writes(history));
  }
  if (workload.has_levels()) {
    add(doubtful_levels(history));
  }
  add(reader_findings(history));
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return order(a.position) < order(b.position);
  });
  return all;
}

}  // namespace elapid
