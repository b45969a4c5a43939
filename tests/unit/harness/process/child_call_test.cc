#include "harness/process/child_call.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>

namespace elapid {
namespace {

TEST_CASE("child call: what the child says is told whole, however long it is") {
  const std::string text(3'000'000, 'x');
  const Result<std::string> answer = call_in_child([&] {
    std::thread([] {}).join();  // threads of the child are its own affair
    return text;
  });
  REQUIRE(answer);
  CHECK(answer.value() == text);
  CHECK(call_in_child([] { return std::string(); }).value().empty());
}

TEST_CASE("child call: a child that dies gives its reason, and this process goes on") {
  const Result<std::string> killed = call_in_child([]() -> std::string {
    std::raise(SIGKILL);
    return "no";
  });
  REQUIRE_FALSE(killed);
  CHECK(killed.error().message.find("signal: Killed") != std::string::npos);
  const Result<std::string> left = call_in_child([]() -> std::string { std::_Exit(7); });
  REQUIRE_FALSE(left);
  CHECK(left.error().message == "it ended with exit code 7");
}

TEST_CASE("child call: what the child throws ends there, and is told here") {
  const pid_t here = ::getpid();
  const Result<std::string> memory = call_in_child([]() -> std::string { throw std::bad_alloc(); });
  if (::getpid() != here) {
    ::_exit(0);  // the child has unwound its parent's stack
  }
  REQUIRE_FALSE(memory);
  CHECK(memory.error().kind == ErrorKind::kInternal);
  CHECK(memory.error().message == "memory ran out");
  const Result<std::string> words =
      call_in_child([]() -> std::string { throw std::runtime_error("words"); });
  REQUIRE_FALSE(words);
  CHECK(words.error().message == "words");
}

}  // namespace
}  // namespace elapid
