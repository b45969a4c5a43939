#include "adapter/report/faults.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/unit/adapter/report/report_subject.h"

namespace elapid {
namespace {

/// Events as `12 kill`, one a line, by their seconds.
NemesisLog nemesis(const std::string& lines) {
  NemesisLog made;
  std::istringstream in(lines);
  std::int64_t time = 0;
  std::string f;
  while (in >> time >> f) {
    made.add(
        {.time = time, .offset = static_cast<std::uint64_t>(time), .process = "nemesis", .f = f});
  }
  return made;
}

/// `kill 1-4`; a moment is `kill 1`, a fault without an end `kill 1-`.
std::string told(const std::string& lines) {
  std::string text;
  for (const ReportFault& fault : faults_of(nemesis(lines))) {
    text += (text.empty() ? "" : ", ") + fault.f + " " + std::to_string(*fault.begin.time);
    text += fault.lasts ? "-" : "";
    text += fault.lasts && fault.end ? std::to_string(*fault.end->time) : "";
  }
  return text;
}

TEST_CASE("faults begin with one act and end with another") {
  CHECK(told("1 kill 2 kill 5 start 6 start") == "kill 1-6");
  CHECK(told("1 pause 2 pause 5 resume 6 resume") == "pause 1-6");
  CHECK(told("1 start-partition 2 start-partition 3 stop-partition 4 stop-partition") ==
        "start-partition 1-4");
  CHECK(told("1 start 2 start 3 stop 4 stop") == "start 1-4");
  CHECK(told("1 bump-clock 2 bump-clock 9 reset-clock") == "bump-clock 1-9");
}

TEST_CASE("faults of one event an act") {
  CHECK(told("1 kill 5 start 7 kill 9 start") == "kill 1-5, kill 7-9");
}

TEST_CASE("an act that nothing takes back is a moment") {
  CHECK(told("1 check-offsets 2 check-offsets 5 add-node") == "check-offsets 1, add-node 5");
}

TEST_CASE("a fault that nothing ends lasts on") {
  CHECK(told("1 kill 2 kill") == "kill 1-");
}

TEST_CASE("of several faults one act ends those of its kind") {
  CHECK(told("1 kill 2 pause 3 kill 4 start 5 resume") == "kill 1-4, pause 2-5, kill 3-4");
  CHECK(told("1 start-packet 2 stop-partition 3 stop-packet") ==
        "start-packet 1-3, stop-partition 2");
}

TEST_CASE("a start where nothing was killed is an act") {
  CHECK(told("1 kill 2 start 3 start-clock 8 start") == "kill 1-2, start-clock 3-, start 8");
}

/// A lost update between 1000 and 9000 ns, with lines of a nemesis before, between and behind.
ReportModel with_nemesis(const std::string& before, const std::string& between = "",
                         const std::string& time = ", :time ") {
  const auto at = [&](int ns) { return time.empty() ? "" : time + std::to_string(ns); };
  return report_test::report_on(
      before + "{:type :invoke, :process 0, :f :txn, :value [[:r :x nil] [:append :x 1]]" +
          at(1000) + "}\n{:type :invoke, :process 1, :f :txn, :value [[:r :x nil] [:append :x 2]]" +
          at(2000) + "}\n" + between +
          "{:type :ok, :process 0, :f :txn, :value [[:r :x []] [:append :x 1]]" + at(5000) +
          "}\n{:type :ok, :process 1, :f :txn, :value [[:r :x []] [:append :x 2]]" + at(9000) +
          "}\n",
      Model::kPlSi);
}

std::string event(std::string_view f, int time) {
  return "{:type :info, :process :nemesis, :f :" + std::string(f) + ", :value [\"n1\"], :time " +
         std::to_string(time) + "}\n";
}

TEST_CASE("an exhibit has the faults of its time") {
  const ReportModel report =
      with_nemesis(event("pause", 100), event("resume", 3000) + event("kill", 4000));
  const Exhibit& exhibit = report.findings.at(0).exhibit.value();
  REQUIRE(exhibit.axis == ExhibitAxis::kTime);
  REQUIRE(exhibit.faults.size() == 2);
  CHECK(exhibit.faults[0].label == "pause");
  CHECK(exhibit.faults[0].words == "pause [\"n1\"], since 900 ns before");
  CHECK_FALSE(exhibit.faults[0].from);
  CHECK(exhibit.faults[0].to == 3000);
  CHECK(exhibit.faults[1].words == "kill [\"n1\"], and nothing ended it");
  CHECK(exhibit.faults[1].from == 4000);
  CHECK_FALSE(exhibit.faults[1].to);
  CHECK(exhibit.fault_note.empty());
}

TEST_CASE("an exhibit without faults says what was before") {
  const ReportModel over = with_nemesis(event("kill", 100) + event("start", 400));
  CHECK(over.findings.at(0).exhibit.value().faults.empty());
  CHECK(over.findings[0].exhibit->fault_note ==
        "No fault at the time; the last one, kill [\"n1\"], had ended 600 ns before.");
  const ReportModel none = with_nemesis("");
  CHECK(none.findings.at(0).exhibit.value().fault_note.empty());
}

TEST_CASE("where no times are known faults stand between events") {
  const std::string kill = "{:type :info, :process :nemesis, :f :kill}\n";
  const ReportModel report = with_nemesis("", kill, "");
  const Exhibit& exhibit = report.findings.at(0).exhibit.value();
  REQUIRE(exhibit.axis == ExhibitAxis::kEvents);
  REQUIRE(exhibit.faults.size() == 1);
  CHECK(exhibit.faults[0].first_event == 2);
  CHECK(exhibit.faults[0].last_event == 4);
}

}  // namespace
}  // namespace elapid
