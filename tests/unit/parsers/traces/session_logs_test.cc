#include "parsers/traces/session_logs.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "engine/ir/integer_text.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

const LogNames kNames = {
    .what = "logs (*.log)",
    .is_log = [](const std::string& name) { return name.ends_with(".log"); },
    .number_of =
        [](const std::string& name) { return integer_of(name.substr(0, name.find('.'))); }};

std::string found_in(const TemporaryFolder& folder) {
  const auto logs = find_session_logs(Sources(folder.path().string()), kNames);
  std::string text;
  for (const SessionLog& log : logs ? logs.value() : std::vector<SessionLog>()) {
    text += std::filesystem::path(log.path).filename().string() + '=' +
            std::to_string(log.session) + (log.is_numbered ? " " : "? ");
  }
  return logs ? text : logs.error().message;
}

TEST_CASE("session logs: the number in a name is the session, the others come behind") {
  const TemporaryFolder folder;
  CHECK(found_in(folder) == "is a directory without logs (*.log)");
  for (const char* name : {"10.log", "9.log", "09.log", "-1.log", "a.log", "3.txt",
                           "1152921504606846977.log"}) {  // 2^60 + 1
    folder.write(name, "");
  }
  CHECK(found_in(folder) ==
        "-1.log=-1 09.log=9 10.log=10 1152921504606846977.log=11? 9.log=12? a.log=13? ");
}

TEST_CASE("session logs: a single file is one log") {
  for (const auto& [name, session] : {std::pair("7.log", 7), std::pair("a.log", 0)}) {
    const auto logs = find_session_logs(Sources(memory_source(name, "")), kNames);
    REQUIRE(logs);
    REQUIRE(logs.value().size() == 1);
    CHECK(logs.value().front().session == session);
    CHECK(logs.value().front().is_numbered);
  }
}

}  // namespace
}  // namespace elapid
