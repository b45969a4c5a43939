#include "adapter/report/order/order_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "adapter/elle/event_text.h"
#include "adapter/report/html.h"
#include "adapter/report/page/page_frame.h"
#include "adapter/source/source_words.h"
#include "engine/ir/utf8.h"
#include "engine/ir/visible.h"
#include "order_texts.h"

namespace elapid {
namespace {

constexpr std::size_t kMostBars = 200'000;
constexpr std::size_t kMostTextBytes = 200;  // of an operation
constexpr std::size_t kRows = 30;            // of the table

using Bar = OrderPicture::Bar;

/// The text of an operation, and its line in the source.
struct BarWords {
  std::string text = {};
  std::uint64_t line = 0;  ///< 0: the source has no lines
};

class Words {
 public:
  explicit Words(LoadedHistory& loaded)
      : loaded_(loaded),
        words_(loaded),
        options_(with_source(loaded, {}, {}, words_)),
        lines_(loaded) {}

  std::vector<BarWords> of(const std::vector<Bar>& bars) {
    const bool has_lines = loaded_.has_lines();
    for (const Bar& bar : bars) {
      if (has_lines) {
        lines_.want(loaded_.history().representative(bar.txn).position);
      }
    }
    std::vector<BarWords> words;
    for (const Bar& bar : bars) {
      words.push_back(
          {text_of(bar),
           has_lines ? lines_.line(loaded_.history().representative(bar.txn).position) : 0});
    }
    return words;
  }

 private:
  [[nodiscard]] std::string text_of(const Bar& bar) const {
    if (!options_.fields) {
      return "";
    }
    const EventKind kind = bar.returned ? EventKind::kCompletion : EventKind::kInvocation;
    const EventFields fields = options_.fields(bar.txn, kind);
    std::string value = fields.value;
    if (value.empty()) {
      DocumentWriter out(Syntax::kEdn);
      write_event_ops(out, loaded_.history(), {bar.txn, kind}, Names::kCut);
      value = std::move(out).take();
    }
    const std::string text = visible_line(fields.f + (value == "nil" ? "" : " " + value));
    return shortened(text, kMostTextBytes);
  }

  LoadedHistory& loaded_;
  SourceWords words_;
  TextOptions options_;
  SourceLines lines_;
};

/// A JSON string that cannot close an element of HTML.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// The picture's data: columns of numbers, with each text once.
std::string data_of(const OrderPicture& picture, const std::vector<BarWords>& words,
                    const OrderFound& found) {
  std::unordered_map<std::string_view, std::size_t> number_of;
  std::string texts;
  std::string bars;
  std::string core;
  std::string stop = "-1";
  for (std::size_t i = 0; i < picture.bars.size(); ++i) {
    const Bar& bar = picture.bars[i];
    const auto [text, is_new] = number_of.try_emplace(words[i].text, number_of.size());
    texts += is_new ? (texts.empty() ? "" : ",") + quoted(words[i].text) : "";
    bars +=
        fmt::format("{}{},{},{},{},{},{},{},{}", i == 0 ? "" : ",", bar.lane, bar.begin, bar.end,
                    bar.returned ? 1 : 0, bar.number, bar.instant, text->second, words[i].line);
    if (bar.txn == found.stops_at) {
      stop = std::to_string(i);
    }
    if (std::ranges::find(found.core, bar.txn) != found.core.end()) {
      core += (core.empty() ? "" : ",") + std::to_string(i);
    }
  }
  std::string lanes;
  for (const std::string& lane : picture.lanes) {
    lanes += (lanes.empty() ? "" : ",") + quoted(lane);
  }
  return fmt::format(
      R"({{"events":{},"lanes":[{}],"texts":[{}],"stop":{},"core":[{}],"bars":[{}]}})",
      picture.events, lanes, texts, stop, core, bars);
}

std::string row(const OrderPicture& picture, const Bar& bar, const BarWords& words,
                std::string_view number) {
  return fmt::format(
      "<tr><td class=\"number\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n",
      number, html(picture.lanes[bar.lane]), html(words.text),
      words.line == 0 ? "" : std::to_string(words.line));
}

/// The last operations of the order, and the operation at which it stops.
std::string table(const OrderPicture& picture, const std::vector<BarWords>& words,
                  const OrderFound& found) {
  std::vector<std::size_t> ordered;
  std::string last;
  for (std::size_t i = 0; i < picture.bars.size(); ++i) {
    if (picture.bars[i].number != 0) {
      ordered.push_back(i);
    }
    if (picture.bars[i].txn == found.stops_at) {
      last = row(picture, picture.bars[i], words[i], "none");
    }
  }
  std::ranges::sort(ordered, {}, [&](std::size_t i) { return picture.bars[i].number; });
  std::string rows;
  for (std::size_t k = ordered.size() - std::min(ordered.size(), kRows); k < ordered.size(); ++k) {
    const Bar& bar = picture.bars[ordered[k]];
    rows += row(picture, bar, words[ordered[k]], std::to_string(bar.number));
  }
  return "<h2>The end of the order</h2>\n<table><thead><tr><th>Place</th><th>Process</th>"
         "<th>Operation</th><th>Line</th></tr></thead><tbody>\n" +
         rows + last + "</tbody></table>\n";
}

/// The reason why the order stops: the sentences of the first finding.
std::string reason(const ReportModel& report) {
  std::string out;
  for (const ReportSentence& sentence :
       report.findings.empty() ? std::vector<ReportSentence>() : report.findings.front().proof) {
    out += "<li>";
    for (const ReportWord& word : sentence.says) {
      out += html(word.text);
    }
    out += "</li>\n";
  }
  return out.empty() ? "" : "<ol class=\"why\">\n" + out + "</ol>\n";
}

std::string summary(const OrderPicture& picture, const OrderFound& found) {
  std::string text = found.stops_at.is_none()
                         ? fmt::format("An order of all {} operations was found.", picture.ordered)
                         : fmt::format(
                               "{} operations have an order. No order goes on where the "
                               "marked operation returns.",
                               picture.ordered);
  if (picture.left_out > 0) {
    text += fmt::format(" The first {} operations are not drawn.", picture.left_out);
  }
  return "<p>" + text + "</p>\n";
}

constexpr std::string_view kControls =
    "<div class=\"tools\" hidden><button data-do=\"start\">Start</button>"
    "<button data-do=\"stop\">Where it stops</button><button data-do=\"end\">End</button>"
    "<button data-do=\"in\" aria-label=\"Nearer\">+</button>"
    "<button data-do=\"out\" aria-label=\"Farther\">−</button>"
    "<label>Line <input type=\"number\" min=\"1\"></label></div>\n"
    "<canvas tabindex=\"0\" hidden aria-label=\"Operations over time by process; the arrow keys "
    "move, + and - zoom\"></canvas>\n<p class=\"detail note\" aria-live=\"polite\"></p>\n";

}  // namespace

std::string order_page(LoadedHistory& loaded, const OrderFound& found, const ReportModel& report) {
  const OrderPicture picture = order_picture(loaded.history(), found, kMostBars);
  if (picture.bars.empty()) {
    return {};
  }
  const std::vector<BarWords> words = Words(loaded).of(picture.bars);
  const std::string title = "The order: " + report.headline;
  const PageFrame frame = {.title = title,
                           .subject = report.name,
                           .validity = report.validity,
                           .style = kOrderStyle,
                           .script = kOrderScript};
  return framed_page(frame,
                     fmt::format("<main class=\"order\"><h1 id=\"verdict\">{}</h1>\n{}{}{}"
                                 "<script type=\"application/json\" id=\"bars\">{}</script>\n{}"
                                 "<p><a href=\"report.html\">The report</a></p></main>\n",
                                 html(report.headline), summary(picture, found),
                                 found.stops_at.is_none() ? "" : reason(report), kControls,
                                 data_of(picture, words, found), table(picture, words, found)));
}

}  // namespace elapid
