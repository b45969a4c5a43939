#include "harness/drive/database_uri.h"

#include <charconv>
#include <cstddef>
#include <optional>

namespace elapid {

namespace {

/// `%41` becomes `A`; nothing where two digits are missing.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != '%') {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (text.size() < 3) {
      return std::nullopt;
    }
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, byte, 16);
    if (error != std::errc() || end != text.data() + 3) {
      return std::nullopt;
    }
    out += static_cast<char>(byte);
    text.remove_prefix(3);
  }
  return out;
}

bool is_scheme(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// The text in place of a password.
constexpr std::string_view kHidden = "***";

void hide_password_of_user(std::string& address) {
  const std::size_t user = address.find("//");
  if (user == std::string::npos) {
    return;
  }
  const std::size_t colon = address.find(':', user);
  std::size_t at = address.substr(0, address.find('?')).rfind('@');
  at = at == std::string::npos ? address.rfind('@') : at;
  if (colon != std::string::npos && at != std::string::npos && colon < at) {
    address.replace(colon + 1, at - colon - 1, kHidden);
  }
}

void hide_passwords_of_parameters(std::string& address) {
  constexpr std::string_view kName = "password=";
  const std::size_t mark = address.find('?');
  for (std::size_t at = mark; (at = address.find(kName, at)) != std::string::npos;) {
    at += kName.size();
    address.replace(at, std::min(address.find('&', at), address.size()) - at, kHidden);
  }
}

Status add_parameter(std::string_view text, DatabaseUri& uri) {
  const std::size_t sign = text.find('=');
  const std::optional<std::string> name = decoded(text.substr(0, sign));
  const std::optional<std::string> value =
      decoded(sign == std::string_view::npos ? "" : text.substr(sign + 1));
  if (!name || !value || name->empty() || sign == std::string_view::npos) {
    return usage_error("expected parameters, as journal=wal, behind the ? of " + uri.text);
  }
  if (std::ranges::find(uri.parameters, *name, &std::pair<std::string, std::string>::first) !=
      uri.parameters.end()) {
    return usage_error("the parameter " + *name + " is there twice");
  }
  uri.parameters.emplace_back(*name, *value);
  return {};
}

}  // namespace

std::string without_password(std::string_view address) {
  std::string shown(address);
  hide_passwords_of_parameters(shown);
  hide_password_of_user(shown);
  return shown;
}

Result<DatabaseUri> parse_database_uri(std::string_view text) {
  DatabaseUri uri = {.text = without_password(text)};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !is_scheme(text.substr(0, colon))) {
    return usage_error("expected the address of a database, as rocksdb: or sqlite:test.db, found " +
                       uri.text);
  }
  uri.scheme = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  const std::size_t mark = text.find('?');
  const std::optional<std::string> address = decoded(text.substr(0, mark));
  if (!address) {
    return usage_error("a % stands before two hexadecimal digits in " + uri.text);
  }
  uri.address = *address;
  uri.encoded_address = text.substr(0, mark);
  std::string_view rest = mark == std::string_view::npos ? "" : text.substr(mark + 1);
  while (!rest.empty()) {
    const std::size_t end = rest.find('&');
    ELAPID_RETURN_IF_ERROR(add_parameter(rest.substr(0, end), uri));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return uri;
}

}  // namespace elapid
