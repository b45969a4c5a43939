#include "harness/story/story.h"

#include <catch2/catch.hpp>
#include <string>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"
#include "harness/story/story_svg.h"
#include "harness/story/story_text.h"
#include "tests/unit/harness/story/approved.h"

namespace elapid {
namespace {

ToldStory story_of(const History& history, Model model, const StoryOptions& options = {}) {
  const Result<Verdict> verdict = check(history, {.models = {model}});
  REQUIRE(verdict.ok());
  return tell_story(history, verdict.value(), options);
}

History long_fork() {
  return list_history("0> ax1; 1> ay1; 2> rx1 ry; 3> rx ry1; 0+ ax1; 1+ ay1; 2+ rx1 ry; 3+ rx ry1");
}

TEST_CASE("story: a lost update") {
  check_approved(
      to_text(story_of(register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2"),
                       Model::kPlSi, {.whole_txns = 100000})),
      "lost_update.txt");
}

TEST_CASE("story: a write skew, with its cycle") {
  check_approved(
      to_text(story_of(list_history("0> rx ay1; 1> ry ax1; 0+ rx ay1; 1+ ry ax1"), Model::kPl3)),
      "write_skew.txt");
}

TEST_CASE("story: an aborted read") {
  check_approved(to_text(story_of(list_history("0 ax1; 1- ax2; 2 rx12"), Model::kPl3)),
                 "aborted_read.txt");
}

TEST_CASE("story: a stale read with an outcome that is unknown") {
  check_approved(
      to_text(story_of(list_history("0 ax1; 0 ax2; 1> rx1; 1+ rx1; 2? ax3"), Model::kPlSs)),
      "stale_read.txt");
}

TEST_CASE("story: a long fork") {
  check_approved(to_text(story_of(long_fork(), Model::kPlSi)), "long_fork.txt");
}

TEST_CASE("story: a valid history") {
  check_approved(to_text(story_of(list_history("0 ax1; 1 rx1"), Model::kPl3)), "valid.txt");
}

TEST_CASE("story: the anomaly may be chosen") {
  const History history =
      register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2; 2 rz9; 3 rx2");
  CHECK(story_of(history, Model::kPlSi, {.anomaly = "lost-update"}).title == "lost-update");
  CHECK(story_of(history, Model::kPlSi, {.anomaly = "garbage-read"})
            .title.starts_with("garbage-read"));
}

TEST_CASE("story: long lists are cut") {
  std::string text = "0 ax1; ";
  std::string list = "rx1,";
  for (int i = 2; i < 20; ++i) {
    text += "0 ax" + std::to_string(i) + "; ";
    list += std::to_string(i) + ",";
  }
  const ToldStory story = story_of(list_history(text + "1 " + list), Model::kPl3);
  CHECK(story.steps[story.steps.size() - 2].text == "read x = [1 2 3 … 17 18 19]");
}

TEST_CASE("story: the picture is the one approved") {
  check_approved(to_svg(story_of(long_fork(), Model::kPlSi)), "long_fork.svg");
}

TEST_CASE("story: a picture escapes names") {
  ToldStory story = story_of(long_fork(), Model::kPlSi);
  story.title = "a <b> & c";
  CHECK(to_svg(story).find("a &lt;b&gt; &amp; c") != std::string::npos);
}

}  // namespace
}  // namespace elapid
