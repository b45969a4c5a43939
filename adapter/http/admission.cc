#include "adapter/http/admission.h"

#include <httplib.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "adapter/http/server.h"
#include "adapter/report/sha256.h"

namespace elapid::http {
namespace {

/// The host of `127.0.0.1:8080`, `[::1]:8080` or `localhost`.
std::string name_of_host(std::string_view host) {
  if (host.starts_with('[')) {
    return std::string(host.substr(1, host.find(']') - 1));
  }
  return std::string(host.substr(0, host.find(':')));
}

/// Whether a browser says that the page which asks is of another origin: a scheme and the host that
/// is asked make the own one.
bool is_foreign(const httplib::Request& request) {
  const std::string origin = request.get_header_value("Origin");
  const std::string host = request.get_header_value("Host");
  return !origin.empty() && origin != "http://" + host && origin != "https://" + host;
}

}  // namespace

Admission::Admission(std::string token, std::string host)
    : token_(std::move(token)),
      cookie_("elapid-session=" + in_hex(sha256("elapid session " + token_))),
      host_(std::move(host)) {}

bool Admission::knows_token(const httplib::Request& request) const {
  if (is_same_secret(request.get_header_value("Authorization"), "Bearer " + token_)) {
    return true;
  }
  const std::string cookies = request.get_header_value("Cookie");
  for (std::string_view rest = cookies; !rest.empty();) {
    const std::string_view cookie = rest.substr(0, rest.find(';'));
    if (is_same_secret(cookie, cookie_)) {
      return true;
    }
    rest.remove_prefix(std::min(rest.size(), cookie.size() + 1));
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  }
  return false;
}

std::optional<Problem> Admission::refusal(const httplib::Request& request, bool needs_token) const {
  if (is_foreign(request)) {
    return Problem{403, "Pages of other origins may not ask this service."};
  }
  if (!token_.empty()) {
    return needs_token && !knows_token(request)
               ? std::optional(
                     Problem{401, "The header Authorization must have the token of the service."})
               : std::nullopt;
  }
  const std::string name = name_of_host(request.get_header_value("Host"));
  if (!name.empty() && name != host_ && !is_loopback(name)) {
    return Problem{421, "A service without a token answers to the names of its own machine alone."};
  }
  return std::nullopt;
}

void Admission::remember(const httplib::Request& request, httplib::Response& response) const {
  if (!token_.empty()) {
    response.set_header("Set-Cookie", cookie_ + "; Path=/; HttpOnly; SameSite=Strict" +
                                          (request.ssl != nullptr ? "; Secure" : ""));
  }
}

}  // namespace elapid::http
