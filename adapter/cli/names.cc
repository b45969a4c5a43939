#include "adapter/cli/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace elapid {
namespace {

/// What a user can choose from, and what will come.
struct Alternatives {
  std::string_view what;
  std::vector<std::string_view> now;
  std::vector<std::string_view> later;
};

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Status check_choice(const Alternatives& choice, std::string_view name) {
  if (contains(choice.now, name)) {
    return {};
  }
  if (contains(choice.later, name)) {
    return usage_error(fmt::format("{} {} is not there yet; there is {}", choice.what, name,
                                   fmt::join(choice.now, ", ")));
  }
  const std::string later =
      choice.later.empty() ? "" : fmt::format(" (and later {})", fmt::join(choice.later, ", "));
  return usage_error(fmt::format("unknown {} '{}'; there is {}{}", choice.what, name,
                                 fmt::join(choice.now, ", "), later));
}

Error unknown_name(std::string_view what, std::string_view name,
                   const std::vector<std::string>& similar) {
  std::string message = fmt::format("unknown {} '{}'", what, name);
  if (!similar.empty()) {
    message += fmt::format("; did you mean {}?", fmt::join(similar, ", "));
  }
  return usage_error(std::move(message));
}

std::string_view without_colon(std::string_view name) {
  return name.starts_with(':') ? name.substr(1) : name;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> parts;
  if (list.empty() || list == "none") {
    return parts;
  }
  for (;;) {
    const std::size_t comma = list.find(',');
    parts.push_back(trim(list.substr(0, comma)));
    if (comma == std::string_view::npos) {
      return parts;
    }
    list.remove_prefix(comma + 1);
  }
}

Result<ModelSet> parse_models(std::string_view list, bool elle_compat) {
  if (list == "all") {
    return elle_compat ? models_of_elle() : ModelSet().set();
  }
  ModelSet models;
  for (const std::string_view name : split_list(list)) {
    const Result<Model> model = parse_model(name);
    if (!model) {
      return model.error();
    }
    if (elle_compat && !models_of_elle().test(static_cast<std::size_t>(model.value()))) {
      return usage_error(fmt::format("Elle does not know {}", without_colon(name)));
    }
    models.set(static_cast<std::size_t>(model.value()));
  }
  return models;
}

Result<Model> parse_model(std::string_view name) {
  if (const std::optional<Model> model = find_model(name)) {
    return *model;
  }
  return unknown_name("consistency model", name, similar_models(without_colon(name)));
}

Result<AnomalySet> parse_anomalies(std::string_view list) {
  AnomalySet anomalies;
  for (const std::string_view name : split_list(list)) {
    const std::optional<AnomalyType> type = find_anomaly(without_colon(name));
    if (!type) {
      return unknown_name("anomaly", name, similar_anomalies(without_colon(name)));
    }
    anomalies.set(static_cast<std::size_t>(*type));
  }
  return anomalies;
}

Result<Workload> parse_workload(std::string_view name) {
  const Alternatives choice = {
      .what = "workload",
      .now = {"list-append", "rw-register"},
      .later = {"bank", "cas-register", "closed-predicate", "comments", "counter", "long-fork",
                "mutex", "sequential", "set", "set-full"}};
  if (const Status status = check_choice(choice, name); !status) {
    return status.error();
  }
  return name == "list-append" ? Workload::kListAppend : Workload::kRwRegister;
}

Result<FormatName> parse_format(std::string_view name) {
  if (const std::optional<FormatName> format = find_format(name)) {
    return *format;
  }
  const std::size_t colon = name.find(':');
  if (const auto format = find_format(name.substr(0, colon))) {
    return usage_error(fmt::format("unknown dialect '{}' of {}; there is {}",
                                   name.substr(colon + 1), elapid::name(format->format),
                                   fmt::join(dialects(format->format), ", ")));
  }
  return usage_error(
      fmt::format("unknown format '{}'; there is {}", name, fmt::join(format_names(), ", ")));
}

Result<Engine> parse_engine(std::string_view name) {
  const Status known =
      check_choice({.what = "engine",
                    .now = {"auto", "elle", "saturation", "search", "solver", "timestamps"},
                    .later = {}},
                   name);
  if (!known) {
    return known.error();
  }
  return name == "elle"         ? Engine::kElle
         : name == "saturation" ? Engine::kSaturation
         : name == "search"     ? Engine::kSearch
         : name == "solver"     ? Engine::kSolver
         : name == "timestamps" ? Engine::kTimestamps
                                : Engine::kAuto;
}

}  // namespace elapid
