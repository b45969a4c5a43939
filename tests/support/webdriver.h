// A browser that a test drives: headless Chromium, by the WebDriver protocol
// (https://www.w3.org/TR/webdriver2/) that its driver speaks.
//
//   auto browser = Browser::start();
//   browser->open("file:///tmp/report.html");
//   browser->hover(".v-edge .v-label");
//   CHECK(browser->holds("document.querySelector('.is-lit') !== null"));
//
// Actions of a page take time, so holds() repeats its question until the answer is yes: there is no
// fixed sleep. A refusal of the protocol is a std::runtime_error, which fails the test.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

class Browser {
 public:
  /// Whether Debian's chromium and chromium-driver are there.
  [[nodiscard]] static bool is_installed();

  /// Starts both, with a profile of their own that ends with them. Requires is_installed().
  [[nodiscard]] static std::unique_ptr<Browser> start();

  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  void open(const std::string& url);

  /// What a JavaScript expression comes to, as a string.
  [[nodiscard]] std::string text(std::string_view expression);

  /// Whether the expression is true, or becomes so.
  [[nodiscard]] bool holds(std::string_view expression);

  /// Moves the mouse to the middle of the first element that the selector finds, and scrolls there.
  void hover(const std::string& selector);
  void click(const std::string& selector);
  /// Presses keys in what has the focus, or types text there.
  void type(const std::string& keys);

  /// Chooses a file for an element that takes files.
  void choose(const std::string& selector, const std::string& path);

  void resize(int width, int height);
  /// `light` or `dark`, as readers prefer; and nothing that moves, which a click could miss.
  void prefer(const std::string& scheme);

  /// What the page has complained about since the last call: errors of scripts, of loading, ...
  [[nodiscard]] std::vector<std::string> complaints();

  /// What was loaded since the last call, the page included.
  [[nodiscard]] std::vector<std::string> requests();

  /// Whether the page shows an alert or another dialog.
  [[nodiscard]] bool has_dialog();
  void dismiss_dialog();

 private:
  struct State;
  explicit Browser(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Keys that have no letter.
inline constexpr const char* kTabKey = "\xee\x80\x84";
inline constexpr const char* kRightKey = "\xee\x80\x94";
inline constexpr const char* kEscapeKey = "\xee\x80\x8c";
inline constexpr const char* kEnterKey = "\xee\x80\x87";

}  // namespace elapid
