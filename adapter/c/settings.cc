#include "adapter/c/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ir/integer_text.h"
#include "engine/ir/similar_names.h"
#include "engine/ir/value_pool.h"
#include "parsers/door/availability.h"
#include "parsers/door/names.h"
#include "parsers/jepsen/initial_value.h"

namespace elapid {
namespace {

constexpr std::string_view kOptions[] = {"accounts",
                                         "anomalies",
                                         "availability",
                                         "clock-skew",
                                         "cross-check",
                                         "cycle-search-timeout",
                                         "elle-compat",
                                         "engine",
                                         "failed-cas",
                                         "format",
                                         "group-size",
                                         "independent",
                                         "initial",
                                         "key-count",
                                         "levels",
                                         "linearizable-elements",
                                         "linearizable-keys",
                                         "lock",
                                         "lock-limit",
                                         "max-line",
                                         "memory",
                                         "model",
                                         "negative-balances",
                                         "salvage",
                                         "sequential-keys",
                                         "sub-via",
                                         "threads",
                                         "timeout",
                                         "total-amount",
                                         "wfr-keys",
                                         "work",
                                         "ww-deps"};

constexpr OptionWords kOptionNames = {.edge_visits = "the option work (edge visits)",
                                      .milliseconds = "the option cycle-search-timeout",
                                      .solver_work = "the option work",
                                      .memory = "the option memory",
                                      .clock_skew = "the option clock-skew",
                                      .linearizable_keys = "the option linearizable-keys",
                                      .elle_compat = "the option elle-compat",
                                      .workload = "the option model"};

constexpr ReadWords kReadNames = {.format = "the option format",
                                  .independent = "the option independent",
                                  .longest_line = "the option max-line",
                                  .salvage = "the option salvage"};

/// Reads options by name, and keeps the first error.
class Reading {
 public:
  explicit Reading(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] const Status& status() const { return status_; }

  /// The text of the option; empty if it is not set.
  [[nodiscard]] std::string typed(std::string_view name) const {
    const auto setting = settings_.find(name);
    return setting == settings_.end() ? std::string() : setting->second;
  }

  /// The option's text, parsed by `parse`; `otherwise` if the option is not set.
  template <class Value, class Parse>
  Value value(std::string_view name, Value otherwise, Parse parse) {
    const std::string as_typed = typed(name);
    if (as_typed.empty()) {
      return otherwise;
    }
    Result<Value> parsed = parse(as_typed);
    if (!parsed) {
      note(std::move(parsed.error()));
      return otherwise;
    }
    return std::move(parsed).value();
  }

  bool truth(std::string_view name) {
    const std::string word = typed(name);
    if (!word.empty() && word != "true" && word != "false") {
      note(usage_error(fmt::format("{} is true or false, not '{}'", name, word)));
    }
    return word == "true";
  }

  /// The value of an option, which must be one of these words.
  std::string one_of(std::string_view name, const std::vector<std::string_view>& choices) {
    std::string word = typed(name);
    if (!word.empty() && std::ranges::find(choices, word) == choices.end()) {
      note(usage_error(
          fmt::format("{} is one of {}, not '{}'", name, fmt::join(choices, ", "), word)));
    }
    return word;
  }

  [[nodiscard]] std::vector<std::string> names(std::string_view name) const {
    const std::string list = typed(name);
    const std::vector<std::string_view> names = split_list(list);
    return {names.begin(), names.end()};
  }

  template <class Number>
  std::optional<Number> number(std::string_view name, Number least, Number most) {
    const std::string word = typed(name);
    if (word.empty()) {
      return std::nullopt;
    }
    const std::optional<Number> number = integer_of<Number>(word);
    if (!number || *number < least || *number > most) {
      note(usage_error(
          fmt::format("{} is a number from {} to {}, not '{}'", name, least, most, word)));
      return std::nullopt;
    }
    return number;
  }

  void note(Error error) {
    if (status_.ok()) {
      status_ = std::move(error);
    }
  }

 private:
  const Settings& settings_;
  Status status_;
};

/// A parser of an optional value, made of the parser of the value.
template <class Value>
auto optionally(Result<Value> (*parse)(std::string_view)) {
  return [parse](std::string_view typed) -> Result<std::optional<Value>> {
    Result<Value> parsed = parse(typed);
    return parsed ? Result<std::optional<Value>>(std::move(parsed).value())
                  : Result<std::optional<Value>>(std::move(parsed.error()));
  };
}

ReadOptions read_options_of(Reading& reading) {
  ReadOptions options;
  options.format = reading.value("format", options.format, optionally(parse_format));
  options.workload = reading.value("model", options.workload, optionally(parse_workload));
  options.longest_line = reading.value("max-line", options.longest_line, parse_line_length);
  options.salvage = reading.truth("salvage");
  options.independent = reading.truth("independent");
  options.elle_compat = reading.truth("elle-compat");
  options.words = kReadNames;
  if (const std::string typed = reading.typed("initial"); !typed.empty()) {
    options.initial = typed;
    ValuePool values;
    if (Result<ValueId> initial = initial_value(options, ValueId::nil(), values); !initial) {
      reading.note(std::move(initial.error()));
    }
  }
  return options;
}

Assumptions assumptions_of(Reading& reading) {
  return {.wfr_keys = reading.truth("wfr-keys"),
          .sequential_keys = reading.truth("sequential-keys"),
          .linearizable_keys = reading.truth("linearizable-keys"),
          .elle_compat = reading.truth("elle-compat")};
}

WorkloadSettings workload_settings_of(Reading& reading) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {.negative_balances = reading.truth("negative-balances"),
          .total_amount = reading.number<std::int64_t>(
              "total-amount", std::numeric_limits<std::int64_t>::min(), kMost),
          .accounts = reading.names("accounts"),
          .group_size = reading.number<std::int64_t>("group-size", 0, kMost),
          .key_count = reading.number<std::int64_t>("key-count", 0, kMost),
          .linearizable_elements = reading.truth("linearizable-elements"),
          .sub_via = reading.names("sub-via"),
          .lock = reading.one_of("lock", lock_kinds()),
          .lock_limit = reading.number<std::int64_t>("lock-limit", 1, kMost),
          .ww_deps = reading.truth("ww-deps")};
}

CheckOptions check_options_of(Reading& reading) {
  constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  constexpr std::size_t kMostThreads = 4096;
  CheckOptions options;
  options.assumptions = assumptions_of(reading);
  const bool as_elle = options.assumptions.elle_compat;
  options.models =
      reading.value("levels", parse_models(kDefaultModel, as_elle).value(),
                    [&](std::string_view typed) { return parse_models(typed, as_elle); });
  options.each_model = is_all(reading.typed("levels")) && !as_elle;
  options.anomalies = reading.value("anomalies", options.anomalies, parse_anomalies);
  options.engine = reading.value("engine", options.engine, parse_engine);
  options.clock_skew =
      reading.number<std::int64_t>("clock-skew", 0, std::numeric_limits<std::int64_t>::max())
          .value_or(options.clock_skew);
  options.cross_check = reading.truth("cross-check");
  const std::string failed = reading.one_of("failed-cas", {"drop", "witness"});
  options.failed_cas = failed == "drop"      ? FailedCas::kDropped
                       : failed == "witness" ? FailedCas::kWitness
                                             : FailedCas::kUnsaid;
  options.settings = workload_settings_of(reading);
  const auto work = reading.number<std::uint64_t>("work", 0, kMost);
  options.budget.edge_visits = work.value_or(options.budget.edge_visits);
  options.budget.solver_work = work.value_or(options.budget.solver_work);
  options.budget.linearize_work = work.value_or(options.budget.linearize_work);
  options.budget.milliseconds =
      reading.number<std::uint64_t>("cycle-search-timeout", 0, kLongestMilliseconds)
          .value_or(options.budget.milliseconds);
  options.threads = reading.number<std::size_t>("threads", 1, kMostThreads).value_or(1);
  options.words = kOptionNames;
  return options;
}

Limits limits_of(Reading& reading) {
  Limits limits;
  limits.time = reading.value("timeout", limits.time, optionally(parse_duration));
  limits.memory = reading.value("memory", limits.memory, optionally(parse_bytes));
  if (limits.time) {
    limits.words = "timeout " + reading.typed("timeout");
  }
  if (limits.memory) {
    limits.words += (limits.words.empty() ? "memory " : " or memory ") + reading.typed("memory");
  }
  return limits;
}

/// Reads each option by itself. job_of() checks how options fit together.
Result<CheckJob> read_each(const Settings& settings) {
  Reading reading(settings);
  CheckJob job = {.read = read_options_of(reading),
                  .check = check_options_of(reading),
                  .limits = limits_of(reading),
                  .demands_default = reading.typed("levels").empty(),
                  .availability = reading.value("availability", std::optional<double>(),
                                                optionally(parse_availability))};
  return reading.status().ok() ? Result<CheckJob>(std::move(job))
                               : Result<CheckJob>(reading.status().error());
}

constexpr std::size_t kLongestValue = std::size_t{1} << 20;

/// Checks that apply to the value of every option.
Status look_at(std::string_view name, std::string_view value) {
  if (value.empty()) {
    return usage_error(fmt::format("{} needs a value", name));
  }
  if (value.size() > kLongestValue) {
    return usage_error(fmt::format("the value of {} has {} bytes; it may have {}", name,
                                   value.size(), kLongestValue));
  }
  return {};
}

Error no_such_option(std::string_view name) {
  const std::vector<std::string> similar =
      similar_names(name, {std::begin(kOptions), std::end(kOptions)}, 1);
  return usage_error(fmt::format("there is no option {}{}", name,
                                 similar.empty() ? "" : "; did you mean " + similar.front() + "?"));
}

}  // namespace

Status set(Settings& settings, std::string_view name, std::string_view value) {
  if (std::ranges::find(kOptions, name) == std::end(kOptions)) {
    return no_such_option(name);
  }
  ELAPID_RETURN_IF_ERROR(look_at(name, value));
  Settings changed = settings;
  changed.insert_or_assign(std::string(name), value);
  ELAPID_RETURN_IF_ERROR(read_each(changed));
  settings = std::move(changed);
  return {};
}

Result<CheckJob> job_of(const Settings& settings) {
  Result<CheckJob> job = read_each(settings);
  if (job && job.value().check.engine != Engine::kTimestamps &&
      (job.value().check.clock_skew != 0 || job.value().check.cross_check)) {
    return usage_error("clock-skew and cross-check need engine timestamps");
  }
  return job;
}

}  // namespace elapid
