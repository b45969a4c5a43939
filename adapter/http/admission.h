// Which clients may ask the service: those that know its token, and browsers that showed it once.
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
  /// `token` may be empty: none is needed.
  explicit Admission(std::string token);

  /// 401 without the token where it is needed.
  [[nodiscard]] std::optional<Problem> refusal(const httplib::Request& request,
                                               bool needs_token) const;

  /// Lets the browser that asks show from now on, by a cookie, that it knew the token. Pages of
  /// other sites cannot make it send the cookie.
  void remember(const httplib::Request& request, httplib::Response& response) const;

 private:
  [[nodiscard]] bool knows_token(const httplib::Request& request) const;

  std::string token_;
  std::string cookie_;  // `elapid-session=...`, made of the token, which it does not tell
};

}  // namespace elapid::http
