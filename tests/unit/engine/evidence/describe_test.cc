#include "engine/evidence/describe.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "adapter/elle/description_text.h"
#include "adapter/elle/explanation.h"
#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

Verdict verdict_on(const History& history, Model model) {
  Result<Verdict> verdict = check(history, {.models = {model}});
  REQUIRE(verdict.ok());
  return std::move(verdict).value();
}

std::string explained(const History& history, Model model) {
  return explanation(history, verdict_on(history, model), {});
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

bool lacks(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) == std::string::npos);
  return text.find(part) == std::string::npos;
}

TEST_CASE("an order of appends names the read that shows it") {
  const History history = list_history("0 rx ax1; 1 rx ax2; 2 rx12");
  const std::string text = explained(history, Model::kPl3);
  has(text, "T1 appended 2 after T2 appended 1 to :x, as T3 (index 5) read [1 2]");
  has(text, "T3 = {:index 5, ");
}

TEST_CASE("the elements that an order rests on are shown, however long the list") {
  const History history = list_history(
      "0 rx ax5; 1 rx ax6; 2 ax1; 3 ax2; 4 ax3; 5 ax4; 6 ax7; 7 ax8; 8 ax9; 9 ax0; "
      "rx5612347890; 0 rx5612347890");
  const std::string text = explained(history, Model::kPl3);
  has(text, "read [5 6 1 2 …]");
  has(text, ":value [[:r :x [5 6 1 2 …]]]}");
}

TEST_CASE("an append that no read shows comes after what a read shows without it") {
  const History history = list_history("0 rx ax1; 1 rx ax2 ; 2 rx1");
  has(explained(history, Model::kPl3),
      "T1 appended 2 after T2 appended 1 to :x, as T3 (index 5) read [1] without it");
}

TEST_CASE("a claim that one transaction precedes another has an arrow between their operations") {
  const History history = list_history("0 rx ax1; 1 rx ax2; 2 rx12");
  const std::vector<Finding> found = findings(history, verdict_on(history, Model::kPl3));
  REQUIRE(!found.empty());
  const Description& leader = found.front().description;
  REQUIRE(leader.claims.size() == 2);
  const Arrow expected = {.from = 1,
                          .to = 0,
                          .relation = Relation::kWw,
                          .key = history.key_value(KeyId{0}),
                          .from_mop = 1,
                          .to_mop = 1};
  const auto ww = std::ranges::find_if(leader.claims, [](const Claim& claim) {
    return claim.arrow && claim.arrow->relation == Relation::kWw;
  });
  REQUIRE(ww != leader.claims.end());
  CHECK(ww->arrow == expected);
}

TEST_CASE("the initial state is not created, and nothing is just before without times") {
  const History history = list_history("0 ax1; 1 rx");
  const std::string text = explained(history, Model::kPlSs);
  has(text, "T1 observed the initial (nil) state of :x, to which T2 appended 1.");
  has(text, "T2 completed at index 1, before the invocation of T1, at index 2");
  lacks(text, "created");
  lacks(text, "just");
}

TEST_CASE("a proof is told by cases, one for each writer that a read may have seen") {
  // Reads 1, which two wrote, and later in its session the initial state.
  const History history = register_history("0 wx1; 1 wx1; 2 rx1; 2 rx_");
  const std::string text = explained(history, Model::kStrongSessionSerializable);
  has(text, "-cycle-exists: no order of the transactions explains what they read\n");
  has(text,
      "  - T3 read key :x = 1, which T1 and T2 wrote.\n"
      "  - If T3 saw T1's 1 of key :x:\n"
      "    - T1 < T3, because T1 wrote :x = 1, which was read by T3.\n");
  has(text, "  - If T3 saw T2's 1 of key :x:\n    - T2 < T3, because");
  has(text,
      "because T4 read key :x = nil, the initial value, and T2 set it to 1: a contradiction!");
  has(text, "  - However, no other transaction wrote 1 to key :x: a contradiction!\n");
}

TEST_CASE("orders that a proof has shown are numbered, and cited where they are used") {
  const History history = register_history("0 wx1; 0 wy1; 1 rx1 wx2 ; 1 ry_");
  const std::string text = explained(history, Model::kStrongSessionSerializable);
  INFO(text);
  lacks(text, "otherwise T");
}

TEST_CASE("of anomalies of the same transactions one leads, and the others share its names") {
  const History history = list_history("0 rx ax1; 1 rx ax2; 2 rx12");
  const std::vector<Finding> found = findings(history, verdict_on(history, Model::kPlSi));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].followers.size() == 1);
  CHECK(found[0].description.name == "G-single-item");
  CHECK(found[0].followers[0].description.name == "lost-update");
  CHECK(found[0].followers[0].description.actors.empty());
  const std::string text = to_text(history, found[0], {});
  has(text, "lost-update, of the same transactions\n  - T2 and T1 each read key :x = []");
  CHECK(text.find("Let:", text.find("Let:") + 1) == std::string::npos);
}

TEST_CASE("anomalies of other transactions have actors of their own") {
  const History history = list_history("0 rx ax1; 1 rx ax2; 2 rx12; 3 ry ay1 ry");
  const std::vector<Finding> found = findings(history, verdict_on(history, Model::kPlSi));
  CHECK(found.size() == 2);
}

TEST_CASE("registers that show one value from nowhere") {
  const auto hint = [](const History& history) {
    return likely_initial(history, verdict_on(history, Model::kPl2));
  };
  CHECK(hint(register_history("rx0; wx1; ry0")) == ValueId::integer(0));
  CHECK(hint(register_history("rx0; wx1")) == ValueId::integer(0));
  CHECK(hint(register_history("rx7; wx1; ry7")) == ValueId::integer(7));
  CHECK_FALSE(hint(register_history("rx7; wx1")));       // a corruption as well
  CHECK_FALSE(hint(register_history("rx0; wx1; ry7")));  // no one value
  CHECK_FALSE(hint(register_history("rx0; ry0; rz_")));  // nil is the initial value
  CHECK_FALSE(hint(register_history("wx0; rx0")));       // nothing from nowhere
  CHECK_FALSE(hint(list_history("rx0; ry0")));           // lists begin empty
}

TEST_CASE("phrases are filled part by part") {
  const Phrase filled = phrase("{} < {}!", ActorPart{0}, "x");
  REQUIRE(filled.size() == 4);
  CHECK(std::get<ActorPart>(filled[0].content).actor == 0);
  CHECK(std::get<std::string>(filled[2].content) == "x");
  CHECK(std::get<std::string>(filled[3].content) == "!");
}

}  // namespace
}  // namespace elapid
