// The graph of an exhibit in Graphviz's language.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "adapter/report/html.h"
#include "adapter/report/views/svg_text.h"
#include "adapter/report/views/views.h"

namespace elapid {
namespace {

constexpr std::size_t kDotColumns = 60;

std::string_view style(Relation relation) {
  constexpr std::array<std::string_view, 5> kStyles = {"solid", "dashed", "dotted", "bold",
                                                       "dashed"};
  return kStyles.at(static_cast<std::size_t>(relation));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return out + "\"";
}

std::string node(const Exhibit& exhibit, const ExhibitTxn& txn) {
  const std::string_view status = status_word(txn.status);
  std::string text = fmt::format(
      "  {} [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"5\">"
      "<TR><TD ALIGN=\"LEFT\" PORT=\"t\"><B>{}</B> {}{}{}</TD></TR>",
      quoted(txn.label), html(txn.label), html(fitted(short_place(exhibit, txn), kDotColumns)),
      status.empty() ? "" : ", ", status);
  for (std::size_t i = 0; i < txn.ops.size(); ++i) {
    text += fmt::format("<TR><TD ALIGN=\"LEFT\" PORT=\"o{}\">{}</TD></TR>", i,
                        html(fitted(txn.ops[i].text, kDotColumns)));
  }
  return text + "</TABLE>>];\n";
}

/// `rw row 7, :age = 15`. Graphviz makes room for the predicate.
std::string label(const ExhibitEdge& edge) {
  return edge_label(edge) +
         (edge.condition.empty() ? "" : ", " + fitted(edge.condition, kDotColumns));
}

std::string end(const ExhibitTxn& txn, std::optional<std::size_t> op) {
  return quoted(txn.label) + ":" + (op ? fmt::format("o{}", *op) : "t");
}

}  // namespace

std::string graph_dot(const Exhibit& exhibit) {
  std::string text = fmt::format(
      "digraph {} {{\n  rankdir=LR;\n  label={};\n  labelloc=t;\n  node [shape=plain, "
      "fontname=\"monospace\", fontsize=11];\n  edge [fontname=\"monospace\", fontsize=10];\n",
      quoted(exhibit.anchor), quoted(fitted(exhibit_title(exhibit), 120)));
  for (const ExhibitTxn& txn : exhibit.txns) {
    text += node(exhibit, txn);
  }
  for (const ExhibitEdge& edge : exhibit.edges) {
    text += fmt::format("  {} -> {} [label={}, style={}, tooltip={}];\n",
                        end(exhibit.txns[edge.from], edge.from_op),
                        end(exhibit.txns[edge.to], edge.to_op), quoted(label(edge)),
                        style(edge.relation), quoted(edge_sentence(exhibit, edge)));
  }
  return text + "}\n";
}

}  // namespace elapid
