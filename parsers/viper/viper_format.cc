#include "parsers/viper/viper_format.h"

#include <algorithm>
#include <array>

namespace elapid {

namespace {

constexpr std::array<std::string_view, 2> kViperDialects = {"json", "edn"};
constexpr std::string_view kJsonLogs = kViperDialects[0];
constexpr std::string_view kEdnLogs = kViperDialects[1];

std::vector<Sign> looks_like_viper(const FileLook& file) {
  const FirstForm& form = file.form;
  if (!form.is_object() || form.is_enclosed || !form.has_key("value") || form.has_key("type") ||
      form.has_key("process")) {
    return {};
  }
  return {{Strength::kLikely, "its objects have a value and no type", kJsonLogs}};
}

/// Empty logs are sessions without transactions.
std::vector<Sign> holds_viper_logs(const DirectoryLook& directory) {
  if (!directory.files("Jep", "").empty()) {
    return {{Strength::kStrong, "it is a directory with Jep files", kEdnLogs}};
  }
  const auto is_object = [&](const std::string& name) { return directory.head_of(name, 1) == "{"; };
  if (std::ranges::any_of(directory.files("J", ""), is_object)) {
    return {{Strength::kStrong, "it is a directory with J files that begin with `{`", kJsonLogs}};
  }
  return {};
}

constexpr std::array kViperTargets = {Target{.format = &kViperFormat,
                                             .dialect = kJsonLogs,
                                             .extension = ".viper",
                                             .extension_tells = true,
                                             .write_directory = write_viper_json,
                                             .rows = true,
                                             .rows_are_values = true,
                                             .contents_apart = true,
                                             .plan_rows = plan_viper_rows,
                                             .empty_transactions = true,
                                             .by_session = true,
                                             .excuses_unwritten = true,
                                             .zero_is_initial = true,
                                             .initial = InitialForm::kZero,
                                             .keys = kIntegers,
                                             .values = kIntegers},
                                      Target{.format = &kViperFormat,
                                             .dialect = kEdnLogs,
                                             .extension = ".viper",
                                             .write_directory = write_viper_edn,
                                             .lists = true,
                                             .empty_transactions = true,
                                             .by_session = true,
                                             .excuses_unwritten = true,
                                             .keys = kIntegers,
                                             .values = kIntegers}};

}  // namespace

constinit const Format kViperFormat = {.name = "viper",
                                       .tools = "Viper, IsoVista",
                                       .dialects = kViperDialects,
                                       .looks_at_file = looks_like_viper,
                                       .looks_at_directory = holds_viper_logs,
                                       .in_directory = "logs of Viper",
                                       .read = read_viper,
                                       .is_directory = true,
                                       .targets = kViperTargets};

}  // namespace elapid
