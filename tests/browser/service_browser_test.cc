// The page of `elapid serve` in Chromium, as people use it.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tests/browser/open_report.h"
#include "tests/support/served.h"
#include "tests/support/webdriver.h"

namespace elapid {
namespace {

/// Two clients that read the same and each append: a lost update.
constexpr const char* kLost =
    "{:type :invoke, :process 0, :f :txn, :value [[:r 1 nil] [:append 1 1]]}\n"
    "{:type :invoke, :process 1, :f :txn, :value [[:r 1 nil] [:append 1 2]]}\n"
    "{:type :ok, :process 0, :f :txn, :value [[:r 1 []] [:append 1 1]]}\n"
    "{:type :ok, :process 1, :f :txn, :value [[:r 1 []] [:append 1 2]]}\n"
    "{:type :invoke, :process 2, :f :txn, :value [[:r 1 nil]]}\n"
    "{:type :ok, :process 2, :f :txn, :value [[:r 1 [1 2]]]}\n";

constexpr const char* kWell =
    "{:type :invoke, :process 0, :f :txn, :value [[:append 1 1]]}\n"
    "{:type :ok, :process 0, :f :txn, :value [[:append 1 1]]}\n"
    "{:type :invoke, :process 1, :f :txn, :value [[:r 1 nil]]}\n"
    "{:type :ok, :process 1, :f :txn, :value [[:r 1 [1]]]}\n";

/// A read of what was overwritten before it began, with timestamps.
constexpr const char* kStale =
    R"({"tid":1,"sid":1,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},"ops":[{"t":"w","k":7,"v":1}]}
{"tid":2,"sid":2,"sts":{"p":3,"l":0},"cts":{"p":4,"l":0},"ops":[{"t":"w","k":7,"v":2}]}
{"tid":3,"sid":3,"sts":{"p":5,"l":0},"cts":{"p":6,"l":0},"ops":[{"t":"r","k":7,"v":1}]}
)";

/// A JavaScript expression: the row whose name begins so.
std::string row(std::string_view name) {
  return "Array.from(document.querySelectorAll('#rows tr')).find((tr) => "
         "tr.querySelector('.name').textContent.startsWith('" +
         std::string(name) + "'))";
}

std::string row_says(std::string_view name, std::string_view word) {
  return row(name) + "?.querySelector('.verdict').textContent === '" + std::string(word) + "'";
}

/// A page of a service that has been opened. What the page complains of fails the test.
class OpenPage {
 public:
  OpenPage(Browser& browser, const Served& served) : browser_(browser), served_(served) {
    browser_.resize(1280, 900);
    browser_.prefer("light");
    browser_.open("about:blank");  // the page of the test before asks for its service still
    static_cast<void>(browser_.complaints());
    static_cast<void>(browser_.requests());
    browser_.open(served_.address() + "/");
    REQUIRE(browser_.holds("document.readyState === 'complete'"));
  }

  ~OpenPage() {
    for (const std::string& complaint : browser_.complaints()) {
      FAIL_CHECK(complaint);
    }
    for (const std::string& url : browser_.requests()) {
      CHECK(url.starts_with(served_.address()));
    }
  }

  OpenPage(const OpenPage&) = delete;
  OpenPage& operator=(const OpenPage&) = delete;

 private:
  Browser& browser_;
  const Served& served_;
};

TEST_CASE("a history that is chosen is uploaded, checked, listed, found and its report opened") {
  Browser* browser = the_browser();
  if (browser == nullptr) {
    return;
  }
  const Served served;
  const OpenPage page(*browser, served);
  CHECK(browser->holds("!document.getElementById('empty').hidden"));
  browser->choose("#files", served.folder().write("lost update.edn", kLost));
  browser->choose("#files", served.folder().write("<img src=x onerror=alert(1)>.edn", kWell));
  browser->choose("#files", served.folder().write("notes.txt", "no history at all\n"));
  CHECK(browser->holds(row_says("lost update.edn", "invalid")));
  CHECK(browser->holds(row_says("<img", "valid")));
  CHECK(browser->holds(row_says("notes.txt", "no history")));
  CHECK(browser->holds(row("lost") + ".querySelector('.anomaly-cell').textContent !== ''"));
  CHECK(browser->holds(row("lost") + ".querySelector('.count').textContent === '3'"));
  CHECK(browser->holds(row("notes") + ".querySelector('.name .note').textContent !== ''"));
  CHECK(browser->holds("document.querySelectorAll('#rows img').length === 0"));
  CHECK_FALSE(browser->has_dialog());

  browser->click("#verdicts label:nth-of-type(2)");
  CHECK(browser->holds("document.querySelectorAll('#rows tr').length === 1"));
  browser->click("#verdicts label:nth-of-type(1)");
  CHECK(browser->holds("document.querySelectorAll('#rows tr').length === 3"));
  browser->click("#text");
  browser->type("LOST");
  CHECK(browser->holds("document.querySelectorAll('#rows tr').length === 1"));
  CHECK(browser->holds("document.getElementById('count').textContent === '1 of 3'"));
  browser->click("#rows .name a");
  CHECK(browser->holds("document.body.classList.contains('invalid')"));
  CHECK(browser->holds("document.querySelector('h1').textContent !== ''"));
}

TEST_CASE("the page is used by the keyboard alone") {
  Browser* browser = the_browser();
  if (browser == nullptr) {
    return;
  }
  const Served served;
  {
    httplib::Client client = served.client();
    REQUIRE(client.Post("/v1/checks?name=lost.edn", kLost, "application/edn"));
    REQUIRE(client.Post("/v1/checks?name=well.edn", kWell, "application/edn"));
  }
  const OpenPage page(*browser, served);
  CHECK(browser->holds(row_says("lost.edn", "invalid")));
  CHECK(browser->holds(row_says("well.edn", "valid")));
  browser->type(kTabKey);
  CHECK(browser->text("document.activeElement.textContent") == "Skip to the runs");
  browser->type("/");
  CHECK(browser->text("document.activeElement.id") == "text");
  browser->type("lost");
  CHECK(browser->holds("document.querySelectorAll('#rows tr').length === 1"));
  browser->type(kEscapeKey);
  CHECK(browser->holds("document.querySelectorAll('#rows tr').length === 2"));
  browser->type(kEscapeKey);
  browser->type("j");
  CHECK(browser->text("document.activeElement.textContent") == "well.edn");
  browser->type("j");
  CHECK(browser->text("document.activeElement.textContent") == "lost.edn");
  browser->type("k");
  CHECK(browser->text("document.activeElement.textContent") == "well.edn");
  // What is drawn again keeps the focus.
  CHECK(
      browser->holds("new Promise((done) => setTimeout(() => done("
                     "document.activeElement.textContent === 'well.edn'), 50))"));
  browser->type("j");
  browser->type(kEnterKey);
  CHECK(browser->holds("document.body.classList.contains('invalid')"));
}

TEST_CASE("violations of a stream appear as they come") {
  Browser* browser = the_browser();
  if (browser == nullptr) {
    return;
  }
  const Served served;
  httplib::Client client = served.client();
  const auto made = client.Post("/v1/streams?name=live&deadline=200ms");
  REQUIRE(made);
  const std::string stream = made->get_header_value("Location");
  const OpenPage page(*browser, served);
  CHECK(browser->holds("document.querySelector('.stream .name')?.textContent.startsWith('live')"));
  browser->click(".stream .actions button");
  CHECK(browser->holds("!document.querySelector('.events').hidden"));
  REQUIRE(client.Post(stream + "/transactions", kStale, "application/x-ndjson"));
  CHECK(browser->holds("document.querySelector('.events li .state')?.textContent === 'final'"));
  CHECK(
      browser->holds("document.querySelector('.events .what').textContent === "
                     "'Transaction 3 read 1 of 7, expected 2, which 2 wrote'"));
  CHECK(browser->holds("document.querySelector('.stream > .state').textContent === 'invalid'"));
  browser->click(".stream .actions button:nth-of-type(2)");
  CHECK(browser->holds("!document.querySelector('.stream .actions button:nth-of-type(3)').hidden"));
}

TEST_CASE("runs of a store are listed, and checked on request") {
  Browser* browser = the_browser();
  if (browser == nullptr) {
    return;
  }
  const TemporaryFolder store;
  store.write("append/20261126T180011.000Z/history.edn", kLost);
  store.write("append/20261126T180011.000Z/results.edn", "{:valid? true}\n");
  store.write("append/20261126T190000.000Z/history.edn", kWell);
  const Served served({store.path().string()});
  const OpenPage page(*browser, served);
  CHECK(browser->holds(row_says("append/20261126T180011", "not checked")));
  CHECK(browser->holds(row_says("append/20261126T190000", "still runs")));
  browser->click("#rows td.do button.small");
  CHECK(browser->holds(row_says("append/20261126T180011", "invalid")));
  CHECK(browser->holds("document.getElementById('check-all').hidden"));
}

TEST_CASE("a browser signs in once where there is a token") {
  Browser* browser = the_browser();
  if (browser == nullptr) {
    return;
  }
  const TemporaryFolder folder;
  const Served served({"--token-file", folder.write("token", "a-token-of-the-test\n")});
  browser->open(served.address() + "/");
  CHECK(browser->holds("document.getElementById('sign-in').open"));
  browser->type("another-token-of-the-test");
  browser->type(kEnterKey);
  CHECK(browser->holds("document.getElementById('sign-in-error').textContent !== ''"));
  CHECK(browser->holds("(document.getElementById('token').value = '') === ''"));
  browser->click("#token");
  browser->type("a-token-of-the-test");
  browser->type(kEnterKey);
  CHECK(browser->holds("!document.getElementById('sign-in').open"));
  CHECK(browser->holds("!document.getElementById('empty').hidden"));
  static_cast<void>(browser->complaints());  // of the answers 401
}

TEST_CASE("the page fits narrow screens and dark rooms") {
  Browser* browser = the_browser();
  if (browser == nullptr) {
    return;
  }
  const Served served;
  httplib::Client client = served.client();
  const std::string name(120, 'x');
  REQUIRE(client.Post("/v1/checks?name=" + name, kLost, "application/edn"));
  const auto made = client.Post("/v1/streams?name=live&deadline=200ms");
  REQUIRE(client.Post(made->get_header_value("Location") + "/transactions", kStale, "text/plain"));
  const OpenPage page(*browser, served);
  CHECK(browser->holds(row_says("xxx", "invalid")));
  CHECK(browser->holds("document.querySelectorAll('.stream').length === 1"));
  for (const int width : {320, 390, 760, 1024, 1280}) {
    INFO(width);
    browser->resize(width, 800);
    CHECK(browser->holds("document.documentElement.scrollWidth <= " + std::to_string(width)));
  }
  const std::string colour = "getComputedStyle(document.body).backgroundColor";
  const std::string light = browser->text(colour);
  browser->prefer("dark");
  CHECK(browser->text(colour) != light);
  browser->prefer("light");
}

}  // namespace
}  // namespace elapid
