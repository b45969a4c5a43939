// Histories of single operations that are followed: what is told of a beginning is what the whole
// comes to.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/follow/prefix_check.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/door/door.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using Random = std::mt19937_64;

/// A number below `limit`.
int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

/// What a client asks, and a result that an answer may have.
struct Asked {
  std::string f;
  std::string invoked;
  std::string completed;
};

/// A workload with operations drawn at random, right or wrong.
struct Drawn {
  std::string model;
  std::function<Asked(Random&)> draw;
};

std::string number(Random& random, int limit) {
  return std::to_string(below(random, limit));
}

Asked same(const std::string& f, const std::string& value) {
  return {f, value, value};
}

std::vector<Drawn> workloads() {
  return {
      {"cas-register",
       [](Random& r) {
         const int kind = below(r, 3);
         return kind == 0   ? same("write", number(r, 3))
                : kind == 1 ? Asked{"read", "nil", number(r, 3)}
                            : same("cas", "[" + number(r, 3) + " " + number(r, 3) + "]");
       }},
      {"counter",
       [](Random& r) {
         return below(r, 2) == 0 ? same("add", number(r, 3)) : Asked{"read", "nil", number(r, 5)};
       }},
      {"bank",
       [](Random& r) {
         const std::string last = below(r, 9) == 0 ? ", 2 0}" : "}";
         const int first = below(r, 11);
         const int second = below(r, 6) == 0 ? below(r, 11) : 10 - first;
         return below(r, 2) == 0
                    ? same("transfer", "{:from 0, :to 1, :amount 1}")
                    : Asked{"read", "nil",
                            "{0 " + std::to_string(first) + ", 1 " + std::to_string(second) + last};
       }},
      {"mutex", [](Random& r) { return same(below(r, 2) == 0 ? "acquire" : "release", "nil"); }},
      {"fifo-queue",
       [](Random& r) {
         return below(r, 2) == 0 ? same("enqueue", number(r, 3))
                                 : Asked{"dequeue", "nil", number(r, 3)};
       }},
      {"unordered-queue",
       [](Random& r) {
         return below(r, 2) == 0 ? same("enqueue", number(r, 3))
                                 : Asked{"dequeue", "nil", number(r, 3)};
       }},
      {"stack",
       [](Random& r) {
         return below(r, 2) == 0 ? same("push", number(r, 3)) : Asked{"pop", "nil", number(r, 3)};
       }},
      {"priority-queue",
       [](Random& r) {
         return below(r, 2) == 0 ? same("insert", number(r, 3))
                                 : Asked{"poll", "nil", number(r, 3)};
       }},
      {"grow-only-set",
       [](Random& r) {
         return below(r, 2) == 0 ? same("add", number(r, 3))
                                 : Asked{"read", "nil", "#{" + number(r, 3) + "}"};
       }},
      {"add-remove-set",
       [](Random& r) {
         const std::string element = "[" + number(r, 2);
         return Asked{
             std::array{"add", "remove", "contains"}.at(static_cast<std::size_t>(below(r, 3))),
             element + " nil]", element + (below(r, 2) == 0 ? " true]" : " false]")};
       }},
      {"fetch-and-add",
       [](Random& r) {
         const std::string added = "[" + std::to_string(1 + below(r, 2)) + " ";
         return Asked{"fetch-and-add", added + "nil]", added + number(r, 5) + "]"};
       }},
      {"unique-ids",
       [](Random& r) {
         return Asked{"generate", "nil", number(r, 30)};
       }},
      {"kv",
       [](Random& r) {
         const int kind = below(r, 3);
         const std::string text = "\"" + number(r, 2) + "\"";
         return kind == 0 ? Asked{"get", "nil", text} : same(kind == 1 ? "put" : "append", text);
       }},
      {"g2",
       [](Random& r) {
         const std::string row = number(r, 9);
         return same("insert",
                     "[" + number(r, 4) +
                         (below(r, 2) == 0 ? " [nil " + row + "]]" : " [" + row + " nil]]"));
       }},
      {"echo",
       [](Random& r) {
         const std::string text = number(r, 20);
         return Asked{"echo", text, "{:echo " + (below(r, 8) == 0 ? "nil" : text) + "}"};
       }},
      {"monotonic-faunadb",
       [](Random& r) {
         const auto part = [&] { return below(r, 4) == 0 ? "nil" : number(r, 4); };
         return Asked{below(r, 2) == 0 ? "inc" : "read", "nil", "[" + part() + " " + part() + "]"};
       }},
      {"monotonic-tidb",
       [](Random& r) {
         const std::string key = number(r, 2);
         return below(r, 2) == 0 ? Asked{"inc", key, "{" + key + " " + number(r, 6) + "}"}
                                 : Asked{"read", "{0 nil, 1 nil}",
                                         "{0 " + number(r, 6) + ", 1 " + number(r, 6) + "}"};
       }},
      {"set-full",
       [](Random& r) {
         return below(r, 2) == 0 ? same("add", number(r, 4))
                                 : Asked{"read", "nil", "#{" + number(r, 4) + "}"};
       }},
  };
}

/// One line of a history.
std::string line(const std::string& type, int process, const std::string& f,
                 const std::string& value) {
  return "{:type :" + type + ", :process " + std::to_string(process) + ", :f :" + f + ", :value " +
         value + "}\n";
}

/// The lines of a random history with crashed and failed operations.
std::vector<std::string> history_of(const Drawn& workload, Random& random) {
  std::vector<std::string> lines;
  std::array<std::pair<bool, Asked>, 3> open = {};
  std::array<int, 3> process = {0, 1, 2};
  const int length = 4 + below(random, 20);
  for (int i = 0; i < length; ++i) {
    const auto client = static_cast<std::size_t>(below(random, 3));
    auto& [is_open, asked] = open.at(client);
    if (!is_open) {
      asked = workload.draw(random);
      lines.push_back(line("invoke", process.at(client), asked.f, asked.invoked));
    } else {
      const int fate = below(random, 8);
      const char* const type = fate == 0 ? "fail" : fate == 1 ? "info" : "ok";
      lines.push_back(
          line(type, process.at(client), asked.f, fate < 2 ? asked.invoked : asked.completed));
      process.at(client) += fate == 1 ? 3 : 0;
    }
    is_open = !is_open;
  }
  return lines;
}

PrefixVerdict checked(const std::string& text, const FollowOptions& options, bool is_whole) {
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  auto prefix = check_prefix([&] { return memory_source("history.edn", text); },
                             {lines, text.size()}, options, is_whole, [] { return true; });
  if (!prefix) {
    FAIL(prefix.error().to_string() << "\n" << text);
  }
  return std::move(prefix).value();
}

/// What elapid check says of the whole.
Validity answer_of_check(const std::string& text, const FollowOptions& options) {
  auto loaded = read_histories(memory_source("history.edn", text), options.read);
  REQUIRE(loaded);
  REQUIRE(loaded.value().size() == 1);
  const CheckJob job = {.read = options.read, .check = options.check, .demands_default = true};
  const Result<Verdict> verdict = check_as_asked(loaded.value().front(), job);
  REQUIRE(verdict);
  return verdict.value().validity;
}

TEST_CASE("what is certain of a beginning holds of the whole") {
  Random random(from_environment("ELAPID_PROPERTY_SEED", 36));
  const std::uint64_t cases = case_count(400);
  for (const Drawn& workload : workloads()) {
    FollowOptions options = {.path = "history.edn", .demands_default = true};
    options.read.workload = find_workload(workload.model);
    std::size_t certain = 0;
    for (std::uint64_t i = 0; i < cases; ++i) {
      const std::vector<std::string> lines = history_of(workload, random);
      std::string text;
      for (const std::string& next : lines) {
        text += next;
      }
      const Validity whole = checked(text, options, true).report.validity;
      REQUIRE(whole == answer_of_check(text, options));
      std::string beginning;
      for (const std::string& next : lines) {
        beginning += next;
        const PrefixReport report = checked(beginning, options, false).report;
        if (report.validity == Validity::kInvalid) {
          ++certain;
          INFO(workload.model << "\n" << beginning << "...\n" << text);
          REQUIRE(whole == Validity::kInvalid);
        }
      }
      const PrefixReport last = checked(text, options, false).report;
      CHECK((whole != Validity::kInvalid || last.validity == Validity::kInvalid ||
             last.provisional.any() || last.doubts_claim));
    }
    CHECK((certain > 0 || workload.model == "set-full"));
  }
}

}  // namespace
}  // namespace elapid
