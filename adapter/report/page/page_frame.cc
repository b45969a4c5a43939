#include "adapter/report/page/page_frame.h"

#include <fmt/format.h>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"
#include "adapter/report/sha256.h"
#include "report_texts.h"

namespace elapid {
namespace {

/// The policy of a page: it fetches nothing, and runs no script but its own.
std::string policy(std::string_view script) {
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; {}base-uri 'none'; form-action 'none'",
      script.empty() ? "" : fmt::format("script-src 'sha256-{}'; ", in_base64(sha256(script))));
}

std::string head(const PageFrame& frame) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{} – {}</title>\n<style>\n{}\n{}</style>\n</head>\n",
      policy(frame.script), html(frame.title), html(frame.subject), frame.style, kPageStyle);
}

}  // namespace

std::string framed_page(const PageFrame& frame, std::string_view content) {
  std::string page = head(frame);
  page += fmt::format("<body class=\"{}\">\n", validity_word(frame.validity));
  page += "<a class=\"skip\" href=\"#verdict\">Skip to the verdict</a>\n" + page_shapes();
  page += fmt::format(
      "<header class=\"banner\"><p class=\"brand\">elapid</p><p class=\"file\">{}</p></header>\n",
      html(frame.subject));
  page += content;
  page += frame.script.empty() ? "" : fmt::format("<script>{}</script>\n", frame.script);
  return page + "</body>\n</html>\n";
}

}  // namespace elapid
