#include "adapter/elle/evidence_list.h"

#include <vector>

#include <catch2/catch.hpp>

#include "adapter/elle/file_output.h"
#include "tests/unit/adapter/elle/temporary_directory.h"

namespace elapid {
namespace {

using namespace elle_test;

/// Evidence of a history: files with the name as their content.
void leave(const std::filesystem::path& folder, const std::string& history,
           const std::vector<std::string>& files) {
  EvidenceList list(folder, history);
  for (const std::string& file : files) {
    REQUIRE(list.note(file).ok());
    REQUIRE(write_file(folder / file, file).ok());
  }
}

TEST_CASE("evidence that was noted is removed, with folders that are empty then") {
  const TemporaryDirectory directory;
  leave(directory.path(), "a.edn", {"G1a.txt", "G0/0.svg", "sccs/0.svg"});
  REQUIRE(write_file(directory.path() / "sccs/mine.svg", "mine").ok());
  REQUIRE(write_file(directory.path() / "G1c.txt", "mine").ok());
  REQUIRE(remove_evidence(directory.path()).ok());
  CHECK(directory.file_count() == 2);
  CHECK(directory.read("sccs/mine.svg") == "mine");
  CHECK_FALSE(std::filesystem::exists(directory.path() / "G0"));
}

TEST_CASE("without a list nothing is removed") {
  const TemporaryDirectory directory;
  REQUIRE(write_file(directory.path() / "G1a.txt", "mine").ok());
  REQUIRE(remove_evidence(directory.path()).ok());
  REQUIRE(remove_evidence(directory.path() / "nowhere").ok());
  REQUIRE(write_file(directory.path() / ".elapid-evidence", "another program's\n\"h\"\nG1a.txt\n")
              .ok());
  REQUIRE(remove_evidence(directory.path()).ok());
  CHECK(directory.read("G1a.txt") == "mine");
}

TEST_CASE("a list that names other files removes none of them") {
  const TemporaryDirectory directory;
  const auto folder = directory.path() / "evidence";
  for (const char* file : {"run.edn", "../up.txt", "a/b/c.txt"}) {
    REQUIRE(write_file(folder / file, "mine").ok());
  }
  REQUIRE(write_file(directory.path() / "whole.txt", "mine").ok());
  REQUIRE(write_file(folder / ".elapid-evidence",
                     "elapid evidence 1\n\"h\"\nrun.edn\n../up.txt\na/b/c.txt\n" +
                         (directory.path() / "whole.txt").string() + "\n..\n.\n\ngone.txt\n")
              .ok());
  REQUIRE(remove_evidence(folder).ok());
  CHECK(directory.file_count() == 4);
}

TEST_CASE("a list cut off is read as far as it goes") {
  const TemporaryDirectory directory;
  REQUIRE(
      write_file(directory.path() / ".elapid-evidence", "elapid evidence 1\n\"h\"\nG0.txt\nG1a.txt")
          .ok());
  REQUIRE(write_file(directory.path() / "G0.txt", "noted").ok());
  REQUIRE(write_file(directory.path() / "G1a.txt", "not known to be noted").ok());
  REQUIRE(remove_evidence(directory.path()).ok());
  CHECK(directory.file_count() == 1);
}

TEST_CASE("the evidence of one history goes wherever it is, once") {
  const TemporaryDirectory directory;
  leave(directory.path() / "1-a", "a.edn", {"G1a.txt"});
  leave(directory.path() / "2-b", "b.edn", {"G1a.txt"});
  leave(directory.path() / "3-a", "a.edn", {"G0.txt"});
  leave(directory.path(), "a.edn", {"G2.txt"});
  PastEvidence past(directory.path());
  REQUIRE(past.remove("a.edn").ok());
  CHECK(directory.file_count() == 2);
  CHECK(directory.read("2-b/G1a.txt") == "G1a.txt");
  CHECK_FALSE(std::filesystem::exists(directory.path() / "1-a"));
  leave(directory.path() / "1-a", "a.edn", {"G1a.txt"});
  REQUIRE(past.remove("a.edn").ok());
  CHECK(directory.read("1-a/G1a.txt") == "G1a.txt");
  REQUIRE(past.remove("nowhere.edn").ok());
}

TEST_CASE("a list that cannot be written is an error") {
  const TemporaryDirectory directory;
  REQUIRE(write_file(directory.path() / "file", "").ok());
  const Status noted = EvidenceList(directory.path() / "file" / "folder", "h").note("G0.txt");
  REQUIRE_FALSE(noted.ok());
  CHECK(noted.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
