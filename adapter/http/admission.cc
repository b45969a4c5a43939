#include "adapter/http/admission.h"

#include <httplib.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "adapter/http/server.h"
#include "adapter/report/sha256.h"

namespace elapid::http {
Admission::Admission(std::string token)
    : token_(std::move(token)),
      cookie_("elapid-session=" + in_hex(sha256("elapid session " + token_))) {}

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
  if (!needs_token || token_.empty() || knows_token(request)) {
    return std::nullopt;
  }
  return Problem{401, "The header Authorization must have the token of the service."};
}

void Admission::remember(const httplib::Request& request, httplib::Response& response) const {
  if (!token_.empty()) {
    response.set_header("Set-Cookie", cookie_ + "; Path=/; HttpOnly; SameSite=Strict" +
                                          (request.ssl != nullptr ? "; Secure" : ""));
  }
}

}  // namespace elapid::http
