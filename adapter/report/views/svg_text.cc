#include "adapter/report/views/svg_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "adapter/report/html.h"
#include "engine/ir/utf8.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

constexpr std::size_t kKeyColumns = 18;
constexpr std::size_t kConditionColumns = 120;

bool is_wide(char32_t code) {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
         (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
         (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
         (code >= 0x1f000 && code <= 0x3fffd);
}

struct Character {
  std::string_view bytes;
  std::size_t columns = 1;
};

std::vector<Character> characters(std::string_view text) {
  std::vector<Character> all;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    const std::size_t length = std::max<std::size_t>(next.length, 1);
    all.push_back({text.substr(0, length), is_wide(next.code) ? 2U : 1U});
    text.remove_prefix(length);
  }
  return all;
}

}  // namespace

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", std::round(value * 10) / 10);
  if (text.ends_with(".0")) {
    text.resize(text.size() - 2);
  }
  return text == "-0" ? "0" : text;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const Character& character : characters(text)) {
    count += character.columns;
  }
  return count;
}

std::string fitted(std::string_view text, std::size_t most) {
  std::string whole = visible(text);
  std::ranges::replace(whole, '\n', ' ');
  std::ranges::replace(whole, '\t', ' ');
  if (columns(whole) <= most) {
    return whole;
  }
  const std::vector<Character> all = characters(whole);
  const std::size_t back_room = most / 3;
  std::size_t front = 0;
  std::string start;
  for (std::size_t used = 0; front < all.size() && used + all[front].columns < most - back_room;
       ++front) {
    used += all[front].columns;
    start += all[front].bytes;
  }
  std::size_t back = all.size();
  for (std::size_t used = 0; back > front && used + all[back - 1].columns <= back_room; --back) {
    used += all[back - 1].columns;
  }
  std::string end;
  for (; back < all.size(); ++back) {
    end += all[back].bytes;
  }
  return start + "…" + end;
}

std::string_view edge_kind(const ExhibitEdge& edge) {
  return edge.by_timestamps ? "timestamps" : relation_name(edge.relation);
}

std::string edge_label(const ExhibitEdge& edge) {
  std::string label(edge_kind(edge));
  if (!edge.key.empty()) {
    label += " " + fitted(edge.key, kKeyColumns);
  }
  if (edge.is_assumed) {
    label += ", assumed";
  } else if (edge.by > 0) {
    label += fmt::format(", by ({})", edge.by);
  }
  return label;
}

std::string_view edge_meaning(const ExhibitEdge& edge) {
  if (edge.by_timestamps) {
    return "A comes first by the database's timestamps";
  }
  constexpr std::array<std::string_view, 5> kMeanings = {
      "B overwrote what A wrote", "B read what A wrote", "B overwrote what A read",
      "A came before B in their session", "A had ended before B began"};
  return kMeanings.at(static_cast<std::size_t>(edge.relation));
}

std::string edge_sentence(const Exhibit& exhibit, const ExhibitEdge& edge) {
  const std::string& from = exhibit.txns[edge.from].label;
  const std::string& to = exhibit.txns[edge.to].label;
  std::string meaning;
  for (const char c : edge_meaning(edge)) {
    meaning += c == 'A' ? from : c == 'B' ? to : std::string(1, c);
  }
  std::string sentence = fmt::format("{} comes before {}: {}", from, to, meaning);
  if (!edge.key.empty()) {
    sentence += " of " + fitted(edge.key, kKeyColumns);
  }
  if (!edge.condition.empty()) {
    sentence += ", asking for " + fitted(edge.condition, kConditionColumns);
  }
  return sentence + (edge.is_assumed ? ", as assumed here"
                     : edge.by > 0   ? fmt::format(", by ({})", edge.by)
                                     : "");
}

std::string edge_ends(const Exhibit& exhibit, const ExhibitEdge& edge) {
  const auto end = [&](std::size_t txn, std::optional<std::size_t> op) {
    return op ? exhibit.txns[txn].ops[*op].anchor : exhibit.txns[txn].anchor;
  };
  return end(edge.from, edge.from_op) + " " + end(edge.to, edge.to_op);
}

std::string_view status_word(TxnStatus status) {
  return status == TxnStatus::kAborted         ? "aborted"
         : status == TxnStatus::kIndeterminate ? "outcome unknown"
                                               : "";
}

std::string short_place(const Exhibit& exhibit, const ExhibitTxn& txn) {
  const std::string& session = exhibit.sessions[txn.session];
  const std::string level = txn.level.empty() ? "" : " · " + txn.level;
  if (const std::size_t at = txn.place.rfind(session + ", "); at != std::string::npos) {
    return txn.place.substr(at) + level;
  }
  const std::string place = txn.place.substr(txn.place.rfind('/') + 1);
  return (place.empty() || session == txn.label ? (place.empty() ? session : place)
                                                : session + " · " + place) +
         level;
}

std::string exhibit_title(const Exhibit& exhibit) {
  return exhibit.name + (exhibit.gloss.empty() ? "" : ": " + exhibit.gloss);
}

std::string svg_start(const Exhibit& exhibit, std::string_view kind, double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"view view-{0}\" data-view=\"{0}\" "
      "viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" role=\"group\" aria-label=\"{3} of "
      "{4}\">\n",
      kind, number(std::ceil(width)), number(std::ceil(height)),
      kind == "graph" ? "Graph" : "Timeline", html(exhibit_title(exhibit)));
}

}  // namespace elapid
