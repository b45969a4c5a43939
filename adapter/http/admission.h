// Who may ask the service: those who know its token, or whose browser has shown it once; and of
// browsers the service's own pages alone.
//
// A service on loopback without a token trusts every user of the machine, but not the pages that
// these have open: a page of another site can send requests to it, and by a name that leads to
// 127.0.0.1 even read the answers (DNS rebinding).
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
  /// `token` may be empty: none is needed. `host`: the address that is listened at.
  Admission(std::string token, std::string host);

  /// Why the request is not answered: 401 without the token where it is needed, 403 for a page of
  /// another origin, 421 for a name that is not of this machine where there is no token.
  [[nodiscard]] std::optional<Problem> refusal(const httplib::Request& request,
                                               bool needs_token) const;

  /// Lets the browser that asks show from now on, by a cookie, that it knew the token.
  void remember(const httplib::Request& request, httplib::Response& response) const;

 private:
  [[nodiscard]] bool knows_token(const httplib::Request& request) const;

  std::string token_;
  std::string cookie_;  ///< `elapid-session=...`, made of the token, which it does not tell
  std::string host_;
};

}  // namespace elapid::http
