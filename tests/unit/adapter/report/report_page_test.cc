#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/report/html.h"
#include "adapter/report/report.h"
#include "adapter/report/sha256.h"
#include "tests/unit/adapter/report/report_subject.h"

namespace elapid {
namespace {

/// Reads the tags of a page that writes every end tag, as ours does.
class PageChecker {
 public:
  explicit PageChecker(std::string_view page) : rest_(page) {}

  /// Tags are closed in order, ids are unique, links within the page lead somewhere, nothing is
  /// fetched, and no element has a handler.
  void check() {
    while (next()) {
    }
    CHECK(open_.empty());
    for (const std::string& target : targets_) {
      INFO(target);
      CHECK(ids_.contains(target));
    }
  }

 private:
  bool next() {
    const std::size_t at = rest_.find('<');
    if (at == std::string_view::npos) {
      return false;
    }
    rest_.remove_prefix(at);
    if (rest_.starts_with("<!--")) {
      rest_.remove_prefix(rest_.find("-->") + 3);
      return true;
    }
    const std::size_t end = rest_.find('>');
    REQUIRE(end != std::string_view::npos);
    const std::string_view tag = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    take(tag);
    return true;
  }

  void take(std::string_view tag) {
    INFO(tag);
    if (tag.starts_with('!')) {
      return;
    }
    if (tag.starts_with('/')) {
      REQUIRE_FALSE(open_.empty());
      CHECK(open_.back() == tag.substr(1));
      open_.pop_back();
      return;
    }
    const std::string name(tag.substr(0, tag.find_first_of(" /")));
    take_attributes(tag.substr(name.size()));
    constexpr std::array<std::string_view, 3> kEmpty = {"br", "input", "meta"};
    if (!tag.ends_with('/') && std::ranges::find(kEmpty, name) == kEmpty.end()) {
      open_.push_back(name);
    }
    if (name == "script" || name == "style") {
      rest_.remove_prefix(std::min(rest_.find("</" + name), rest_.size()));
    }
  }

  void take_attributes(std::string_view text) {
    while (true) {
      const std::size_t equals = text.find("=\"");
      if (equals == std::string_view::npos) {
        return;
      }
      const std::size_t begin = text.find_last_of(" \n", equals) + 1;
      const std::string name(text.substr(begin, equals - begin));
      text.remove_prefix(equals + 2);
      const std::string value(text.substr(0, text.find('"')));
      text.remove_prefix(value.size() + 1);
      take(name, value);
    }
  }

  void take(const std::string& name, const std::string& value) {
    INFO(name << " " << value);
    CHECK_FALSE(name.starts_with("on"));
    CHECK(name != "src");
    if (name == "id") {
      CHECK(ids_.insert(value).second);
    }
    if (name == "href") {
      CHECK(value.starts_with('#'));
      targets_.insert(value.substr(1));
    }
  }

  std::string_view rest_;
  std::vector<std::string> open_ = {};
  std::set<std::string> ids_ = {};
  std::set<std::string> targets_ = {};
};

void check_page(std::string_view page) {
  PageChecker(page).check();
}

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
