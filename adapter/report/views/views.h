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
// All drawings of a transaction, an operation or an edge have its anchor in `data-ref`; if
// several edges are drawn as one, all their anchors. Edges name their ends in `data-ends`. The
// pictures set no `id`, so a page can have them beside the targets of the anchors. views_style()
// has their style, and views_script() highlights related parts. The pictures can be read without
// the script.
//
// The same exhibit gives the same bytes. Text of the history is escaped.
#pragma once

#include <string>
#include <string_view>

#include "adapter/report/exhibit.h"

namespace elapid {

/// Transactions as cards with their operations, edges from operation to operation; a part for each
/// group of edges. If a part has more than 200 transactions, those in the middle are drawn as one.
[[nodiscard]] std::string graph_svg(const Exhibit& exhibit);

/// A lane for each session, a bar for each transaction from its invocation to its completion.
[[nodiscard]] std::string timeline_svg(const Exhibit& exhibit);

/// An HTML table with a column for each session; the rows are in a possible order.
[[nodiscard]] std::string session_table(const Exhibit& exhibit);

/// The graph in Graphviz's language.
[[nodiscard]] std::string graph_dot(const Exhibit& exhibit);

/// An SVG picture as a file of its own, with the exhibit's name and a style that all programs know:
/// see picture_style.h.
[[nodiscard]] std::string svg_file(const Exhibit& exhibit, std::string_view svg);

/// CSS for a page with pictures. Colours are properties `--view-...`, light or dark as the reader
/// prefers.
[[nodiscard]] std::string_view views_style();

/// JavaScript for the end of such a page. If a user points at a part, focuses it, or follows an
/// anchor to it, all parts of the page with the same `data-ref` are highlighted: class `is-lit` on
/// them, `is-near` on the ends of a lit edge and on the edges of lit parts, `has-lit` on the
/// surrounding `data-exhibit`. Other scripts call `elapidViews.light(anchor)`.
[[nodiscard]] std::string_view views_script();

}  // namespace elapid
