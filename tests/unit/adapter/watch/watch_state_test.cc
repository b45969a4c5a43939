#include "adapter/watch/watch_state.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <limits>
#include <string>

#include "tests/unit/parsers/temporary_folder.h"

namespace elapid {
namespace {

WatchState open(const TemporaryFolder& folder) {
  Result<WatchState> state = WatchState::open(folder.path() / "state");
  REQUIRE(state.ok());
  return std::move(state).value();
}

TEST_CASE("a state is empty at first") {
  const TemporaryFolder folder;
  WatchState state = open(folder);
  CHECK_FALSE(state.saved("check"));
  CHECK(state.journal_size() == 0);
  CHECK(state.last_event() == 0);
  CHECK(std::filesystem::exists(state.journal_path()));
}

TEST_CASE("a state between checkpoints is its journal and its events") {
  const TemporaryFolder folder;
  {
    WatchState state = open(folder);
    state.store().put("check", "lost");
    CHECK(state.write_journal("one\ntwo\n").ok());
    CHECK(
        state.write_events("{\"event\":\"final\",\"n\":1}\n{\"event\":\"late\",\"n\":12,\"x\":1}\n")
            .ok());
  }
  WatchState state = open(folder);
  CHECK_FALSE(state.saved("check"));
  CHECK(state.journal_size() == 8);
  CHECK(state.last_event() == 12);
}

TEST_CASE("a checkpoint begins the journal anew, and keeps the events") {
  const TemporaryFolder folder;
  std::string first_journal;
  {
    WatchState state = open(folder);
    first_journal = state.journal_path();
    CHECK(state.write_journal("one\n").ok());
    CHECK(state.write_events("{\"n\":3}\n").ok());
    state.store().put("check", "kept");
    CHECK(state.checkpoint().ok());
    CHECK(state.journal_size() == 0);
    CHECK(state.journal_path() != first_journal);
    CHECK_FALSE(std::filesystem::exists(first_journal));
    CHECK(state.write_journal("two\n").ok());
  }
  WatchState state = open(folder);
  CHECK(state.saved("check") == "kept");
  CHECK(state.journal_size() == 4);
  CHECK(state.last_event() == 3);
}

TEST_CASE("journals of checkpoints that did not come about are gone") {
  const TemporaryFolder folder;
  CHECK(open(folder).write_journal("one\n").ok());
  const std::string stray = folder.write("state/journal-1", "of a checkpoint that was killed\n");
  WatchState state = open(folder);
  CHECK_FALSE(std::filesystem::exists(stray));
  CHECK(state.journal_size() == 4);
  CHECK(state.checkpoint().ok());
  CHECK(state.journal_size() == 0);
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
  restore(again, encode(atoms));
  for (const Atom atom : {text, numbered, literal}) {
    CHECK(again.json(atom) == atoms.json(atom));
  }
  CHECK(encode(again) == encode(atoms));
}

}  // namespace
}  // namespace elapid
