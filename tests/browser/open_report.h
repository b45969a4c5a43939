// Reports in a browser, for tests.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "harness/process/program_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/webdriver.h"

namespace elapid {

/// The one browser of the program; none where it is not installed, and then the tests say so.
inline Browser* the_browser() {
  static const std::unique_ptr<Browser> browser = [] {
    if (!Browser::is_installed()) {
      std::cerr << "SKIPPED: chromium and chromium-driver are not installed\n";
      return std::unique_ptr<Browser>();
    }
    return Browser::start();
  }();
  return browser.get();
}

/// Checks a history and opens its report at an anchor. Error messages of the page, of this test or
/// another, fail the test that meets them.
class OpenReport {
 public:
  OpenReport(Browser& browser, const std::string& file, const std::string& history,
             const std::vector<std::string>& options, const std::string& anchor = "")
      : browser_(browser) {
    const char* program = std::getenv("ELAPID");
    REQUIRE(program != nullptr);
    std::vector<std::string> command = {program, "check", "-d", folder_ / "out",
                                        folder_.write(file, history)};
    command.insert(command.end(), options.begin(), options.end());
    const ProgramRun run = run_program(command, folder_.path().string(), {});
    INFO(run.err);
    REQUIRE(run.exit_code == 1);
    browser_.resize(1280, 900);
    browser_.prefer("light");
    static_cast<void>(browser_.requests());  // of tests before
    browser_.open(url() + anchor);
    REQUIRE(browser_.holds("document.readyState === 'complete' && window.elapidViews"));
  }

  ~OpenReport() {
    CHECK(browser_.complaints().empty());
    CHECK_FALSE(browser_.has_dialog());
    for (const std::string& url : browser_.requests()) {
      CHECK(url.starts_with("file://" + folder_.path().string()));
      CHECK(
          (url.ends_with("/report.html") || url.ends_with("/order.html") || url.ends_with(".svg")));
    }
  }

  OpenReport(const OpenReport&) = delete;
  OpenReport& operator=(const OpenReport&) = delete;

  [[nodiscard]] std::string url() const { return "file://" + report(); }

 private:
  [[nodiscard]] std::string report() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "out")) {
      if (entry.path().filename() == "report.html") {
        return entry.path().string();
      }
    }
    FAIL("no report.html");
    return "";
  }

  Browser& browser_;
  TemporaryFolder folder_;
};

}  // namespace elapid
