#include "parsers/door/test_settings.h"

#include <charconv>
#include <string>
#include <string_view>

#include "engine/ir/call.h"

namespace elapid {

namespace {

bool take(std::string_view text, std::optional<std::int64_t>& number) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (number || parsed.ec != std::errc() || parsed.ptr != end) {
    return false;
  }
  number = value;
  return true;
}

/// Takes the elements of a vector, list or set, each without its first `skipped` characters.
bool take(std::string_view text, std::size_t skipped, std::vector<std::string>& names) {
  const auto elements = text.starts_with('{') ? std::nullopt : elements_of(text);
  if (!names.empty() || !elements) {
    return false;
  }
  for (const std::string_view element : *elements) {
    names.emplace_back(element.substr(skipped));
  }
  return !names.empty();
}

bool take(const std::string& key, const std::string& value, WorkloadSettings& settings) {
  if (key == ":ww-deps") {
    return !settings.ww_deps && (settings.ww_deps = value == "true");
  }
  return key == ":accounts"       ? take(value, 0, settings.accounts)
         : key == ":sub-via"      ? take(value, 1, settings.sub_via)
         : key == ":total-amount" ? take(value, settings.total_amount)
                                  : key == ":key-count" && take(value, settings.key_count);
}

}  // namespace

WorkloadSettings with_settings_of_test(const LoadedHistory& loaded, WorkloadSettings given) {
  if (loaded.history().workload().has_levels()) {
    return given;
  }
  for (const auto& [key, value] : loaded.test()) {
    if (take(key, value, given)) {
      given.from_test.push_back(key.substr(1));
    }
  }
  return given;
}

}  // namespace elapid
