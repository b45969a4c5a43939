#include "engine/ir/thread.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <new>
#include <stdexcept>
#include <string>

namespace elapid {
namespace {

TEST_CASE("what is thrown becomes an error") {
  CHECK(caught([] {}).ok());
  CHECK(caught([] { return Status(); }).ok());
  CHECK(caught([] { return Status(usage_error("no")); }).error().message == "no");
  const Status memory = caught([] { throw std::bad_alloc(); });
  CHECK(memory.error().kind == ErrorKind::kInternal);
  CHECK(memory.error().message == "memory ran out");
  CHECK(caught([] { throw std::runtime_error("words"); }).error().message == "words");
  CHECK_FALSE(caught([] { throw 7; }).ok());
}

TEST_CASE("what a thread throws is thrown again where it is joined, once") {
  Thread thread([] { throw std::runtime_error("words"); });
  CHECK_THROWS_WITH(thread.join(), "words");
  CHECK_FALSE(thread.joinable());
  CHECK_NOTHROW(thread.join());
  {
    const Thread forgotten([] { throw std::bad_alloc(); });
  }
}

TEST_CASE("what a thread throws is handed over where that is asked for") {
  std::string message;
  Thread thread([] { throw std::bad_alloc(); },
                [&](const Error& error) { message = error.message; });
  CHECK_NOTHROW(thread.join());
  CHECK(message == "memory ran out");
}

TEST_CASE("a thread is asked to stop when it goes") {
  std::atomic<bool> has_stopped = false;
  {
    const Thread thread([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::this_thread::yield();
      }
      has_stopped = true;
    });
  }
  CHECK(has_stopped);
  CHECK_NOTHROW(Thread().join());
}

}  // namespace
}  // namespace elapid
