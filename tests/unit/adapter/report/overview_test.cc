#include "adapter/report/overview.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "adapter/report/page/overview_charts.h"
#include "adapter/report/page/page_parts.h"
#include "tests/unit/adapter/report/report_subject.h"

namespace elapid {
namespace {

using report_test::report_on;

constexpr int kMs = 1'000'000;

/// An append to a key of its own, from `begin` to `end` (ns).
std::string append(int number, int begin, int end, const std::string& type = "ok") {
  const auto event = [&](const std::string& what, int time) {
    return "{:type :" + what + ", :process " + std::to_string(number) +
           ", :f :txn, :value [[:append " + std::to_string(number) + " 1]], :time " +
           std::to_string(time) + "}\n";
  };
  return event("invoke", begin) + event(type, end);
}

/// Sixty transactions, one a millisecond. Each takes half a millisecond, and every tenth fails.
std::string sixty() {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += append(i, i * kMs, i * kMs + kMs / 2, i % 10 == 9 ? "fail" : "ok");
  }
  return text;
}

std::string lost_update(int time, const std::string& key = ":x") {
  const auto event = [&](const std::string& type, const std::string& process,
                         const std::string& read) {
    return "{:type :" + type + ", :process " + process + ", :f :txn, :value [[:r " + key + " " +
           read + "] [:append " + key + " " + process + "]], :time " + std::to_string(time) + "}\n";
  };
  return event("invoke", "101", "nil") + event("invoke", "102", "nil") + event("ok", "101", "[]") +
         event("ok", "102", "[]");
}

std::string fault(const std::string& f, int time) {
  return "{:type :info, :process :nemesis, :f :" + f + ", :value nil, :time " +
         std::to_string(time) + "}\n";
}

TEST_CASE("an overview counts transactions in the parts in which they ended") {
  const ReportModel report = report_on(sixty(), Model::kPlSi);
  REQUIRE(report.overview);
  const ReportOverview& overview = *report.overview;
  CHECK(overview.axis == OverviewAxis::kTime);
  CHECK(overview.part_length == kMs / 2);  // 59.5 ms in at most 120 parts
  REQUIRE(overview.parts.size() == 120);
  CHECK(overview.length == 60 * kMs);
  CHECK(overview.all.committed == 54);
  CHECK(overview.all.aborted == 6);
  CHECK(overview.parts[1].committed == 1);
  CHECK(overview.parts[2].committed == 0);
  CHECK(overview.parts[19].aborted == 1);
  CHECK(overview.parts[1].median == kMs / 2);
  CHECK_FALSE(overview.parts[2].median);
  CHECK(overview.all.slow == kMs / 2);
  CHECK(highest_count(overview) == 1);
}

TEST_CASE("an overview of a few transactions would say nothing") {
  CHECK_FALSE(report_on(report_test::kLostUpdate, Model::kPlSi).overview);
}

TEST_CASE("an overview tells when anomalies were complete, and during which faults") {
  std::string text = sixty();
  const std::size_t half = text.find("{:type :invoke, :process 30,");
  text.insert(half, fault("kill", 20 * kMs) + fault("kill", 21 * kMs) + lost_update(30 * kMs) +
                        fault("bump", 30 * kMs) + fault("bump", 30 * kMs));
  text += fault("start", 40 * kMs) + fault("start", 45 * kMs) + fault("pause", 54 * kMs);
  const ReportModel report = report_on(text, Model::kPlSi);
  REQUIRE(report.overview);
  const ReportOverview& overview = *report.overview;
  REQUIRE(overview.findings.size() == 1);
  CHECK(overview.findings[0].anchor == "a1");
  CHECK(overview.findings[0].at == Approx(0.5));
  CHECK(overview.parts[60].anomalies > 0);
  CHECK(overview.all.anomalies == overview.parts[60].anomalies);
  REQUIRE(overview.faults.size() == 3);
  CHECK(overview.faults[0].label == "kill");
  CHECK(overview.faults[0].from == Approx(20.0 / 60));
  CHECK(overview.faults[0].to == Approx(45.0 / 60));
  CHECK_FALSE(overview.faults[1].lasts);
  CHECK(overview.faults[2].to == 1);  // nothing ended it
  const std::string page = page_overview(report);
  CHECK(page.find("was complete at 30 ms, during kill.") != std::string::npos);
  CHECK(page.find("class=\"ov-mark\" href=\"#a1\"") != std::string::npos);
  CHECK(page.size() < 20'000);
}

TEST_CASE("an overview counts anomalies by key, the most frequent first") {
  std::string text = sixty();
  text +=
      lost_update(61 * kMs, "\"<i>\"") + lost_update(62 * kMs, ":b") + lost_update(63 * kMs, ":b2");
  text += "{:type :ok, :process 7, :f :txn, :value [[:append :b 9] [:r :b [8]]], :time " +
          std::to_string(64 * kMs) + "}\n";
  const ReportModel report = report_on(text, Model::kPlSi);
  REQUIRE(report.overview);
  const KeyTable& keys = report.overview->keys;
  REQUIRE(keys.rows.size() == 3);
  CHECK(keys.rows[0].key == ":b");
  CHECK(keys.rows[1].key == "\"<i>\"");
  CHECK(keys.rows[2].key == ":b2");
  REQUIRE(keys.names.size() >= 2);
  const auto lost = std::ranges::find(keys.names, "lost-update") - keys.names.begin();
  for (const KeyTable::Row& row : keys.rows) {
    CHECK(row.counts.at(static_cast<std::size_t>(lost)) == 1);
  }
  const std::string page = page_overview(report);
  CHECK(page.find("Anomalies by key") != std::string::npos);
  CHECK(page.find("<code>&quot;&lt;i&gt;&quot;</code>") != std::string::npos);
  CHECK(page.find("further") == std::string::npos);
}

TEST_CASE("of very many keys the overview shows those with most anomalies, and counts the others") {
  std::string text = sixty();
  for (int i = 0; i < 20; ++i) {
    text += lost_update((61 + i) * kMs, ":k" + std::to_string(i)) +
            "{:type :ok, :process 7, :f :txn, :value [[:r :k" + std::to_string(i) +
            " [8]]], :time " + std::to_string((62 + i) * kMs) + "}\n";
  }
  const ReportModel report = report_on(text, Model::kPlSi);
  REQUIRE(report.overview);
  CHECK(report.overview->keys.rows.size() == 12);
  CHECK(report.overview->keys.keys_left_out == 8);
  CHECK(page_overview(report).find("Not shown: 8 further keys.") != std::string::npos);
}

TEST_CASE("keys that take part in one anomaly each are only counted") {
  const ReportModel report =
      report_on(sixty() + lost_update(61 * kMs) + lost_update(61 * kMs, ":y"), Model::kPlSi);
  REQUIRE(report.overview);
  CHECK(report.overview->keys.rows.empty());
  CHECK(page_overview(report).find("2 keys take part, each in a single one.") != std::string::npos);
}

TEST_CASE("anomalies of one key need no table of keys") {
  const ReportModel report = report_on(sixty() + lost_update(70 * kMs), Model::kPlSi);
  REQUIRE(report.overview);
  CHECK(report.overview->keys.rows.empty());
  CHECK(page_overview(report).find("Anomalies by key") == std::string::npos);
}

TEST_CASE("without times an overview is one of events, or of transactions as they stand") {
  std::string text = sixty();
  for (std::size_t at = text.find(", :time"); at != std::string::npos; at = text.find(", :time")) {
    text.erase(at, text.find('}', at) - at);
  }
  text.insert(text.find("{:type :invoke, :process 30,"),
              "{:type :info, :process :nemesis, :f :kill}\n");
  const ReportModel events = report_on(text, Model::kPlSi);
  REQUIRE(events.overview);
  CHECK(events.overview->axis == OverviewAxis::kEvents);
  CHECK(events.overview->part_length == 2);
  REQUIRE(events.overview->faults.size() == 1);
  CHECK(events.overview->faults[0].from == Approx(0.5).epsilon(0.03));
  CHECK_FALSE(events.overview->all.median);

  std::string trace;
  for (int i = 0; i < 60; ++i) {
    trace +=
        "w(" + std::to_string(i) + ",1," + std::to_string(i % 3) + "," + std::to_string(i) + ")\n";
  }
  const ReportModel traced = report_on(trace, Model::kPlSi);
  REQUIRE(traced.overview);
  CHECK(traced.overview->axis == OverviewAxis::kTransactions);
  CHECK(traced.overview->parts.size() == 60);
  CHECK(page_overview(traced).find("as they stand in it") != std::string::npos);
}

TEST_CASE("moments as far apart as numbers go have no overview") {
  const std::string early =
      "{:type :ok, :process 7, :f :txn, :value [[:append 1 1]], :time -9223372036854775807}\n";
  const std::string late =
      "{:type :ok, :process 8, :f :txn, :value [[:append 1 2]], :time 9223372036854775807}\n";
  const ReportModel report = report_on(early + sixty() + late, Model::kPlSi);
  CHECK_FALSE(report.overview);
  CHECK(page_overview(report).empty());
}

TEST_CASE("ticks are round, and few") {
  ReportOverview overview = {.axis = OverviewAxis::kTime, .length = 33'000'000'000};
  REQUIRE(overview_ticks(overview).size() == 7);
  CHECK(overview_ticks(overview)[1].second == 5'000'000'000);
  overview.length = 600'000'000'000;
  CHECK(overview_ticks(overview)[1].second == 120'000'000'000);
  overview.length = 7;
  CHECK(overview_ticks(overview)[1].second == 2);
  overview.length = ~std::uint64_t{0} / 2;
  CHECK(overview_ticks(overview).size() <= 7);
}

TEST_CASE("latencies have lines at decades") {
  ReportOverview overview;
  overview.parts = {{.committed = 1, .median = 2'000, .slow = 30'000'000}};
  const auto lines = latency_lines(overview);
  REQUIRE(lines.size() >= 2);
  CHECK(lines.front() == std::pair(1.0, std::int64_t{1000}));
  overview.parts[0].median = overview.parts[0].slow = 0;
  CHECK(latency_lines(overview).size() >= 2);
}

TEST_CASE("operations of several functions and clocks have charts of their own") {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const std::string f = i % 3 == 0 ? ":read" : ":add";
    const std::string head = ", :process " + std::to_string(i) + ", :f " + f + ", :value ";
    const auto event = [&](const char* type, const std::string& value, int time) {
      return "{:type :" + std::string(type) + head + value + ", :time " + std::to_string(time) +
             "}\n";
    };
    const std::string added = std::to_string(i % 3 == 0 ? i / 3 * 2 : 1);
    text += event("invoke", i % 3 == 0 ? "nil" : added, i * kMs) +
            event(i == 58 ? "fail" : "ok", added, i * kMs + kMs / (1 + i % 2));
  }
  text +=
      "{:type :info, :process :nemesis, :f :bump, :value nil, :clock-offsets {\"n<1>\" -0.5, "
      "\"n2\" 12.5}, :time 30000000}\n";
  const ReportModel report = report_on(text, CheckOptions{});
  REQUIRE(report.overview);
  const ReportOverview& overview = *report.overview;
  REQUIRE(overview.functions.size() == 2);
  CHECK(overview.functions[0].name == "add");
  CHECK(overview.functions[0].all.committed == 39);
  CHECK(overview.functions[0].all.aborted == 1);
  CHECK(overview.functions[1].all.committed == 20);
  CHECK(overview.functions[1].all.longest == kMs);
  REQUIRE(overview.clocks.size() == 2);
  CHECK(overview.clocks[0].node == "\"n2\"");
  CHECK(overview.clocks[0].offsets.front().second == 12.5);
  CHECK(greatest_offset(overview) == 12.5);
  const std::string page = page_overview(report);
  CHECK(page.find(">By function<") != std::string::npos);
  CHECK(page.find("&quot;n&lt;1&gt;&quot; -0.5 to -0.5 s") != std::string::npos);
  CHECK(page.find("id=\"ov-faults\"") == page.rfind("id=\"ov-faults\""));
  CHECK(page.size() < 30'000);
}

}  // namespace
}  // namespace elapid
