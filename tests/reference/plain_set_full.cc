#include "tests/reference/plain_set_full.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace elapid {

namespace {

struct PlainFate {
  int element = 0;
  std::string outcome = "never-read";
  std::int64_t latency = 0;
  std::int64_t known = -1;  // places of events
  std::int64_t last_present = -1;
  std::int64_t last_absent = -1;
};

class PlainSetFull {
 public:
  PlainSetFull(const std::vector<PlainCall>& calls, bool is_linearizable, bool is_jepsen)
      : calls_(calls), is_linearizable_(is_linearizable), is_jepsen_(is_jepsen) {}

  PlainVerdict check() {
    for (std::size_t place = 0; place < calls_.size(); ++place) {
      if (calls_[place].f == "add") {
        see_add(place);
      } else if (calls_[place].type == "ok" && (is_jepsen_ || !calls_[place].is_nil)) {
        see_read(place);
      }
    }
    for (auto& [element, fate] : fates_) {
      conclude(fate);
      has_unexpected_ = has_unexpected_ || (shown_.contains(element) && attempts_[element] == 0);
    }
    return {validity(), entries()};
  }

 private:
  void see_add(std::size_t place) {
    const int element = std::stoi(calls_[place].elements.front());
    attempts_[element] += calls_[place].type == "fail"     ? -1
                          : calls_[place].type == "invoke" ? 1
                                                           : 0;
    if (calls_[place].type == "invoke") {
      fates_[element] = {.element = element};
      added_.insert(element);
    } else if (calls_[place].type == "ok" && fates_[element].known < 0) {
      fates_[element].known = static_cast<std::int64_t>(place);
    }
  }

  void see_read(std::size_t place) {
    const auto began = static_cast<std::int64_t>(invocation_of(calls_, place));
    std::map<int, std::int64_t> shown;
    for (const std::string& element : calls_[place].elements) {
      ++shown[std::stoi(element)];
    }
    for (const auto& [element, times] : shown) {
      has_unexpected_ = has_unexpected_ || !added_.contains(element);
      shown_.insert(element);
      if (times > 1) {
        most_[element] = std::max(most_[element], times);
      }
    }
    for (auto& [element, fate] : fates_) {
      if (shown.contains(element)) {
        fate.known = fate.known < 0 ? static_cast<std::int64_t>(place) : fate.known;
        fate.last_present = std::max(fate.last_present, began);
      } else {
        fate.last_absent = std::max(fate.last_absent, began);
      }
    }
  }

  [[nodiscard]] std::int64_t time(std::int64_t place) const {
    return calls_[static_cast<std::size_t>(place)].time;
  }

  void conclude(PlainFate& fate) {
    if (fate.last_present >= 0 && fate.last_absent < fate.last_present) {
      fate.outcome = "stable";
      fate.latency = fate.last_absent < 0 ? 0 : since(fate.known, fate.last_absent);
      has_stale_ = has_stale_ || (is_jepsen_ ? fate.latency > 0 : fate.last_absent > fate.known);
    } else if (fate.known >= 0 && fate.last_absent >= 0 && fate.last_present < fate.last_absent &&
               fate.known < fate.last_absent) {
      fate.outcome = "lost";
      fate.latency = fate.last_present < 0 ? 0 : since(fate.known, fate.last_present);
    }
  }

  [[nodiscard]] std::int64_t since(std::int64_t known, std::int64_t read) const {
    return std::max<std::int64_t>(0, time(read) + 1 - time(known)) / 1'000'000;
  }

  [[nodiscard]] std::string validity() const {
    if (count("lost") > 0) {
      return "false";
    }
    if (!is_jepsen_ && (has_unexpected_ || !most_.empty())) {
      return "false";
    }
    if (count("stable") == 0) {
      return "unknown";
    }
    return is_linearizable_ && has_stale_ ? "false" : "true";
  }

  [[nodiscard]] std::size_t count(const std::string& outcome) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(fates_, [&](const auto& f) { return f.second.outcome == outcome; }));
  }

  template <class Test>
  [[nodiscard]] std::string those(Test test) const {
    std::string text;
    for (const auto& [element, fate] : fates_) {
      if (test(fate)) {
        text += (text.empty() ? "" : " ") + std::to_string(element);
      }
    }
    return "(" + text + ")";
  }

  static std::string op(std::int64_t place) {
    return place < 0 ? "nil" : "op " + std::to_string(place);
  }

  static bool is_stale(const PlainFate& fate) {
    return fate.outcome == "stable" && fate.latency > 0;
  }

  [[nodiscard]] std::string worst() const {
    std::vector<PlainFate> stale;
    for (const auto& [element, fate] : fates_) {
      if (is_stale(fate)) {
        stale.push_back(fate);
      }
    }
    std::ranges::stable_sort(stale, {}, &PlainFate::latency);
    std::ranges::reverse(stale);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, stale.size()); ++i) {
      text += (text.empty() ? "{" : " {") + ("element " + std::to_string(stale[i].element)) +
              " outcome stable stable-latency " + std::to_string(stale[i].latency) +
              " lost-latency nil known " + op(stale[i].known) + " last-absent " +
              op(stale[i].last_absent) + "}";
    }
    return "(" + text + ")";
  }

  [[nodiscard]] std::string latencies(const std::string& outcome) const {
    std::vector<std::int64_t> sorted;
    for (const auto& [element, fate] : fates_) {
      if (fate.outcome == outcome) {
        sorted.push_back(fate.latency);
      }
    }
    if (sorted.empty()) {
      return "";
    }
    std::ranges::sort(sorted);
    std::string text;
    for (const char* point : {"0", "0.5", "0.95", "0.99", "1"}) {
      const auto place = static_cast<std::size_t>(
          std::floor(static_cast<double>(sorted.size()) * std::stod(point)));
      text += (text.empty() ? "" : " ") + std::string(point) + " " +
              std::to_string(sorted[std::min(place, sorted.size() - 1)]);
    }
    return outcome + "-latencies {" + text + "}\n";
  }

  [[nodiscard]] std::string duplicated() const {
    std::string text;
    for (const auto& [element, times] : most_) {
      text += (text.empty() ? "" : " ") + std::to_string(element) + " " + std::to_string(times);
    }
    return is_jepsen_ ? "duplicated-count 0\nduplicated {}\n"
                      : "duplicated-count " + std::to_string(most_.size()) + "\nduplicated {" +
                            text + "}\n";
  }

  [[nodiscard]] std::string entries() const {
    const auto having = [&](const std::string& outcome) {
      return those([&](const PlainFate& fate) { return fate.outcome == outcome; });
    };
    return "attempt-count " + std::to_string(fates_.size()) + "\nstable-count " +
           std::to_string(count("stable")) + "\nlost-count " + std::to_string(count("lost")) +
           "\nlost " + having("lost") + "\nnever-read-count " +
           std::to_string(count("never-read")) + "\nnever-read " + having("never-read") +
           "\nstale-count " +
           std::to_string(
               std::ranges::count_if(fates_, [](const auto& f) { return is_stale(f.second); })) +
           "\nstale " + those(is_stale) + "\nworst-stale " + worst() + "\n" + latencies("stable") +
           latencies("lost") + duplicated();
  }

  const std::vector<PlainCall>& calls_;
  bool is_linearizable_;
  bool is_jepsen_;
  std::map<int, PlainFate> fates_;
  std::set<int> added_;
  std::set<int> shown_;
  std::map<int, std::int64_t> attempts_;  // adds that were invoked and did not fail
  std::map<int, std::int64_t> most_;
  bool has_unexpected_ = false;
  bool has_stale_ = false;
};

}  // namespace

PlainVerdict check_plain_set_full(const std::vector<PlainCall>& calls, bool is_linearizable,
                                  bool is_jepsen) {
  return PlainSetFull(calls, is_linearizable, is_jepsen).check();
}

}  // namespace elapid
