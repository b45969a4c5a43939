#include "adapter/report/views/views.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "adapter/report/html.h"
#include "adapter/report/views/svg_text.h"
#include "views_texts.h"

namespace elapid {

namespace {

// The pictures' style for files of their own.
//
// On a page colours are custom properties, which follow its theme. Many programs that show files do
// not support var() (librsvg, Inkscape, previews of mail) and draw black shapes. So a file contains
// each colour itself, and again in a media query for dark themes.

using Colours = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kEdge = "view-edge";  // names of properties without their two hyphens
constexpr std::string_view kVar = "var(";
constexpr std::string_view kSubject = "svg.view ";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The parts between separators, trimmed, without empty ones.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) {
      parts.push_back(part);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Notes a line that is `--name: value;` and nothing else.
void note_colour(std::string_view line, Colours& colours) {
  const std::string_view declaration = trimmed(line);
  const std::size_t colon = declaration.find(':');
  if (declaration.starts_with('-') && colon != std::string_view::npos) {
    const std::string_view value = declaration.substr(colon + 1);
    colours.insert_or_assign(std::string(declaration.substr(2, colon - 2)),
                             std::string(trimmed(value.substr(0, value.find(';')))));
  }
}

/// The first property that a declaration refers to.
std::string_view variable_in(std::string_view declaration) {
  const std::size_t begin = declaration.find(kVar) + kVar.size() + 2;
  return declaration.substr(begin, declaration.find(')', begin) - begin);
}

std::string colour_of(std::string_view name, const Colours& colours) {
  const auto known = colours.find(name);
  return known == colours.end() ? "currentColor" : known->second;
}

struct Rule {
  std::vector<std::string_view> selectors = {};
  std::vector<std::string_view> declarations = {};
};

Rule rule_of(std::string_view line) {
  const std::size_t open = line.find('{');
  return {.selectors = parts_of(line.substr(0, open), ','),
          .declarations = parts_of(line.substr(open + 1, line.rfind('}') - open - 1), ';')};
}

bool has_edge(std::string_view declaration) {
  return declaration.find(kEdge) != std::string_view::npos;
}

/// Whether the rule applies to a still picture, which has no interaction.
bool is_for_readers(std::string_view selector) {
  return selector.starts_with(kSubject) && selector.find(".is-") == std::string_view::npos &&
         selector.find(":focus") == std::string_view::npos &&
         selector.find("[data-ref]") == std::string_view::npos;
}

class PictureStyle {
 public:
  explicit PictureStyle(std::string_view css) {
    bool is_root = false;
    std::size_t roots = 0;
    for (const std::string_view line : parts_of(css, '\n')) {
      is_root = is_root ? line != "}" : line == ":root {";
      if (is_root) {
        roots += std::size_t{line == ":root {"};
        note_colour(line, roots == 1 ? light_ : dark_);
      } else if (line.ends_with("}") && line.find('{') != std::string_view::npos &&
                 !line.starts_with('@')) {
        add(rule_of(line));
      }
    }
  }

  [[nodiscard]] std::string text() const {
    std::string dark;
    for (const Rule& rule : rules_) {
      dark += with_colours(rule, dark_, true);
    }
    std::string light;
    for (const Rule& rule : rules_) {
      light += with_colours(rule, light_, false);
    }
    return light + "@media (prefers-color-scheme: dark) {\n" + dark + "}\n";
  }

 private:
  void add(Rule rule) {
    for (const std::string_view declaration : rule.declarations) {
      if (declaration.substr(2).starts_with(kEdge)) {
        for (const std::string_view selector : rule.selectors) {  // `.view .v-ww`
          edges_.emplace_back(selector.substr(selector.rfind(' ') + 1), variable_in(declaration));
        }
        return;
      }
    }
    std::erase_if(rule.selectors, [](std::string_view one) { return !is_for_readers(one); });
    if (!rule.selectors.empty()) {
      rules_.push_back(std::move(rule));
    }
  }

  /// The rule with its colours; with `only_coloured` the declarations with colours only. A rule
  /// with the colour of edges becomes a rule for each kind of edge.
  [[nodiscard]] std::string with_colours(const Rule& rule, const Colours& colours,
                                         bool only_coloured) const {
    std::string text = written(rule, colours, only_coloured, false, "");
    if (std::ranges::none_of(rule.declarations, has_edge)) {
      return text;
    }
    for (const auto& [kind, colour] : edges_) {
      Colours of_kind = colours;
      of_kind.insert_or_assign(std::string(kEdge), colour_of(colour, colours));
      text += written(rule, of_kind, only_coloured, true, kind);
    }
    return text;
  }

  /// The declarations with the colour of edges, or the other ones.
  [[nodiscard]] static std::string written(const Rule& rule, const Colours& colours,
                                           bool only_coloured, bool of_edges,
                                           std::string_view kind) {
    std::string body;
    for (const std::string_view declaration : rule.declarations) {
      const bool is_of_edge = has_edge(declaration);
      const bool is_coloured = declaration.find("var(") != std::string_view::npos;
      if (is_of_edge == of_edges && (is_coloured || !only_coloured)) {
        body += " " + resolved(declaration, colours) + ";";
      }
    }
    std::string selectors;
    for (const std::string_view selector : rule.selectors) {
      selectors += selectors.empty() ? "" : ", ";
      selectors += kSubject;
      selectors += kind.empty() ? "" : std::string(kind) + " ";
      selectors += selector.substr(kSubject.size());
    }
    return body.empty() ? "" : selectors + " {" + body + " }\n";
  }

  /// Replaces `transparent`, which some programs do not support.
  [[nodiscard]] static std::string resolved(std::string_view declaration, const Colours& colours) {
    constexpr std::string_view kTransparent = "transparent";
    std::string text(declaration);
    if (const std::size_t at = text.find(kTransparent); at != std::string::npos) {
      text.replace(at, kTransparent.size(), "none");
    }
    for (std::size_t at = text.find(kVar); at != std::string::npos; at = text.find(kVar)) {
      const std::size_t end = text.find(')', at);
      text.replace(at, end + 1 - at, colour_of(variable_in(text), colours));
    }
    return text;
  }

  Colours light_ = {};
  Colours dark_ = {};
  std::vector<Rule> rules_ = {};
  std::vector<std::pair<std::string_view, std::string_view>> edges_ = {};  // `.v-ww`, its colour
};

/// The rules of views.css that a still picture needs, in CSS without var(). Relies on the shape of
/// that file: a rule is a line, colours are defined in `:root {` of several lines, first the light
/// and then the dark ones, and `--view-edge` by rules for a kind of edge each.
std::string picture_style(std::string_view views_css) {
  return PictureStyle(views_css).text();
}

}  // namespace

std::string_view views_style() {
  return kViewsStyle;
}

std::string_view views_script() {
  return kViewsScript;
}

std::string svg_file(const Exhibit& exhibit, std::string_view svg) {
  const std::size_t body = svg.find('\n') + 1;
  return fmt::format(
      "{}<title>{}</title>\n<style>\n{}</style>\n<rect class=\"v-paper\" width=\"100%\" "
      "height=\"100%\"/>\n{}",
      svg.substr(0, body), html(exhibit_title(exhibit)), html(picture_style(views_style())),
      svg.substr(body));
}

}  // namespace elapid
