// The permitted clients of the service: those with its token, and browsers that showed it once.
#pragma once

#include <optional>
#include <string>

#include "adapter/http/problem.h"

namespace httplib {
struct Request;
struct Response;
}  // namespace httplib

namespace elapid::http {

class Admission {
 public:
  /// `token`: empty if none is needed.
  explicit Admission(std::string token);

  /// 401 if the token is needed and absent.
  [[nodiscard]] std::optional<Problem> refusal(const httplib::Request& request,
                                               bool needs_token) const;

  /// Gives the browser a cookie, which shows from now on that it knew the token. Pages of other
  /// sites cannot make it send the cookie.
  void remember(const httplib::Request& request, httplib::Response& response) const;

 private:
  [[nodiscard]] bool knows_token(const httplib::Request& request) const;

  std::string token_;
  std::string cookie_;  // `elapid-session=...`, derived from the token without telling it
};

}  // namespace elapid::http
