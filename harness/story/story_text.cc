#include "harness/story/story_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/ir/mapped.h"

namespace elapid {

namespace {

/// The number of characters in UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

std::vector<std::size_t> column_widths(const ToldStory& story) {
  auto widths = mapped<std::size_t>(
      story.columns, [&](const StoryColumn& column) { return width_of(column.name); });
  for (const StoryStep& step : story.steps) {
    widths[step.column] = std::max(widths[step.column], width_of(row_text(story, step)));
  }
  return widths;
}

void add_line(std::string line, std::string& text) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

std::string table(const ToldStory& story) {
  constexpr std::size_t kGap = 3;
  const std::vector<std::size_t> widths = column_widths(story);
  std::string text;
  std::string header(5, ' ');
  for (std::size_t c = 0; c < widths.size(); ++c) {
    header += padded(story.columns[c].name, widths[c] + kGap);
  }
  add_line(header, text);
  for (const StoryStep& step : story.steps) {
    std::string line = step.number > 0 ? fmt::format("{:>3}  ", step.number) : std::string(5, ' ');
    for (std::size_t c = 0; c < step.column; ++c) {
      line += std::string(widths[c] + kGap, ' ');
    }
    add_line(line + row_text(story, step), text);
  }
  return text;
}

}  // namespace

std::string row_text(const ToldStory& story, const StoryStep& step) {
  return step.moment.kind == StoryMoment::Kind::kBegin
             ? story.txns[step.txn].label + " " + step.text
             : step.text;
}

std::string cycle_text(const ToldStory& story) {
  if (story.edges.empty()) {
    return "";
  }
  std::string text = story.txns[story.edges.front().from].label;
  for (const StoryEdge& edge : story.edges) {
    text += fmt::format(" -{}-> {}", edge.relation, story.txns[edge.to].label);
  }
  return text;
}

std::string to_text(const ToldStory& story) {
  std::string text = story.title + "\n";
  text += (story.levels.empty() ? "" : story.levels + "; ") + story.size + "\n\n";
  text += table(story);
  const std::string cycle = cycle_text(story);
  if (!cycle.empty() || !story.claims.empty()) {
    text += "\n";
  }
  text += cycle.empty() ? "" : cycle + "\n";
  for (const std::string& claim : story.claims) {
    const std::size_t indent = claim.find_first_not_of(' ');
    text += claim.substr(0, indent) + "  - " + claim.substr(indent) + "\n";
  }
  return text;
}

}  // namespace elapid
