#include "adapter/c/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/ir/similar_names.h"
#include "engine/ir/value_pool.h"
#include "parsers/door/availability.h"
#include "parsers/door/names.h"
#include "parsers/jepsen/initial_value.h"

namespace elapid {
namespace {

using Setting = std::pair<std::string_view, std::string Settings::*>;

constexpr std::array kSettings = {
    Setting{"accounts", &Settings::accounts},
    Setting{"anomalies", &Settings::anomalies},
    Setting{"availability", &Settings::availability},
    Setting{"clock-skew", &Settings::clock_skew},
    Setting{"cross-check", &Settings::cross_check},
    Setting{"cycle-search-timeout", &Settings::cycle_search_timeout},
    Setting{"elle-compat", &Settings::elle_compat},
    Setting{"engine", &Settings::engine},
    Setting{"failed-cas", &Settings::failed_cas},
    Setting{"format", &Settings::format},
    Setting{"group-size", &Settings::group_size},
    Setting{"independent", &Settings::independent},
    Setting{"initial", &Settings::initial},
    Setting{"key-count", &Settings::key_count},
    Setting{"levels", &Settings::levels},
    Setting{"linearizable-elements", &Settings::linearizable_elements},
    Setting{"linearizable-keys", &Settings::linearizable_keys},
    Setting{"lock", &Settings::lock},
    Setting{"lock-limit", &Settings::lock_limit},
    Setting{"max-line", &Settings::max_line},
    Setting{"memory", &Settings::memory},
    Setting{"model", &Settings::model},
    Setting{"negative-balances", &Settings::negative_balances},
    Setting{"salvage", &Settings::salvage},
    Setting{"sequential-keys", &Settings::sequential_keys},
    Setting{"sub-via", &Settings::sub_via},
    Setting{"threads", &Settings::threads},
    Setting{"timeout", &Settings::timeout},
    Setting{"total-amount", &Settings::total_amount},
    Setting{"wfr-keys", &Settings::wfr_keys},
    Setting{"work", &Settings::work},
    Setting{"ww-deps", &Settings::ww_deps},
};

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

/// Collects what options say, and keeps the first thing that is wrong with them.
class Reading {
 public:
  [[nodiscard]] const Status& status() const { return status_; }

  /// What `parse` makes of the option, or `otherwise` if it is not set.
  template <class Value, class Parse>
  Value value(const std::string& typed, Value otherwise, Parse parse) {
    if (typed.empty()) {
      return otherwise;
    }
    Result<Value> parsed = parse(typed);
    if (!parsed) {
      note(std::move(parsed.error()));
      return otherwise;
    }
    return std::move(parsed).value();
  }

  bool truth(std::string_view name, const std::string& typed) {
    if (!typed.empty() && typed != "true" && typed != "false") {
      note(usage_error(fmt::format("{} is true or false, not '{}'", name, typed)));
    }
    return typed == "true";
  }

  template <class Number>
  std::optional<Number> number(std::string_view name, const std::string& typed, Number least,
                               Number most) {
    Number number = 0;
    const char* const end = typed.data() + typed.size();
    const auto [last, error] = std::from_chars(typed.data(), end, number);
    if (typed.empty()) {
      return std::nullopt;
    }
    if (error != std::errc() || last != end || number < least || number > most) {
      note(usage_error(
          fmt::format("{} is a number from {} to {}, not '{}'", name, least, most, typed)));
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
  Status status_;
};

/// An optional field, out of a parser of what it holds.
template <class Value>
auto optionally(Result<Value> (*parse)(std::string_view)) {
  return [parse](std::string_view typed) -> Result<std::optional<Value>> {
    Result<Value> parsed = parse(typed);
    return parsed ? Result<std::optional<Value>>(std::move(parsed).value())
                  : Result<std::optional<Value>>(std::move(parsed.error()));
  };
}

ReadOptions read_options_of(const Settings& settings, Reading& reading) {
  ReadOptions options;
  options.format = reading.value(settings.format, options.format, optionally(parse_format));
  options.workload = reading.value(settings.model, options.workload, optionally(parse_workload));
  options.longest_line = reading.value(settings.max_line, options.longest_line, parse_line_length);
  options.salvage = reading.truth("salvage", settings.salvage);
  options.independent = reading.truth("independent", settings.independent);
  options.elle_compat = reading.truth("elle-compat", settings.elle_compat);
  options.words = kReadNames;
  if (!settings.initial.empty()) {
    options.initial = settings.initial;
    ValuePool values;
    if (Result<ValueId> initial = initial_value(options, ValueId::nil(), values); !initial) {
      reading.note(std::move(initial.error()));
    }
  }
  return options;
}

Assumptions assumptions_of(const Settings& settings, Reading& reading) {
  return {.wfr_keys = reading.truth("wfr-keys", settings.wfr_keys),
          .sequential_keys = reading.truth("sequential-keys", settings.sequential_keys),
          .linearizable_keys = reading.truth("linearizable-keys", settings.linearizable_keys),
          .elle_compat = reading.truth("elle-compat", settings.elle_compat)};
}

/// The value, which is one of these.
std::string one_of(std::string_view name, const std::string& typed,
                   const std::vector<std::string_view>& choices, Reading& reading) {
  if (!typed.empty() && std::ranges::find(choices, typed) == choices.end()) {
    reading.note(usage_error(
        fmt::format("{} is one of {}, not '{}'", name, fmt::join(choices, ", "), typed)));
  }
  return typed;
}

std::vector<std::string> names_in(const std::string& list) {
  const std::vector<std::string_view> names = split_list(list);
  return {names.begin(), names.end()};
}

WorkloadSettings workload_settings_of(const Settings& settings, Reading& reading) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {
      .negative_balances = reading.truth("negative-balances", settings.negative_balances),
      .total_amount = reading.number<std::int64_t>("total-amount", settings.total_amount,
                                                   std::numeric_limits<std::int64_t>::min(), kMost),
      .accounts = names_in(settings.accounts),
      .group_size = reading.number<std::int64_t>("group-size", settings.group_size, 0, kMost),
      .key_count = reading.number<std::int64_t>("key-count", settings.key_count, 0, kMost),
      .linearizable_elements =
          reading.truth("linearizable-elements", settings.linearizable_elements),
      .sub_via = names_in(settings.sub_via),
      .lock = one_of("lock", settings.lock, lock_kinds(), reading),
      .lock_limit = reading.number<std::int64_t>("lock-limit", settings.lock_limit, 1, kMost),
      .ww_deps = reading.truth("ww-deps", settings.ww_deps)};
}

CheckOptions check_options_of(const Settings& settings, Reading& reading) {
  constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  constexpr std::size_t kMostThreads = 4096;
  CheckOptions options;
  options.assumptions = assumptions_of(settings, reading);
  const bool as_elle = options.assumptions.elle_compat;
  options.models = reading.value(
      settings.levels.empty() ? std::string(kDefaultModel) : settings.levels, options.models,
      [&](std::string_view typed) { return parse_models(typed, as_elle); });
  options.each_model = is_all(settings.levels) && !as_elle;
  options.anomalies = reading.value(settings.anomalies, options.anomalies, parse_anomalies);
  options.engine = reading.value(settings.engine, options.engine, parse_engine);
  options.clock_skew = reading
                           .number<std::int64_t>("clock-skew", settings.clock_skew, 0,
                                                 std::numeric_limits<std::int64_t>::max())
                           .value_or(options.clock_skew);
  options.cross_check = reading.truth("cross-check", settings.cross_check);
  const std::string failed =
      one_of("failed-cas", settings.failed_cas, {"drop", "witness"}, reading);
  options.failed_cas = failed == "drop"      ? FailedCas::kDropped
                       : failed == "witness" ? FailedCas::kWitness
                                             : FailedCas::kUnsaid;
  options.settings = workload_settings_of(settings, reading);
  const auto work = reading.number<std::uint64_t>("work", settings.work, 0, kMost);
  options.budget.edge_visits = work.value_or(options.budget.edge_visits);
  options.budget.solver_work = work.value_or(options.budget.solver_work);
  options.budget.linearize_work = work.value_or(options.budget.linearize_work);
  options.budget.milliseconds =
      reading
          .number<std::uint64_t>("cycle-search-timeout", settings.cycle_search_timeout, 0,
                                 kLongestMilliseconds)
          .value_or(options.budget.milliseconds);
  options.threads =
      reading.number<std::size_t>("threads", settings.threads, 1, kMostThreads).value_or(1);
  options.words = kOptionNames;
  return options;
}

Limits limits_of(const Settings& settings, Reading& reading) {
  Limits limits;
  limits.time = reading.value(settings.timeout, limits.time, optionally(parse_duration));
  limits.memory = reading.value(settings.memory, limits.memory, optionally(parse_bytes));
  if (limits.time) {
    limits.words = "timeout " + settings.timeout;
  }
  if (limits.memory) {
    limits.words += (limits.words.empty() ? "memory " : " or memory ") + settings.memory;
  }
  return limits;
}

/// What each option says by itself.
Result<CheckJob> read_each(const Settings& settings) {
  Reading reading;
  CheckJob job = {.read = read_options_of(settings, reading),
                  .check = check_options_of(settings, reading),
                  .limits = limits_of(settings, reading),
                  .demands_default = settings.levels.empty(),
                  .availability = reading.value(settings.availability, std::optional<double>(),
                                                optionally(parse_availability))};
  return reading.status().ok() ? Result<CheckJob>(std::move(job))
                               : Result<CheckJob>(reading.status().error());
}

constexpr std::size_t kLongestValue = std::size_t{1} << 20;

/// What can be said of a value of any option.
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
  std::vector<std::string_view> names;
  for (const auto& [known, field] : kSettings) {
    names.push_back(known);
  }
  const std::vector<std::string> similar = similar_names(name, names, 1);
  return usage_error(fmt::format("there is no option {}{}", name,
                                 similar.empty() ? "" : "; did you mean " + similar.front() + "?"));
}

}  // namespace

Status set(Settings& settings, std::string_view name, std::string_view value) {
  const auto setting = std::ranges::find(kSettings, name, &Setting::first);
  if (setting == kSettings.end()) {
    return no_such_option(name);
  }
  if (Status status = look_at(name, value); !status.ok()) {
    return status;
  }
  Settings changed = settings;
  changed.*setting->second = value;
  const Result<CheckJob> job = read_each(changed);
  if (!job) {
    return job.error();
  }
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
