#include "adapter/http/checks/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "adapter/report/sha256.h"

namespace elapid::http {
namespace {

constexpr std::size_t kIdDigits = 32;

}  // namespace

std::string Question::id() const {
  std::string asked = digest;
  for (const std::string& option : options) {
    asked += '\n' + option;
  }
  return in_hex(sha256(asked)).substr(0, kIdDigits);
}

std::string_view name(JobState state) {
  constexpr std::array<std::string_view, 4> kNames = {"queued", "running", "done", "failed"};
  return kNames[static_cast<std::size_t>(state)];
}

bool is_job_id(std::string_view text) {
  return text.size() == kIdDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string time_text(std::int64_t milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     milliseconds % 1000);
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  const std::string whole(text);
  std::tm parts = {};
  const char* rest = ::strptime(whole.c_str(), "%Y-%m-%d", &parts);
  std::tm day = parts;
  ::timegm(&day);  // makes the 2nd of March of the 30th of February
  if (rest == nullptr || day.tm_mday != parts.tm_mday) {
    return std::nullopt;
  }
  if (*rest != '\0') {
    rest = ::strptime(rest, "T%H:%M:%S", &parts);
    if (rest == nullptr) {
      return std::nullopt;
    }
    if (*rest == '.') {
      ++rest;
      rest += std::string_view(rest).find_first_not_of("0123456789") == std::string_view::npos
                  ? 0
                  : std::string_view(rest).find_first_not_of("0123456789");
    }
    if (std::string_view(rest) != "Z") {
      return std::nullopt;
    }
  }
  return static_cast<std::int64_t>(::timegm(&parts)) * 1000;
}

}  // namespace elapid::http
