#include "parsers/door/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "engine/workloads/table.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

Status check_choice(std::string_view what, const std::vector<std::string_view>& names,
                    std::string_view name) {
  return std::ranges::find(names, name) != names.end()
             ? Status()
             : Status(usage_error(fmt::format("unknown {} '{}'; there is {}", what, name,
                                              fmt::join(names, ", "))));
}

Error unknown_name(std::string_view what, std::string_view name,
                   const std::vector<std::string>& similar) {
  std::string message = fmt::format("unknown {} '{}'", what, name);
  if (!similar.empty()) {
    message += fmt::format("; did you mean {}?", fmt::join(similar, ", "));
  }
  message += similar.empty() ? "; `elapid levels` lists all" : " `elapid levels` lists all";
  return usage_error(std::move(message));
}

std::string_view without_colon(std::string_view name) {
  return name.starts_with(':') ? name.substr(1) : name;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

constexpr std::string_view kSpaces = " \t\n";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// A level in Elle's spelling.
Result<Model> parse_model_of_elle(std::string_view name) {
  const std::optional<Model> model = find_model(name);
  if (!model) {
    return unknown_name("consistency model", name, similar_models(without_colon(name)));
  }
  const std::string_view bare = without_colon(name);
  const bool is_ours = bare == "si" || bare == "ser";  // of levels that Elle has by other names
  return models_of_elle().test(*model) && !is_ours
             ? Result<Model>(*model)
             : usage_error(fmt::format("Elle does not know {}", bare));
}

std::vector<NamedModel> named(const ModelSet& models) {
  std::vector<NamedModel> all;
  for (const Model model : models) {
    all.push_back({model, std::string(friendly_name(model))});
  }
  return all;
}

using Unit = std::pair<std::string_view, std::uint64_t>;

/// The number times its unit; nothing for other text, 0, or an overflow.
std::optional<std::uint64_t> quantity(std::string_view text, std::span<const Unit> units) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) {
    return std::nullopt;
  }
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const auto& [name, size] : units) {
    if (suffix == name && number <= kMost / size) {
      return number * size;
    }
  }
  return std::nullopt;
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
  ELAPID_ASSIGN_OR_RETURN(const std::vector<NamedModel> parsed,
                          parse_model_list(list, elle_compat));
  ModelSet models;
  for (const NamedModel& one : parsed) {
    models.set(one.model);
  }
  return models;
}

Result<std::vector<NamedModel>> parse_model_list(std::string_view list, bool elle_compat) {
  if (!elle_compat && (list.empty() || list == kEmptyList)) {
    return usage_error("expected consistency models, found none; `none` demands none");
  }
  if (is_all(list)) {
    return named(elle_compat ? models_of_elle() : ModelSet::all());
  }
  if (elle_compat) {
    list = list.substr(0, list.find_last_not_of(',') + 1);
  }
  std::vector<NamedModel> models;
  for (const std::string_view name : split_list(list)) {
    ELAPID_ASSIGN_OR_RETURN(const Model model,
                            elle_compat ? parse_model_of_elle(name) : parse_model(name));
    if (std::ranges::find(models, model, &NamedModel::model) == models.end()) {
      models.push_back({model, std::string(without_colon(name))});
    }
  }
  return models;
}

bool is_all(std::string_view list) {
  return lower(trim(list)) == "all";
}

Result<Model> parse_model(std::string_view name) {
  const std::string wanted = lower(without_colon(name));
  if (wanted == "psi") {  // a common name, unknown to Elle
    return Model::kParallelSnapshotIsolation;
  }
  for (const auto& [spelling, model] : all_model_names()) {
    if (lower(spelling) == wanted) {
      return model;
    }
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
    anomalies.set(*type);
  }
  return anomalies;
}

Result<Workload> parse_workload(std::string_view name) {
  if (name == "closed-predicate") {  // Elle's name for rows that are single values
    return Workload::kRows;
  }
  ELAPID_RETURN_IF_ERROR(check_choice("workload", checked_workloads(), name));
  return *find_workload(name);
}

Result<FormatName> parse_format(std::string_view name) {
  if (const std::optional<FormatName> format = find_format(name)) {
    return *format;
  }
  const std::size_t colon = name.find(':');
  if (const auto format = find_format(name.substr(0, colon))) {
    return usage_error(fmt::format("unknown dialect '{}' of {}; there is {}",
                                   name.substr(colon + 1), format->format->name,
                                   fmt::join(format->format->dialects, ", ")));
  }
  return usage_error(
      fmt::format("unknown format '{}'; there is {}", name, fmt::join(format_names(), ", ")));
}

Result<Engine> parse_engine(std::string_view name) {
  const Status known = check_choice("engine", engine_names(), name);
  ELAPID_RETURN_IF_ERROR(known);
  return name == "elle"         ? Engine::kElle
         : name == "saturation" ? Engine::kSaturation
         : name == "search"     ? Engine::kSearch
         : name == "solver"     ? Engine::kSolver
         : name == "timestamps" ? Engine::kTimestamps
                                : Engine::kAuto;
}

std::vector<std::string_view> lock_kinds() {
  return {"plain", "owned", "reentrant", "fenced", "reentrant-fenced", "semaphore"};
}

std::vector<std::string_view> level_words() {
  std::vector<std::string_view> words = {"all", "none"};
  for (const auto& [spelling, model] : all_model_names()) {
    words.push_back(spelling);
  }
  return words;
}

std::vector<std::string_view> anomaly_words() {
  std::vector<std::string_view> words = {"none"};
  for (const AnomalyType type : AnomalySet::all()) {
    words.push_back(name(type));
  }
  return words;
}

std::vector<std::string_view> engine_names() {
  return {"auto", "elle", "saturation", "search", "solver", "timestamps"};
}

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  static constexpr Unit kUnits[] = {
      {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  const auto milliseconds = quantity(text, kUnits);
  if (!milliseconds) {
    return usage_error(fmt::format("expected a duration such as 500ms, 90s or 5m, not '{}'", text));
  }
  if (*milliseconds > kLongestMilliseconds) {
    return usage_error(fmt::format("expected a duration of at most {}h, not '{}'",
                                   kLongestDuration.count(), text));
  }
  return std::chrono::milliseconds(*milliseconds);
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr Unit kUnits[] = {{"", 1},
                                    {"K", std::uint64_t{1} << 10},
                                    {"M", std::uint64_t{1} << 20},
                                    {"G", std::uint64_t{1} << 30},
                                    {"T", std::uint64_t{1} << 40}};
  const auto bytes = quantity(text, kUnits);
  if (!bytes) {
    return usage_error(fmt::format("expected a size such as 500M or 2G, not '{}'", text));
  }
  return *bytes;
}

Result<std::uint64_t> parse_line_length(std::string_view text) {
  Result<std::uint64_t> bytes = parse_bytes(text);
  if (bytes && bytes.value() > kLongestLine) {
    return usage_error(fmt::format("expected a length of at most 4G for a line, not '{}'", text));
  }
  return bytes;
}

}  // namespace elapid
