// Allocations that are known: textbook anomalies, SmallBank, TPC-C, Auction (docs/advise.md).
#include <catch2/catch.hpp>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "engine/advise/lowest.h"
#include "engine/advise/promotion.h"
#include "harness/advise/program_reader.h"

namespace elapid {
namespace {

using advise::Application;
using advise::Level;
using advise::OfferedLevels;

const OfferedLevels kPostgres = {Level::kReadCommitted, Level::kSnapshot, Level::kSerializable};

bool go_on() {
  return true;
}

Application application_of(const std::string& text) {
  const Result<ProgramFile> file = parse_programs("f", text);
  INFO((file ? "" : file.error().to_string()));
  REQUIRE(file.ok());
  REQUIRE(file.value().uncovered.empty());
  return *instances_of(file.value().set);
}

Application example(const std::string& name) {
  const Result<ProgramFile> file = read_programs(ELAPID_EXAMPLE_PROGRAMS "/" + name + ".programs");
  REQUIRE(file.ok());
  return *instances_of(file.value().set);
}

std::string text_of(const std::vector<Level>& levels) {
  std::string text;
  for (const Level level : levels) {
    text += (text.empty() ? "" : " ") + std::string(level == Level::kReadCommitted ? "RC"
                                                    : level == Level::kSnapshot    ? "SI"
                                                                                   : "SSI");
  }
  return text;
}

std::string lowest(const Application& application, const OfferedLevels& offered = kPostgres) {
  const advise::Advice advice = *advise::advise(application, offered, go_on);
  return advice.is_robust ? text_of(advice.levels()) : "none";
}

/// Two transactions, each once: `R x, W y | W x`.
Application once(const std::string& text) {
  Application application;
  application.programs.resize(1);
  application.transactions.resize(1);
  application.items = {":x", ":y", ":z"};
  for (std::size_t i = 0; i + 2 < text.size();) {
    if (text[i] == '|') {
      application.programs.emplace_back();
      application.transactions.push_back(
          {.program = static_cast<std::uint32_t>(application.transactions.size())});
      i += 2;
      continue;
    }
    const auto item = static_cast<advise::ItemId>(text[i + 2] - 'x');
    std::vector<advise::Operation>& operations = application.transactions.back().operations;
    advise::Operation& operation = operations.emplace_back();
    operation.number = static_cast<std::uint32_t>(operations.size() - 1);
    if (text[i] != 'W') {
      operation.reads = {item};
    }
    if (text[i] != 'R') {
      operation.writes = {item};
    }
    i += text[i + 3] == ',' ? std::size_t{5} : std::size_t{4};
  }
  return application;
}

/// The sets of programs that are robust at read committed alone, and in no larger such set.
std::set<std::string> robust_at_read_committed(const advise::ProgramSet& set) {
  std::vector<std::size_t> robust;
  for (std::size_t subset = (std::size_t{1} << set.programs.size()) - 1; subset > 0; --subset) {
    advise::ProgramSet part = {.relations = set.relations};
    for (std::size_t p = 0; p < set.programs.size(); ++p) {
      if ((subset >> p & 1U) != 0) {
        part.programs.push_back(set.programs[p]);
      }
    }
    if (lowest_levels(*instances_of(part), {Level::kReadCommitted}, go_on)->is_robust) {
      robust.push_back(subset);
    }
  }
  std::set<std::string> largest;
  for (const std::size_t subset : robust) {
    std::size_t larger = 0;
    for (const std::size_t other : robust) {
      larger += (other & subset) == subset && other != subset ? 1 : 0;
    }
    std::string names;
    for (std::size_t p = 0; p < set.programs.size(); ++p) {
      names += (subset >> p & 1U) != 0 ? set.programs[p].name + " " : "";
    }
    if (larger == 0) {
      largest.insert(names);
    }
  }
  return largest;
}

TEST_CASE("Textbook anomalies of two transactions, each once") {
  CHECK(lowest(once("R x, R y, W x | R x, R y, W y ")) == "SSI SSI");  // write skew
  CHECK(lowest(once("R x, W x | R x, W x ")) == "SI SI");              // lost update
  CHECK(lowest(once("U x | U x ")) == "RC RC");
  CHECK(lowest(once("R x, W x | W x ")) == "SI RC");
  CHECK(lowest(once("R x, R y | W x, W y ")) == "SI RC");  // read skew
  CHECK(lowest(once("W y, R x | W x, W y ")) == "RC RC");
  CHECK(lowest(once("R x, W y | W x, W y ")) == "SI RC");
  // The read-only anomaly of Fekete, O'Neil, O'Neil (2004).
  CHECK(lowest(once("R x, R y, W x | R y, W y | R x, R y ")) == "SSI SSI SSI");
}

TEST_CASE("Where the strongest level is snapshot isolation there may be no answer") {
  const Application skew = once("R x, R y, W x | R x, R y, W y ");
  const OfferedLevels oracle = {Level::kReadCommitted, Level::kSnapshot};
  CHECK(lowest(skew, oracle) == "none");
  const advise::Advice advice = *advise::advise(skew, oracle, go_on);
  REQUIRE(advice.programs[0].reason.has_value());
  CHECK(text_of(advice.programs[0].reason->levels) == "SI SI");
  CHECK(lowest(once("R x, W x | R x, W x "), oracle) == "SI SI");
}

TEST_CASE("A level that is not offered is replaced by the next one") {
  const Application update = once("R x, W x | W x ");
  CHECK(lowest(update, {Level::kReadCommitted, Level::kSerializable}) == "SSI RC");
  CHECK(lowest(update, {Level::kSnapshot, Level::kSerializable}) == "SI SI");
  CHECK(lowest(update, {Level::kSerializable}) == "SSI SSI");
  CHECK(lowest(update, {Level::kReadCommitted}) == "none");
}

TEST_CASE("SmallBank: the lowest allocation, and the sets that are robust at read committed") {
  CHECK(lowest(example("smallbank")) == "SSI RC SSI RC SSI");
  const Result<ProgramFile> file = read_programs(ELAPID_EXAMPLE_PROGRAMS "/smallbank.programs");
  CHECK(robust_at_read_committed(file.value().set) ==
        std::set<std::string>{"DepositChecking TransactSavings Amalgamate ",
                              "Balance DepositChecking ", "Balance TransactSavings "});
}

TEST_CASE("SmallBank with plain reads and writes: Balance alone is robust at read committed") {
  const Result<ProgramFile> file = parse_programs("f",
                                                  "program Balance(c)\n"
                                                  "R savings(c)\nR checking(c)\n"
                                                  "program DepositChecking(c)\n"
                                                  "R checking(c)\nW checking(c)\n"
                                                  "program TransactSavings(c)\n"
                                                  "R savings(c)\nW savings(c)\n"
                                                  "program Amalgamate(c, d)\n"
                                                  "R savings(c)\nR checking(c)\nR checking(d)\n"
                                                  "W savings(c)\nW checking(c)\nW checking(d)\n"
                                                  "program WriteCheck(c)\n"
                                                  "R savings(c)\nR checking(c)\nW checking(c)\n");
  REQUIRE(file.ok());
  CHECK(robust_at_read_committed(file.value().set) == std::set<std::string>{"Balance "});
}

TEST_CASE("SmallBank whose accounts have nothing in common: Amalgamate must be serializable") {
  CHECK(lowest(application_of("program Balance(s, k)\nR savings(s)\nR checking(k)\n"
                              "program DepositChecking(k)\nU checking(k)\n"
                              "program TransactSavings(s)\nU savings(s)\n"
                              "program Amalgamate(s, k, l)\n"
                              "U savings(s)\nU checking(k)\nU checking(l)\n"
                              "program WriteCheck(s, k)\nR savings(s)\nU checking(k)\n")) ==
        "SSI RC SSI SSI SSI");
}

TEST_CASE("TPC-C and Auction by keys") {
  CHECK(lowest(example("tpcc")) == "RC RC SI RC RC");
  const Result<ProgramFile> file = read_programs(ELAPID_EXAMPLE_PROGRAMS "/tpcc.programs");
  CHECK(robust_at_read_committed(file.value().set) ==
        std::set<std::string>{"NewOrder Payment Delivery StockLevel ",
                              "Payment OrderStatus StockLevel "});
  CHECK(lowest(example("auction")) == "RC RC");
}

TEST_CASE("Promotions, and where SELECT FOR UPDATE is not enough") {
  const Application bank = example("smallbank");
  const std::vector<advise::Promotion> found = *promotions(bank, kPostgres, go_on);
  REQUIRE(found.size() == 4);
  CHECK(found[2].reads == std::vector<advise::PromotedRead>{{.program = 4, .operation = 1}});
  CHECK(text_of(found[2].levels) == "SI RC RC RC SI");
  CHECK(found[2].needs_update == std::vector<bool>{true});
  CHECK(found[0].needs_update ==
        std::vector<bool>{true});  // Balance stays serializable, and writes
  // Both reads of Balance: all that write savings are at read committed, WriteCheck is not.
  CHECK(found[3].reads.size() == 2);
  CHECK(text_of(found[3].levels) == "RC RC RC RC SI");
  CHECK(found[3].needs_update == std::vector<bool>{true, false});

  // With a lock alone, the other one's snapshot may be older and its write succeed.
  const std::vector<advise::Promotion> skew =
      *promotions(once("R x, W y | R y, W x "), kPostgres, go_on);
  REQUIRE(skew.size() == 3);
  CHECK(text_of(skew[0].levels) == "RC SI");
  CHECK(skew[0].needs_update == std::vector<bool>{true});
  CHECK(text_of(skew[2].levels) == "RC RC");
  CHECK(skew[2].needs_update == std::vector<bool>{false, false});

  // What is written later gets a version in any case.
  const std::vector<advise::Promotion> update =
      *promotions(once("R x, W x | R x, W x "), kPostgres, go_on);
  REQUIRE(update.size() == 3);
  CHECK(text_of(update[0].levels) == "RC SI");
  CHECK(update[0].needs_update == std::vector<bool>{false});
}

TEST_CASE("Too many instances are not looked at") {
  std::string parameters;
  std::string operations;
  for (int i = 0; i < 24; ++i) {
    parameters += (i == 0 ? "p" : ", p") + std::to_string(i);
    operations += "U r" + std::to_string(i) + "(p" + std::to_string(i) + ")\n";
  }
  const Result<ProgramFile> file =
      parse_programs("f", "program P(" + parameters + ")\n" + operations);
  REQUIRE(file.ok());
  CHECK_FALSE(instances_of(file.value().set, 10'000).has_value());
}

}  // namespace
}  // namespace elapid
