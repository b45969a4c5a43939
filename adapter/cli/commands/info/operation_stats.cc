#include "adapter/cli/commands/info/operation_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

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

/// The rates a second; empty without times.
std::string rate_text(const FunctionStats& function, double seconds) {
  return seconds > 0 ? fmt::format("; {:.2f} ok, {:.2f} fail, {:.2f} info a second",
                                   static_cast<double>(function.ok) / seconds,
                                   static_cast<double>(function.fail) / seconds,
                                   static_cast<double>(function.info) / seconds)
                     : "";
}

/// The seconds from the first event with a time to the last one.
double seconds_of(const History& history) {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
      if (const auto time = history.event(txn, kind).time) {
        first = std::min(first.value_or(*time), *time);
        last = std::max(last.value_or(*time), *time);
      }
    }
  }
  return first ? static_cast<double>(*last - *first) / 1e9 : 0;
}

/// Collects the clock offsets that the nemesis recorded.
Status gather_offsets(LoadedHistory& loaded, OperationStats& stats) {
  ELAPID_ASSIGN_OR_RETURN(const std::vector<ClockOffset> offsets, clock_offsets_of(loaded));
  for (const auto& [moment, node, seconds] : offsets) {
    const auto [known, is_new] = stats.clock_offsets.try_emplace(node, seconds, seconds);
    known->second = {std::min(known->second.first, seconds),
                     std::max(known->second.second, seconds)};
  }
  return {};
}

std::string latency_text(const FunctionStats& stats) {
  if (stats.latencies_ns.empty()) {
    return "";
  }
  const auto ms = [&](double share) { return static_cast<double>(stats.latency_at(share)) / 1e6; };
  return fmt::format("; latency {:.3f} ms, 95 % {:.3f}, 99 % {:.3f}, all {:.3f}", ms(0.5), ms(0.95),
                     ms(0.99), ms(1.0));
}

/// `from 12.000 to 22.000 s`
std::string span_text(const ReportFault& fault) {
  const auto seconds = [](const FaultMoment& moment) {
    return moment.time ? fmt::format("{:.3f}", static_cast<double>(*moment.time) / 1e9) : "?";
  };
  return fault.end     ? "from " + seconds(fault.begin) + " to " + seconds(*fault.end) + " s"
         : fault.lasts ? "from " + seconds(fault.begin) + " s on"
                       : "at " + seconds(fault.begin) + " s";
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
  const History& history = loaded.history();
  OperationStats stats = {.seconds = seconds_of(history)};
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.has_completion(txn)) {
      continue;
    }
    ELAPID_ASSIGN_OR_RETURN(const EventDetails details,
                            loaded.details(history.event(txn, EventKind::kCompletion).position));
    add_completion(history, txn, details, stats);
  }
  for (auto& [f, function] : stats.by_f) {
    std::ranges::sort(function.latencies_ns);
  }
  if (history.info().nemesis) {
    stats.faults = faults_of(*history.info().nemesis);
  }
  ELAPID_RETURN_IF_ERROR(gather_offsets(loaded, stats));
  return stats;
}

std::string stats_text(const OperationStats& stats) {
  std::string out;
  for (const auto& [f, function] : stats.by_f) {
    out += fmt::format("  {:<14}{} ({} ok, {} fail, {} info){}{}{}\n", visible_line(f),
                       function.count(), function.ok, function.fail, function.info,
                       function.ok == 0 ? ", none succeeded" : "", latency_text(function),
                       rate_text(function, stats.seconds));
  }
  for (const auto& [name, count] : by_count(stats.exceptions)) {
    out += fmt::format("  {:<14}{} {}\n", "exception", count, visible_line(name));
  }
  for (const ReportFault& fault : stats.faults) {
    out += fmt::format("  {:<14}{} {} {}\n", "fault", visible_line(fault.f),
                       visible_line(fault.value), span_text(fault));
  }
  for (const auto& [node, range] : stats.clock_offsets) {
    out += fmt::format("  {:<14}{} from {:.3f} to {:.3f} s\n", "clock offset", visible_line(node),
                       range.first, range.second);
  }
  return out;
}

void write_stats(DocumentWriter& out, const OperationStats& stats) {
  const auto write = [&](std::string_view key, std::size_t count) { out.key(key).integer(count); };
  out.key("stats").open(Container::kMap);
  for (const auto& [f, function] : stats.by_f) {
    out.form(f);
    out.open(Container::kMap);
    out.key("valid?").boolean(function.ok > 0);
    write("count", function.count());
    write("ok-count", function.ok);
    write("fail-count", function.fail);
    write("info-count", function.info);
    if (stats.seconds > 0) {
      const auto rate = [&](std::string_view key, std::size_t count) {
        out.key(key).form(fmt::format("{:.3f}", static_cast<double>(count) / stats.seconds));
      };
      out.key("per-second").open(Container::kMap);
      rate("ok", function.ok);
      rate("fail", function.fail);
      rate("info", function.info);
      out.close();
    }
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
  out.key("exceptions").each_map(by_count(stats.exceptions), [&](const auto& entry) {
    const auto& [name, count] = entry;
    write("count", count);
    out.key("class").string(name);
  });
  if (!stats.faults.empty()) {
    out.key("faults").each(stats.faults, [&](const ReportFault& fault) {
      const auto time = [&](const std::optional<FaultMoment>& moment) {
        moment && moment->time ? out.integer(*moment->time) : out.nil();
      };
      out.open(Container::kMap);
      out.key("f").string(fault.f);
      out.key("value").string(fault.value);
      out.key("begin-ns");
      time(fault.begin);
      out.key("end-ns");
      time(fault.end);
      out.close();
    });
  }
  if (!stats.clock_offsets.empty()) {
    out.key("clock-offsets").open(Container::kMap);
    for (const auto& [node, range] : stats.clock_offsets) {
      out.form(node);
      out.open(Container::kVector);
      out.form(fmt::format("{:.6f}", range.first));
      out.form(fmt::format("{:.6f}", range.second));
      out.close();
    }
    out.close();
  }
}

}  // namespace elapid
