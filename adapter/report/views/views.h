// The pictures of an exhibit: a graph of its transactions, a timeline, and a table of sessions.
//
// ```cpp
// Exhibit exhibit;
// exhibit.anchor = "a1";
// exhibit.sessions = {"process 0"};
// exhibit.txns.push_back({.anchor = "a1.t1", .label = "T1", .last_event = 1});
// exhibit.txns[0].ops.push_back({.anchor = "a1.t1.o1", .text = "read <x> = nil"});
// CHECK(graph_svg(exhibit).find("read &lt;x&gt; = nil") != std::string::npos);
// CHECK(session_table(exhibit).find("data-ref=\"a1.t1.o1\"") != std::string::npos);
// ```
//
// Everything drawn of a transaction, an operation or an edge carries its anchor in `data-ref`;
// where several edges are drawn as one, all of theirs. Edges name the ends that they join in
// `data-ends`. The pictures set no `id`, so that a page can hold them beside whatever the anchors
// lead to. views_style() gives them their looks, and views_script() lights up what belongs
// together; without it they can be read all the same.
//
// The same exhibit gives the same bytes. Text of the history is escaped.
#pragma once

#include <string>
#include <string_view>

#include "adapter/report/exhibit.h"

namespace elapid {

/// Transactions as cards with their operations, edges from operation to operation; a part for each
/// group of edges. Above 200 transactions in a part those in the middle are drawn as one.
[[nodiscard]] std::string graph_svg(const Exhibit& exhibit);

/// A lane for each session, a bar for each transaction from its invocation to its completion.
[[nodiscard]] std::string timeline_svg(const Exhibit& exhibit);

/// An HTML table with a column for each session; rows are in an order that could have been.
[[nodiscard]] std::string session_table(const Exhibit& exhibit);

/// The graph in Graphviz's language.
[[nodiscard]] std::string graph_dot(const Exhibit& exhibit);

/// An SVG picture as a file of its own, with the exhibit's name and a style that all programs know:
/// see picture_style.h.
[[nodiscard]] std::string svg_file(const Exhibit& exhibit, std::string_view svg);

/// CSS for a page that holds pictures. Colours are properties `--view-...`, light or dark as the
/// reader has it.
[[nodiscard]] std::string_view views_style();

/// JavaScript for the end of such a page. Pointing at something, focussing it, or following an
/// anchor to it lights up everything with the same `data-ref` anywhere on the page: class `is-lit`
/// on it, `is-near` on the ends of a lit edge and on the edges of what is lit, `has-lit` on the
/// `data-exhibit` around. `elapidViews.light(anchor)` does so from another script.
[[nodiscard]] std::string_view views_script();

}  // namespace elapid
