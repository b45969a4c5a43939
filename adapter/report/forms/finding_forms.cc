#include "adapter/report/forms/finding_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "adapter/report/level_words.h"
#include "engine/ir/mapped.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

std::string joined_words(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + words[i];
  }
  return words.size() > most ? text + fmt::format(" and {} more", words.size() - most) : text;
}

std::string sentence_text(const ReportSentence& sentence) {
  std::string text;
  for (const ReportWord& word : sentence.says) {
    text += word.text;
  }
  return visible_line(text);
}

void add_proof(const std::vector<ReportSentence>& sentences, std::size_t indent,
               std::vector<std::string>& lines) {
  std::size_t place = 0;
  for (const ReportSentence& sentence : sentences) {
    const std::string text = sentence_text(sentence);
    const std::string number = fmt::format("({})", ++place);
    lines.push_back(fmt::format("{:{}}{}{}", "", indent,
                                text.starts_with(number + " ") ? "" : number + " ", text));
    add_proof(sentence.steps, indent + 4, lines);
    if (sentence.left_out > 0) {
      place += sentence.left_out;
      lines.push_back(fmt::format("{:{}}… {} more steps …", "", indent, sentence.left_out));
    }
  }
}

std::string actor_line(const ReportActor& actor) {
  const std::string where = actor.line > 0        ? fmt::format("{}:{}", actor.file, actor.line)
                            : actor.place.empty() ? actor.file
                                                  : actor.place;
  return visible_line(fmt::format("{} = {} {}", actor.label, where, actor.text));
}

}  // namespace

std::string finding_line(const ReportFinding& finding) {
  std::string text = finding.anchor + "  " + finding.name;
  text += finding.gloss.empty() ? "" : ": " + finding.gloss;
  if (!finding.keys.empty()) {
    text += fmt::format("; {}{} {}", finding.key_noun, finding.keys.size() == 1 ? "" : "s",
                        joined_words(finding.keys, 6));
  }
  text += finding.txn_count > 0 ? fmt::format("; {} transaction{}", finding.txn_count,
                                              finding.txn_count == 1 ? "" : "s")
                                : "";
  text += finding.count > 1 ? fmt::format("; {} of this class", finding.count) : "";
  text += finding.is_doubtful ? "; errors of the clocks explain it" : "";
  return visible_line(text);
}

std::vector<std::string> finding_lines(const ReportFinding& finding) {
  auto lines = mapped<std::string>(finding.actors,
                                   [&](const ReportActor& actor) { return actor_line(actor); });
  if (finding.actors_left_out > 0) {
    lines.push_back(fmt::format("… {} more transactions …", finding.actors_left_out));
  }
  add_proof(finding.proof, 0, lines);
  for (const ReportFollower& follower : finding.followers) {
    lines.push_back(visible_line(fmt::format("The same transactions show {}{}{}", follower.name,
                                             follower.gloss.empty() ? "" : ": ", follower.gloss)));
    add_proof(follower.proof, 0, lines);
  }
  return lines;
}

std::string finding_text(const ReportFinding& finding) {
  std::string text = finding_line(finding) + "\n\n";
  for (const std::string& line : finding_lines(finding)) {
    text += line + "\n";
  }
  if (finding.rules_out.any()) {
    text += fmt::format("\nThis rules out {}.\n", listed_words(spoken_names(finding.rules_out)));
  }
  return text;
}

std::string finding_markdown(const ReportFinding& finding, std::size_t most_bytes) {
  std::string text = "### " + markdown(finding_line(finding)) + "\n\n" +
                     markdown_block(finding_lines(finding), most_bytes);
  if (finding.rules_out.any()) {
    text += fmt::format("\nThis rules out {}.\n",
                        markdown(listed_words(spoken_names(finding.rules_out))));
  }
  return text;
}

std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : visible_line(text)) {
    if (c == '@' || c == '#' || c == '<' || c == '>' || c == '&') {
      out += fmt::format("&#{};", static_cast<int>(c));
      continue;
    }
    out += std::string_view("\\`*_{}[]()|~!").find(c) == std::string_view::npos ? "" : "\\";
    out += c;
  }
  return out;
}

std::string markdown_block(const std::vector<std::string>& lines, std::size_t most_bytes) {
  std::string text;
  std::size_t left_out = 0;
  for (const std::string& line : lines) {
    if (left_out == 0 && text.size() + line.size() < most_bytes) {
      text += line + "\n";
    } else {
      ++left_out;
    }
  }
  if (left_out > 0) {
    text += fmt::format("… {} more lines …\n", left_out);
  }
  std::size_t run = 0;
  std::size_t longest = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "text\n" + text + fence + "\n";
}

}  // namespace elapid
