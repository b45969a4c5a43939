#include <fmt/format.h>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"

namespace elapid {
namespace {

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// `history.edn:12`; the whole path is shown on request.
std::string place(const ReportActor& actor) {
  std::string text = html(file_name(actor.file));
  text += actor.line > 0 ? fmt::format(":<b>{}</b>", actor.line) : "";
  const std::string whole =
      html(actor.line > 0 ? fmt::format("{}:{}", actor.file, actor.line) : actor.file);
  return fmt::format("<span class=\"place\" title=\"{}\">{}</span>", whole, text);
}

/// The whole event, if it is longer than the text shown.
std::string whole(const ReportActor& actor) {
  if (!actor.raw.empty()) {
    return page_details("whole", fmt::format("line {} as it stands in the file", actor.line),
                        "<pre><code>" + html(actor.raw) + "</code></pre>");
  }
  if (!actor.whole.empty()) {
    return page_details("whole", "the whole transaction",
                        "<pre><code>" + html(actor.whole) + "</code></pre>");
  }
  return actor.text.size() < actor.whole_bytes
             ? fmt::format("<p class=\"note\">{} bytes in all, too many for this page.</p>",
                           actor.whole_bytes)
             : "";
}

std::string card(const ReportActor& actor) {
  std::string facts = place(actor);
  if (const std::string& where = actor.place.empty() ? actor.session : actor.place;
      !where.empty()) {
    facts += "<span>" + html(where) + "</span>";
  }
  facts += fmt::format("<span class=\"status {0}\">{0}</span>", actor.status);
  facts += actor.is_reader_only ? "<span>only shows what others did</span>" : "";
  return fmt::format(
      "<li id=\"{0}\" data-ref=\"{0}\"><p class=\"head\"><b class=\"actor\">{1}</b>{2}</p>"
      "<pre><code>{3}</code></pre>{4}</li>\n",
      actor.anchor, html(actor.label), facts, html(actor.text), whole(actor));
}

}  // namespace

std::string page_cast(const ReportFinding& finding) {
  std::string cards;
  for (const ReportActor& actor : finding.actors) {
    cards += card(actor);
  }
  if (finding.actors_left_out > 0) {
    cards += fmt::format("<li class=\"gap\">{} more transactions are not shown here</li>",
                         finding.actors_left_out);
  }
  return "<ul class=\"cast\">\n" + cards + "</ul>\n";
}

}  // namespace elapid
