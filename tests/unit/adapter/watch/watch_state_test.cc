#include "adapter/watch/watch_state.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

std::string folder_text(const TemporaryFolder& folder, const char* name) {
  std::ostringstream text;
  text << std::ifstream(folder.path() / "state" / name, std::ios::binary).rdbuf();
  return text.str();
}

bool is_empty(const WatchState& state) {
  return state.journals().size() == 1 && state.journal_size() == Journal::kHeaderSize;
}

/// What was accepted since the checkpoint.
std::string lines_of(const WatchState& state) {
  std::string lines;
  for (const std::string& path : state.journals()) {
    std::istringstream text(content_of(path));
    for (std::string line; std::getline(text, line);) {
      lines += Journal::is_own_line(line) ? "" : line + "\n";
    }
  }
  return lines;
}

Result<WatchState> try_open(const TemporaryFolder& folder, const std::string& conditions = "si") {
  return WatchState::open(folder.path() / "state", conditions);
}

WatchState open(const TemporaryFolder& folder) {
  Result<WatchState> state = try_open(folder);
  REQUIRE(state.ok());
  return std::move(state).value();
}

TEST_CASE("a state is empty at first") {
  const TemporaryFolder folder;
  WatchState state = open(folder);
  CHECK_FALSE(state.saved());
  CHECK(is_empty(state));
  CHECK(std::filesystem::exists(state.journals().front()));
}

TEST_CASE("a state between checkpoints is its journal and its events") {
  const TemporaryFolder folder;
  {
    WatchState state = open(folder);
    state.store().put("page", "lost");
    CHECK(state.write_journal("one\ntwo\n").ok());
    CHECK(state.tell_event("first\n"));
    CHECK(state.tell_event("second\n"));
    CHECK(state.write_events().ok());
  }
  WatchState state = open(folder);
  CHECK_FALSE(state.saved());
  CHECK_FALSE(state.store().get("page"));
  CHECK_FALSE(is_empty(state));
  CHECK_FALSE(state.tell_event("first\n"));
  CHECK(state.tell_event("another\n"));
  CHECK(state.write_events().ok());
  CHECK(state.end_resume().ok());
  CHECK(folder_text(folder, "events.jsonl") == "first\nanother\n");
}

TEST_CASE("a checkpoint begins the journal anew, and keeps the events") {
  const TemporaryFolder folder;
  std::string first_journal;
  {
    WatchState state = open(folder);
    first_journal = state.journals().front();
    CHECK(state.write_journal("one\n").ok());
    CHECK(state.tell_event("told\n"));
    CHECK(state.write_events().ok());
    state.store().put("page", "kept");
    CHECK(state.checkpoint("all").ok());
    CHECK(is_empty(state));
    CHECK(state.journals().front() != first_journal);
    CHECK_FALSE(std::filesystem::exists(first_journal));
    CHECK(state.write_journal("two\n").ok());
  }
  WatchState state = open(folder);
  CHECK(state.saved() == "all");
  CHECK(state.store().get("page") == "kept");
  CHECK_FALSE(is_empty(state));
  CHECK(state.end_resume().ok());
  CHECK(folder_text(folder, "events.jsonl") == "told\n");
}

TEST_CASE("a state is the same however its directory is written") {
  for (const char* name : {"state/", "state//", "./state/.", "state/../state"}) {
    INFO(name);
    const TemporaryFolder folder;
    const std::string directory = folder.path().string() + "/" + name;
    for (int run = 0; run < 3; ++run) {
      Result<WatchState> state = WatchState::open(directory, "si");
      REQUIRE(state.ok());
      CHECK(state.value().write_journal("one\n").ok());
    }
    CHECK(lines_of(open(folder)) == "one\none\none\n");
  }
}

TEST_CASE("what else lies in the directory of a state is left alone") {
  const TemporaryFolder folder;
  const std::filesystem::path state = folder.path() / "state";
  const std::vector<std::filesystem::path> others = {state / "lost+found", state / "aaa",
                                                     state / "zzz", state / "journal-of-mine",
                                                     state / "journal-01"};
  for (const std::filesystem::path& other : others) {
    std::filesystem::create_directories(other / "deeper");
  }
  folder.write("state/journal-", "mine");
  for (int run = 0; run < 2; ++run) {
    WatchState opened = open(folder);
    CHECK(opened.write_journal("one\n").ok());
    CHECK(opened.checkpoint("").ok());
  }
  CHECK(std::ranges::all_of(others, [](const auto& other) { return exists(other / "deeper"); }));
  CHECK(folder_text(folder, "journal-") == "mine");
}

TEST_CASE("journals of checkpoints that did not come about are gone") {
  const TemporaryFolder folder;
  CHECK(open(folder).write_journal("one\n").ok());
  const std::string stray = folder.write("state/journal-1", "of a checkpoint that was killed\n");
  WatchState state = open(folder);
  CHECK_FALSE(std::filesystem::exists(stray));
  CHECK_FALSE(is_empty(state));
  CHECK(state.checkpoint("").ok());
  CHECK(is_empty(state));
}

TEST_CASE(
    "a checkpoint that was begun and not committed leaves all journals behind the one before") {
  const TemporaryFolder folder;
  {
    WatchState state = open(folder);
    CHECK(state.write_journal("one\n").ok());
    CHECK(state.checkpoint("first").ok());
    CHECK(state.write_journal("two\n").ok());
    CHECK(state.begin_checkpoint().ok());
    CHECK(state.write_journal("three\n").ok());
    CHECK(state.begin_checkpoint().ok());
    CHECK(state.write_journal("four\n").ok());
  }
  {
    WatchState state = open(folder);
    CHECK(state.saved() == "first");
    CHECK(lines_of(state) == "two\nthree\nfour\n");
    CHECK(state.write_journal("five\n").ok());
    const auto begun = state.begin_checkpoint();
    REQUIRE(begun.ok());
    CHECK(state.write_journal("six\n").ok());
    CHECK(state.commit_checkpoint(begun.value(), "second").ok());
  }
  WatchState state = open(folder);
  CHECK(state.saved() == "second");
  CHECK(lines_of(state) == "six\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "state" / "journal-3"));
}

TEST_CASE("a checkpoint goes back to the events that were told when it was begun") {
  const TemporaryFolder folder;
  {
    WatchState state = open(folder);
    CHECK(state.tell_event("before\n"));
    CHECK(state.write_events().ok());
    const auto begun = state.begin_checkpoint();
    REQUIRE(begun.ok());
    CHECK(state.tell_event("behind\n"));
    CHECK(state.write_events().ok());
    CHECK(state.commit_checkpoint(begun.value(), "all").ok());
  }
  WatchState state = open(folder);
  CHECK_FALSE(state.tell_event("behind\n"));
  CHECK(state.end_resume().ok());
  CHECK(folder_text(folder, "events.jsonl") == "before\nbehind\n");
}

TEST_CASE("a state that lacks a journal in which another one goes on is refused") {
  for (const bool is_cut : {false, true}) {
    const TemporaryFolder folder;
    {
      WatchState state = open(folder);
      CHECK(state.begin_checkpoint().ok());
      CHECK(state.write_journal("one\n").ok());
    }
    const std::string path = folder.path() / "state" / "journal-1";
    is_cut ? std::filesystem::resize_file(path, 0) : (void)std::filesystem::remove(path);
    const Result<WatchState> state = try_open(folder);
    REQUIRE_FALSE(state.ok());
    CHECK(state.error().file == path);
    CHECK(state.error().message.starts_with("the state is damaged: "));
  }
}

TEST_CASE("a state is that of one check") {
  const TemporaryFolder folder;
  (void)open(folder);
  const Result<WatchState> other = try_open(folder, "ser");
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().kind == ErrorKind::kUsage);
  CHECK(other.error().message == "the state is that of a check of si, and this is one of ser");
}

TEST_CASE("a state without one of its files is refused") {
  for (const char* name : {"state.sqlite", "journal-1", "events.jsonl"}) {
    INFO(name);
    const TemporaryFolder folder;
    {
      WatchState state = open(folder);
      CHECK(state.tell_event("told\n"));
      CHECK(state.write_events().ok());
      CHECK(state.checkpoint("all").ok());
    }
    std::filesystem::remove(folder.path() / "state" / name);
    const Result<WatchState> state = try_open(folder);
    REQUIRE_FALSE(state.ok());
    CHECK(state.error().kind == ErrorKind::kUnreadable);
    CHECK(state.error().message.starts_with("the state is damaged: "));
  }
}

TEST_CASE("counts of errors as lines") {
  CHECK(error_count_line(17) == "#errors 17\n");
  CHECK(find_error_count("#errors 17") == 17U);
  for (const char* line : {"", "{}", "#errors", "#errors x", "#watermark 5 6"}) {
    CHECK_FALSE(find_error_count(line));
  }
}

TEST_CASE("watermarks as lines") {
  for (const Timestamp time :
       {Timestamp{5, 0}, Timestamp{-7, 4'000'000'000}, Timestamp::last(), Timestamp::first()}) {
    const std::string line = watermark_line(time);
    CHECK(line.ends_with('\n'));
    CHECK(find_watermark(std::string_view(line).substr(0, line.size() - 1)) == time);
  }
  CHECK(watermark_line({5, 6}) == "#watermark 5 6\n");
  for (const char* line : {"", "{}", "#watermark", "#watermark x 1", "#watermark 5"}) {
    CHECK_FALSE(find_watermark(line));
  }
}

TEST_CASE("a table of atoms as bytes") {
  AtomTable atoms;
  const Atom text = atoms.text("a \"b\" 7x");
  const Atom numbered = atoms.text("t-7");
  const Atom literal = atoms.literal("1.5");
  AtomTable again;
  restore(again, encode(atoms, atoms.entries().size()));
  for (const Atom atom : {text, numbered, literal}) {
    CHECK(again.json(atom) == atoms.json(atom));
  }
  CHECK(encode(again, again.entries().size()) == encode(atoms, atoms.entries().size()));
}

}  // namespace
}  // namespace elapid
