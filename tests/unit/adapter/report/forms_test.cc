#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "adapter/elle/file_output.h"
#include "adapter/report/forms/finding_forms.h"
#include "adapter/report/report.h"
#include "adapter/report/result_folder.h"
#include "tests/unit/adapter/elle/temporary_directory.h"
#include "tests/unit/adapter/report/report_subject.h"

namespace elapid {
namespace {

using namespace report_test;
using elle_test::TemporaryDirectory;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST_CASE("forms: a finding as text") {
  const ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  const std::string text = finding_text(report.findings.at(0));
  CHECK(text.starts_with("a1  G-single-item: read skew; key :x; 2 transactions\n"));
  CHECK(text.find("T1 = run.edn:2 {:index 1") != std::string::npos);
  CHECK(text.find("\n(1) T1 < T2, because") != std::string::npos);
  CHECK(text.find("\nThe same transactions show lost-update") != std::string::npos);
}

TEST_CASE("forms: the summary begins with the verdict and is short") {
  const ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  const std::string text = report_text(report);
  CHECK(text.starts_with("Not snapshot isolation: G-single-item"));
  CHECK(lines_of(text) <= 60);

  ReportModel many = report;
  many.findings.resize(200, report.findings.at(0));
  many.certainty.resize(50, "sure");
  many.assumptions.resize(50, "assumed\nin lines");
  CHECK(lines_of(report_text(many)) <= 60);
  CHECK(report_text(many).find("and ") != std::string::npos);
}

TEST_CASE("forms: Markdown mentions no user and is no markup") {
  CHECK(markdown("@team #1 <b> `x` [a](b) *c*") ==
        "&#64;team &#35;1 &#60;b&#62; \\`x\\` \\[a\\]\\(b\\) \\*c\\*");
  CHECK(markdown("two\nlines") == "two\\\\nlines");
  const std::string block = markdown_block({"a ``` b", "c"}, 1'000);
  CHECK(block == "````text\na ``` b\nc\n````\n");
}

TEST_CASE("forms: Markdown fits an issue") {
  ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  ReportFinding big = report.findings.at(0);
  big.proof.resize(1, big.proof.at(0));
  big.proof[0].says = {{.text = std::string(30'000, 'x')}};
  report.findings.resize(40, big);
  CHECK(report_markdown(report).size() < 65'536);
  CHECK(finding_markdown(big, 1'000).size() < 2'000);
}

TEST_CASE("forms: a folder of a result is read again") {
  const TemporaryDirectory directory;
  const ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  for (const EvidenceFile& file : report_files(report)) {
    REQUIRE(write_file(directory.path() / file.path, file.content).ok());
  }
  const auto text = read_finding(directory.path(), 1, "txt");
  REQUIRE(text.ok());
  CHECK(text.value() == finding_text(report.findings.at(0)));
  const auto list = read_finding(directory.path(), {}, "txt");
  REQUIRE(list.ok());
  CHECK(lines_of(list.value()) == 2);
  CHECK(read_finding(directory.path(), {}, "md").ok());

  const auto none = read_finding(directory.path(), 7, "txt");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kUsage);
  CHECK(none.error().message.find("it has 1 to 1") != std::string::npos);
  const auto elsewhere = read_finding(directory.path() / "findings", {}, "txt");
  REQUIRE_FALSE(elsewhere.ok());
  CHECK(elsewhere.error().kind == ErrorKind::kUnreadable);
  CHECK_FALSE(read_finding(directory.path(), {}, "svg").ok());
}

}  // namespace
}  // namespace elapid
