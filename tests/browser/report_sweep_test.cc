// What every report must be in every window and theme: no error, nothing wider than the window, and
// all text of enough contrast (WCAG 2.2, 1.4.3: 4.5 to 1, large text 3 to 1).
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/browser/open_report.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// Texts without enough contrast, each with what it has; empty if there are none.
constexpr std::string_view kPoorContrast = R"js((() => {
  const parts = (colour) => {
    const numbers = colour.match(/[\d.]+(e-?\d+)?/g).map(Number);
    const scale = colour.startsWith("color(") ? 255 : 1;
    return [numbers[0] * scale, numbers[1] * scale, numbers[2] * scale, numbers[3] ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(parts(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const poor = new Set();
  const look = (element, colour, ground) => {
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const has = contrast(over(parts(colour), ground), ground);
    if (has < (isLarge ? 3 : 4.5)) {
      poor.add(`${element.textContent.trim().slice(0, 30)} (${element.className.baseVal ?? element.className}): ${has.toFixed(2)}`);
    }
  };
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  for (const element of document.querySelectorAll("body *")) {
    if (!hasText(element) || element.closest("script, style, title") || !element.checkVisibility() ||
        getComputedStyle(element).opacity === "0") continue;
    const picture = element.closest("svg");
    if (!picture) {
      look(element, getComputedStyle(element).color, behind(element));
    } else {
      const bar = element.closest(".v-halo") ? null : element.closest(".view-timeline .v-txn");
      const ground = bar ? parts(getComputedStyle(bar.querySelector(".v-bar")).fill) : behind(picture);
      look(element, getComputedStyle(element).fill, ground);
    }
  }
  return [...poor].slice(0, 8).join("; ");
})())js";

/// Opens everything that is closed, and looks at the page in each window and theme.
void check_readable(Browser& browser) {
  REQUIRE(
      browser.holds("(() => { for (const one of document.querySelectorAll('details')) one.open = "
                    "true; return true; })()"));
  for (const int width : {1280, 400}) {
    browser.resize(width, 900);
    CHECK(browser.holds("innerWidth === " + std::to_string(width)));
    CHECK(browser.text("document.documentElement.scrollWidth <= innerWidth") == "true");
    for (const std::string scheme : {"light", "dark"}) {
      INFO(width << " pixels, " << scheme);
      browser.prefer(scheme);
      CHECK(browser.holds("matchMedia('(prefers-color-scheme: " + scheme + ")').matches"));
      CHECK(browser.text(kPoorContrast).empty());
    }
  }
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

/// A simulated history with these anomalies in it.
std::string history_with(const std::string& anomalies, const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string file = folder / "made.edn";
  std::vector<std::string> command = {
      std::getenv("ELAPID"), "generate", "--inject", anomalies, "--seed", "1", "-o", file};
  command.insert(command.end(), options.begin(), options.end());
  const ProgramRun run = run_program(command, folder.path().string(), {});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return content_of(file);
}

/// Lines of a nemesis between those of a history, whose acts last or do not, and meet.
std::string with_faults(const std::string& history) {
  std::istringstream lines(history);
  std::string text;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    constexpr std::string_view kTime = ":time ";
    const std::size_t index = line.find(":index ");
    const std::size_t time = line.find(kTime);
    if (number % 25 == 0 && time != std::string::npos) {
      const std::vector<std::string> acts = {"kill", "start-partition", "check-clock-offsets",
                                             "start", "stop-partition"};
      text += "{:type :info, :process :nemesis, :f :" + acts[number / 25 % acts.size()] +
              ", :value #{\"n1\" \"n2\"}, " + line.substr(time, line.find(',', time) - time) +
              "}\n";
    }
    line.erase(index, line.find(' ', index + 7) + 1 - index);
    text += line + "\n";
  }
  return text;
}

TEST_CASE("text of too little contrast is noticed, on whatever ground") {
  if (Browser* browser = the_browser()) {
    const TemporaryFolder folder;
    browser->prefer("light");
    browser->open("file://" +
                  folder.write("faint.html",
                               "<!doctype html><body><p style='color:#999'>faint</p>"
                               "<div style='background:#333'><p style='color:#eee'>good</p>"
                               "<p class=dim style='color:#000;background:rgb(0 0 0/.2)'>dim</p>"
                               "</div><p style='color:#949494;font-size:30px'>large</p>"));
    CHECK(browser->text(kPoorContrast).find("faint (): 2.85") == 0);
    CHECK(browser->text(kPoorContrast).find("; dim (dim): ") != std::string::npos);
    CHECK(browser->text(kPoorContrast).find("good") == std::string::npos);
    CHECK(browser->text(kPoorContrast).find("large") == std::string::npos);
  }
}

TEST_CASE("a page of many anomalies and faults is readable in every window and theme",
          "[.nightly]") {
  if (Browser* browser = the_browser()) {
    const std::string history = with_faults(
        history_with("G0,G1a,G1b,G1c,G-single-item,G2-item,lost-update,internal,"
                     "incompatible-order,garbage-read,G-nonadjacent-item-realtime",
                     {"--transactions", "300", "--aborts", "5", "--indeterminate", "5"}));
    const OpenReport report(*browser, "many.edn", history, {"-c", "strict-serializable"});
    CHECK(browser->holds("document.querySelectorAll('.finding').length >= 5"));
    CHECK(browser->holds("document.querySelectorAll('.ov-fault').length >= 3"));
    CHECK(browser->holds("document.querySelectorAll('a.ov-mark').length >= 5"));
    check_readable(*browser);
    CHECK(
        browser->holds("(document.querySelector('a.ov-mark').focus(), "
                       "document.activeElement.matches('a.ov-mark'))"));
  }
}

TEST_CASE("remarks of the reader stand on the page") {
  if (Browser* browser = the_browser()) {
    const OpenReport report(
        *browser, "odd.edn",
        "{:type :invoke, :process 0, :f :txn, :value [[:append :x 1]], :time 5}\n"
        "{:type :ok, :process 0, :f :txn, :value [[:append :x 2]], :time 4}\n"
        "{:type :ok, :process 1, :f :txn, :value [[:r :x [3]]], :time 6}\n",
        {"-c", "read-committed"});
    CHECK(browser->holds("document.querySelectorAll('#assumptions .remarks li').length >= 2"));
    CHECK(
        browser->holds("document.querySelector('#assumptions .place').textContent.includes("
                       "'odd.edn:')"));
    check_readable(*browser);
  }
}

/// What no history of registers is known to show alone.
bool is_of_lists_only(const std::string& anomaly) {
  return anomaly == "dirty-update" || anomaly == "duplicate-elements" ||
         anomaly == "incompatible-order" || anomaly.starts_with("G0");
}

TEST_CASE("every anomaly alone is readable in every window and theme", "[.nightly]") {
  if (Browser* browser = the_browser()) {
    for (const std::string workload : {"list-append", "rw-register"}) {
      for (const std::string anomaly : {"G-nonadjacent-item",
                                        "G-nonadjacent-item-process",
                                        "G-nonadjacent-item-realtime",
                                        "G-single-item",
                                        "G-single-item-process",
                                        "G-single-item-realtime",
                                        "G0",
                                        "G0-process",
                                        "G0-realtime",
                                        "G1a",
                                        "G1b",
                                        "G1c",
                                        "G1c-process",
                                        "G1c-realtime",
                                        "G2-item",
                                        "G2-item-process",
                                        "G2-item-realtime",
                                        "dirty-update",
                                        "duplicate-elements",
                                        "future-read",
                                        "garbage-read",
                                        "incompatible-order",
                                        "internal",
                                        "lost-update"}) {
        if (workload == "rw-register" && is_of_lists_only(anomaly)) {
          continue;
        }
        INFO(workload << ", " << anomaly);
        const OpenReport report(*browser, "one.edn",
                                history_with(anomaly, {"-m", workload, "--transactions", "100"}),
                                {"-c", "strict-serializable", "--linearizable-keys"});
        check_readable(*browser);
      }
    }
  }
}

TEST_CASE("real anomalies are readable in every window and theme", "[.nightly]") {
  Browser* browser = the_browser();
  const fs::path corpus = fs::path(ELAPID_SHARED) / "corpus";
  std::ifstream cases(corpus / "cases.tsv");
  if (browser == nullptr || !cases) {
    std::cerr << "SKIPPED: there is no " << corpus << '\n';
    return;
  }
  for (std::string line; std::getline(cases, line);) {
    std::istringstream fields(line);
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, '\t');) {
      row.push_back(field);
    }
    const fs::path history = row.empty() ? corpus : corpus / row[0];
    const bool is_shown = row.size() >= 5 && row[4] == "invalid" && row[3] != "linearizable" &&
                          row[3] != "-" && fs::is_regular_file(history) &&
                          fs::file_size(history) < 2'000'000;
    if (is_shown) {
      INFO(row[0] << " at " << row[3]);
      std::vector<std::string> options = {"-c", row[3], "--work", "20000000"};
      std::istringstream further(row.size() > 5 ? row[5] : "");
      for (std::string option; further >> option;) {
        options.push_back(option);
      }
      const OpenReport report(*browser, history.filename().string(), content_of(history), options);
      check_readable(*browser);
    }
  }
}

}  // namespace
}  // namespace elapid
