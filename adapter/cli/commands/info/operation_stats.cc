#include "adapter/cli/commands/info/operation_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/ir/visible.h"

namespace elapid {

namespace {

constexpr std::array<std::pair<double, std::string_view>, 4> kShares = {
    {{0.5, "0.5"}, {0.95, "0.95"}, {0.99, "0.99"}, {1.0, "1.0"}}};

/// `java.io.IOException` of `{:via [{:type java.io.IOException, ...} ...], ...}`.
std::string class_of_exception(std::string_view exception) {
  const std::size_t via = exception.find(":via");
  const std::size_t type = exception.find(":type ", via == std::string_view::npos ? 0 : via);
  if (type == std::string_view::npos) {
    return "unknown";
  }
  const std::string_view name = exception.substr(type + std::string_view(":type ").size());
  return std::string(name.substr(0, name.find_first_of(" ,}")));
}

std::size_t& counter_of(FunctionStats& stats, TxnStatus status) {
  return status == TxnStatus::kCommitted ? stats.ok
         : status == TxnStatus::kAborted ? stats.fail
                                         : stats.info;
}

void add_completion(const History& history, TxnId txn, const EventDetails& details,
                    OperationStats& stats) {
  FunctionStats& function = stats.by_f[details.f];
  ++counter_of(function, history.status(txn));
  const auto begun = history.event(txn, EventKind::kInvocation).time;
  const auto ended = history.event(txn, EventKind::kCompletion).time;
  if (history.has_invocation(txn) && begun && ended && *begun <= *ended) {
    function.latencies_ns.push_back(*ended - *begun);
  }
  for (const auto& [key, value] : details.extras) {
    if (key == ":exception" && history.status(txn) == TxnStatus::kIndeterminate) {
      ++stats.exceptions[class_of_exception(value)];
    }
  }
}

std::string latency_text(const FunctionStats& stats) {
  if (stats.latencies_ns.empty()) {
    return "";
  }
  const auto ms = [&](double share) { return static_cast<double>(stats.latency_at(share)) / 1e6; };
  return fmt::format("; latency {:.3f} ms, 95 % {:.3f}, 99 % {:.3f}, all {:.3f}", ms(0.5), ms(0.95),
                     ms(0.99), ms(1.0));
}

/// The classes, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> by_count(
    const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [](const auto& each) { return each.second; });
  return sorted;
}

}  // namespace

std::int64_t FunctionStats::latency_at(double share) const {
  const auto place = static_cast<std::size_t>(static_cast<double>(latencies_ns.size()) * share);
  return latencies_ns[std::min(place, latencies_ns.size() - 1)];
}

Result<OperationStats> gather_stats(LoadedHistory& loaded) {
  OperationStats stats;
  const History& history = loaded.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.has_completion(txn)) {
      continue;
    }
    const Result<EventDetails> details =
        loaded.details(history.event(txn, EventKind::kCompletion).position);
    if (!details) {
      return details.error();
    }
    add_completion(history, txn, details.value(), stats);
  }
  for (auto& [f, function] : stats.by_f) {
    std::ranges::sort(function.latencies_ns);
  }
  return stats;
}

std::string stats_text(const OperationStats& stats) {
  std::string out;
  for (const auto& [f, function] : stats.by_f) {
    out += fmt::format("  {:<14}{} ({} ok, {} fail, {} info){}{}\n", visible_line(f),
                       function.count(), function.ok, function.fail, function.info,
                       function.ok == 0 ? ", none succeeded" : "", latency_text(function));
  }
  for (const auto& [name, count] : by_count(stats.exceptions)) {
    out += fmt::format("  {:<14}{} {}\n", "exception", count, visible_line(name));
  }
  return out;
}

void write_stats(DocumentWriter& out, const OperationStats& stats) {
  const auto write = [&](std::string_view key, std::size_t count) {
    out.key(key).integer(static_cast<std::int64_t>(count));
  };
  out.key("stats").open(Container::kMap);
  for (const auto& [f, function] : stats.by_f) {
    out.form(f);
    out.open(Container::kMap);
    out.key("valid?").boolean(function.ok > 0);
    write("count", function.count());
    write("ok-count", function.ok);
    write("fail-count", function.fail);
    write("info-count", function.info);
    if (!function.latencies_ns.empty()) {
      out.key("latencies-ns").open(Container::kMap);
      for (const auto& [share, name] : kShares) {
        out.form(name);
        out.integer(function.latency_at(share));
      }
      out.close();
    }
    out.close();
  }
  out.close();
  out.key("exceptions").open(Container::kVector);
  for (const auto& [name, count] : by_count(stats.exceptions)) {
    out.open(Container::kMap);
    write("count", count);
    out.key("class").string(name);
    out.close();
  }
  out.close();
}

}  // namespace elapid
