#include "parsers/edn/instant.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>

#include "parsers/edn/char_class.h"

namespace elapid::edn {

namespace {

namespace chrono = std::chrono;

/// Takes `count` digits from the front of `rest`; if there are fewer, takes none and returns -1.
int take_number(std::string_view& rest, std::size_t count) {
  if (rest.size() < count) {
    return -1;
  }
  int value = 0;
  for (const char c : rest.substr(0, count)) {
    if (!is_digit(c)) {
      return -1;
    }
    value = value * 10 + (c - '0');
  }
  rest.remove_prefix(count);
  return value;
}

/// Takes `Z` or an offset such as `-08:00` from the end of `rest`. Nothing if the offset is out of
/// range.
std::optional<chrono::minutes> take_offset(std::string_view& rest) {
  if (rest.ends_with('Z')) {
    rest.remove_suffix(1);
    return chrono::minutes(0);
  }
  constexpr std::size_t kLength = 6;
  if (rest.size() < kLength) {
    return chrono::minutes(0);
  }
  std::string_view offset = rest.substr(rest.size() - kLength);
  const char sign = offset[0];
  if ((sign != '-' && sign != '+') || offset[3] != ':') {
    return chrono::minutes(0);
  }
  rest.remove_suffix(kLength);
  offset.remove_prefix(1);
  const int hours = take_number(offset, 2);
  offset.remove_prefix(1);
  const int minutes = take_number(offset, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
    return std::nullopt;
  }
  const chrono::minutes distance(hours * 60 + minutes);
  return sign == '-' ? -distance : distance;
}

/// The milliseconds of `.` and one to nine digits; further digits are cut off.
std::optional<chrono::milliseconds> parse_fraction(std::string_view rest) {
  if (rest.empty()) {
    return chrono::milliseconds(0);
  }
  if (rest.size() < 2 || rest.size() > 10 || rest.front() != '.' ||
      !std::all_of(rest.begin() + 1, rest.end(), is_digit)) {
    return std::nullopt;
  }
  std::string digits(rest.substr(1));
  digits.resize(3, '0');
  std::string_view thousandths = digits;
  return chrono::milliseconds(take_number(thousandths, 3));
}

/// A local time. Parts that are missing at the end have their least value.
std::optional<chrono::sys_time<chrono::milliseconds>> parse_local(std::string_view rest) {
  constexpr std::string_view kSeparators = "--T::";
  const int year = take_number(rest, 4);
  std::array<int, kSeparators.size()> fields = {1, 1, 0, 0, 0};
  for (std::size_t i = 0; i < fields.size() && !rest.empty(); ++i) {
    if (rest.front() != kSeparators[i]) {
      return std::nullopt;
    }
    rest.remove_prefix(1);
    fields[i] = take_number(rest, 2);
  }
  const auto [month, day, hour, minute, second] = fields;
  const auto fraction = parse_fraction(rest);
  if (year < 0 || month < 0 || day < 0 || hour < 0 || minute < 0 || second < 0 || !fraction) {
    return std::nullopt;
  }
  const auto date = chrono::year(year) / month / day;
  const int last_second = minute == 59 ? 60 : 59;
  if (!date.ok() || hour > 23 || minute > 59 || second > last_second) {
    return std::nullopt;
  }
  return chrono::sys_days(date) + chrono::hours(hour) + chrono::minutes(minute) +
         chrono::seconds(second) + *fraction;
}

}  // namespace

bool append_instant(std::string_view timestamp, std::string& out) {
  const auto offset = take_offset(timestamp);
  const auto local = parse_local(timestamp);
  if (!offset || !local) {
    return false;
  }
  const auto utc = *local - *offset;
  const auto day = chrono::floor<chrono::days>(utc);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(utc - day);
  std::array<char, 64> text;
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03d-00:00", int{date.year()},
      unsigned{date.month()}, unsigned{date.day()}, static_cast<int>(time.hours().count()),
      static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()),
      static_cast<int>(time.subseconds().count()));
  out.append(text.data(), static_cast<std::size_t>(length));
  return true;
}

bool append_uuid(std::string_view text, std::string& out) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const bool has_shape =
      std::equal(text.begin(), text.end(), kShape.begin(), kShape.end(), [](char c, char expected) {
        const char lower = static_cast<char>(c | 0x20);
        return expected == '-' ? c == '-' : is_digit(c) || (lower >= 'a' && lower <= 'f');
      });
  if (!has_shape) {
    return false;
  }
  std::transform(text.begin(), text.end(), std::back_inserter(out),
                 [](char c) { return c == '-' ? c : static_cast<char>(c | 0x20); });
  return true;
}

}  // namespace elapid::edn
