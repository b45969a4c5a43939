#include <fmt/format.h>

#include <algorithm>

#include "adapter/report/page/page_frame.h"
#include "adapter/report/page/page_parts.h"
#include "adapter/report/report.h"
#include "adapter/report/views/views.h"
#include "report_texts.h"

namespace elapid {
namespace {

/// The size of a page: pictures get what the other parts leave.
constexpr std::size_t kMostPageBytes = 960'000;

}  // namespace

std::string report_page(const ReportModel& report) {
  const std::string script = fmt::format("{}\n{}", views_script(), kPageScript);
  const std::string_view style = views_style();
  const PageFrame frame = {.title = report.headline,
                           .subject = report.name,
                           .validity = report.validity,
                           .style = style,
                           .script = script};
  const std::string begin =
      "<div class=\"layout\">\n" + page_contents(report) + "<main>\n" + page_verdict(report);
  const std::string end =
      page_overview(report) + page_levels(report) + page_notes(report) + "</main>\n</div>\n";
  const std::size_t without_pictures =
      framed_page(frame, begin + page_findings(report, 0) + end).size();
  const std::size_t for_pictures = kMostPageBytes - std::min(kMostPageBytes, without_pictures);
  return framed_page(frame, begin + page_findings(report, for_pictures) + end);
}

}  // namespace elapid
