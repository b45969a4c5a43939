// Random histories of queues, of ids and of echoes: the same result maps as by definition.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/reference/queue_reference.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using reference::CallEvent;
using reference::QueueResult;

std::string text_of(const std::vector<CallEvent>& events) {
  std::string text;
  for (const CallEvent& event : events) {
    std::string values = event.f == "drain" && event.type == "ok" ? "[" : "";
    for (const int value : event.values) {
      values += std::to_string(value) + " ";
    }
    values += event.f == "drain" && event.type == "ok" ? "]" : "";
    text += "{:type :" + event.type + ", :process " + std::to_string(event.process) +
            ", :f :" + event.f + ", :value " + (values.empty() ? "nil" : values) + "}\n";
  }
  return text;
}

/// Clients of a queue, some of whose values are lost, doubled or made up; or of a source of ids.
class QueueSimulation {
 public:
  QueueSimulation(std::uint64_t seed, bool has_ids)
      : random_(seed), has_ids_(has_ids), is_damaged_(random_.below(3) == 0) {}

  std::vector<CallEvent> run() {
    for (std::size_t i = 4 + random_.below(30); i > 0; --i) {
      const auto process = static_cast<int>(random_.below(3));
      const auto open = open_.find(process);
      if (open == open_.end()) {
        invoke(process);
      } else {
        complete(open->second);
        open_.erase(open);
      }
    }
    return std::move(events_);
  }

 private:
  void invoke(int process) {
    const std::size_t kind = random_.below(10);
    CallEvent event = {.type = "invoke",
                       .process = process,
                       .f = has_ids_    ? "generate"
                            : kind < 5  ? "enqueue"
                            : kind == 9 ? "drain"
                                        : "dequeue"};
    if (event.f == "enqueue") {
      event.values = {static_cast<int>(random_.below(is_damaged_ ? 4 : 1000))};
    }
    events_.push_back(event);
    open_[process] = event;
  }

  void complete(CallEvent event) {
    const std::size_t fate = random_.below(10);
    event.type = fate < 7 ? "ok" : fate < 9 || event.f == "dequeue" ? "fail" : "info";
    if (event.f == "enqueue") {
      const bool happens = event.type == "ok" || (event.type == "info" && random_.percent(50));
      if (happens && !(is_damaged_ && random_.percent(15))) {
        inside_.push_back(event.values.front());
      }
    } else if (event.type == "ok" && event.f == "generate") {
      event.values = {is_damaged_ ? static_cast<int>(random_.below(5)) : next_id_++};
    } else if (event.type == "ok") {
      do {
        take(event);
      } while (event.f == "drain" && !inside_.empty());
    }
    events_.push_back(event);
  }

  void take(CallEvent& event) {
    if (is_damaged_ && random_.percent(10)) {
      event.values.push_back(static_cast<int>(random_.below(6)));
      return;
    }
    if (inside_.empty()) {
      return;
    }
    const std::size_t place = random_.below(inside_.size());
    event.values.push_back(inside_[place]);
    if (!(is_damaged_ && random_.percent(10))) {
      inside_.erase(inside_.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }

  Random random_;
  bool has_ids_;
  bool is_damaged_;
  int next_id_ = 0;
  std::vector<int> inside_;
  std::map<int, CallEvent> open_;
  std::vector<CallEvent> events_;
};

std::string sorted_text(const History& history, const ResultValue& value) {
  if (value.kind == ResultValue::Kind::kValue) {
    return history.text(value.value);
  }
  if (value.kind == ResultValue::Kind::kInteger) {
    return std::to_string(value.integer);
  }
  if (value.kind == ResultValue::Kind::kNil) {
    return "nil";
  }
  std::vector<std::string> items;
  for (const ResultValue& item : value.items) {
    items.push_back(sorted_text(history, item));
  }
  const auto is_less = [](const std::string& a, const std::string& b) {
    return std::strtol(a.c_str(), nullptr, 10) < std::strtol(b.c_str(), nullptr, 10);
  };
  if (value.kind == ResultValue::Kind::kVector) {
    std::ranges::sort(items, is_less);
  }
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : " ") + item;
  }
  return text;
}

std::map<std::string, std::string> entries_of(const History& history, const Verdict& verdict) {
  std::map<std::string, std::string> entries;
  for (const ResultEntry& entry : verdict.entries) {
    if (const auto* number = std::get_if<std::int64_t>(&entry.value)) {
      entries[entry.key] = std::to_string(*number);
    } else if (const auto* text = std::get_if<std::string>(&entry.value)) {
      entries[entry.key] = *text;
    } else {
      entries[entry.key] = sorted_text(history, std::get<ResultValue>(entry.value));
    }
  }
  entries.erase("key-count");
  entries.erase("elapid/claim");
  entries.erase("elapid/not-asked");
  entries.erase("operation-count");
  return entries;
}

struct JudgedTwice {
  Verdict ours;
  Verdict jepsens;
  std::map<std::string, std::string> our_entries;
  std::map<std::string, std::string> jepsens_entries;
};

JudgedTwice judged(const std::vector<CallEvent>& events, std::string_view workload) {
  ReadOptions options;
  options.workload = find_workload(workload);
  const Result<LoadedHistory> loaded =
      read_history(memory_source("queue.edn", text_of(events)), options);
  REQUIRE(loaded);
  const History& history = loaded.value().history();
  CheckOptions how;
  const Result<Verdict> ours = check(history, how);
  how.assumptions.elle_compat = true;
  const Result<Verdict> jepsens = check(history, how);
  REQUIRE(ours);
  REQUIRE(jepsens);
  return {.ours = ours.value(),
          .jepsens = jepsens.value(),
          .our_entries = entries_of(history, ours.value()),
          .jepsens_entries = entries_of(history, jepsens.value())};
}

Validity validity_of(bool is_valid) {
  return is_valid ? Validity::kValid : Validity::kInvalid;
}

/// Jepsen counts a dequeue of nothing that succeeds as one of nil: such histories are left out.
bool shows_nil(const std::vector<CallEvent>& events) {
  return std::ranges::any_of(events, [](const CallEvent& event) {
    return event.f == "dequeue" && event.type == "ok" && event.values.empty();
  });
}

void compare_total_queue(const std::vector<CallEvent>& events) {
  const QueueResult expected = reference::judge_total_queue(events);
  const JudgedTwice found = judged(events, "total-queue");
  INFO(text_of(events));
  CHECK(found.our_entries == expected.entries);
  const bool is_invalid =
      expected.is_lost_for_certain || expected.entries.at("unexpected-count") != "0";
  CHECK((found.ours.validity == Validity::kInvalid) == is_invalid);
  if (expected.is_valid && expected.entries.at("attempt-count") != "0") {
    CHECK(found.ours.validity == Validity::kValid);
  }
  if (expected.throws) {
    CHECK(found.jepsens.validity == Validity::kUnknown);
  } else if (!shows_nil(events)) {
    CHECK(found.jepsens_entries == expected.entries);
    CHECK(found.jepsens.validity == validity_of(expected.is_valid));
  }
}

void compare_queue(const std::vector<CallEvent>& events) {
  const QueueResult expected = reference::judge_queue(events);
  const JudgedTwice found = judged(events, "queue");
  INFO(text_of(events));
  CHECK(found.our_entries == expected.entries);
  CHECK((found.ours.validity == Validity::kInvalid) == !expected.is_valid);
}

TEST_CASE("property: total-queue and queue find what the definitions find") {
  const std::uint64_t first = first_seed_of_cases() * 1'000'000;
  std::size_t valid = 0;
  const std::uint64_t cases = case_count(4000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::vector<CallEvent> events = QueueSimulation(first + i, false).run();
    compare_total_queue(events);
    compare_queue(events);
    valid += reference::judge_total_queue(events).is_valid ? 1U : 0U;
  }
  CHECK(valid > cases / 20);
  CHECK(valid < cases);
}

TEST_CASE("property: unique-ids counts as the definition does") {
  const std::uint64_t first = first_seed_of_cases() * 1'000'000;
  for (std::uint64_t i = 0; i < case_count(2000); ++i) {
    const std::vector<CallEvent> events = QueueSimulation(first + i, true).run();
    const QueueResult expected = reference::judge_unique_ids(events);
    const JudgedTwice found = judged(events, "unique-ids");
    INFO(text_of(events));
    CHECK(found.our_entries == expected.entries);
    CHECK(found.jepsens_entries == expected.entries);
    CHECK(found.jepsens.validity == validity_of(expected.is_valid));
    CHECK((found.ours.validity == Validity::kInvalid) == !expected.is_valid);
  }
}

/// Requests to a server that sometimes gives wrong answers, and the errors by the definition.
struct Echoes {
  std::string text;
  std::vector<int> wrong = {};       ///< what was sent and came back as something else
  std::vector<int> unanswered = {};  ///< and what did not come back
  bool has_response = false;
};

Echoes random_echoes(std::uint64_t seed) {
  Random random(seed);
  Echoes made;
  const bool is_damaged = random.below(3) == 0;
  for (int process = static_cast<int>(random.below(6)); process >= 0; --process) {
    const auto sent = static_cast<int>(random.below(3));
    const int back = is_damaged ? static_cast<int>(random.below(3)) : sent;
    const std::string begin = ", :process " + std::to_string(process) + ", :f :echo, :value ";
    made.text += "{:type :invoke" + begin + std::to_string(sent) + "}\n";
    const std::size_t fate = random.below(10);
    if (fate < 6) {
      made.has_response = true;
      const bool shows = random.below(8) > 0 || !is_damaged;
      made.text += "{:type :ok" + begin + "{:in_reply_to 1" +
                   (shows ? " :echo " + std::to_string(back) : "") + "}}\n";
      if (!shows || back != sent) {
        made.wrong.push_back(sent);
      }
      continue;
    }
    made.unanswered.push_back(sent);
    made.text += fate == 6   ? ""
                 : fate == 7 ? "{:type :fail" + begin + std::to_string(sent) + "}\n"
                             : "{:type :info" + begin + std::to_string(sent) + "}\n";
  }
  return made;
}

TEST_CASE("property: echo finds what the definition finds") {
  const std::uint64_t first = first_seed_of_cases() * 1'000'000;
  for (std::uint64_t i = 0; i < case_count(2000); ++i) {
    const Echoes echoes = random_echoes(first + i);
    INFO(echoes.text);
    const Result<LoadedHistory> loaded = read_history(memory_source("echo.edn", echoes.text), {});
    REQUIRE(loaded);
    const History& history = loaded.value().history();
    CHECK(history.workload().name() == "echo");
    const auto errors_of = [&](const Verdict& verdict) {
      std::vector<int> sent;
      for (const ResultValue& error : std::get<ResultValue>(verdict.entries.front().value).items) {
        sent.push_back(std::stoi(history.text(error.items[1].value)));
      }
      std::ranges::sort(sent);
      return sent;
    };
    std::vector<int> expected = echoes.wrong;
    std::ranges::sort(expected);
    CheckOptions how;
    const Result<Verdict> ours = check(history, how);
    REQUIRE(ours);
    CHECK(errors_of(ours.value()) == expected);
    CHECK(ours.value().validity == (!expected.empty()     ? Validity::kInvalid
                                    : echoes.has_response ? Validity::kValid
                                                          : Validity::kUnknown));
    how.assumptions.elle_compat = true;
    const Result<Verdict> maelstroms = check(history, how);
    REQUIRE(maelstroms);
    std::ranges::copy(echoes.unanswered, std::back_inserter(expected));
    std::ranges::sort(expected);
    CHECK(errors_of(maelstroms.value()) == expected);
    CHECK(maelstroms.value().validity == validity_of(expected.empty()));
  }
}

}  // namespace
}  // namespace elapid
