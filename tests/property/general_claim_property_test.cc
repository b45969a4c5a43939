// What special checkers tell of a general claim: the same as all orders, tried, of small histories.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// An operation of a client, from one place of the history to another.
struct ClientCall {
  int process = 0;
  std::string f = {};
  std::string asked = {};  ///< EDN
  std::string shown = {};
  std::string type = "ok";
  std::size_t invoked = 0;
  std::size_t completed = 0;
};

/// Calls of three clients at random, each at an instant at which `act` carries it out.
std::vector<ClientCall> random_calls(Random& random, std::size_t most,
                                     const std::function<void(Random&, ClientCall&)>& act) {
  std::vector<ClientCall> calls;
  std::map<int, std::size_t> open;
  std::map<int, int> names;
  std::size_t place = 0;
  while (calls.size() < most || !open.empty()) {
    const int client = static_cast<int>(random.below(3));
    if (const auto running = open.find(client); running != open.end()) {
      ClientCall& call = calls[running->second];
      act(random, call);
      call.completed = place++;
      names[client] += call.type == "info" && random.percent(50) ? 10 : 0;
      open.erase(running);
    } else if (calls.size() < most) {
      open[client] = calls.size();
      calls.push_back({.process = client + names[client], .invoked = place++});
    }
  }
  return calls;
}

std::string history_of(const std::vector<ClientCall>& calls) {
  std::map<std::size_t, std::string> lines;
  for (const ClientCall& call : calls) {
    const std::string head =
        ", :process " + std::to_string(call.process) + ", :f :" + call.f + ", :value ";
    lines[call.invoked] = "{:type :invoke" + head + call.asked + "}\n";
    lines[call.completed] =
        "{:type :" + call.type + head + (call.type == "ok" ? call.shown : call.asked) + "}\n";
  }
  std::string text;
  for (const auto& [place, line] : lines) {
    text += line;
  }
  return text;
}

/// `:valid?` of the entry: true, false, or nothing for unknown.
std::optional<bool> general_answer(const std::string& workload,
                                   const std::vector<ClientCall>& calls) {
  ReadOptions options;
  options.workload = find_workload(workload);
  const Result<LoadedHistory> loaded =
      read_history(memory_source(workload + ".edn", history_of(calls)), options);
  INFO(history_of(calls));
  REQUIRE(loaded);
  const Result<Verdict> verdict = check(loaded.value().history(), {});
  REQUIRE(verdict);
  for (const ResultEntry& entry : verdict.value().entries) {
    if (entry.key == "elapid/general") {
      const ResultValue& valid = std::get<ResultValue>(entry.value).items.at(3);
      return valid.kind == ResultValue::Kind::kBoolean ? std::optional(valid.integer == 1)
                                                       : std::nullopt;
    }
  }
  FAIL("no general claim");
  return std::nullopt;
}

/// Tries all orders in which a call follows those that have to come before it: whether in one of
/// them `apply` carries out every call that has to be, and any of the others.
class AllOrders {
 public:
  AllOrders(std::vector<bool> must, std::vector<std::vector<std::size_t>> after)
      : must_(std::move(must)), after_(std::move(after)), done_(must_.size()) {}

  template <class State, class Apply>
  bool any(const State& state, const Apply& apply) {
    bool is_all = true;
    for (std::size_t next = 0; next < must_.size(); ++next) {
      is_all &= done_[next] || !must_[next];
    }
    for (std::size_t next = 0; next < must_.size() && !is_all; ++next) {
      const bool may = !done_[next] && std::ranges::all_of(after_[next], [&](std::size_t before) {
        return done_[before] || !must_[before];
      }) && !precedes_done(next);
      std::optional<State> then = may ? apply(state, next) : std::nullopt;
      if (then) {
        done_[next] = true;
        is_all = any(*then, apply);
        done_[next] = false;
      }
    }
    return is_all;
  }

 private:
  [[nodiscard]] bool precedes_done(std::size_t next) const {
    for (std::size_t one = 0; one < must_.size(); ++one) {
      if (done_[one] && std::ranges::find(after_[one], next) != after_[one].end()) {
        return true;
      }
    }
    return false;
  }

  std::vector<bool> must_;
  std::vector<std::vector<std::size_t>> after_;  // by call: those that come before it
  std::vector<bool> done_;
};

using Accounts = std::vector<int>;

std::string balances(const Accounts& accounts) {
  return "{0 " + std::to_string(accounts[0]) + ", 1 " + std::to_string(accounts[1]) + "}";
}

TEST_CASE("property: bank: what is said of strict serializability is so of all orders") {
  std::map<int, std::size_t> answers;
  for (std::uint64_t seed = 1; seed <= case_count(3000); ++seed) {
    Random random(seed);
    Accounts held = {5, 5};
    std::vector<Accounts> past = {held};
    std::map<std::string, Accounts> shown;
    auto calls = random_calls(random, 1 + random.below(7), [&](Random& dice, ClientCall& call) {
      const int amount = static_cast<int>(dice.below(3));
      const bool back = dice.percent(50);
      call.f = dice.percent(50) ? "read" : "transfer";
      if (call.f == "read") {
        call.asked = "nil";
        const Accounts& seen = dice.percent(15) ? past[dice.below(past.size())] : held;
        call.shown = balances(seen);
        shown[call.shown] = seen;
        return;
      }
      call.type = dice.percent(20) ? "info" : dice.percent(10) ? "fail" : "ok";
      call.shown = call.asked = "{:from " + std::to_string(back ? 1 : 0) + ", :to " +
                                std::to_string(back ? 0 : 1) + ", :amount " +
                                std::to_string(amount) + "}";
      if (call.type != "fail" && !(call.type == "info" && dice.percent(50)) && !dice.percent(5)) {
        held[back ? 1 : 0] -= amount;
        held[back ? 0 : 1] += amount;
        past.push_back(held);
      }
    });
    std::erase_if(calls, [](const ClientCall& call) { return call.type == "fail"; });
    if (calls.empty()) {
      continue;
    }
    std::vector<bool> must;
    std::vector<std::vector<std::size_t>> after(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
      must.push_back(calls[i].type == "ok");
      for (std::size_t before = 0; before < calls.size(); ++before) {
        if (calls[before].type == "ok" && calls[before].completed < calls[i].invoked) {
          after[i].push_back(before);
        }
      }
    }

    // What the accounts held at first: not known before the first read.
    struct State {
      bool is_known = false;
      Accounts held = {0, 0};
    };

    const bool has_reads =
        std::ranges::any_of(calls, [](const ClientCall& c) { return c.f == "read"; });
    const bool expected = AllOrders(must, after).any(State{}, [&](State state, std::size_t next) {
      const ClientCall& call = calls[next];
      if (call.f == "read") {
        const bool fits = !state.is_known || state.held == shown[call.shown];
        state = {true, shown[call.shown]};
        return fits ? std::optional(state) : std::nullopt;
      }
      const int from = call.asked[7] - '0';
      const int amount = call.asked[call.asked.size() - 2] - '0';
      state.held[static_cast<std::size_t>(from)] -= amount;
      state.held[static_cast<std::size_t>(1 - from)] += amount;
      return std::optional(state);
    });
    const std::optional<bool> answer = general_answer("bank", calls);
    INFO("seed " << seed << '\n' << history_of(calls));
    CHECK((answer ? *answer == expected : !has_reads));
    ++answers[answer ? (*answer ? 1 : 0) : 2];
  }
  CHECK((case_count(3000) < 1000 || (answers[0] > 50 && answers[1] > 50)));
}

TEST_CASE("property: sequential: what is said of the sessions is so of all orders") {
  std::map<int, std::size_t> answers;
  for (std::uint64_t seed = 1; seed <= case_count(1500); ++seed) {
    Random random(seed);
    std::vector<std::vector<int>> keys(2, {0, 0});
    const bool is_whole = random.percent(50);
    auto calls = random_calls(random, 1 + random.below(4), [&](Random& dice, ClientCall& call) {
      const std::size_t key = dice.below(2);
      const std::string name = std::to_string(key);
      if (dice.percent(50)) {
        call.f = "read";
        call.asked = "[" + name + " nil]";
        const auto part = [&](std::size_t i) {
          const bool seen = (keys[key][i] == 1) != dice.percent(15);
          return seen ? "\"" + name + "_" + std::to_string(i) + "\"" : std::string("nil");
        };
        const std::string newer = part(1);
        call.shown = "[" + name + " [" + newer + " " + part(0) + "]]";
        return;
      }
      call.type = dice.percent(15) ? "info" : dice.percent(15) ? "fail" : "ok";
      const bool takes = call.type == "ok" || (call.type == "info" && dice.percent(50));
      const std::size_t which = dice.below(2);
      call.f = is_whole ? "write" : "add";
      call.shown = call.asked =
          is_whole ? name : "[" + name + " \"" + name + "_" + std::to_string(which) + "\"]";
      for (std::size_t i = 0; i < 2 && takes; ++i) {
        keys[key][i] = is_whole || i == which ? 1 : keys[key][i];
      }
    });

    // Each step of a client: a subkey, and what a read shows of it.
    struct Step {
      std::size_t subkey = 0;
      std::optional<int> shown;
      std::optional<std::size_t> needs = {};  // a step that took effect before it
    };

    std::vector<Step> steps;
    std::vector<bool> must;
    std::vector<std::vector<std::size_t>> after;
    std::map<int, std::vector<std::size_t>> of_process;
    std::ranges::sort(calls, {}, &ClientCall::invoked);
    std::set<std::size_t> read_keys;
    for (const ClientCall& call : calls) {
      const std::size_t digit = call.asked[0] == '[' ? 1 : 0;
      const auto key = static_cast<std::size_t>(call.asked[digit] - '0');
      const auto add = [&](std::size_t which, std::optional<int> shown, bool has_to) {
        after.push_back(of_process[call.process]);
        if (has_to) {  // another may take effect after what its client does next
          of_process[call.process].push_back(steps.size());
        }
        steps.push_back({2 * key + which, shown});
        must.push_back(has_to);
      };
      const std::string name = "\"" + std::to_string(key) + "_";
      if (call.f == "read") {
        read_keys.insert(key);
        const auto shows = [&](const char* which) {
          return call.shown.find(name + which) != std::string::npos ? 1 : 0;
        };
        add(1, shows("1"), true);
        add(0, shows("0"), true);
      } else if (call.f == "write") {
        const std::size_t first = steps.size();
        add(0, std::nullopt, call.type == "ok");  // one that failed may have written some
        add(1, std::nullopt, call.type == "ok");
        steps.back().needs = first;  // the client went on only because it had written the first
      } else if (call.type != "fail") {
        add(call.asked.find("_1") != std::string::npos ? 1 : 0, std::nullopt, call.type == "ok");
      }
    }
    using Done = std::vector<int>;  // the four subkeys, then the steps
    constexpr std::size_t kSubkeys = 4;
    const bool expected =
        AllOrders(must, after)
            .any(Done(kSubkeys + steps.size(), 0), [&](Done done, std::size_t next) {
              const Step& step = steps[next];
              const bool fits = (!step.shown || done[step.subkey] == *step.shown) &&
                                (!step.needs || done[kSubkeys + *step.needs] == 1);
              done[step.subkey] = step.shown ? done[step.subkey] : 1;
              done[kSubkeys + next] = 1;
              return fits ? std::optional(done) : std::nullopt;
            });
    const std::optional<bool> answer = general_answer("sequential", calls);
    INFO("seed " << seed << '\n' << history_of(calls));
    CHECK((answer ? *answer == expected : read_keys.empty()));
    ++answers[answer ? (*answer ? 1 : 0) : 2];
  }
  CHECK((case_count(1500) < 1000 || (answers[0] > 50 && answers[1] > 50)));
}

TEST_CASE("property: g2: snapshots of real time allow two insertions of a key that overlap") {
  for (std::uint64_t seed = 1; seed <= case_count(1500); ++seed) {
    Random random(seed);
    const auto calls =
        random_calls(random, 1 + random.below(8), [](Random& dice, ClientCall& call) {
          call.f = "insert";
          const std::string id = std::to_string(dice.below(1000));
          call.shown = call.asked = "[" + std::to_string(dice.below(3)) + " " +
                                    (dice.percent(50) ? "[" + id + " nil]]" : "[nil " + id + "]]");
          call.type = dice.percent(40) ? "fail" : dice.percent(20) ? "info" : "ok";
        });
    bool expected = true;
    bool has_any = false;
    for (const ClientCall& one : calls) {
      has_any |= one.type == "ok";
      for (const ClientCall& other : calls) {
        expected &= one.type != "ok" || other.type != "ok" || one.asked[1] != other.asked[1] ||
                    one.completed > other.invoked || &one == &other;
      }
    }
    const std::optional<bool> answer = general_answer("g2", calls);
    INFO("seed " << seed << '\n' << history_of(calls));
    CHECK((answer ? *answer == expected : !has_any));
  }
}

}  // namespace
}  // namespace elapid
