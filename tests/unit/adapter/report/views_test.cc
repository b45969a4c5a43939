#include "adapter/report/views/views.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/report/views/graph_parts.h"

namespace elapid {
namespace {

/// Two transactions that each miss the other's write.
Exhibit write_skew() {
  Exhibit exhibit = {.anchor = "a1", .name = "G2-item", .gloss = "write skew"};
  exhibit.axis = ExhibitAxis::kTime;
  exhibit.sessions = {"process 0", "process 1"};
  exhibit.txns.resize(2);
  for (std::size_t t = 0; t < 2; ++t) {
    ExhibitTxn& txn = exhibit.txns[t];
    txn.anchor = t == 0 ? "a1.t1" : "a1.t2";
    txn.label = t == 0 ? "T1" : "T2";
    txn.place = "store/history.edn:" + std::to_string(t + 1);
    txn.session = t;
    txn.invoked = t == 0 ? 1'000'000 : 2'000'000;
    txn.completed = t == 0 ? 3'000'000 : 5'000'000;
    txn.first_event = t;
    txn.last_event = 2 + t;
    txn.ops = {{.anchor = txn.anchor + ".o1", .text = "read x = nil", .is_in_focus = true},
               {.anchor = txn.anchor + ".o2", .text = "write y = 1", .is_in_focus = true}};
  }
  exhibit.groups.resize(1);
  exhibit.edges = {{.anchor = "a1.e1",
                    .from = 0,
                    .to = 1,
                    .from_op = 0,
                    .to_op = 1,
                    .relation = Relation::kRw,
                    .key = "x"},
                   {.anchor = "a1.e2",
                    .from = 1,
                    .to = 0,
                    .from_op = 0,
                    .to_op = 1,
                    .relation = Relation::kRw,
                    .key = "y"}};
  return exhibit;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether elements are closed in order, quotes are balanced, and text has no bare markup: what a
/// parser of XML insists on, and all that these pictures use of it.
bool is_well_formed(std::string_view xml) {
  std::vector<std::string_view> open;
  while (!xml.empty()) {
    const std::size_t tag = std::min(xml.find('<'), xml.size());
    if (has(xml.substr(0, tag), ">")) {
      return false;
    }
    xml.remove_prefix(tag);
    const std::size_t end = xml.find('>');
    if (xml.empty() || end == std::string_view::npos) {
      break;
    }
    const std::string_view inside = xml.substr(1, end - 1);
    if (std::ranges::count(inside, '"') % 2 != 0 || has(inside, "<")) {
      return false;
    }
    if (inside.front() == '/') {
      if (open.empty() || open.back() != inside.substr(1)) {
        return false;
      }
      open.pop_back();
    } else if (inside.back() != '/') {
      open.push_back(inside.substr(0, inside.find_first_of(" \n")));
    }
    xml.remove_prefix(end + 1);
  }
  return xml.empty() && open.empty();
}

void check_well_formed(std::string_view xml) {
  INFO(xml);
  CHECK(is_well_formed(xml));
}

/// The values of an attribute, as numbers.
std::vector<double> numbers(std::string_view xml, std::string_view attribute) {
  std::vector<double> values;
  const std::string start = " " + std::string(attribute) + "=\"";
  for (std::size_t at = xml.find(start); at != std::string_view::npos; at = xml.find(start, at)) {
    at += start.size();
    values.push_back(std::strtod(std::string(xml.substr(at, 24)).c_str(), nullptr));
  }
  return values;
}

/// That positions of elements are within the picture, and are numbers.
void check_within(std::string_view svg) {
  REQUIRE_FALSE(has(svg, "nan"));
  REQUIRE_FALSE(has(svg, "inf"));
  const double width = numbers(svg, "width").front();
  const double height = numbers(svg, "height").front();
  const auto are_within = [&](std::string_view name, double least, double most) {
    return std::ranges::all_of(numbers(svg, name),
                               [&](double value) { return value >= least && value <= most; });
  };
  CHECK(are_within("x", 0, width));
  CHECK(are_within("cx", 0, width));
  CHECK(are_within("y", -9, height));
  CHECK(are_within("cy", 0, height));
}

TEST_CASE("what is no XML is told from what is") {
  CHECK(is_well_formed("<a b=\"c\"><d/>text</a>"));
  for (const std::string_view wrong : {"<a>", "<a></b>", "a > b", "<a b=\"></a>", "<a <b/></a>"}) {
    INFO(wrong);
    CHECK_FALSE(is_well_formed(wrong));
  }
}

TEST_CASE("every view shows each operation and edge under its anchor") {
  const Exhibit exhibit = write_skew();
  for (const std::string& view :
       {graph_svg(exhibit), timeline_svg(exhibit), session_table(exhibit)}) {
    for (const std::string_view anchor :
         {"a1.t1", "a1.t2", "a1.t1.o1", "a1.t1.o2", "a1.t2.o1", "a1.e1", "a1.e2"}) {
      INFO(anchor << " in " << view);
      CHECK(has(view, "data-ref=\"" + std::string(anchor) + "\""));
    }
    CHECK(has(view, "data-ends=\"a1.t1.o1 a1.t2.o2\""));
    CHECK_FALSE(has(view, " id="));
    CHECK_FALSE(has(view, " style="));
    check_well_formed(view);
  }
}

TEST_CASE("a picture as a file has its style in it") {
  const Exhibit exhibit = write_skew();
  const std::string file = svg_file(exhibit, graph_svg(exhibit));
  CHECK(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(has(file, "<title>G2-item: write skew</title>"));
  CHECK(has(file, "prefers-color-scheme: dark"));
  CHECK_FALSE(has(file, "<script"));
  CHECK_FALSE(has(file, "var("));
  CHECK_FALSE(has(file, "--"));
  CHECK_FALSE(has(file, "currentColor"));
  CHECK(has(file, "svg.view .v-rw .v-line { stroke: #b3167a; }"));
  CHECK(has(file.substr(file.find("@media")), "svg.view .v-rw .v-line { stroke: #ff8fd0; }"));
  check_well_formed(file);
}

TEST_CASE("bars are in proportion to times") {
  const std::string svg = timeline_svg(write_skew());
  std::vector<double> x;
  std::vector<double> width;
  for (std::size_t at = svg.find("v-bar\" "); at != std::string::npos;
       at = svg.find("v-bar\" ", at + 1)) {
    x.push_back(numbers(svg.substr(at), "x").front());
    width.push_back(numbers(svg.substr(at), "width").front());
  }
  REQUIRE(x.size() == 2);
  const double ms = x[1] - x[0];  // T2 began a millisecond after T1
  CHECK(width[0] == Approx(2 * ms));
  CHECK(width[1] == Approx(3 * ms));
  CHECK_FALSE(has(svg, "not to scale"));
}

TEST_CASE("faults are bands and lines behind the bars") {
  Exhibit exhibit = write_skew();
  const std::string without = timeline_svg(exhibit);
  CHECK_FALSE(has(without, "nemesis"));
  exhibit.faults = {{.label = "kill", .words = "kill n1", .lasts = true, .to = 2'000'000},
                    {.label = "bump", .words = "bump clocks", .from = 4'000'000}};
  const std::string svg = timeline_svg(exhibit);
  check_well_formed(svg);
  check_within(svg);
  CHECK(has(svg, "aria-label=\"Nemesis: kill n1\""));
  CHECK(has(svg, ">bump</text>"));
  const double from = numbers(svg.substr(svg.find("v-shade")), "x").front();
  const double width = numbers(svg.substr(svg.find("v-shade")), "width").front();
  const double second_bar =
      numbers(svg.substr(svg.find("v-bar\" ", svg.find("v-bar\" ") + 1)), "x").front();
  CHECK(from + width == Approx(second_bar));  // which began when the fault ended
  CHECK(svg.find("v-shade") < svg.find("v-bar\" "));
}

TEST_CASE("faults are drawn where only the order is known, and not without end") {
  Exhibit exhibit = write_skew();
  exhibit.axis = ExhibitAxis::kEvents;
  exhibit.faults.assign(40, {.label = "kill", .words = "kill", .lasts = true, .last_event = 3});
  const std::string svg = timeline_svg(exhibit);
  check_well_formed(svg);
  check_within(svg);
  CHECK(has(svg, "… and 28 more acts of the nemesis"));
  exhibit.faults.clear();
  exhibit.fault_note = "No fault at the time.";
  CHECK(has(timeline_svg(exhibit), ">No fault at the time.<"));
}

TEST_CASE("the table puts a read before the write that it missed") {
  const std::string table = session_table(write_skew());
  CHECK(table.find("a1.t1.o1") < table.find("a1.t2.o2\"><code"));
  CHECK(table.find("data-ref=\"a1.t2.o1\"") < table.find("data-ref=\"a1.t1.o2\""));
  CHECK(has(table, "<th scope=\"col\">process 1</th>"));
  CHECK(has(table, "<b>T1</b> begin"));
  CHECK(has(table, "<b>T2</b> commit"));
}

TEST_CASE("views say what the axis means") {
  Exhibit exhibit = write_skew();
  CHECK(has(timeline_svg(exhibit), "as the clients recorded them"));
  exhibit.axis = ExhibitAxis::kEvents;
  CHECK(has(timeline_svg(exhibit), "The source has no times"));
  exhibit.axis = ExhibitAxis::kSessions;
  CHECK(has(timeline_svg(exhibit), "Only the order within each session"));
}

TEST_CASE("edges that say the same are drawn once, with all their anchors") {
  Exhibit exhibit = write_skew();
  exhibit.edges.push_back(exhibit.edges.front());
  exhibit.edges.back().anchor = "a1.e3";
  CHECK(has(graph_svg(exhibit), "data-ref=\"a1.e1 a1.e3\""));
  exhibit.groups.push_back({"The same transactions show G-single:"});
  exhibit.edges.back().group = 1;
  CHECK(has(graph_svg(exhibit), "data-ref=\"a1.e1 a1.e3\""));
  CHECK_FALSE(has(graph_svg(exhibit), "The same transactions"));
}

TEST_CASE("a graph of very many transactions is summarised") {
  Exhibit exhibit = {.anchor = "a1", .name = "G1c"};
  exhibit.sessions = {"session 1"};
  exhibit.groups.resize(1);
  for (std::size_t t = 0; t < 1000; ++t) {
    exhibit.txns.push_back({.anchor = "a1.t" + std::to_string(t + 1),
                            .label = "T" + std::to_string(t + 1),
                            .first_event = 2 * t,
                            .last_event = 2 * t + 1});
    exhibit.edges.push_back({.anchor = "a1.e" + std::to_string(t + 1),
                             .from = t,
                             .to = (t + 1) % 1000,
                             .relation = Relation::kWr,
                             .key = "x"});
  }
  const std::vector<GraphPart> parts = graph_parts(exhibit);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].nodes.size() == kMaxGraphNodes);
  const std::string svg = graph_svg(exhibit);
  CHECK(has(svg, "… 801 more transactions"));
  CHECK(svg.size() < 200'000);
  check_within(svg);
  CHECK(has(timeline_svg(exhibit), "more transactions"));
}

TEST_CASE("text of the history is inert in every view") {
  Exhibit exhibit = write_skew();
  const std::string evil =
      "<script>alert(\"&'\")</script>\x01\xe2\x80\xae]]>\xff\xef\xbf\xbf\xed\xa0\x80";
  exhibit.name = exhibit.gloss = evil;
  exhibit.sessions[0] = exhibit.txns[0].place = exhibit.txns[0].ops[0].text = evil;
  exhibit.edges[0].key = evil;
  exhibit.faults = {{.label = evil, .words = evil, .lasts = true}};
  exhibit.fault_note = evil;
  exhibit.groups[0].title = evil;
  for (const std::string& view : {graph_svg(exhibit), timeline_svg(exhibit), session_table(exhibit),
                                  svg_file(exhibit, graph_svg(exhibit))}) {
    CHECK_FALSE(has(view, "<script"));
    CHECK_FALSE(has(view, "\x01"));
    CHECK_FALSE(has(view, "\xe2\x80\xae"));
    CHECK_FALSE(has(view, "\xff"));
    CHECK_FALSE(has(view, "\xef\xbf\xbf"));  // U+FFFF
    CHECK_FALSE(has(view, "\xed\xa0\x80"));  // half a character
    check_well_formed(view);
  }
  const std::string dot = graph_dot(exhibit);
  CHECK_FALSE(has(dot, "\x01"));
  CHECK(has(dot, "alert(\\\""));
}

/// Any exhibit that can be, and more.
Exhibit random_exhibit(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Exhibit exhibit = {.anchor = "a1", .name = "G0", .axis = static_cast<ExhibitAxis>(below(4))};
  const std::size_t sessions = 1 + below(4);
  for (std::size_t s = 0; s < sessions; ++s) {
    exhibit.sessions.push_back("process " + std::to_string(s));
  }
  exhibit.groups.resize(1 + below(3));
  const std::size_t count = 1 + below(8);
  std::vector<std::size_t> events(2 * count);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i] = i;
  }
  std::ranges::shuffle(events, random);
  for (std::size_t t = 0; t < count; ++t) {
    ExhibitTxn txn = {.anchor = "a1.t" + std::to_string(t + 1),
                      .label = "T" + std::to_string(t + 1),
                      .place = std::string(below(80), 'p'),
                      .session = below(sessions),
                      .status = static_cast<TxnStatus>(below(3)),
                      .is_reader_only = below(4) == 0,
                      .skipped = below(3)};
    const auto [first, last] = std::minmax(events[2 * t], events[2 * t + 1]);
    txn.first_event = first;
    if (txn.status != TxnStatus::kIndeterminate) {
      txn.last_event = last;
    }
    if (below(5) > 0) {
      const std::int64_t unit = std::int64_t{1} << below(50);
      txn.invoked = static_cast<std::int64_t>(first) * unit;
      txn.completed = static_cast<std::int64_t>(last) * unit;
      txn.start_timestamp = static_cast<std::int64_t>(first);
      txn.commit_timestamp = static_cast<std::int64_t>(below(20));
    }
    for (std::size_t o = below(4); o-- > 0;) {
      txn.ops.push_back({.anchor = txn.anchor + ".o" + std::to_string(o + 1),
                         .text = std::string(below(90), 'w'),
                         .is_in_focus = below(2) == 0,
                         .skipped = below(3)});
    }
    exhibit.txns.push_back(txn);
  }
  for (std::size_t e = below(3 * count); e-- > 0;) {
    ExhibitEdge edge = {.anchor = "a1.e" + std::to_string(e + 1),
                        .from = below(count),
                        .to = below(count),
                        .relation = static_cast<Relation>(below(5)),
                        .key = std::string(below(30), 'k'),
                        .is_assumed = below(4) == 0,
                        .by = below(3),
                        .group = below(exhibit.groups.size())};
    if (!exhibit.txns[edge.from].ops.empty() && below(3) > 0) {
      edge.from_op = below(exhibit.txns[edge.from].ops.size());
    }
    if (!exhibit.txns[edge.to].ops.empty() && below(3) > 0) {
      edge.to_op = below(exhibit.txns[edge.to].ops.size());
    }
    exhibit.edges.push_back(edge);
  }
  return exhibit;
}

TEST_CASE("random exhibits are well formed, within their pictures, and drawn twice alike") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 100; ++round) {
    const Exhibit exhibit = random_exhibit(random);
    const std::string graph = graph_svg(exhibit);
    const std::string timeline = timeline_svg(exhibit);
    const std::string table = session_table(exhibit);
    check_well_formed(graph);
    check_well_formed(timeline);
    check_well_formed(table);
    check_within(graph);
    check_within(timeline);
    for (const ExhibitTxn& txn : exhibit.txns) {
      const std::string mark = "data-ref=\"" + txn.anchor + "\"";
      CHECK((has(graph, mark) && has(timeline, mark) && has(table, mark)));
    }
    CHECK(graph == graph_svg(exhibit));
    CHECK(timeline == timeline_svg(exhibit));
    CHECK(table == session_table(exhibit));
  }
}

}  // namespace
}  // namespace elapid
