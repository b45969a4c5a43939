// What must be true of every page, whatever history it is about.
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace elapid::report_test {

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

inline void check_page(std::string_view page) {
  PageChecker(page).check();
}

}  // namespace elapid::report_test
