#include "adapter/elle/dot_text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

#include "adapter/elle/elision.h"
#include "engine/ir/visible.h"
#include "engine/rows/text.h"

namespace elapid {
namespace {

struct EdgeStyle {
  std::string_view label;
  std::string_view colour;
};

EdgeStyle style(Relation relation) {
  constexpr std::array<EdgeStyle, 5> kStyles = {{{"ww", "#C02700"},
                                                 {"wr", "#C000A5"},
                                                 {"rw", "#5B00C0"},
                                                 {"p", "#00C0C0"},
                                                 {"rt", "#0050C0"}}};
  return kStyles.at(static_cast<std::size_t>(relation));
}

std::string_view colour(TxnStatus status) {
  return status == TxnStatus::kCommitted ? "#0058AD"
         : status == TxnStatus::kAborted ? "#A50053"
                                         : "#AC6E00";
}

/// Escapes text in a record, so that it ends no string, field or line.
void append_escaped(std::string_view text, std::string& out) {
  for (const char c : visible_line(text)) {
    if (std::string_view("\\|{}<>\"").find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
}

/// `a x 1`, `r x [1 2]`, `w x 1`. Long lists show their end, results of many rows the first rows.
std::string field(const History& history, Op op) {
  switch (op.kind()) {
    case OpKind::kRead:
      return "r " + history.shown_key(op.key()) + " " + history.shown_text(op.value());
    case OpKind::kReadList:
      return "r " + history.shown_key(op.key()) + " " +
             elided_list(history, history.elements(op), {});
    case OpKind::kWrite:
      return "w " + history.shown_key(op.key()) + " " + history.shown_text(op.value());
    case OpKind::kAppend:
      return "a " + history.shown_key(op.key()) + " " + history.shown_text(op.value());
    case OpKind::kRow:
      return rows::elided_text(history, op, {});
    case OpKind::kOther:
      break;
  }
  return history.shown_text(op.value()) + " " + history.shown_key(op.key());
}

std::string node_name(const History& history, TxnId txn) {
  return fmt::format("T{}", history.representative(txn).index);
}

void append_node(const History& history, TxnId txn, std::string& out) {
  fmt::format_to(std::back_inserter(out), "  {} [label=\"", node_name(history, txn));
  std::size_t port = 0;
  for (const Op op : history.ops(txn)) {
    fmt::format_to(std::back_inserter(out), "{}<f{}> ", port > 0 ? "|" : "", port);
    append_escaped(field(history, op), out);
    ++port;
  }
  fmt::format_to(std::back_inserter(out), "\" color=\"{0}\" fontcolor=\"{0}\"]\n",
                 colour(history.status(txn)));
}

std::string end_of_edge(const History& history, TxnId txn, std::int32_t mop) {
  const std::string node = node_name(history, txn);
  return mop < 0 ? node : fmt::format("{}:f{}", node, mop);
}

void append_edge(const History& history, const Step& edge, std::string& out) {
  const EdgeStyle look = style(edge.relation);
  fmt::format_to(std::back_inserter(out),
                 "  {} -> {} [label=\"{}\" color=\"{}\" fontcolor=\"{}\"]\n",
                 end_of_edge(history, edge.from, edge.from_mop),
                 end_of_edge(history, edge.to, edge.to_mop), look.label, look.colour, look.colour);
}

}  // namespace

std::optional<std::string> dot_text(const History& history, std::span<const TxnId> txns,
                                    std::span<const Step> edges, std::size_t max_bytes) {
  std::string out = "digraph a_graph {\n  node [shape=record height=0.4]\n";
  for (const TxnId txn : txns) {
    append_node(history, txn, out);
    if (out.size() > max_bytes) {
      return std::nullopt;
    }
  }
  for (const Step& edge : edges) {
    append_edge(history, edge, out);
    if (out.size() > max_bytes) {
      return std::nullopt;
    }
  }
  out += "}\n";
  return out.size() > max_bytes ? std::nullopt : std::optional(std::move(out));
}

}  // namespace elapid
