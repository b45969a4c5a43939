#include <fmt/format.h>

#include <algorithm>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"
#include "adapter/report/report.h"
#include "adapter/report/sha256.h"
#include "adapter/report/views/views.h"
#include "report_texts.h"

namespace elapid {
namespace {

std::string_view word(Validity validity) {
  return validity == Validity::kValid     ? "valid"
         : validity == Validity::kInvalid ? "invalid"
                                          : "unknown";
}

/// Nothing is fetched, and no script runs but the page's own, whatever the history holds.
std::string policy(std::string_view script) {
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'",
      in_base64(sha256(script)));
}

/// What the page may come to, and what is kept for everything but pictures.
constexpr std::size_t kMostPageBytes = 960'000;

std::string head(const ReportModel& report, std::string_view script) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{} – {}</title>\n<style>\n{}\n{}</style>\n</head>\n",
      policy(script), html(report.headline), html(report.name), views_style(), kPageStyle);
}

std::string banner(const ReportModel& report) {
  return fmt::format(
      "<header class=\"banner\"><p class=\"brand\">elapid</p><p class=\"file\">{}</p></header>\n",
      html(report.name));
}

}  // namespace

std::string report_page(const ReportModel& report) {
  const std::string script = fmt::format("{}\n{}", views_script(), kPageScript);
  std::string page = head(report, script);
  page += fmt::format("<body class=\"{}\">\n", word(report.validity));
  page += "<a class=\"skip\" href=\"#verdict\">Skip to the verdict</a>\n" + page_shapes();
  page += banner(report) + "<div class=\"layout\">\n" + page_contents(report);
  page += "<main>\n" + page_verdict(report);
  const std::string end = page_overview(report) + page_levels(report) + page_notes(report) +
                          "</main>\n</div>\n" +
                          fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
  const std::size_t without_pictures = page.size() + page_findings(report, 0).size() + end.size();
  return page + page_findings(report, kMostPageBytes - std::min(kMostPageBytes, without_pictures)) +
         end;
}

}  // namespace elapid
