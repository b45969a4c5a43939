#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "adapter/report/html.h"
#include "adapter/report/report.h"
#include "adapter/report/sha256.h"
#include "tests/unit/adapter/report/page_checker.h"
#include "tests/unit/adapter/report/report_subject.h"

namespace elapid {
namespace {

using namespace report_test;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("page: well-formed, whatever the verdict") {
  check_page(report_page(report_on(kLostUpdate, Model::kPlSi)));
  check_page(report_page(report_on(kLostUpdate, Model::kPl2)));
  check_page(report_page(report_on(kCaseSplit, Model::kStrongSessionSerializable)));
  check_page(report_page(
      report_on(kLostUpdate, CheckOptions{.models = ModelSet::all(), .each_model = true})));
}

TEST_CASE("page: the only script that may run is the page's own") {
  const std::string page = report_page(report_on(kLostUpdate, Model::kPlSi));
  const std::size_t begin = page.find("<script>") + 8;
  const std::string script = page.substr(begin, page.find("</script>") - begin);
  CHECK(contains(page, "script-src 'sha256-" + in_base64(sha256(script)) + "'"));
  CHECK(contains(page, "default-src 'none'"));
  CHECK(page.find("<script>", begin) == std::string::npos);
}

TEST_CASE("page: hostile keys, values, errors and file names are text") {
  const std::string attack = R"(<img src=x onerror=alert(1)>\"'&</script>)";
  const std::string history = "{:type :ok, :process 0, :f :txn, :value [[:r \"" + attack +
                              "\" []] [:append \"" + attack +
                              "\" \"<b>\u202e\"]], :error \"</pre><script>alert(2)</script>\"}\n"
                              "{:type :ok, :process 1, :f :txn, :value [[:r \"" +
                              attack + "\" []] [:append \"" + attack +
                              "\" \"\u2066\"]]}\n{:type :ok, :process 2, :f :txn, "
                              ":value [[:r \"" +
                              attack + "\" [\"<b>\u202e\" \"\u2066\"]]]}\n";
  const ReportModel report =
      report_on(history, Model::kPlSi,
                {.path = "a\"><svg onload=alert(3)>.edn", .reproduce = {{"<i>", "rm '<u>'"}}});
  const std::string page = report_page(report);
  check_page(page);
  CHECK_FALSE(contains(page, "<img"));
  CHECK_FALSE(contains(page, "<svg onload"));
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "\u202e"));
  CHECK_FALSE(contains(page, "\u2066"));
  CHECK(contains(page, "&lt;img src=x onerror=alert(1)&gt;"));
  CHECK(contains(page, "\\u202e"));
}

TEST_CASE("page: small whatever the history's size") {
  // A thousand transactions that read the same long list, and one that is at odds with itself.
  std::ostringstream history;
  for (int i = 0; i < 1'000; ++i) {
    history << "{:type :ok, :process " << i % 7 << ", :f :txn, :value [[:append :x " << i << "]";
    history << " [:append :k" << i << " " << i << "] [:r :k" << i << " []]]}\n";
  }
  const ReportModel report = report_on(history.str(), Model::kPl3);
  REQUIRE(report.findings.size() >= 1);
  CHECK(report_page(report).size() < 200'000);
}

TEST_CASE("page: a long list is shown around what matters, and opens") {
  std::string list;
  for (int i = 1; i <= 100; ++i) {
    list += std::to_string(i) + " ";
  }
  std::string history;
  for (int i = 1; i <= 100; ++i) {
    history +=
        "{:type :ok, :process 0, :f :txn, :value [[:append :x " + std::to_string(i) + "]]}\n";
  }
  history +=
      "{:type :ok, :process 1, :f :txn, :value [[:r :x [" + list + "]] [:r :x [" + list + "7]]]}\n";
  const std::string page = report_page(report_on(history, Model::kPl3));
  CHECK(contains(page, "…"));
  CHECK(contains(page, "<details class=\"whole\">"));
  CHECK(contains(page, html(list.substr(0, list.size() - 1))));
}

TEST_CASE("page: the same bytes again") {
  const auto page = [] {
    return report_page(report_on(kCaseSplit, Model::kStrongSessionSerializable));
  };
  CHECK(page() == page());
}

}  // namespace
}  // namespace elapid
