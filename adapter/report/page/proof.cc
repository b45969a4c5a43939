#include <fmt/format.h>

#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"

namespace elapid {
namespace {

/// The number of steps shown before the reader asks for more.
constexpr std::size_t kStepsOpen = 12;

/// The label `(2)` at the start of a text: its number and its length; 0 if there is none.
std::pair<std::size_t, std::size_t> label_at(std::string_view text) {
  std::size_t number = 0;
  std::size_t at = 1;
  if (!text.starts_with('(')) {
    return {0, 0};
  }
  while (at < text.size() && at < 8 && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
    number = number * 10 + static_cast<std::size_t>(text[at++] - '0');
  }
  const bool is_label = at > 1 && at < text.size() && text[at] == ')';
  return is_label ? std::pair(number, at + 1) : std::pair(std::size_t{0}, std::size_t{0});
}

std::string_view explained(Relation relation) {
  constexpr std::array<std::string_view, 5> kMeanings = {
      "write dependency: the second overwrote what the first wrote",
      "read dependency: the second read what the first wrote",
      "anti-dependency: the second overwrote what the first read",
      "session order: one client ran the first before the second",
      "real time: the first had ended before the second began"};
  return kMeanings.at(static_cast<std::size_t>(relation));
}

class ProofHtml {
 public:
  /// Collects the sentences with numbers, which others refer to.
  explicit ProofHtml(const std::vector<ReportSentence>& sentences) {
    for (const ReportSentence& sentence : sentences) {
      if (const std::size_t number = label_of(sentence).first; number > 0) {
        numbered_.emplace(number, sentence.anchor);
      }
    }
  }

  std::string list(const std::vector<ReportSentence>& sentences) const {
    std::string items;
    std::size_t place = 0;
    for (const ReportSentence& sentence : sentences) {
      items += item(sentence, ++place);
      if (sentence.left_out > 0) {
        place += sentence.left_out;
        items += fmt::format("<li class=\"gap\">{} more steps are not shown here</li>\n",
                             sentence.left_out);
      }
    }
    return "<ol class=\"proof\">\n" + items + "</ol>";
  }

 private:
  static std::pair<std::size_t, std::size_t> label_of(const ReportSentence& sentence) {
    return sentence.says.empty() || sentence.says.front().kind != ReportWord::Kind::kText
               ? std::pair(std::size_t{0}, std::size_t{0})
               : label_at(sentence.says.front().text);
  }

  [[nodiscard]] std::string item(const ReportSentence& sentence, std::size_t place) const {
    std::string says;
    // A label that the list shows is left out.
    std::size_t skip = label_of(sentence).first == place ? label_of(sentence).second : 0;
    for (const ReportWord& word : sentence.says) {
      says += word_html(word, std::exchange(skip, 0));
    }
    return fmt::format(
        "<li id=\"{0}\" data-ref=\"{0}\" value=\"{1}\"><div class=\"says\" tabindex=\"-1\">{2}{3} "
        "<a class=\"self\" href=\"#{0}\" aria-label=\"Link to step {1}\">#</a></div>{4}</li>\n",
        sentence.anchor, place, says, edge(sentence), steps(sentence));
  }

  static std::string edge(const ReportSentence& sentence) {
    if (!sentence.edge) {
      return "";
    }
    const bool by_timestamps = sentence.edge->by_timestamps;
    return fmt::format(
        " <span class=\"edge {}\" title=\"{}\">{}</span>", relation_name(sentence.edge->relation),
        by_timestamps ? "by the database's timestamps the first had committed before "
                        "the second began"
                      : explained(sentence.edge->relation),
        by_timestamps ? "timestamps" : relation_name(sentence.edge->relation));
  }

  [[nodiscard]] std::string steps(const ReportSentence& sentence) const {
    if (sentence.steps.empty()) {
      return "";
    }
    const std::size_t count = sentence.steps.size();
    return page_details("steps", count == 1 ? "1 step" : fmt::format("{} steps", count),
                        list(sentence.steps), count <= kStepsOpen);
  }

  [[nodiscard]] std::string word_html(const ReportWord& word, std::size_t skip) const {
    switch (word.kind) {
      case ReportWord::Kind::kActor:
        return fmt::format("<a class=\"actor\" href=\"#{0}\" data-ref=\"{0}\">{1}</a>", word.anchor,
                           html(word.text));
      case ReportWord::Kind::kValue:
        return word.whole.empty()
                   ? "<code>" + html(word.text) + "</code>"
                   : page_details("inline", "<code>" + html(word.text) + "</code>",
                                  "<code class=\"whole\">" + html(word.whole) + "</code>");
      case ReportWord::Kind::kCitation:
      case ReportWord::Kind::kText:
        break;
    }
    std::string_view text = word.text;
    text.remove_prefix(skip);
    return linked(text);
  }

  /// Links `(2)` to the sentence with that number.
  [[nodiscard]] std::string linked(std::string_view text) const {
    std::string out;
    std::size_t plain = 0;
    for (std::size_t at = text.find('('); at != std::string_view::npos;
         at = text.find('(', at + 1)) {
      const auto [number, length] = label_at(text.substr(at));
      const auto target = numbered_.find(number);
      if (length == 0 || target == numbered_.end()) {
        continue;
      }
      out += html(text.substr(plain, at - plain));
      out += fmt::format("<a class=\"by\" href=\"#{0}\" data-ref=\"{0}\">({1})</a>", target->second,
                         number);
      plain = at + length;
    }
    return out + html(text.substr(plain));
  }

  std::map<std::size_t, std::string> numbered_ = {};  // anchors
};

}  // namespace

std::string page_proof(const std::vector<ReportSentence>& sentences) {
  return ProofHtml(sentences).list(sentences);
}

}  // namespace elapid
