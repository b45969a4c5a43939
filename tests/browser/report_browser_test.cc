// report.html in Chromium, as its readers use it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/browser/open_report.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wait_until.h"
#include "tests/support/webdriver.h"

namespace elapid {
namespace {

/// Two processes that read the same and each append; a read shows one append before the other.
constexpr const char* kLostUpdate =
    "{:index 0, :time 1000000, :type :invoke, :process 0, :f :txn, :value [[:r 1 nil] [:append 1 "
    "101]]}\n"
    "{:index 1, :time 1500000, :type :invoke, :process 1, :f :txn, :value [[:r 1 nil] [:append 1 "
    "102]]}\n"
    "{:index 2, :time 3000000, :type :ok, :process 0, :f :txn, :value [[:r 1 []] [:append 1 "
    "101]]}\n"
    "{:index 3, :time 4000000, :type :ok, :process 1, :f :txn, :value [[:r 1 []] [:append 1 "
    "102]]}\n"
    "{:index 4, :time 9000000, :type :invoke, :process 2, :f :txn, :value [[:r 1 nil]]}\n"
    "{:index 5, :time 9500000, :type :ok, :process 2, :f :txn, :value [[:r 1 [101 102]]]}\n";

/// A process that reads what it had overwritten: only a proof by cases shows it.
constexpr const char* kStaleSession =
    "{:type :ok, :process 0, :f :txn, :value [[:w 1 1]]}\n"
    "{:type :ok, :process 0, :f :txn, :value [[:w 1 2]]}\n"
    "{:type :ok, :process 0, :f :txn, :value [[:r 1 1]]}\n";

/// An aborted read of a long list, and a lost update of another key.
std::string two_anomalies() {
  std::string history;
  std::string list;
  for (int i = 1; i <= 40; ++i) {
    const std::string type = i == 20 ? ":fail" : ":ok";
    history += "{:type " + type + ", :process 0, :f :txn, :value [[:append :long " +
               std::to_string(i) + "]]}\n";
    list += std::to_string(i) + " ";
  }
  history += "{:type :ok, :process 1, :f :txn, :value [[:r :long [" + list + "]]]}\n";
  return history +
         "{:type :invoke, :process 2, :f :txn, :value [[:r :other nil] [:append :other 1]]}\n"
         "{:type :invoke, :process 3, :f :txn, :value [[:r :other nil] [:append :other 2]]}\n"
         "{:type :ok, :process 2, :f :txn, :value [[:r :other []] [:append :other 1]]}\n"
         "{:type :ok, :process 3, :f :txn, :value [[:r :other []] [:append :other 2]]}\n"
         "{:type :ok, :process 1, :f :txn, :value [[:r :other [1 2]]]}\n";
}

/// A cycle of transactions of five sessions. Each misses the append of the next one.
std::string five_sessions() {
  std::string begun;
  std::string ended;
  for (int i = 0; i < 5; ++i) {
    const std::string key = ":a-rather-long-key-" + std::to_string(i);
    const std::string next = ":a-rather-long-key-" + std::to_string((i + 1) % 5);
    const auto event = [&](const std::string& type, const std::string& read) {
      return "{:type " + type + ", :process " + std::to_string(i) + ", :f :txn, :value [[:r " +
             next + " " + read + "] [:append " + key + " 1000000]]}\n";
    };
    begun += event(":invoke", "nil");
    ended += event(":ok", "[]");
  }
  return begun + ended;
}

/// Whether each of the views and the proof shows something with this anchor and class.
std::string in_all_views(std::string_view anchor, std::string_view lit) {
  return "['.view-graph', '.view-timeline', '.view-table', '.proof'].every((v) => "
         "document.querySelector('#a1 ' + v + ' ." +
         std::string(lit) + "[data-ref~=\"" + std::string(anchor) + "\"]'))";
}

TEST_CASE("errors of a page, dialogs and requests are noticed") {
  if (Browser* browser = the_browser()) {
    const TemporaryFolder folder;
    browser->open("file://" + folder.write("bad.html",
                                           "<!doctype html><img src=missing.png><script>"
                                           "setTimeout(() => alert(1)); absent();</script>"));
    CHECK(wait_until([&] { return browser->has_dialog(); }));
    browser->dismiss_dialog();
    CHECK(browser->holds("document.readyState === 'complete'"));
    CHECK(std::ranges::count(browser->requests(), "file://" + (folder / "missing.png")) == 1);
    const std::vector<std::string> complaints = browser->complaints();
    CHECK(std::ranges::any_of(complaints, [](const std::string& one) {
      return one.find("absent is not defined") != std::string::npos;
    }));
    CHECK(std::ranges::any_of(complaints, [](const std::string& one) {
      return one.find("missing.png") != std::string::npos;
    }));
  }
}

TEST_CASE("hovering an edge lights it up in every view and in the proof") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "lost.edn", kLostUpdate, {"-c", "snapshot-isolation"});
    browser->hover("#a1 .view-graph .v-edge[data-ref~='a1.e1'] .v-label");
    CHECK(browser->holds(in_all_views("a1.e1", "is-lit")));
    CHECK(browser->holds("document.querySelector('#a1.has-lit')"));
    // Its ends are marked too, the other edge is not.
    CHECK(browser->holds("document.querySelector('#a1 .view-graph .v-op.is-near')"));
    CHECK(
        browser->holds("!document.querySelector('#a1 .view-graph .is-lit[data-ref~=\"a1.e2\"]')"));
    browser->hover("h1");
    CHECK(browser->holds("!document.querySelector('.is-lit, .is-near, .has-lit')"));
  }
}

TEST_CASE("an edge of rows names its row, and lights up the operations in words") {
  const auto txn = [](const std::string& type, const std::string& process,
                      const std::string& found) {
    return "{:type :" + type + ", :process " + process + ", :f :txn, :value [[:rp [:in :a 1 9] " +
           found + "] [:insert " + process + " {:a 5}]]}\n";
  };
  const std::string phantom = txn("invoke", "1", "nil") + txn("invoke", "2", "nil") +
                              txn("ok", "1", "{}") + txn("ok", "2", "{}");
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "phantom.edn", phantom, {"-c", "serializable"});
    CHECK(browser->text("document.querySelector('#a1 .chips').textContent").find("row") !=
          std::string::npos);
    CHECK(
        browser->holds("[...document.querySelectorAll('#a1 .view-graph .v-edge .v-label')]"
                       ".some((e) => e.textContent === 'rw row 1')"));
    browser->hover("#a1 .view-graph .v-edge[data-ref~='a1.e1'] .v-label");
    CHECK(browser->holds(in_all_views("a1.e1", "is-lit")));
    CHECK(
        browser->holds("document.querySelector('#a1 .view-graph .v-op.is-near').textContent"
                       ".includes('read rows with 1 <= :a <= 9: none')"));
  }
}

TEST_CASE("the order of single operations: where it stops is in view") {
  const auto event = [](const std::string& type, const std::string& rest) {
    return "{:type :" + type + ", :process " + rest + "}\n";
  };
  const std::string stale =
      event("invoke", "0, :f :write, :value 1") + event("ok", "0, :f :write, :value 1") +
      event("invoke", "0, :f :write, :value 2") + event("ok", "0, :f :write, :value 2") +
      event("invoke", "1, :f :read, :value nil") + event("ok", "1, :f :read, :value 1");
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "stale.edn", stale, {});
    browser->click("a[href='order.html']");
    CHECK(browser->holds("document.querySelector('canvas').getBoundingClientRect().height > 50"));
    CHECK(
        browser->holds("document.querySelector('.detail').textContent"
                       ".includes(':read 1, line 6, not in the order')"));
    browser->click(".tools button[data-do='start']");
    browser->hover("canvas");
    CHECK(browser->text("document.querySelector('tbody').textContent").find(":write 2") !=
          std::string::npos);
  }
}

TEST_CASE("hovering a transaction lights up its operations and its edges") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "lost.edn", kLostUpdate, {"-c", "snapshot-isolation"});
    browser->hover("#a1 .view-table td.v-begin[data-ref='a1.t1'] b");
    CHECK(browser->holds("document.querySelector('#a1 .view-graph .v-txn.is-lit')"));
    CHECK(browser->holds("document.querySelector('#a1 .view-timeline .v-txn.is-lit')"));
    CHECK(browser->holds(
        "document.querySelector('#a1 .view-graph .v-op.is-lit[data-ref^=\"a1.t1.\"]')"));
    CHECK(browser->holds("document.querySelector('#a1 .view-graph .v-edge.is-near')"));
  }
}

TEST_CASE("an anchor leads to its sentence and lights it up") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "lost.edn", kLostUpdate, {"-c", "snapshot-isolation"},
                            "#a1.e1");
    CHECK(browser->holds(in_all_views("a1.e1", "is-lit")));
    CHECK(
        browser->holds("(() => { const r = document.getElementById('a1.e1')"
                       ".getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight; })()"));
    browser->click("#a1 .view-table .v-badge[href='#a1.e2']");
    CHECK(browser->holds("location.hash === '#a1.e2'"));
    browser->hover("h1");
    CHECK(browser->holds(in_all_views("a1.e2", "is-lit")));
  }
}

TEST_CASE("the keyboard goes through a picture's parts") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "lost.edn", kLostUpdate, {"-c", "snapshot-isolation"});
    // One stop a picture, and arrows from there.
    CHECK(browser->text("document.querySelectorAll('#a1 .view-graph [tabindex=\"0\"]').length") ==
          "1");
    REQUIRE(
        browser->holds("(document.querySelector('#a1 .view-graph [tabindex=\"0\"]').focus(), "
                       "document.activeElement.matches('.view-graph [data-ref]'))"));
    const std::string first = browser->text("document.activeElement.getAttribute('data-ref')");
    CHECK(browser->holds("document.activeElement.classList.contains('is-lit')"));
    browser->type(kRightKey);
    CHECK(browser->holds("document.activeElement.getAttribute('data-ref') !== '" + first + "'"));
    CHECK(browser->holds("document.activeElement.classList.contains('is-lit')"));
    CHECK(browser->text("document.querySelectorAll('#a1 .view-graph [tabindex=\"0\"]').length") ==
          "1");
  }
}

TEST_CASE("the steps of a proof fold and unfold, and its assumption is a picture of its own") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "stale.edn", kStaleSession,
                            {"-c", "strong-session-snapshot-isolation", "--engine", "solver"});
    REQUIRE(browser->holds("document.querySelector('#a1 .proof details.steps')"));
    const bool was_open =
        browser->text("document.querySelector('#a1 .proof details.steps').open") == "true";
    browser->click("#a1 .proof details.steps > summary");
    CHECK(
        browser->holds(std::string("document.querySelector('#a1 .proof details.steps').open === ") +
                       (was_open ? "false" : "true")));
    CHECK(browser->holds("document.querySelector('#a1 .view-graph .v-edge.v-assumed')"));
  }
}

TEST_CASE("the list of anomalies is filtered, and a long list opens") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "two.edn", two_anomalies(), {"-c", "snapshot-isolation"});
    REQUIRE(browser->holds("document.querySelectorAll('#index tbody tr').length > 1"));
    browser->click(".filter input");
    browser->type("g1a");
    CHECK(
        browser->holds("document.querySelectorAll('#index tbody tr:not([hidden])').length === 1"));
    CHECK(browser->holds("document.querySelectorAll('.finding:not([hidden])').length === 1"));
    const std::string shown = browser->text("document.querySelector('.finding:not([hidden])').id");
    // The list is cut around the relevant element until the reader asks for more.
    CHECK(browser->holds("[...document.querySelectorAll('#" + shown +
                         " .view-graph .v-code')].some((e) => /… .*20.* …/.test(e.textContent))"));
    REQUIRE(browser->holds("document.querySelector('#" + shown + " details:not([open])')"));
    browser->click("#" + shown + " details:not([open]) > summary");
    CHECK(browser->holds("document.querySelector('#" + shown + " details[open]')"));
  }
}

TEST_CASE("no page is wider than a narrow window, light or dark") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "two.edn", two_anomalies(), {"-c", "snapshot-isolation"});
    for (const int width : {1280, 400}) {
      browser->resize(width, 800);
      CHECK(browser->holds("innerWidth === " + std::to_string(width)));
      CHECK(browser->holds("document.documentElement.scrollWidth <= innerWidth"));
    }
    const auto colour = [&](const std::string& scheme) {
      browser->prefer(scheme);
      CHECK(browser->holds("matchMedia('(prefers-color-scheme: " + scheme + ")').matches"));
      return browser->text(
          "getComputedStyle(document.body).backgroundColor + "
          "getComputedStyle(document.querySelector('.v-card')).fill");
    };
    CHECK(colour("light") != colour("dark"));
  }
}

TEST_CASE("five sessions stand side by side in a window of 1400 pixels") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "five.edn", five_sessions(), {"-c", "serializable"});
    browser->resize(1400, 1000);
    CHECK(browser->holds("innerWidth === 1400"));
    CHECK(browser->text("document.querySelectorAll('#a1 .view-table thead th').length") == "6");
    CHECK(
        browser->holds("[...document.querySelectorAll('#a1 .view-table')].every((table) => "
                       "table.scrollWidth <= table.parentElement.clientWidth)"));
  }
}

TEST_CASE("text in pictures is large enough, and within its card") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "two.edn", two_anomalies(), {"-c", "snapshot-isolation"});
    browser->resize(400, 800);
    CHECK(browser->text("[...document.querySelectorAll('svg.view text')].filter((t) => "
                        "parseFloat(getComputedStyle(t).fontSize) < 11).length") == "0");
    CHECK(browser->text(
              "[...document.querySelectorAll('.view-graph .v-txn')].filter((card) => { const box = "
              "card.querySelector('.v-card').getBoundingClientRect(); return "
              "[...card.querySelectorAll('text')].some((t) => { const r = "
              "t.getBoundingClientRect(); return r.left < box.left || r.right > box.right + 0.5; "
              "}); }).map((card) => card.textContent).join('; ')") == "");
    CHECK(browser->text(
              "[...document.querySelectorAll('.v-edge')].filter((edge) => { const box = "
              "edge.querySelector('.v-pill').getBoundingClientRect(); const r = "
              "edge.querySelector('.v-label').getBoundingClientRect(); return r.left < box.left || "
              "r.right > box.right; }).map((edge) => edge.textContent).join('; ')") == "");
  }
}

TEST_CASE("hostile histories are text") {
  if (Browser* browser = the_browser()) {
    const std::string attack =
        "<img src=x onerror=alert(1)></script><script>document.title='owned'</script>"
        "<svg onload=alert(2)>\\\"'&\u202e\u2066\\u0007";
    std::string history;
    for (const std::string& process : {std::string("0"), std::string("1")}) {
      history += "{:type :invoke, :process " + process + ", :f :txn, :value [[:r \"" + attack +
                 "\" nil] [:append \"" + attack + "\" \"" + attack + process + "\"]]}\n";
    }
    for (const std::string& process : {std::string("0"), std::string("1")}) {
      history += "{:type :ok, :process " + process + ", :f :txn, :value [[:r \"" + attack +
                 "\" []] [:append \"" + attack + "\" \"" + attack + process + "\"]], :error \"" +
                 attack + "\"}\n";
    }
    history += "{:type :ok, :process 2, :f :txn, :value [[:r \"" + attack + "\" [\"" + attack +
               "0\" \"" + attack + "1\"]]]}\n";
    const OpenReport report(*browser, "<img src=x onerror=alert(3)>\u202e.edn", history,
                            {"-c", "snapshot-isolation"});
    CHECK(
        browser->text("document.querySelectorAll('img, iframe, object, embed, link[rel=stylesheet],"
                      " [onload], [onerror], [onclick]').length") == "0");
    CHECK(browser->text("[...document.querySelectorAll('script, style')].filter((e) => "
                        "e.textContent.includes('owned')).length") == "0");
    CHECK(browser->text("document.title") != "owned");
    CHECK(browser->text("/[\\u202a-\\u202e\\u2066-\\u2069\\u0007]/.test("
                        "document.documentElement.textContent)") == "false");
    CHECK(browser->holds("document.querySelector('#a1 .view-graph').textContent.includes('<img')"));
    browser->hover("#a1 .view-graph .v-edge .v-label");
    CHECK(browser->holds("document.querySelector('#a1 .proof .is-lit')"));
  }
}

TEST_CASE("a picture stands alone as a file") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(*browser, "lost.edn", kLostUpdate, {"-c", "snapshot-isolation"});
    const std::string page = report.url();
    browser->open(page.substr(0, page.rfind('/')) + "/findings/1.svg");
    CHECK(browser->holds("document.documentElement.matches('svg.view')"));
    CHECK(
        browser->holds("document.querySelector('.v-line') && "
                       "getComputedStyle(document.querySelector('.v-line')).stroke !== 'none'"));
    browser->open(page);
    REQUIRE(browser->holds("window.elapidViews"));
  }
}

}  // namespace
}  // namespace elapid
