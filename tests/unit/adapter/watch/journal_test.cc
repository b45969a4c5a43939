#include "adapter/watch/journal.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

/// A journal of two blocks. The first one was accepted.
std::string make_journal(const TemporaryFolder& folder) {
  const std::string path = folder.path() / "journal-7";
  Result<Journal> journal = Journal::create(path, 7);
  REQUIRE(journal.ok());
  CHECK(journal.value().is_empty());
  CHECK(journal.value().append("").ok());
  CHECK(journal.value().is_empty());
  CHECK(journal.value().append("one\ntwo\n").ok());
  CHECK(journal.value().sync().ok());
  CHECK(journal.value().append("three\n").ok());
  return path;
}

TEST_CASE("a journal is its lines and the journal's own") {
  const TemporaryFolder folder;
  const std::string path = make_journal(folder);
  const Result<Journal> journal = Journal::open(path, 7);
  REQUIRE(journal.ok());
  std::istringstream text(content_of(path));
  std::string lines;
  for (std::string line; std::getline(text, line);) {
    lines += Journal::is_own_line(line) ? "" : line + "\n";
  }
  CHECK(lines == "one\ntwo\nthree\n");
  CHECK(journal.value().size() == text.str().size());
}

TEST_CASE("a journal loses what was not accepted and is not whole") {
  const TemporaryFolder folder;
  const std::string path = make_journal(folder);
  const std::string whole = content_of(path);
  const std::size_t accepted = whole.find("#block", whole.find("two"));
  for (const std::string& cut : {whole.substr(0, whole.size() - 1), whole.substr(0, accepted + 3),
                                 whole.substr(0, accepted) + std::string(100, '\0'),
                                 whole.substr(0, whole.size() - 2) + "E\n"}) {
    Result<Journal> journal = Journal::open(folder.write("journal-7", cut), 7);
    REQUIRE(journal.ok());
    CHECK(journal.value().size() == accepted);
    CHECK(journal.value().append("three\n").ok());
    CHECK(content_of(path) == whole);
  }
}

TEST_CASE("a journal is refused if anything that was accepted has changed") {
  const TemporaryFolder folder;
  const std::string whole = content_of(make_journal(folder));
  const std::size_t accepted = whole.find("#block", whole.find("two"));
  for (std::size_t i = 0; i < accepted; ++i) {
    std::string changed = whole;
    changed[i] = changed[i] == '5' ? '6' : '5';
    const Result<Journal> journal = Journal::open(folder.write("journal-7", changed), 7);
    INFO("byte " << i);
    REQUIRE_FALSE(journal.ok());
    CHECK(journal.error().message.starts_with("the state is damaged: "));
    CHECK_FALSE(Journal::open(folder.write("journal-7", whole.substr(0, i)), 7).ok());
  }
  CHECK(Journal::open(folder.write("journal-7", whole), 7).ok());
  CHECK_FALSE(Journal::open(folder.write("journal-7", whole), 8).ok());
}

TEST_CASE("a journal that goes on in the next one says so") {
  const TemporaryFolder folder;
  const std::string path = make_journal(folder);
  {
    Result<Journal> journal = Journal::open(path, 7);
    REQUIRE(journal.ok());
    CHECK_FALSE(journal.value().has_ended());
    CHECK(journal.value().end().ok());
    CHECK(journal.value().has_ended());
  }
  const std::string whole = content_of(path);
  Result<Journal> journal = Journal::open(path, 7);
  REQUIRE(journal.ok());
  CHECK(journal.value().has_ended());
  CHECK(journal.value().size() == whole.size());
  // All of it was accepted.
  CHECK_FALSE(Journal::open(folder.write("journal-7", whole.substr(0, whole.size() - 1)), 7).ok());
  // Nothing is behind its end.
  journal = Journal::open(folder.write("journal-7", whole + "more"), 7);
  REQUIRE(journal.ok());
  CHECK(journal.value().size() == whole.size());
  CHECK(content_of(path) == whole);
}

}  // namespace
}  // namespace elapid
