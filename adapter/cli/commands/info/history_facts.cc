#include "adapter/cli/commands/info/history_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/elle/ladder_text.h"
#include "adapter/source/contention.h"
#include "engine/ir/visible.h"
#include "engine/rows/rows.h"
#include "engine/rows/words.h"

namespace elapid {
namespace {

constexpr std::array<std::string_view, 6> kOpNames = {"reads",   "list-reads", "writes",
                                                      "appends", "others",     "row-operations"};
constexpr std::array<std::string_view, 8> kRowOpNames = {
    "inserts",           "updates",          "puts", "deletes", "reads", "predicate-reads",
    "predicate-updates", "predicate-deletes"};

/// The earliest and the latest time of any event.
class TimeSpan {
 public:
  void add(const Event& event) {
    if (!event.id.is_none() && event.time) {
      first_ = std::min(first_, *event.time);
      last_ = std::max(last_, *event.time);
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> ns() const {
    if (first_ > last_) {
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(last_) - static_cast<std::uint64_t>(first_);
  }

 private:
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
};

std::size_t bytes_in_memory(const History& history) {
  const auto& rows = history.info().rows;
  return history.memory_bytes() + (rows ? rows->memory_bytes() : 0);
}

double bytes_per_operation(const History& history) {
  const std::size_t operations = std::max<std::size_t>(1, history.op_count());
  return static_cast<double>(bytes_in_memory(history)) / static_cast<double>(operations);
}

double seconds(std::uint64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

/// The counts that are not zero, as `4 inserts, 12 reads`.
template <std::size_t kCount>
std::string counts_text(const std::array<std::size_t, kCount>& counts,
                        const std::array<std::string_view, kCount>& names) {
  std::string parts;
  for (std::size_t kind = 0; kind < kCount; ++kind) {
    if (counts.at(kind) > 0) {
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", counts.at(kind), names.at(kind));
    }
  }
  return parts;
}

std::string operations_text(const HistoryFacts& facts, std::size_t all) {
  const bool are_of_rows = facts.count(OpKind::kRow) == all && all > 0;
  const std::string parts = are_of_rows ? counts_text(facts.row_operations, kRowOpNames)
                                        : counts_text(facts.operations, kOpNames);
  return parts.empty() ? fmt::format("{}", all) : fmt::format("{} ({})", all, parts);
}

/// Labels padded to one width; an empty label continues the line above.
std::string aligned(const std::vector<std::pair<std::string_view, std::string>>& lines) {
  std::string out;
  for (const auto& [label, text] : lines) {
    out += fmt::format("  {:<14}{}\n", label, text);
  }
  return out;
}

void write_count(DocumentWriter& out, std::string_view key, std::size_t count) {
  out.key(key).integer(count);
}

void write_status_counts(DocumentWriter& out, const HistoryFacts& facts) {
  out.key("transactions").open(Container::kMap);
  write_count(out, "committed", facts.committed);
  write_count(out, "aborted", facts.aborted);
  write_count(out, "indeterminate", facts.indeterminate);
  out.close();
}

void write_operation_counts(DocumentWriter& out, const HistoryFacts& facts) {
  out.key("operations").open(Container::kMap);
  for (std::size_t kind = 0; kind < kOpNames.size(); ++kind) {
    const bool is_of_rows = kind == static_cast<std::size_t>(OpKind::kRow);
    if (!is_of_rows || facts.operations.at(kind) > 0) {
      write_count(out, kOpNames.at(kind), facts.operations.at(kind));
    }
  }
  out.close();
}

void write_rows(DocumentWriter& out, const HistoryFacts& facts, const rows::Rows& rows) {
  out.key("rows").open(Container::kMap);
  write_count(out, "columns", rows.column_count());
  write_count(out, "found", facts.rows_found);
  for (std::size_t kind = 0; kind < kRowOpNames.size(); ++kind) {
    write_count(out, kRowOpNames.at(kind), facts.row_operations.at(kind));
  }
  out.close();
}

void write_contention(DocumentWriter& out, const Contention& found) {
  out.key("contention").open(Container::kMap);
  out.key("overlapping-transactions");
  found.overlapping ? out.integer(static_cast<std::int64_t>(*found.overlapping)) : out.nil();
  write_count(out, "committed-transactions", found.committed);
  write_count(out, "keys-of-many-writers", found.keys_of_many_writers);
  write_count(out, "written-keys", found.written_keys);
  write_count(out, "reads-of-others", found.reads_of_others);
  write_count(out, "committed-reads", found.reads);
  out.close();
}

void write_origin(DocumentWriter& out, const HistoryOrigin& origin) {
  out.key("file").string(origin.path);
  out.key("format").keyword(origin.format);
  out.key("format-reason").string(origin.format_reason);
  out.key("workload").keyword(origin.workload);
}

using NamedRules = std::array<std::pair<std::string_view, std::string>, 4>;

/// Rules speak of `the option initial`, which is --initial here.
std::string with_flags(std::string_view rule) {
  constexpr std::string_view kOption = "the option ";
  std::string text(rule);
  for (std::size_t at = 0; (at = text.find(kOption, at)) != std::string::npos;) {
    text.replace(at, kOption.size(), "--");
  }
  return text;
}

NamedRules named(const FormatRules& rules) {
  return {{{"initial", with_flags(rules.initial)},
           {"reads", with_flags(rules.reads)},
           {"aborted", with_flags(rules.aborted)},
           {"indeterminate", with_flags(rules.indeterminate)}}};
}

void write_rules(DocumentWriter& out, const FormatRules& rules) {
  out.key("rules").open(Container::kMap);
  for (const auto& [key, rule] : named(rules)) {
    out.key(key).string(rule);
  }
  out.close();
}

void write_assumptions(DocumentWriter& out, const std::vector<std::string>& assumptions) {
  out.key("assumptions").strings(assumptions);
}

/// `12 events: kill 6, start 6`, the most frequent first.
std::string nemesis_text(const NemesisLog& nemesis) {
  std::map<std::string_view, std::size_t> counts;
  for (const NemesisEvent& event : nemesis.events) {
    ++counts[event.f];
  }
  std::vector<std::pair<std::string_view, std::size_t>> by_count(counts.begin(), counts.end());
  std::ranges::stable_sort(by_count, std::ranges::greater(),
                           [](const auto& f) { return f.second; });
  constexpr std::size_t kShown = 6;
  std::string text = fmt::format("{} events", nemesis.count);
  for (std::size_t i = 0; i < std::min(by_count.size(), kShown); ++i) {
    const auto& [f, count] = by_count[i];
    text += fmt::format("{} {} {}", i == 0 ? ":" : ",", f.empty() ? "nil" : visible_line(f), count);
  }
  return text + (by_count.size() > kShown ? ", ..." : "");
}

bool shows_initial(const History& history, Op op) {
  if (op.kind() == OpKind::kReadList) {
    return op.list() == ListId::prefix(0);
  }
  return op.kind() == OpKind::kRead && history.is_initial(op.value());
}

/// The number of keys. Of rows, those that operations name: others have keys only because a count
/// may have counted them.
std::size_t key_count(const History& history) {
  return history.info().rows ? rows::named_rows(history) : history.key_count();
}

/// `214 with 3 columns; 5310 found in all results`.
std::string rows_text(const HistoryFacts& facts, const History& history) {
  const rows::Rows& rows = *history.info().rows;
  return fmt::format("{}; {} found in all results", rows::extent_words(rows, facts.keys),
                     facts.rows_found);
}

/// How many lines match, and the first of them.
std::string logs_text(const LogMatches& logs) {
  constexpr std::size_t kMostTold = 10;
  std::string out = fmt::format("  {:<14}{} lines match in the logs of {} nodes\n", "logs",
                                logs.count, logs.logs);
  for (const LogLine& found : std::span(logs.lines).first(std::min(logs.lines.size(), kMostTold))) {
    out += fmt::format("  {:<14}{}: {}\n", "", visible_line(found.node), visible_line(found.line));
  }
  return out;
}

void write_logs(DocumentWriter& out, const LogMatches& logs) {
  out.key("log-file-pattern").open(Container::kMap);
  out.key("valid?").boolean(logs.count == 0);
  write_count(out, "count", logs.count);
  out.key("matches").each_map(logs.lines, [&](const LogLine& found) {
    out.key("node").string(found.node);
    out.key("line").string(found.line);
  });
  out.close();
}

/// How many transactions, aborted ones included, asked for each level, in the words of the history.
std::map<std::string, std::uint64_t> by_level(const History& history) {
  std::map<std::string, std::uint64_t> counts;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    ++counts[std::string(history.levels().of(txn))];
  }
  return counts;
}

std::string levels_text(const History& history) {
  std::string text;
  for (const auto& [level, count] : by_level(history)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, level.empty() ? "none" : level);
  }
  return text;
}

}  // namespace

HistoryFacts gather_facts(const History& history) {
  HistoryFacts facts;
  facts.keys = key_count(history);
  TimeSpan span;
  for (std::uint32_t i = 0; i < history.txn_count(); ++i) {
    const TxnId txn{i};
    const TxnStatus status = history.status(txn);
    ++(status == TxnStatus::kCommitted ? facts.committed
       : status == TxnStatus::kAborted ? facts.aborted
                                       : facts.indeterminate);
    span.add(history.event(txn, EventKind::kInvocation));
    span.add(history.event(txn, EventKind::kCompletion));
  }
  for (const Op op : history.all_ops()) {
    ++facts.operations.at(static_cast<std::size_t>(op.kind()));
    facts.initial_reads += std::size_t{shows_initial(history, op)};
    if (op.kind() == OpKind::kRow) {
      const rows::RowOp& row_op = history.info().rows->op(op);
      ++facts.row_operations.at(static_cast<std::size_t>(row_op.kind));
      facts.rows_found += row_op.shown_count;
    } else if (op.kind() == OpKind::kReadList) {
      facts.longest_list = std::max(facts.longest_list, history.elements(op).size());
    }
  }
  facts.time_span_ns = span.ns();
  return facts;
}

std::string facts_text(const HistoryOrigin& origin, const History& history,
                       const FurtherFacts& further) {
  const HistoryFacts facts = gather_facts(history);
  const HistoryInfo& info = history.info();
  std::vector<std::pair<std::string_view, std::string>> lines = {
      {"format", fmt::format("{}: {}", origin.format, origin.format_reason)},
      {"workload", origin.workload},
      {"sessions", fmt::format("{}", history.session_count())},
      {"transactions",
       fmt::format("{} ({} committed, {} aborted, {} indeterminate)", history.txn_count(),
                   facts.committed, facts.aborted, facts.indeterminate)},
      {"operations", operations_text(facts, history.op_count())},
  };
  if (!history.levels().is_empty()) {
    lines.emplace_back("levels", levels_text(history));
  }
  if (info.rows) {
    lines.emplace_back("rows", rows_text(facts, history));
  } else {
    lines.insert(lines.end(), {{"initial reads", fmt::format("{}", facts.initial_reads)},
                               {"keys", fmt::format("{}", history.key_count())},
                               {"longest list", fmt::format("{}", facts.longest_list)}});
  }
  lines.insert(
      lines.end(),
      {
          {"time span",
           facts.time_span_ns ? fmt::format("{:.3f} s", seconds(*facts.time_span_ns)) : "no times"},
          {"events", fmt::format("{} in {} bytes", info.event_count, info.source_bytes)},
          {"memory", fmt::format("{} bytes, {:.1f} an operation", bytes_in_memory(history),
                                 bytes_per_operation(history))},
          {"contention", contention_text(contention(history))},
          {"remarks", fmt::format("{}", info.remarks.size())},
      });
  if (info.nemesis) {
    lines.emplace_back("nemesis", nemesis_text(*info.nemesis));
  }
  for (const auto& [what, rule] : named(info.rules)) {
    lines.emplace_back(what, rule);
  }
  for (std::size_t i = 0; i < info.assumptions.size(); ++i) {
    lines.emplace_back(i == 0 ? "assumptions" : "", info.assumptions[i]);
  }
  for (auto& [what, fact] : lines) {
    fact = visible_line(fact);
  }
  return visible_line(origin.path) + "\n" + aligned(lines) +
         (further.stats == nullptr ? "" : stats_text(*further.stats)) +
         (further.logs == nullptr ? "" : logs_text(*further.logs)) +
         (further.ladder.empty() ? "" : ladder_summary(further.ladder));
}

std::string facts_map(const HistoryOrigin& origin, const History& history,
                      const FurtherFacts& further, Syntax syntax) {
  const HistoryFacts facts = gather_facts(history);
  const HistoryInfo& info = history.info();
  DocumentWriter out(syntax);
  out.open(Container::kMap);
  write_origin(out, origin);
  write_count(out, "sessions", history.session_count());
  write_status_counts(out, facts);
  write_operation_counts(out, facts);
  if (!history.levels().is_empty()) {
    out.key("levels").open(Container::kMap);
    for (const auto& [level, count] : by_level(history)) {
      out.key(level.empty() ? "none" : level);
      out.integer(count);
    }
    out.close();
  }
  write_count(out, "initial-reads", facts.initial_reads);
  write_count(out, "keys", facts.keys);
  write_count(out, "longest-list", facts.longest_list);
  if (info.rows) {
    write_rows(out, facts, *info.rows);
  }
  out.key("time-span-ns");
  facts.time_span_ns ? out.form(std::to_string(*facts.time_span_ns)) : out.nil();
  write_count(out, "events", info.event_count);
  write_count(out, "source-bytes", info.source_bytes);
  write_count(out, "memory-bytes", bytes_in_memory(history));
  out.key("memory-bytes-per-operation").form(fmt::format("{:.1f}", bytes_per_operation(history)));
  write_contention(out, contention(history));
  write_count(out, "nemesis-events", info.nemesis ? info.nemesis->count : 0);
  write_count(out, "remarks", info.remarks.size());
  write_rules(out, info.rules);
  write_assumptions(out, info.assumptions);
  if (further.logs != nullptr) {
    write_logs(out, *further.logs);
  }
  if (further.stats != nullptr) {
    write_stats(out, *further.stats);
  }
  if (!further.ladder.empty()) {
    write_ladder(out, "", further.ladder);
  }
  out.close();
  return std::move(out).take() + "\n";
}

}  // namespace elapid
