#include "parsers/detect.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "parsers/formats.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

/// The likeliest format and why, or the error.
std::string detected(const std::string& text) {
  const auto source = memory_source("h", text);
  const auto found = detect_file(*source);
  return found ? elapid::text(found.value().front().format) + ": " + found.value().front().reason
               : found.error().to_string();
}

/// All formats that it may be, with blanks between.
std::string candidates(const std::string& text) {
  const auto source = memory_source("h", text);
  const auto found = detect_file(*source);
  std::string all;
  for (std::size_t i = 0; found && i < found.value().size(); ++i) {
    all += (i == 0 ? "" : " ") + elapid::text(found.value()[i].format);
  }
  return all;
}

/// Five numbers and the length of a text, as dbcop's bincode begins.
std::string bincode_head(char first_number) {
  std::string head;
  for (const char n : {first_number, '\2', '\3', '\4', '\5', '\0'}) {
    head += n + std::string(7, '\0');
  }
  return head;
}

TEST_CASE("messages call options what the caller calls them") {
  const auto source = memory_source("h", "what is this?");
  const auto found = detect_file(*source, {.format = "the field `format`"});
  REQUIRE_FALSE(found);
  CHECK_THAT(found.error().message, Catch::EndsWith("(see the field `format`)"));
}

TEST_CASE("What may be in several formats has them all, the likeliest first") {
  CHECK(candidates(bincode_head('S')) == "dbcop:bincode cobra");
  CHECK(candidates(bincode_head('\xc0')) == "dbcop:bincode jepsen:fressian");
  CHECK(candidates("S0 R1a R2aW0aC0\n") == "coo");
  CHECK(candidates("S0 W0a S1R1a C0 C1\n") == "coo cobra");
  CHECK(candidates(R"({"type": "ok", "error": {"sts": 1, "cts": 2, "ops": 3}})") ==
        "timekiller jsonl");
  CHECK(candidates(R"({"value": []})") == "viper:json jsonl");
  CHECK(candidates("{:type :ok}") == "edn");
}

TEST_CASE("EDN is known by keywords, lists, comments and tags") {
  CHECK(detected("{:type :ok}") == "edn: it begins with a map of keyword keys");
  CHECK(detected(" ,\n[ {:type :ok}]") ==
        "edn: it begins with a vector with a map of keyword keys");
  CHECK(detected("({\"a\" 1})") == "edn: it begins with a list");
  CHECK(detected("; {\"type\": \"ok\"}\n{:type :ok}") == "edn: it begins with a comment");
  CHECK(detected("[; note\n{:type :ok}]") == "edn: it begins with a comment");
  CHECK(detected("#jepsen.history.Op{:type :ok}") ==
        "edn: it begins with a tag or a discarded form");
  CHECK(detected("[#_ {} {:type :ok}]") == "edn: it begins with a tag or a discarded form");
  CHECK(detected("{#_ 1 :type :ok}") == "edn: it begins with a map that holds a comment or a tag");
}

TEST_CASE("JSON is known by objects with strings as keys") {
  CHECK(detected("[{\"type\": \"ok\"}]") == "json: it begins with an array of objects");
  CHECK(detected("\n [ { \"type\": \"ok\"}]") == "json: it begins with an array of objects");
  CHECK(detected("{\"type\": \"ok\"}\n{") == "jsonl: it begins with an object, not an array");
}

TEST_CASE("A byte order mark does not keep a format from being known") {
  CHECK(detected("\xef\xbb\xbf[{\"type\": \"ok\"}]") == "json: it begins with an array of objects");
  CHECK(detected("\xef\xbb\xbf{:type :ok}") == "edn: it begins with a map of keyword keys");
}

TEST_CASE("An empty input is no history") {
  CHECK(detected("") == "h:1:1: expected a history, found an empty file");
  CHECK(detected(" \n\n") == "h:1:1: expected a history, found an empty file");
  CHECK(detected("\xef\xbb\xbf") == "h:1:1: expected a history, found an empty file");
  CHECK(detected(std::string(100'000, ' ') + "{:type :ok}") ==
        "h:1:1: expected a history, found 64 KiB of white space");
}

TEST_CASE("What is like no format is refused with its beginning") {
  CHECK(detected("[]") ==
        "h:1:1: cannot tell the format of an input that begins with `[]`: it looks like none of "
        "those known (see the option format)");
  CHECK(detected("{}").find("begins with `{}`") != std::string::npos);
  CHECK(detected("\x7f"
                 "ELF")
            .find("begins with `?ELF`") != std::string::npos);
  CHECK(detected("r(1,2,3)\n").find("begins with `r(1,2,3)?`") != std::string::npos);
}

TEST_CASE("Formats of lines are known by their first line") {
  CHECK(detected("w(1,2,0,-1)\n") == "rw-text: its lines are op(key,value,session,transaction)");
  CHECK(detected("noise\n").find("cannot tell") != std::string::npos);
  CHECK(detected("prefix READ KEY[a] Txn(1, 0) From(0, 0)\n").starts_with("isopredict: "));
  CHECK(detected("INSERT[5] to Set[s] Txn(1, 1)\n").starts_with("isopredict: "));
  CHECK(detected("INFO  jepsen.util - 0\t:invoke\t:write\t4\n").starts_with("porcupine:etcd: "));
  CHECK(detected("R0a W0b R1b C0\n").starts_with("coo: "));
  CHECK(detected("W0aC0R1aC1\n").starts_with("coo: "));
  CHECK(detected("w 1 1\nr 2 0\n").starts_with("awdit: "));
  CHECK(detected("// a comment\n[x:=1]\n").starts_with("dbcop:hist: "));
  CHECK(detected("[x:=1 y==2]!\n").starts_with("dbcop:hist: "));
  CHECK(detected("4\n0 1 A 5 1\n").starts_with("veristrong-elle: "));
}

TEST_CASE("Formats in JSON are told apart by their keys") {
  CHECK(detected(R"([{"tid":1,"sid":1,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},"ops":[]}])")
            .starts_with("timekiller: "));
  CHECK(detected(R"({"params":{"id":0},"info":"","data":[]})").starts_with("dbcop:json: "));
  CHECK(detected(R"([[{"events":[["w",0,1]],"committed":true}]])").starts_with("dbcop:json: "));
  CHECK(detected(R"({"value": [["w", 1, 101, true]]})").starts_with("viper:json: "));
  CHECK(detected(R"({"type":"ok","process":0,"value":[["r",1,null]]})").starts_with("jsonl: "));
  CHECK(detected(R"({:process 0, :type :invoke, :f :get, :key "0", :value nil})")
            .starts_with("porcupine:kv: "));
}

TEST_CASE("Binary formats are known by their first bytes") {
  CHECK(detected("JEPSEN\1").starts_with("jepsen:binary: "));
  CHECK(detected("\xc0\xe4").starts_with("jepsen:fressian: "));
  CHECK(detected(std::string("S\0\0\0\0\0\0\0\1W", 10)).starts_with("cobra: "));
  CHECK(detected(bincode_head('\1')).starts_with("dbcop:bincode: "));
}

TEST_CASE("Detection leaves the source at its start") {
  const auto source = memory_source("h", "{:type :ok}");
  REQUIRE(detect_file(*source));
  char first = '\0';
  REQUIRE(source->read({&first, 1}));
  CHECK(first == '{');
}

TEST_CASE("bincode is known with any number and any text at its head") {
  std::string head = bincode_head('S');
  head[40] = '\7';
  CHECK(candidates(head + "Zoë's\n") == "dbcop:bincode cobra");
  CHECK(candidates(head + "Zo\x01's\n") == "cobra");
}

TEST_CASE("A text that speaks of another format's words is in both, and the grammar comes first") {
  CHECK(candidates("; READ KEY[a] Txn(1, 0)\n{:type :ok}") == "isopredict edn");
  CHECK(candidates("// INSERT[5] to Set[s]\n[x:=1]") == "dbcop:hist isopredict");
}

/// The format and the file's name, or the error, of a directory.
std::string detected_in(const TemporaryFolder& folder, const std::string& asked = "") {
  const auto found =
      detect_directory(folder.path().string(), asked.empty() ? std::nullopt : find_format(asked));
  if (!found) {
    return found.error().message;
  }
  const std::string file = std::filesystem::path(found.value().file).filename().string();
  return elapid::text(found.value().format) + (file.empty() ? "" : " in " + file);
}

TEST_CASE("Of a store's forms of one history the newest is read, and each can be asked for") {
  const TemporaryFolder folder;
  folder.write("test.fressian", "\xc0");
  CHECK(detected_in(folder) == "jepsen:fressian in test.fressian");
  folder.write("history.edn", "{:type :ok}");
  CHECK(detected_in(folder) == "edn in history.edn");
  folder.write("test.jepsen", "JEPSEN");
  CHECK(detected_in(folder) == "jepsen:binary in test.jepsen");
  CHECK(detected_in(folder, "edn") == "edn in history.edn");
  CHECK(detected_in(folder, "jepsen") == "jepsen in test.jepsen");
  CHECK(detected_in(folder, "jepsen:fressian") == "jepsen:fressian in test.fressian");
  CHECK(detected_in(folder, "dbcop") == "is a directory without a history in the format dbcop");
}

TEST_CASE("A log that begins with an S makes no Cobra directory of a store") {
  const TemporaryFolder folder;
  folder.write("server.log", "Starting the server\n");
  CHECK(detected_in(folder) == "cobra");  // there is nothing else that it could be
  folder.write("history.edn", "{:type :ok}");
  CHECK(detected_in(folder) == "edn in history.edn");
  folder.write("T0.log", std::string("S\0\0\0\0\0\0\0\1W", 10));
  CHECK(detected_in(folder).starts_with("cannot tell the format of this directory"));
  CHECK(detected_in(folder, "cobra") == "cobra");
}

}  // namespace
}  // namespace elapid
