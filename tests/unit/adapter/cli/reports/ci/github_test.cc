#include "adapter/cli/reports/ci/github.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace elapid {
namespace {

CiHistory invalid(std::string path, std::string rule) {
  return {.path = path,
          .validity = Validity::kInvalid,
          .levels = "serializable",
          .violated = "serializable",
          .place = {.file = path},
          .findings = {{.rule = std::move(rule),
                        .text = "T1 < T2\nHowever, T2 < T1\n",
                        .steps = {{{.file = path, .line = 7}, "T1"}}}}};
}

std::size_t lines_with(const std::string& text, std::string_view begin) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.starts_with(begin);
  }
  return count;
}

TEST_CASE("github: an error at the line of the first transaction") {
  const std::string out = github_annotations(std::vector{invalid("a.edn", "G2-item")});
  CHECK(out ==
        "::error file=a.edn,line=7,title=G2-item in a.edn::T1 < T2%0AHowever, T2 < T1%0A\n"
        "invalid\ta.edn\tG2-item\n");
}

TEST_CASE("github: what is unknown is a warning, what was not checked an error") {
  const std::vector<CiHistory> histories = {
      {.path = "a.edn",
       .validity = Validity::kUnknown,
       .message = "out of time",
       .place = {.file = "a.edn"}},
      {.path = "b.edn", .message = "b.edn:1:1: expected a map", .place = {.file = "b.edn"}},
      {.path = "c.edn", .validity = Validity::kValid}};
  const std::string out = github_annotations(histories);
  CHECK(lines_with(out, "::warning file=a.edn,title=unknown%3A a.edn::out of time") == 1);
  CHECK(lines_with(out, "::error file=b.edn,title=not checked%3A b.edn::b.edn:1:1: expected") == 1);
  CHECK(lines_with(out, "valid\tc.edn") == 1);
}

TEST_CASE("github: ten errors are shown, and the last one counts the others") {
  std::vector<CiHistory> histories;
  for (int i = 0; i < 10; ++i) {
    histories.push_back(invalid("a.edn", "G0"));
  }
  CHECK(lines_with(github_annotations(histories), "::error file=a.edn") == 10);
  histories.push_back(invalid("a.edn", "G0"));
  const std::string out = github_annotations(histories);
  CHECK(lines_with(out, "::error ") == 10);
  CHECK(lines_with(out, "::error title=2 more::") == 1);
  CHECK(lines_with(out, "invalid\ta.edn") == 11);
}

TEST_CASE("github: names and texts command nothing") {
  CiHistory hostile = invalid("a,b:c%\n::error::x.edn", "G0");
  hostile.findings.front().text = "one\r\n::stop-commands::x\n\xff";
  const std::string out = github_annotations(std::vector{hostile});
  CHECK(lines_with(out, "::") == 1);
  CHECK(lines_with(out, "::error file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ax.edn,line=7,") == 1);
  CHECK(out.find("\xef\xbf\xbd") != std::string::npos);
}

TEST_CASE("github: the summary has a table, and explanations in blocks that stay closed") {
  CiHistory hostile = invalid("a|<b>*.edn", "G0");
  hostile.findings.front().text = "```\n<script>\n";
  const std::string out = github_summary(std::vector{hostile});
  CHECK(out.starts_with("### elapid: 0 valid, 1 invalid, 0 unknown, 0 not checked\n"));
  CHECK(out.find("| a\\|&lt;b>\\*.edn | invalid | serializable | G0 |\n") != std::string::npos);
  CHECK(out.find("````text\n```\n<script>\n````\n") != std::string::npos);
}

TEST_CASE("github: the summary keeps to its size, and says so") {
  std::vector<CiHistory> histories(40, invalid("a.edn", "G0"));
  for (CiHistory& history : histories) {
    history.findings.front().text = std::string(100'000, 'x');
  }
  const std::string out = github_summary(histories);
  CHECK(out.size() <= kMostSummaryBytes);
  CHECK(out.size() > kMostSummaryBytes / 2);
  CHECK(out.ends_with("see the log.\n"));
}

}  // namespace
}  // namespace elapid
