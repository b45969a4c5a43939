#include "adapter/http/page/page_routes.h"

#include <fmt/format.h>
#include <httplib.h>

#include <string>

#include "page_texts.h"

namespace elapid::http {
namespace {

/// The browser loads nothing of other hosts, and only the scripts and styles of this service.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page, with values in place of its comments.
std::string page() {
  std::string levels;
  for (const std::string_view level : kProposedLevels) {
    levels += fmt::format("<option>{}</option>", level);
  }
  std::string html(kPageHtml);
  const auto put = [&](std::string_view comment, std::string_view text) {
    for (std::size_t at = html.find(comment); at != std::string::npos;
         at = html.find(comment, at + text.size())) {
      html.replace(at, comment.size(), text);
    }
  };
  put("<!-- levels -->", levels);
  put("<!-- shapes -->", kPageShapes);
  return html;
}

Route text_route(std::string path, std::string summary, std::string type, std::string text) {
  return {.method = "GET",
          .path = std::move(path),
          .handler =
              [type, text = std::move(text)](const Call&, httplib::Response& response) {
                response.set_header("Content-Security-Policy", kPagePolicy);
                response.set_content(text, (type + "; charset=utf-8").c_str());
              },
          .summary = std::move(summary),
          .answers = {{200, "It.", {{type}}}},
          .needs_token = false};
}

}  // namespace

void add_page_routes(RouteTable& routes) {
  routes.add(text_route("/", "The page for browsers", "text/html", page()));
  routes.add(text_route("/page/page.css", "Its style", "text/css", std::string(kPageStyle)));
  routes.add(
      text_route("/page/page.js", "Its script", "text/javascript", std::string(kPageScript)));
  routes.add({.method = "POST",
              .path = "/v1/session",
              .handler = [](const Call&, httplib::Response& response) { response.status = 204; },
              .summary = "Give the browser that shows the token a cookie, which stands for it",
              .answers = {{204, "It has the cookie, if the service has a token."}},
              .is_sign_in = true});
  routes.add(text_route("/page/icon.svg", "Its icon", "image/svg+xml", std::string(kPageIcon)));
}

}  // namespace elapid::http
